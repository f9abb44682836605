import type { CollectRequest } from "../../src/card/command.ts";

/** PROTOCOL.md 3.4: the small font has four rows of 21 columns. */
const ROWS = 4;
const COLUMNS = 21;

/** What the display shows while the terminal is idle. */
export const IDLE_LINES: readonly string[] = ["", "Welcome"];

/** More decimals than any currency of ISO 4217 has are refused. */
export const MOST_DECIMALS = 4;

/** An amount as a customer reads it: "12.34 EUR", "1200 JPY". */
export function amountText({ amount, decimals, currencyCode }: Pick<CollectRequest, "amount" | "decimals" | "currencyCode">): string {
  const digits = String(amount).padStart(decimals + 1, "0");
  const number = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return `${number} ${currencyCode}`;
}

/** The text of DISPLAY TEXT: lines wrapped at spaces to the columns there are, rows that do not fit left out, what the font may lack as "?". */
export function displayText(lines: readonly string[]): Uint8Array {
  const rows = lines.flatMap((line) => wrap(line.replace(/[^\x20-\x7e]/g, "?")));
  return new TextEncoder().encode(rows.slice(0, ROWS).join("\n"));
}

function wrap(line: string): readonly string[] {
  const rows: string[] = [];
  let rest = line.trimEnd();
  while (rest.length > COLUMNS && rows.length < ROWS) {
    const space = rest.lastIndexOf(" ", COLUMNS);
    const cut = space > 0 ? space : COLUMNS;
    rows.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut).trimStart();
  }
  return [...rows, rest];
}
