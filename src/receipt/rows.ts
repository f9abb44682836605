import type { ReceiptLine } from "./source.ts";

/** One printed row of at most so many columns, and the line it belongs to. */
export interface Row {
  readonly key: string;
  readonly text: string;
}

/** Labels left, values right; a line without a label is centred; a value that does not fit goes on further rows. */
export function receiptRows(lines: readonly ReceiptLine[], columns: number): readonly Row[] {
  return lines.flatMap((line) => textsOf(line, columns).map((text) => ({ key: line.key, text })));
}

export function receiptText(lines: readonly ReceiptLine[], columns: number): string {
  return receiptRows(lines, columns)
    .map(({ text }) => text)
    .join("\n");
}

function textsOf({ label, value }: ReceiptLine, columns: number): readonly string[] {
  if (label === "")
    return pieces(value, columns).map((piece) => " ".repeat(Math.floor((columns - piece.length) / 2)) + piece);
  if (label.length + 1 + value.length <= columns) return [label + value.padStart(columns - label.length)];
  return [label, ...pieces(value, columns).map((piece) => piece.padStart(columns))];
}

/** Broken between words; a word that is longer than a row is broken inside. */
function pieces(value: string, columns: number): readonly string[] {
  const rows: string[] = [];
  let row = "";
  for (const word of value.split(" ").flatMap((one) => slices(one, columns))) {
    const joined = row === "" ? word : `${row} ${word}`;
    if (joined.length <= columns) {
      row = joined;
    } else {
      rows.push(row);
      row = word;
    }
  }
  return [...rows, row];
}

function slices(word: string, columns: number): readonly string[] {
  const count = Math.max(1, Math.ceil(word.length / columns));
  return Array.from({ length: count }, (_, at) => word.slice(at * columns, (at + 1) * columns));
}
