import { describe, expect, test } from "vitest";
import { chipCard } from "../../../packages/sandbox/testbed/card.ts";
import { brandOf } from "../../../packages/sandbox/testbed/cryptogram.ts";
import { cardNamed, cardWithPan, deck } from "../../../packages/sandbox/testbed/deck.ts";
import { findTag } from "../../../src/emv/tlv.ts";
import { fromHex, toHex } from "../../../src/kit/hex.ts";

function luhnSum(digits: string): number {
  return [...digits]
    .reverse()
    .reduce(
      (sum, digit, at) => sum + (at % 2 === 0 ? Number(digit) : ([0, 2, 4, 6, 8, 1, 3, 5, 7, 9][Number(digit)] ?? 0)),
      0,
    );
}

const even = (digits: string): string => (digits.length % 2 === 0 ? digits : `${digits}F`);

describe.each(deck.map((card) => [card.name, card] as const))("%s", (name, card) => {
  test("has a valid number of its own, an expiry in the future and a PIN that its holder knows", () => {
    expect(luhnSum(card.pan) % 10).toBe(0);
    expect(deck.filter(({ pan }) => pan === card.pan)).toHaveLength(1);
    expect(deck.filter((other) => other.name === name)).toHaveLength(1);
    expect(Number(card.expiry.slice(0, 2))).toBeGreaterThanOrEqual(30);
    expect(card.typed).toContain(card.pin);
  });

  test("has keys, data and an application of its brand", () => {
    const chip = chipCard(card);
    expect(brandOf(fromHex(card.aid))).toBe(card.brand);
    expect(toHex(findTag(chip.data, "5A") ?? new Uint8Array(0))).toBe(even(card.pan));
    expect(toHex(findTag(chip.data, "57") ?? new Uint8Array(0))).toBe(
      even(`${card.pan}D${card.expiry.slice(0, 4)}${card.serviceCode}0000000000`),
    );
  });
});

test("a card is found by name and by number", () => {
  expect(cardNamed("visa-contact")?.pan).toBe("4761340000000050");
  expect(cardWithPan("4761340000000050")?.name).toBe("visa-contact");
  expect(cardNamed("no-such-card")).toBeUndefined();
  expect(cardWithPan("4111111111111111")).toBeUndefined();
});
