import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { KnownTerminalsUnreadable, openKnownTerminals } from "../../../src/journal/known-terminals.ts";

let folder = "";
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "known-terminals-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

test("a device that answered is known to the next process, and an exchanged one replaces it", () => {
  const first = openKnownTerminals(folder);
  expect(first.serialNumber("till-1")).toBeUndefined();
  first.remember("till-1", { serialNumber: "10000496" });
  first.remember("till-2", { serialNumber: "10000497" });
  expect(openKnownTerminals(folder).serialNumber("till-1")).toBe("10000496");
  openKnownTerminals(folder).remember("till-1", { serialNumber: "20000001" });
  expect(openKnownTerminals(folder).serialNumber("till-1")).toBe("20000001");
  expect(openKnownTerminals(folder).serialNumber("till-2")).toBe("10000497");
});

test("a file of an earlier version, which knew serial numbers alone, is read, and what is learned is added", () => {
  fs.writeFileSync(path.join(folder, "terminals.json"), '{ "till-1": { "serialNumber": "10000496" } }');
  const known = openKnownTerminals(folder);
  expect([known.serialNumber("till-1"), known.usb("till-1")]).toEqual(["10000496", undefined]);
  const now = { serialNumber: "10000496", firmware: "1-2", configuration: [{ name: "EMV", version: "7" }] };
  expect(known.remember("till-1", now)).toEqual([]);
  expect(openKnownTerminals(folder).remember("till-1", { ...now, firmware: "1-3" })).toEqual([
    { part: "firmware", before: "1-2", now: "1-3" },
  ]);
});

test("what could not be written down is not taken for known: it is written as soon as it can be", () => {
  const known = openKnownTerminals(folder);
  const inTheWay = path.join(folder, "terminals.json.new");
  fs.mkdirSync(inTheWay);
  expect(() => known.remember("till-1", { serialNumber: "10000496" })).toThrow();
  fs.rmdirSync(inTheWay);
  known.remember("till-1", { serialNumber: "10000496" });
  expect(openKnownTerminals(folder).serialNumber("till-1")).toBe("10000496");
});

test("the file is for nobody else to read, and nothing is left beside it", () => {
  openKnownTerminals(folder).remember("till-1", { serialNumber: "10000496" });
  expect(fs.statSync(path.join(folder, "terminals.json")).mode & 0o777).toBe(0o600);
  expect(fs.readdirSync(folder)).toEqual(["terminals.json"]);
});

test.each(["", "{", "[]", '{"till-1":"10000496"}', '{"till-1":{"serialNumber":""}}'])(
  "a file that holds %j is refused by name, with the mend",
  (content) => {
    fs.writeFileSync(path.join(folder, "terminals.json"), content);
    expect(() => openKnownTerminals(folder)).toThrow(KnownTerminalsUnreadable);
    expect(() => openKnownTerminals(folder)).toThrow(/terminals\.json .*delete it/);
  },
);

test("what a device runs on is compared with what it ran on before, also after a restart", () => {
  const before = {
    serialNumber: "1",
    firmware: "1-2",
    configuration: [
      { name: "kernels", version: "3" },
      { name: "texts", version: "9" },
    ],
  };
  const after = {
    serialNumber: "1",
    firmware: "1-3",
    configuration: [
      { name: "kernels", version: "4" },
      { name: "keys", version: "1" },
    ],
  };
  expect(openKnownTerminals(folder).remember("till-1", before)).toEqual([]);
  expect(openKnownTerminals(folder).remember("till-1", before)).toEqual([]);
  expect(openKnownTerminals(folder).remember("till-1", after)).toEqual([
    { part: "firmware", before: "1-2", now: "1-3" },
    { part: "kernels", before: "3", now: "4" },
    { part: "texts", before: "9" },
    { part: "keys", now: "1" },
  ]);
  expect(openKnownTerminals(folder).remember("till-1", { ...before, serialNumber: "2" })).toEqual([]);
});

test("the USB device behind a serial port is remembered with the terminal", () => {
  const usb = { vendorId: 0x2dda, productId: 0x0515, serialNumber: "A" };
  openKnownTerminals(folder).remember("till-1", { serialNumber: "10000496", usb });
  expect(openKnownTerminals(folder).usb("till-1")).toEqual(usb);
  openKnownTerminals(folder).remember("till-1", { serialNumber: "10000496" });
  expect(openKnownTerminals(folder).usb("till-1")).toBeUndefined();
  expect(openKnownTerminals(folder).usb("till-2")).toBeUndefined();
});

test("what another version remembered besides keeps nobody from starting, and what this one knows stays known", () => {
  const usb = { vendorId: 0x2dda, productId: 0x0515, speed: "high" };
  fs.writeFileSync(
    path.join(folder, "terminals.json"),
    JSON.stringify({ "till-1": { serialNumber: "10000496", battery: 98, usb } }),
  );
  expect(openKnownTerminals(folder).serialNumber("till-1")).toBe("10000496");
  expect(openKnownTerminals(folder).usb("till-1")).toEqual({ vendorId: 0x2dda, productId: 0x0515 });
});
