import { expect, test } from "vitest";
import { showHostText } from "../../../src/simulator/host-text.ts";
import { createPanel } from "../../../src/simulator/panel.ts";
import { amountOf, clockDigits, clockMs } from "../../../src/simulator/request-text.ts";

test.each([
  [["", "INSERT OR SWIPE CARD"], "card"],
  [["Please tap card"], "card"],
  [["SWIPE CARD"], "swipe"],
  [["REMOVE CARD"], null],
  [["Approved"], null],
  [["INSERTED"], null],
])("at an empty slot %j wants %s", (lines, wish) => {
  const panel = createPanel();
  panel.wishFor("pin");
  showHostText(panel, lines);
  expect(panel.screen()).toMatchObject({ lines, waitsFor: wish });
});

test("a card in the slot is asked out by words, and stays asked out under other words", () => {
  const panel = createPanel();
  panel.present("visa-contact", "insert");
  showHostText(panel, ["INSERT CARD"]);
  expect(panel.wish()).toBeUndefined();
  showHostText(panel, ["Please take your card"]);
  expect(panel.wish()).toBe("removal");
  showHostText(panel, ["Approved"]);
  expect(panel.wish()).toBe("removal");
});

test.each([
  ["000000001234", "0978", undefined, "12.34 EUR"],
  ["000000001200", "0392", undefined, "1200 JPY"],
  ["000000001234", "0978", 3, "1.234 EUR"],
  ["000000001234", "0978", 9, "1.234 EUR"],
  ["000000000001", "0999", undefined, "0.01 999"],
  ["000000000000", "0978", undefined, "0.00 EUR"],
])("%s of %s with %s decimals is shown as %s", (amount, currency, decimals, expected) => {
  expect(amountOf({ amount, currency, ...(decimals !== undefined && { decimals }) })).toBe(expected);
});

test("a clock is told in digits and read back from them", () => {
  expect(clockDigits(Date.UTC(2026, 0, 15, 10, 15, 7))).toEqual({ date: "260115", time: "101507" });
  expect(clockMs("260115", "101507")).toBe(Date.UTC(2026, 0, 15, 10, 15, 7));
  for (const [date, time] of [
    ["261332", "101507"],
    ["2601", "101507"],
    ["260115", "256000"],
  ] as const)
    expect(clockMs(date, time)).toBeUndefined();
});
