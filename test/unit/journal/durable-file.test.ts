import fs from "node:fs";
import path from "node:path";
import { expect, it, vi } from "vitest";
import { type ReplaceOn, writeDurably } from "../../../src/journal/durable-file.ts";
import { freshFolder } from "./folder.ts";

/** Windows, where another program has the file open for so many tries. */
function windows(heldFor: number): ReplaceOn & { readonly pauses: readonly number[] } {
  const pauses: number[] = [];
  let left = heldFor;
  return {
    platform: "windows",
    pauses,
    pause: (ms) => void pauses.push(ms),
    rename: (from, to) => {
      left -= 1;
      if (left >= 0) throw Object.assign(new Error("EPERM: operation not permitted, rename"), { code: "EPERM" });
      fs.renameSync(from, to);
    },
  };
}

it("a file that a virus scanner holds for a moment is replaced all the same", () => {
  const file = path.join(freshFolder(), "terminals.json");
  writeDurably(file, "old");
  const on = windows(3);
  const synced = vi.spyOn(fs, "fsyncSync");
  writeDurably(file, "new", on);
  expect(fs.readFileSync(file, "utf8")).toBe("new");
  expect(on.pauses).toEqual([10, 20, 40]);
  // The new file, and once more under its name: Windows syncs no folder.
  expect(synced).toHaveBeenCalledTimes(2);
  vi.restoreAllMocks();
});

it("one that is held for more than a second stays whole as it was, and the writer is told", () => {
  const file = path.join(freshFolder(), "terminals.json");
  writeDurably(file, "old");
  expect(() => writeDurably(file, "new", windows(99))).toThrow("EPERM");
  expect(fs.readFileSync(file, "utf8")).toBe("old");
});
