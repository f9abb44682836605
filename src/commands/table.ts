/** Rows as columns under headings, two spaces apart; columns named in `right` are aligned right. No trailing spaces. */
export function tableLines(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly string[] = [],
): readonly string[] {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => width(row[column] ?? ""))));
  const cell = (text: string, column: number): string => {
    const padding = " ".repeat((widths[column] ?? 0) - width(text));
    return right.includes(headings[column] ?? "") ? padding + text : text + padding;
  };
  return all.map((row) =>
    headings
      .map((_, column) => cell(row[column] ?? "", column))
      .join("  ")
      .trimEnd(),
  );
}

/** Code points: the width on a terminal, except for the widest scripts. */
function width(text: string): number {
  return [...text].length;
}
