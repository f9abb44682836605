import { describe, expect, it } from "vitest";
import { agoText, countdownText, durationText, momentText, preciseText } from "../../../../src/web/console/times.ts";

it.each([
  [0, "0 ms"],
  [340, "340 ms"],
  [1_000, "1.0 s"],
  [4_250, "4.2 s"],
  [59_999, "59 s"],
  [60_000, "1 min"],
  [200_000, "3 min 20 s"],
  [7_500_000, "2 h 5 min"],
  [273_600_000, "3 d 4 h"],
])("%i ms are %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

describe("a countdown", () => {
  it.each([
    [1, "1 s"],
    [59_000, "59 s"],
    [60_000, "1 min 00 s"],
    [899_500, "15 min 00 s"],
    [545_000, "9 min 05 s"],
    [3_600_000, "1 h"],
    [90_000_000, "1 d 1 h"],
  ])("with %i ms left says %s", (left, text) => {
    expect(countdownText(1_000_000 + left, 1_000_000)).toBe(text);
  });

  it("says nothing once its time has come", () => {
    expect(countdownText(1_000, 1_000)).toBeUndefined();
    expect(countdownText(1_000, 5_000)).toBeUndefined();
  });

  it("never says less than is left, nor a second more", () => {
    for (let left = 1; left < 60_000; left += 97) {
      const seconds = Number(/^([0-9]+) s$/.exec(countdownText(left, 0) ?? "")?.[1] ?? 60);
      expect(seconds * 1_000).toBeGreaterThanOrEqual(left);
      expect(seconds * 1_000 - left).toBeLessThan(1_000);
    }
  });
});

it.each([
  [0, "just now"],
  [40_000, "40 s ago"],
  [200_000, "3 min ago"],
  [7_300_000, "2 h ago"],
  [200_000_000, "2 d ago"],
])("%i ms ago is %s", (ms, text) => {
  expect(agoText(1_000_000_000 - ms, 1_000_000_000)).toBe(text);
});

describe("a moment", () => {
  const where = { locale: "en-GB", timeZone: "Europe/Berlin" };
  it("has its day only where that is not today", () => {
    const now = Date.parse("2026-03-01T10:00:00.000Z");
    expect(momentText("2026-03-01T01:13:05.042Z", now, where)).toBe("02:13:05");
    expect(momentText("2026-02-28T21:13:05.042Z", now, where)).toBe("28 Feb 2026, 22:13:05");
    expect(preciseText("2026-03-01T01:13:05.042Z", where)).toBe("02:13:05.042");
    expect(preciseText("2026-03-01T14:13:05.042Z", { ...where, locale: "en-US" })).toBe("15:13:05.042");
  });

  it("is told in 24 hours in every language", () => {
    const american = { ...where, locale: "en-US" };
    expect(momentText("2026-03-01T16:16:46.000Z", Date.parse("2026-03-01T17:00:00.000Z"), american)).toBe("17:16:46");
    expect(momentText("2026-03-01T23:16:46.000Z", Date.parse("2026-03-02T10:00:00.000Z"), american)).toBe("00:16:46");
  });

  it("that is no time is shown as it is", () => {
    expect(momentText("soon", 0, where)).toBe("soon");
    expect(preciseText("soon", where)).toBe("soon");
  });
});
