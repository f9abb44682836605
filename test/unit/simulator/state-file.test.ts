import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileMemory } from "../../../src/simulator/state-file.ts";
import { folder } from "./folder.ts";

test("counters go on where an earlier process left them", () => {
  const path = join(folder(), "state", "till-1.json");
  const before = fileMemory(path);
  before.nextAtc("visa-contact");
  before.nextAtc("visa-contact");
  before.setKsn("pin", Uint8Array.of(0xff, 0xff, 0x98, 0x76, 0x54, 0x32, 0, 0, 0, 9));
  const after = fileMemory(path);
  expect(after.nextAtc("visa-contact")).toBe(3);
  expect(after.lastKsn("pin")).toEqual(Uint8Array.of(0xff, 0xff, 0x98, 0x76, 0x54, 0x32, 0, 0, 0, 9));
});

test("a file that holds something else is refused and left as it is", () => {
  const path = join(folder(), "notes.txt");
  for (const text of ["hello", '{"cards":{"a":{"atc":70000,"typed":0}},"ksn":{}}', '{"cards":{},"ksn":{},"more":1}']) {
    writeFileSync(path, text);
    expect(() => fileMemory(path)).toThrow("is not a simulator's state");
    expect(readFileSync(path, "utf8")).toBe(text);
  }
});

test("a path that cannot be read is said", () => {
  expect(() => fileMemory(folder())).toThrow("cannot be read");
});
