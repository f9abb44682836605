import { textRows } from "../../src/kit/text-rows.ts";
import { SIZE } from "../vipa/display.ts";

/** Text on the idle screen. */
export const IDLE_LINES: readonly string[] = ["", "Welcome"];

export function displayText(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(textRows(lines, SIZE).join("\n"));
}
