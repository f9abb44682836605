import { expect, test } from "vitest";
import { toHex } from "../../../src/kit/hex.ts";
import { cardMasterKey, commonSessionKey, mastercardSessionKey } from "../../../src/testbed/card-keys.ts";
import { vector, vectors } from "./vectors.ts";

test.each(vectors("mk.a.1").map((row) => [row.id, row] as const))("card master key, option A: %s", (_id, row) => {
  expect(toHex(cardMasterKey(row.input("imk"), row.inputText("pan"), row.inputText("psn")))).toBe(row.outputText("mk"));
});

test.each(["sk.common.direct", "sk.common.card"])("common session key: %s", (id) => {
  const row = vector(id);
  expect(toHex(commonSessionKey(row.input("mk"), row.input("atc")))).toBe(row.outputText("sk"));
});

test("Mastercard's own session key", () => {
  const row = vector("sk.mastercard");
  expect(toHex(mastercardSessionKey(row.input("mk"), row.input("atc"), row.input("un")))).toBe(row.outputText("sk"));
});
