import { describe, expect, test } from "vitest";
import { aimOf, type CardWait, faceFor } from "../../../src/card/waiting.ts";

const OFFER = { chip: true, tap: true, magstripe: true, keyed: false, fallback: false };
const WAIT: CardWait = {
  offer: OFFER,
  request: {},
  slot: { card: false, chip: false },
  askOut: false,
  isSwiped: false,
  tapsLeft: 3,
  shown: undefined,
};
const READY = { card: true, chip: true };
const UPSIDE_DOWN = { card: true, chip: false };

describe("what is done next", () => {
  test.each<[string, Partial<CardWait>, ReturnType<typeof aimOf>]>([
    ["nobody has come, and a tap is taken", {}, "tap"],
    ["nobody has come, and no tap is taken", { offer: { ...OFFER, tap: false } }, "show"],
    ["too many taps went wrong", { tapsLeft: 0 }, "show"],
    ["a chip stands ready", { slot: READY }, "start"],
    ["a chip stands ready, and only the stripe is wanted", { slot: READY, offer: { ...OFFER, chip: false } }, "show"],
    ["a card came in the wrong way round", { slot: UPSIDE_DOWN }, "show"],
    ["the card in the slot has to come out first", { slot: READY, askOut: true }, "show"],
    ["a stripe was read, whatever is in the slot", { slot: READY, isSwiped: true }, "read-magstripe"],
    ["the PIN was wrong and nobody was told yet", { slot: READY, request: { again: "wrong-pin" } }, "show"],
    [
      "the PIN was wrong and it was told",
      { slot: READY, request: { again: "wrong-pin" }, shown: "wrong-pin" },
      "start",
    ],
  ])("%s", (_when, change, aim) => {
    expect(aimOf({ ...WAIT, ...change })).toBe(aim);
  });
});

describe("what the display says", () => {
  test.each<[string, Partial<CardWait>, ReturnType<typeof faceFor>]>([
    ["nobody has come", {}, "present"],
    ["a card came in the wrong way round", { slot: UPSIDE_DOWN }, "again"],
    ["the card in the slot has to come out first", { slot: READY, askOut: true }, "remove"],
    ["a card is in where no chip is wanted", { slot: UPSIDE_DOWN, offer: { ...OFFER, chip: false } }, "remove"],
    ["a chip stands ready that was shown nothing: its PIN was wrong", { slot: READY }, "wrong-pin"],
  ])("%s", (_when, change, face) => {
    expect(faceFor({ ...WAIT, ...change })).toBe(face);
  });
});
