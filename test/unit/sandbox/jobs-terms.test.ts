import { describe, expect, test } from "vitest";
import { descheduled, type Terms, termsOf } from "../../../packages/sandbox/gateway/jobs/terms.ts";

const time = (text: string): number => Date.parse(`${text}Z`);
const NOW = time("2026-01-31T12:00:00");

function terms(fields: Readonly<Record<string, string>>): Terms {
  return termsOf(new Map(Object.entries(fields)), NOW);
}

function endOf({ end }: Terms): string | undefined {
  return end === undefined ? undefined : new Date(end).toISOString().slice(0, 19);
}

const lasts = (number: string, unit: string) => ({ "job.durationNumber": number, "job.durationUnit": unit });
const notice = (number: string, unit: string) => ({ "job.noticeNumber": number, "job.noticeUnit": unit });
const ENDS = { "job.noticeCallable": "DURATION_END" };

describe("the end of a job", () => {
  test.each<[string, Readonly<Record<string, string>>, string | undefined]>([
    ["is never, where nothing says one", {}, undefined],
    [
      "is by the calendar: a month after the last of January is the last of February",
      lasts("1", "MONTH"),
      "2026-02-28T12:00:00",
    ],
    ["and 25 months after it the last of another", lasts("25", "MONTH"), "2028-02-29T12:00:00"],
    ["a year is one of the calendar", lasts("2", "YEAR"), "2028-01-31T12:00:00"],
    ["a week is seven days", lasts("1", "WEEK"), "2026-02-07T12:00:00"],
    ["of hours, minutes and seconds as well", lasts("90", "MINUTE"), "2026-01-31T13:30:00"],
    [
      "is the first of several",
      { ...lasts("1", "MONTH"), "job.endDate": "2026-02-10 00:00:00" },
      "2026-02-10T00:00:01",
    ],
    [
      "is counted from its start",
      { ...lasts("1", "DAY"), "job.startDate": "2026-03-01 00:00:00" },
      "2026-03-02T00:00:00",
    ],
    [
      "which is never in the past",
      { ...lasts("1", "DAY"), "job.startDate": "2025-03-01 00:00:00" },
      "2026-02-01T12:00:00",
    ],
    ["is never, where no calendar reaches that far", lasts("9999999999999999", "YEAR"), undefined],
    ["or no clock", lasts("9999999999999999", "SECOND"), undefined],
    ["is nowhere, as long as no notice was given", { ...lasts("1", "DAY"), ...notice("1", "DAY") }, undefined],
    ["needs a unit", { "job.durationNumber": "2" }, undefined],
  ])("%s", (_how, fields, end) => {
    expect(endOf(terms(fields))).toBe(end);
  });
});

describe("a notice", () => {
  const given = time("2026-05-10T08:00:00");

  test.each<[string, Readonly<Record<string, string>>, string | undefined]>([
    ["of none ends it at once", {}, "2026-05-10T08:00:00"],
    ["ends it when it is over", notice("1", "MONTH"), "2026-06-10T08:00:00"],
    ["at any time, whatever it lasts", { ...notice("1", "MONTH"), ...lasts("1", "YEAR") }, "2026-06-10T08:00:00"],
    [
      "at the end of a duration, where it is callable then",
      { ...notice("1", "MONTH"), ...lasts("1", "YEAR"), ...ENDS },
      "2027-01-31T12:00:00",
    ],
    ["of which there are many", { ...notice("1", "DAY"), ...lasts("1", "MONTH"), ...ENDS }, "2026-05-31T12:00:00"],
    ["also of days", { ...notice("1", "DAY"), ...lasts("10", "DAY"), ...ENDS }, "2026-05-11T12:00:00"],
    ["to the second", { ...notice("10324800", "SECOND"), ...lasts("1", "MONTH"), ...ENDS }, "2026-09-30T12:00:00"],
    ["without a duration at once", ENDS, "2026-05-10T08:00:00"],
    [
      "of a duration of nothing when it is over",
      { ...notice("1", "DAY"), ...lasts("0", "DAY"), ...ENDS },
      "2026-05-11T08:00:00",
    ],
    [
      "never comes after the end that there is",
      { ...notice("1", "YEAR"), "job.endDate": "2026-06-01 00:00:00" },
      "2026-06-01T00:00:01",
    ],
    ["that no calendar knows ends nothing", notice("9999999999999999", "YEAR"), undefined],
    ["before its start ends it before it began", { "job.startDate": "2026-12-01 00:00:00" }, "2026-05-10T08:00:00"],
  ])("%s", (_how, fields, end) => {
    expect(endOf(descheduled(terms(fields), given))).toBe(end);
  });

  test("that is over to the second when a duration is ends it there and not a duration later", () => {
    const exact = terms({ ...notice("1", "DAY"), ...lasts("1", "MONTH"), ...ENDS });
    expect(endOf(descheduled(exact, time("2026-03-30T12:00:00")))).toBe("2026-03-31T12:00:00");
    expect(endOf(descheduled(exact, time("2026-03-30T12:00:01")))).toBe("2026-04-30T12:00:00");
  });
});
