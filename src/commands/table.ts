/** Rows as aligned columns under their headings, two spaces apart; columns named in `right` are numbers. No line ends in spaces. */
export function tableLines(headings: readonly string[], rows: readonly (readonly string[])[], right: readonly string[] = []): readonly string[] {
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

/** Code points: what a terminal shows for the names people give to registers, short of the widest scripts. */
function width(text: string): number {
  return [...text].length;
}
