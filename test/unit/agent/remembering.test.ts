import { expect, it } from "vitest";
import { rememberDevice } from "../../../src/agent/terminals.ts";
import type { KnownTerminals } from "../../../src/journal/known-terminals.ts";

/** The warnings of remembering a device where the file takes it as `remember` says. */
function warningsOf(remember: KnownTerminals["remember"]): readonly (readonly [object, string])[] {
  const warnings: [object, string][] = [];
  const known: KnownTerminals = {
    serialNumber: () => undefined,
    usb: () => undefined,
    remember,
    forget: () => undefined,
  };
  rememberDevice({ known, log: { warn: (fields, message) => void warnings.push([fields, message]) } }, "till-1", {
    serialNumber: "1",
  });
  return warnings;
}

it("says of which terminal it could not be written down what it is, and the mend, and goes on", () => {
  const warnings = warningsOf(() => {
    throw new Error("ENOSPC: no space left on device, write");
  });
  expect(warnings).toEqual([
    [
      { terminal: "till-1", problem: "ENOSPC: no space left on device, write" },
      expect.stringMatching(/terminals\.json.*make room/),
    ],
  ]);
});

it("says what a device runs on now that it did not before, and nothing of one that is as it was", () => {
  const changed = [{ part: "firmware", before: "1", now: "2" }];
  expect(warningsOf(() => changed)).toEqual([
    [{ terminal: "till-1", changed }, expect.stringContaining("make sure that somebody meant to change it")],
  ]);
  expect(warningsOf(() => [])).toEqual([]);
});
