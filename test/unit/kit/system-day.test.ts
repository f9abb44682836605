import { execFileSync } from "node:child_process";
import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { systemDay, systemWallTime } from "../../../src/kit/system-local-time.ts";

const MODULE = path.resolve("src/kit/system-local-time.ts");

it.each([
  ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"],
  ["Australia/Sydney", "2026-01-31", "2026-01-30T13:00:00.000Z", "2026-01-31T13:00:00.000Z"],
  ["UTC", "2026-12-31", "2026-12-31T00:00:00.000Z", "2027-01-01T00:00:00.000Z"],
])("a day in %s, %s, is from %s to %s", (zone, day, from, to) => {
  const says = `const { systemDay } = await import(${JSON.stringify(MODULE)}); const { from, to } = systemDay("${day}"); console.log(new Date(from).toISOString(), new Date(to).toISOString())`;
  const told = execFileSync(process.execPath, ["--input-type=module", "--eval", says], {
    env: { TZ: zone },
    encoding: "utf8",
  });
  expect(told.trim()).toBe(`${from} ${to}`);
});

it("every moment lies in the day that a clock on the wall showed", () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true }),
      (moment) => {
        const { from, to } = systemDay(systemWallTime(moment.getTime()).date) ?? { from: 0, to: 0 };
        expect(moment.getTime()).toBeGreaterThanOrEqual(from);
        expect(moment.getTime()).toBeLessThan(to);
      },
    ),
  );
});

it.each(["2026-02-29", "2026-13-01", "2026-1-1", "26-01-01", "2026-01-01T00:00", "today", ""])(
  "there is no day %j",
  (day) => {
    expect(systemDay(day)).toBeUndefined();
  },
);
