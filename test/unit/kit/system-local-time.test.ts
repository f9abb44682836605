import fc from "fast-check";
import { expect, test } from "vitest";
import { systemStartOfDay, systemWallTime } from "../../../src/kit/system-local-time.ts";

test("a day begins at the first moment of its date in this machine's time zone", () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(2000, 0, 1), max: new Date(2099, 0, 1), noInvalidDate: true }), (moment) => {
      const start = systemStartOfDay(moment.getTime());
      expect(start).toBeLessThanOrEqual(moment.getTime());
      expect(systemWallTime(start).date).toBe(systemWallTime(moment.getTime()).date);
      expect(systemWallTime(start - 1).date).not.toBe(systemWallTime(start).date);
    }),
  );
});
