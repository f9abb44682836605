import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expressionOf, nextOccurrence } from "../../../packages/sandbox/gateway/jobs/quartz.ts";

const FROM = Date.parse("2026-01-15T09:30:00Z");

function job(fields: Readonly<Record<string, string>>): string | undefined {
  return expressionOf(new Map(Object.entries(fields).map(([name, value]) => [`job.${name}`, value])));
}

function next(expression: string, count = 3, from = FROM): readonly string[] {
  const times: string[] = [];
  for (
    let at = nextOccurrence(expression, from);
    at !== undefined && times.length < count;
    at = nextOccurrence(expression, at)
  ) {
    times.push(new Date(at).toISOString().slice(0, 19));
  }
  return times;
}

describe('what the fields of a job say (specification, "Scheduling")', () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    ["nothing: the first of January at midnight, every year", {}, "0 0 0 1 1 ? *"],
    ["a month", { month: "*" }, "0 0 0 1 * ? *"],
    ["a day of the month", { dayOfMonth: "15", month: "*" }, "0 0 0 15 * ? *"],
    [
      "a day of the week, which takes the place of the other day's default",
      { dayOfWeek: "MON", month: "*" },
      "0 0 0 ? * MON *",
    ],
    ["every day", { dayOfMonth: "*", month: "*", hour: "6" }, "0 0 6 * * ? *"],
    ["no day of the month: the default day of the week", { dayOfMonth: "?", month: "*" }, "0 0 0 ? * 1 *"],
    ["no day of the week", { dayOfMonth: "15", dayOfWeek: "?", month: "*" }, "0 0 0 15 * ? *"],
    ["a day and any day of the week", { dayOfMonth: "15", dayOfWeek: "*", month: "*" }, "0 0 0 15 * ? *"],
    ["an empty year", { year: "" }, "0 0 0 1 1 ? *"],
    [
      "everything",
      { second: "5", minute: "4", hour: "3", dayOfMonth: "2", month: "6", dayOfWeek: "?", year: "2027-2029" },
      "5 4 3 2 6 ? 2027-2029",
    ],
    [
      "an expression, which overwrites the others",
      { expression: "0 0 12 ? * FRI#3", dayOfMonth: "15", hour: "7", month: "2" },
      "0 0 12 ? * FRI#3 *",
    ],
    ["an expression with a year", { expression: "0 30 8 L * ? 2026/2" }, "0 30 8 L * ? 2026/2"],
  ])("%s", (_what, fields, expression) => {
    expect(job(fields)).toBe(expression);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ["both days", { dayOfMonth: "15", dayOfWeek: "MON" }],
    ["neither day", { dayOfMonth: "?", dayOfWeek: "?" }],
    ["both days in an expression", { expression: "0 0 12 15 * MON" }],
    ["a minute of 60", { expression: "0 60 0 1 1 ?" }],
    ["a month of 0", { expression: "0 0 0 1 0 ?" }],
    ["words", { expression: "every first day of the month" }],
    ["a step of nothing", { minute: "*/0" }],
    ["a day before the beginning of the month", { dayOfMonth: "L-31" }],
  ])("%s is no schedule", (_what, fields) => {
    expect(job(fields)).toBeUndefined();
  });
});

describe("when an expression holds", () => {
  test.each<[string, readonly string[]]>([
    ["0 0 0 1 1 ? *", ["2027-01-01T00:00:00", "2028-01-01T00:00:00", "2029-01-01T00:00:00"]],
    ["0 0 0 ? * 1 *", ["2026-01-18T00:00:00", "2026-01-25T00:00:00", "2026-02-01T00:00:00"]],
    ["0 0 0 ? * 7 *", ["2026-01-17T00:00:00", "2026-01-24T00:00:00", "2026-01-31T00:00:00"]],
    ["0 0 0 ? * L *", ["2026-01-17T00:00:00", "2026-01-24T00:00:00", "2026-01-31T00:00:00"]],
    ["0 0 0 ? * FRIL *", ["2026-01-30T00:00:00", "2026-02-27T00:00:00", "2026-03-27T00:00:00"]],
    ["0 0 0 ? * 6L *", ["2026-01-30T00:00:00", "2026-02-27T00:00:00", "2026-03-27T00:00:00"]],
    ["0 0 0 ? * FRI#3 *", ["2026-01-16T00:00:00", "2026-02-20T00:00:00", "2026-03-20T00:00:00"]],
    ["0 0 0 ? * FRI-MON *", ["2026-01-16T00:00:00", "2026-01-17T00:00:00", "2026-01-18T00:00:00"]],
    ["0 0 0 L * ? *", ["2026-01-31T00:00:00", "2026-02-28T00:00:00", "2026-03-31T00:00:00"]],
    ["0 0 0 L-2 * ? *", ["2026-01-29T00:00:00", "2026-02-26T00:00:00", "2026-03-29T00:00:00"]],
    ["0 0 0 LW * ? *", ["2026-01-30T00:00:00", "2026-02-27T00:00:00", "2026-03-31T00:00:00"]],
    ["0 0 0 15W * ? *", ["2026-02-16T00:00:00", "2026-03-16T00:00:00", "2026-04-15T00:00:00"]],
    ["0 0 0 31 * ? *", ["2026-01-31T00:00:00", "2026-03-31T00:00:00", "2026-05-31T00:00:00"]],
    ["0 0 0 29 2 ? *", ["2028-02-29T00:00:00", "2032-02-29T00:00:00", "2036-02-29T00:00:00"]],
    ["0 0 22-2/2 * * ? *", ["2026-01-15T22:00:00", "2026-01-16T00:00:00", "2026-01-16T02:00:00"]],
    ["0 5/20 * * * ? *", ["2026-01-15T09:45:00", "2026-01-15T10:05:00", "2026-01-15T10:25:00"]],
    ["0 0 0 1 1/6 ? 2027/2", ["2027-01-01T00:00:00", "2027-07-01T00:00:00", "2029-01-01T00:00:00"]],
    ["0 0 0 1 MAR,JAN ? *", ["2026-03-01T00:00:00", "2027-01-01T00:00:00", "2027-03-01T00:00:00"]],
    ["0 0 0 1 1 ? 2025", []],
    ["0 0 0 30 2 ? *", []],
    ["0 0 0 1 12 ? 2099", ["2099-12-01T00:00:00"]],
  ])("%s", (expression, times) => {
    expect(next(expression)).toEqual(times);
  });

  test("is after the time that was asked about, never at it", () => {
    const at = Date.parse("2026-02-01T00:00:00Z");
    expect(nextOccurrence("0 0 0 1 * ? *", at - 1)).toBe(at);
    expect(next("0 0 0 1 * ? *", 1, at)).toEqual(["2026-03-01T00:00:00"]);
  });

  test("is always later, and at a time that the fields name", () => {
    const field = (min: number, max: number) => fc.integer({ min, max });
    fc.assert(
      fc.property(
        field(0, 59),
        field(0, 23),
        field(1, 28),
        field(1, 12),
        fc.integer({ min: 0, max: 4e12 }),
        (minute, hour, day, month, after) => {
          const at = nextOccurrence(`0 ${minute} ${hour} ${day} ${month} ? *`, after);
          if (at === undefined) return after > Date.parse("2099-01-01T00:00:00Z");
          const date = new Date(at);
          expect([date.getUTCMinutes(), date.getUTCHours(), date.getUTCDate(), date.getUTCMonth() + 1]).toEqual([
            minute,
            hour,
            day,
            month,
          ]);
          return at > after;
        },
      ),
      { numRuns: 60 },
    );
  });
});
