import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type PluggingOn, watchPlugging } from "../../../src/transport/hotplug.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const on: PluggingOn = { clock: createVirtualClock(0), platform: "linux", kind: "serial" };

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
  const stop = watchPlugging(ear.told, { ...on, dev });
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
  watchPlugging(first.told, { ...on, dev })();
  const stop = watchPlugging(second.told, { ...on, dev });
  const port = second.next();
  fs.writeFileSync(path.join(dev, "ttyUSB0"), "");
  await port;
  expect([first.count(), second.count()]).toEqual([0, 1]);
  stop();
  watchPlugging(first.told, { ...on, dev: path.join(dev, "nowhere") })();
});

test("on Windows a port is told that was not in the list two seconds before, and a list that fails is asked for again", async () => {
  const clock = createVirtualClock(0);
  const lists: (readonly string[] | Error)[] = [
    ["COM1"],
    ["COM1"],
    new Error("odd"),
    ["COM1", "COM5"],
    ["COM5"],
    ["COM1", "COM5"],
  ];
  const names = async (): Promise<readonly string[]> => {
    const next = lists.shift() ?? [];
    if (next instanceof Error) throw next;
    return next;
  };
  const ear = listener();
  const stop = watchPlugging(ear.told, { clock, platform: "windows", kind: "serial", names });
  const counts: number[] = [];
  for (let look = 0; look < 6; look += 1) {
    await clock.advance(look === 0 ? 0 : 2_000);
    counts.push(ear.count());
  }
  expect(counts).toEqual([0, 0, 0, 1, 1, 2]);
  stop();
  lists.push(["COM9"], ["COM9", "COM10"]);
  await clock.advance(60_000);
  expect(ear.count()).toBe(2);
  expect(lists).toHaveLength(2);
});
