import { fromAscii } from "../../src/kit/bytes.ts";
import { textRows } from "../../src/kit/text-rows.ts";
import { SIZE } from "../vipa/display.ts";

/** Text of DISPLAY: 0D ends a row, 09 centres it. */
export function displayText(lines: readonly string[]): Uint8Array {
  return fromAscii(
    textRows(lines, SIZE)
      .map((row) => `\t${row}`)
      .join("\r"),
  );
}
