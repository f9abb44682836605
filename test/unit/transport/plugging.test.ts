import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { watchPlugging } from "../../../src/transport/plugging.ts";

let dev = "";
beforeEach(() => {
  dev = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-dev-"));
  fs.mkdirSync(path.join(dev, "bus/usb/001"), { recursive: true });
});
afterEach(() => fs.rmSync(dev, { recursive: true }));

/** Counts what is told, and resolves when it was told again. */
function listener() {
  let count = 0;
  let again: () => void = () => undefined;
  return {
    told: () => {
      count += 1;
      again();
    },
    count: () => count,
    next: () => new Promise<void>((resolve) => (again = resolve)),
  };
}

test("a serial port and a USB device are told when they appear, nothing else is", async () => {
  const ear = listener();
  const stop = watchPlugging(ear.told, dev);
  fs.writeFileSync(path.join(dev, "null"), "");
  fs.writeFileSync(path.join(dev, "null"), "written to");
  const port = ear.next();
  fs.writeFileSync(path.join(dev, "ttyACM1"), "");
  await port;
  expect(ear.count()).toBe(1);
  // Bytes that go to a port, and one that is pulled out, come before the next device and are not told.
  fs.appendFileSync(path.join(dev, "ttyACM1"), "bytes");
  fs.rmSync(path.join(dev, "ttyACM1"));
  const device = ear.next();
  fs.writeFileSync(path.join(dev, "bus/usb/001/004"), "");
  await device;
  expect(ear.count()).toBe(2);
  stop();
});

test("after the watch has ended nothing is told, also not by a second one's folder that is gone", async () => {
  const [first, second] = [listener(), listener()];
  watchPlugging(first.told, dev)();
  const stop = watchPlugging(second.told, dev);
  const port = second.next();
  fs.writeFileSync(path.join(dev, "ttyUSB0"), "");
  await port;
  expect([first.count(), second.count()]).toEqual([0, 1]);
  stop();
  watchPlugging(first.told, path.join(dev, "nowhere"))();
});
