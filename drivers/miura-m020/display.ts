import { textRows } from "../../src/kit/text-rows.ts";
import { SIZE } from "../vipa/display.ts";

/** What the display shows while the terminal is idle. */
export const IDLE_LINES: readonly string[] = ["", "Welcome"];

/** The text of DISPLAY TEXT. */
export function displayText(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(textRows(lines, SIZE).join("\n"));
}
