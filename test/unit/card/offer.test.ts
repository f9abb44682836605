import { describe, expect, test } from "vitest";
import { offerOf, promptFor, promptNotice, wordsFor } from "../../../src/card/offer.ts";

const ALL = ["chip", "contactless", "stripe", "keyed"] as const;
const NOTHING = { chip: false, tap: false, magstripe: false, keyed: false, fallback: false };

describe("what is offered", () => {
  test.each([
    [{ interfaces: ALL }, ALL, { ...NOTHING, chip: true, tap: true, magstripe: true }],
    [{ interfaces: ["keyed"] }, ALL, { ...NOTHING, keyed: true }],
    [{ interfaces: ["chip", "keyed"] }, ["keyed"], { ...NOTHING, keyed: true }],
    [{ interfaces: ["chip", "contactless"] }, ["contactless"], { ...NOTHING, tap: true }],
    [{ interfaces: ["stripe"] }, ["chip"], undefined],
    [{ interfaces: [] }, ALL, undefined],
    [{ interfaces: ALL, again: "fallback" }, ALL, { ...NOTHING, magstripe: true, fallback: true }],
    [{ interfaces: ALL, again: "fallback" }, ["chip"], undefined],
    [{ interfaces: ["contactless"], again: "use-chip" }, ALL, { ...NOTHING, chip: true }],
    [{ interfaces: ALL, again: "wrong-pin" }, ["contactless"], undefined],
    [{ interfaces: ["chip", "stripe"], again: "chip-unreadable" }, ALL, { ...NOTHING, chip: true, magstripe: true }],
  ] as const)("%j at a device that reads %j: %j", (request, can, expected) => {
    expect(offerOf(request, can)).toEqual(expected);
  });
});

test.each([
  [{ chip: true, tap: true, magstripe: true }, "INSERT_OR_TAP", true, "INSERT, TAP OR SWIPE CARD"],
  [{ chip: true, tap: true }, "INSERT_OR_TAP", undefined, "INSERT OR TAP CARD"],
  [{ tap: true, magstripe: true }, "TAP", true, "TAP OR SWIPE CARD"],
  [{ tap: true }, "TAP", undefined, "TAP CARD"],
  [{ chip: true, magstripe: true }, "INSERT_CHIP", true, "INSERT OR SWIPE CARD"],
  [{ chip: true }, "INSERT_CHIP", undefined, "INSERT CARD"],
  [{ magstripe: true }, "SWIPE", undefined, "SWIPE CARD"],
] as const)("%j is prompted for as %s, also by its stripe: %j, and asked for as %s", (ways, prompt, swipe, words) => {
  const offer = { ...NOTHING, ...ways };
  expect(promptFor(offer)).toBe(prompt);
  expect(promptNotice(4, promptFor(offer), offer)).toEqual({ n: 4, on: "prompt", prompt, ...(swipe && { swipe }) });
  expect(wordsFor(offer)).toBe(words);
});

test("a number that is typed has a prompt, and no other prompt speaks of a stripe", () => {
  const keyed = { ...NOTHING, keyed: true };
  expect(promptNotice(4, promptFor(keyed), keyed)).toEqual({ n: 4, on: "prompt", prompt: "ENTER_CARD_NUMBER" });
  for (const prompt of ["SWIPE", "REMOVE_CARD", "ENTER_PIN", "TRY_AGAIN"] as const)
    expect(promptNotice(4, prompt, { magstripe: true })).toEqual({ n: 4, on: "prompt", prompt });
});
