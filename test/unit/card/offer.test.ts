import { describe, expect, test } from "vitest";
import { offerOf, promptFor, wordsFor } from "../../../src/card/offer.ts";

const ALL = ["chip", "contactless", "stripe", "keyed"] as const;
const NOTHING = { chip: false, tap: false, stripe: false, keyed: false, fallback: false };

describe("what is offered", () => {
  test.each([
    [{ interfaces: ALL }, ALL, { ...NOTHING, chip: true, tap: true, stripe: true }],
    [{ interfaces: ["keyed"] }, ALL, { ...NOTHING, keyed: true }],
    [{ interfaces: ["chip", "keyed"] }, ["keyed"], { ...NOTHING, keyed: true }],
    [{ interfaces: ["chip", "contactless"] }, ["contactless"], { ...NOTHING, tap: true }],
    [{ interfaces: ["stripe"] }, ["chip"], undefined],
    [{ interfaces: [] }, ALL, undefined],
    [{ interfaces: ALL, again: "fallback" }, ALL, { ...NOTHING, stripe: true, fallback: true }],
    [{ interfaces: ALL, again: "fallback" }, ["chip"], undefined],
    [{ interfaces: ["contactless"], again: "use-chip" }, ALL, { ...NOTHING, chip: true }],
    [{ interfaces: ALL, again: "wrong-pin" }, ["contactless"], undefined],
    [{ interfaces: ["chip", "stripe"], again: "chip-unreadable" }, ALL, { ...NOTHING, chip: true, stripe: true }],
  ] as const)("%j at a device that reads %j: %j", (request, can, expected) => {
    expect(offerOf(request, can)).toEqual(expected);
  });
});

test.each([
  [{ chip: true, tap: true }, "INSERT_OR_TAP", "INSERT OR TAP CARD"],
  [{ tap: true }, "INSERT_OR_TAP", "TAP CARD"],
  [{ chip: true, stripe: true }, "INSERT_CHIP", "INSERT OR SWIPE CARD"],
  [{ chip: true }, "INSERT_CHIP", "INSERT CARD"],
  [{ stripe: true }, "SWIPE", "SWIPE CARD"],
])("%j is prompted for as %s, and asked for as %s", (offer, prompt, words) => {
  expect(promptFor({ ...NOTHING, ...offer })).toBe(prompt);
  expect(wordsFor({ ...NOTHING, ...offer })).toBe(words);
});
