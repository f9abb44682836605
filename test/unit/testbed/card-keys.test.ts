import { expect, test } from "vitest";
import { chipCard } from "../../../packages/sandbox/testbed/card.ts";
import {
  cardMasterKey,
  cardMasterKeyByOptionA,
  commonSessionKey,
  decimalised,
  mastercardSessionKey,
} from "../../../packages/sandbox/testbed/card-keys.ts";
import { deck } from "../../../packages/sandbox/testbed/deck.ts";
import { PUBLISHED_TEST_ISSUER_KEYS } from "../../../packages/sandbox/testbed/test-keys.ts";
import { toHex } from "../../../src/kit/hex.ts";
import { vector, vectors } from "./vectors.ts";

test.each(vectors("mk.a.1").map((row) => [row.id, row] as const))("card master key, option A: %s", (_id, row) => {
  expect(toHex(cardMasterKeyByOptionA(row.input("imk"), row.inputText("pan"), row.inputText("psn")))).toBe(
    row.outputText("mk"),
  );
});

test.each(vectors("mk.b.1").map((row) => [row.id, row] as const))(
  "card master key, option B, which a card of more than 16 digits has: %s",
  (_id, row) => {
    expect(toHex(cardMasterKey(row.input("imk"), row.inputText("pan"), row.inputText("psn")))).toBe(
      row.outputText("mk"),
    );
  },
);

test("a hash of few digits is filled up with its letters, A as 0", () => {
  expect(decimalised("12345678901234567890ABCDEFABCDEFABCDEFAB")).toBe("1234567890123456");
  expect(decimalised("ABCDEFABCDEFABCDEFABCDEFABCDEFABCDEF1234")).toBe("1234012345012345");
});

test("every card of the deck with a longer number has a key of option B", () => {
  const long = deck.filter(({ pan }) => pan.length > 16);
  expect(long.length).toBeGreaterThan(0);
  for (const profile of deck) {
    const issuer = PUBLISHED_TEST_ISSUER_KEYS[profile.brand];
    const byA = toHex(cardMasterKeyByOptionA(issuer, profile.pan, profile.panSequenceNumber));
    expect(toHex(chipCard(profile).masterKey) === byA, profile.name).toBe(profile.pan.length <= 16);
  }
});

test.each(["sk.common.direct", "sk.common.card"])("common session key: %s", (id) => {
  const row = vector(id);
  expect(toHex(commonSessionKey(row.input("mk"), row.input("atc")))).toBe(row.outputText("sk"));
});

test("Mastercard's own session key", () => {
  const row = vector("sk.mastercard");
  expect(toHex(mastercardSessionKey(row.input("mk"), row.input("atc"), row.input("un")))).toBe(row.outputText("sk"));
});
