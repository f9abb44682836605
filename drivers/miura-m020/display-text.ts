import { textRows } from "../../src/kit/text-rows.ts";

/** PROTOCOL.md 3.4: the small font has four rows of 21 columns. */
const SMALL_FONT = { rows: 4, columns: 21 };

/** What the display shows while the terminal is idle. */
export const IDLE_LINES: readonly string[] = ["", "Welcome"];

/** The text of DISPLAY TEXT. */
export function displayText(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(textRows(lines, SMALL_FONT).join("\n"));
}
