import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayOf, daysFrom, lastBusinessDay, nextBusinessDay } from "../../../src/kit/business-day.ts";

describe("business days", () => {
  it.each([
    ["2026-11-18", "2026-11-19", "2026-11-17"],
    ["2026-11-20", "2026-11-23", "2026-11-19"],
    ["2026-11-21", "2026-11-23", "2026-11-20"],
    ["2026-11-22", "2026-11-23", "2026-11-20"],
    ["2026-11-23", "2026-11-24", "2026-11-20"],
    ["2026-12-31", "2027-01-01", "2026-12-30"],
    ["2028-02-28", "2028-02-29", "2028-02-25"],
  ])("after %s comes %s, and before it %s", (day, next, last) =>
    expect([nextBusinessDay(day), lastBusinessDay(day)]).toEqual([next, last]),
  );

  it("are never a Saturday or a Sunday, nor more than three days away, and lead back to each other", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true }),
        (date) => {
          const day = dayOf(date.getTime());
          const next = nextBusinessDay(day);
          expect([0, 6]).not.toContain(new Date(next).getUTCDay());
          expect([daysFrom(day, 1), daysFrom(day, 2), daysFrom(day, 3)]).toContain(next);
          expect(lastBusinessDay(next) <= day).toBe(true);
          expect(nextBusinessDay(lastBusinessDay(next))).toBe(next);
        },
      ),
    );
  });
});
