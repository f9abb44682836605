/**
 * Wraps lines at spaces to the rows and columns of a display. Surplus rows are dropped; characters that a simple font
 * may lack become "?".
 */
export function textRows(
  lines: readonly string[],
  { rows, columns }: { readonly rows: number; readonly columns: number },
): readonly string[] {
  return lines.flatMap((line) => wrapped(line.replace(/[^\x20-\x7e]/g, "?"), rows, columns)).slice(0, rows);
}

function wrapped(line: string, most: number, columns: number): readonly string[] {
  const rows: string[] = [];
  let rest = line.trimEnd();
  while (rest.length > columns && rows.length < most) {
    const space = rest.lastIndexOf(" ", columns);
    const cut = space > 0 ? space : columns;
    rows.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut).trimStart();
  }
  return [...rows, rest];
}
