import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { type Action, actionFor, type Evidence, fits, ROWS } from "../../../src/payment/recovery/decision-table.ts";
import { EVERY_EVIDENCE, recoveryPage } from "./recovery-page.ts";

const ALL = EVERY_EVIDENCE;

/** Every combination that ends in one of these actions. */
const ending = (...actions: readonly Action[]): readonly Evidence[] =>
  ALL.filter((one) => actions.includes(actionFor(one)));
const SILENT: readonly Evidence["heard"][] = ["nothing", "nothing-left", "unavailable"];
const isGone = ({ undone }: Evidence): boolean => undone === "whole" || undone === "itself" || undone === "unseen";

/** For each law what breaks it. */
const LAWS: readonly (readonly [law: string, breaks: readonly Evidence[]])[] = [
  [
    "money given to a customer is never reversed or refunded",
    ending("reverse", "refund").filter(({ purpose }) => purpose === "crediting" || purpose === "refunding"),
  ],
  [
    "what a payment still wants is never reversed or refunded",
    ending("reverse", "refund").filter(
      ({ purpose, wanted, heard }) => wanted && heard === "approved" && purpose !== "voiding",
    ),
  ],
  [
    "nothing is reversed or refunded on silence alone",
    ending("reverse", "refund").filter(({ purpose, heard }) => purpose !== "voiding" && SILENT.includes(heard)),
  ],
  ["nothing is reversed or refunded that is reversed already", ending("reverse", "refund").filter(isGone)],
  [
    "a card's request is never sent again",
    ending("post-again").filter(({ purpose }) => ["reserving", "debiting", "crediting", "storing"].includes(purpose)),
  ],
  [
    "a capture or a refund is sent again only where the gateway says that nothing was sent",
    ending("post-again").filter(
      ({ purpose, heard }) =>
        (purpose === "capturing" || purpose === "refunding") && heard !== "unsent" && heard !== "unavailable",
    ),
  ],
  [
    "what may yet be booked is sent again past the window at the earliest, where a second one could stand beside it",
    ending("post-again").filter(
      (one) => SILENT.includes(one.heard) && one.age === "young" && one.purpose !== "reversing" && !isGone(one),
    ),
  ],
  [
    "silence is not closed before the window has passed, unless the gateway says that it could not work",
    ending("close").filter(
      (one) =>
        one.purpose !== "voiding" &&
        !isGone(one) &&
        one.age === "young" &&
        (one.heard === "nothing" || one.heard === "nothing-left"),
    ),
  ],
  [
    "silence is not closed while a query shows something",
    ending("close").filter(
      (one) => one.purpose !== "voiding" && !isGone(one) && SILENT.includes(one.heard) && one.booking !== "none",
    ),
  ],
  [
    "what stands and is not wanted is not closed",
    ending("close").filter(
      (one) =>
        one.purpose !== "voiding" &&
        !one.wanted &&
        !isGone(one) &&
        (one.heard === "approved" || one.heard === "unsure"),
    ),
  ],
  [
    "a refusal is not believed while an earlier reversal may go through",
    ending("close", "refund").filter((one) => one.undone === "undecided" && one.purpose === "voiding"),
  ],
  [
    "money goes back a second way only after the first was refused",
    ending("refund").filter(({ undone }) => undone !== "refused" && undone !== "rest-refused"),
  ],
  [
    "no request that was not decided for a day is waited for without an operator",
    ending("wait").filter(
      ({ purpose, heard, booking, age }) =>
        purpose !== "voiding" &&
        SILENT.includes(heard) &&
        age === "past-a-day" &&
        (booking === "undecided" || booking === "unproven"),
    ),
  ],
];

describe(`the table of recovery, over all ${ALL.length} combinations`, () => {
  test("visits every combination once", () => {
    expect(ALL).toHaveLength(10 * 2 * 7 * 7 * 8 * 3);
    expect(new Set(ALL.map((one) => JSON.stringify(one))).size).toBe(ALL.length);
  });

  test.each(ROWS.map((row, at) => [at + 1, row] as const))("uses row %i", (at, row) => {
    expect(ALL.some((one) => ROWS.findIndex((other) => fits(other, one)) === at - 1)).toBe(true);
    expect(row.because).toMatch(/^[A-Z].*[.]$/);
  });

  test.each(LAWS)("%s", (_, breaks) => expect(breaks.slice(0, 5)).toEqual([]));

  test("leaves what no row fits to an operator", () => {
    const unfit = ALL.filter((one) => !ROWS.some((row) => fits(row, one)));
    expect(unfit.length).toBeGreaterThan(0);
    expect(new Set(unfit.map(actionFor))).toEqual(new Set(["operator"]));
  });

  test("is printed for operators as it is (renew it: npm run recovery-page)", () =>
    expect(fs.readFileSync("docs/recovery.md", "utf8")).toBe(recoveryPage()));
});
