import fc from "fast-check";
import { expect, test } from "vitest";
import { secondsAhead } from "../../../src/terminal/device-clock.ts";

const FROM = Date.UTC(2000, 0, 1) / 1_000;
const UNTIL = Date.UTC(2100, 0, 1) / 1_000 - 1;

function local(seconds: number): { readonly date: string; readonly time: string } {
  const digits = new Date(seconds * 1_000).toISOString().replace(/[^0-9]/g, "");
  return { date: digits.slice(2, 8), time: digits.slice(8, 14) };
}

test("the difference of two times is that of the calendar, leap years included", () => {
  const second = fc.integer({ min: FROM, max: UNTIL });
  fc.assert(
    fc.property(second, second, (a, b) => {
      expect(secondsAhead(local(a), local(b))).toBe(a - b);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["the last second of a leap day", "240229", "235959", "240301", "000000", -1],
  ["a new year", "250101", "000000", "241231", "235959", 1],
  ["the same", "250314", "150926", "250314", "150926", 0],
])("%s", (_, date, time, rightDate, rightTime, expected) => {
  expect(secondsAhead({ date, time }, { date: rightDate, time: rightTime })).toBe(expected);
});

test.each([
  ["230229", "000000"],
  ["251301", "000000"],
  ["250001", "000000"],
  ["250100", "000000"],
  ["250431", "000000"],
  ["250101", "240000"],
  ["250101", "006000"],
  ["250101", "000060"],
  ["25010", "000000"],
  ["2501 1", "000000"],
  ["", ""],
])("%s %s is no time", (date, time) => {
  expect(secondsAhead({ date, time }, { date: "250101", time: "000000" })).toBeUndefined();
});
