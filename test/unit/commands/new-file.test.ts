import { expect, it } from "vitest";
import { warnIfOpen } from "../../../src/commands/new-file.ts";

it.each([
  ["says nothing of a file that was closed", undefined, []],
  [
    "tells of one that could not be closed",
    "whoami tells no SID",
    ["b.gz may be read by whoever may read its folder (whoami tells no SID); move it where others cannot"],
  ],
])("%s", (_, problem, lines) => {
  const told: string[] = [];
  warnIfOpen("b.gz", { err: (line) => void told.push(line) }, () => problem);
  expect(told).toEqual(lines);
});
