import { describe, expect, test } from "vitest";
import { cardMasterKey } from "../../../packages/sandbox/testbed/card-keys.ts";
import {
  applicationCryptogram,
  brandOf,
  type CryptogramScheme,
  cryptogramKey,
  cryptogramMessage,
  schemeOf,
  schemeOfData,
} from "../../../packages/sandbox/testbed/cryptogram.ts";
import { PUBLISHED_TEST_ISSUER_KEYS } from "../../../packages/sandbox/testbed/test-keys.ts";
import { findTag, type Tlv } from "../../../src/emv/tlv.ts";
import { fromHex, toHex } from "../../../src/kit/hex.ts";
import { vector } from "./vectors.ts";

const VISA = fromHex("A0000000031010");
const MASTERCARD = fromHex("A0000000041010");
const INTERAC = fromHex("A0000002771010");

function scheme(aid: Uint8Array, tags: readonly Tlv[]): CryptogramScheme {
  const found = schemeOfData(aid, findTag(tags, "9F10") ?? new Uint8Array(0));
  if (found === undefined) throw new Error("no scheme");
  return found;
}

function cryptogramOf(
  aid: Uint8Array,
  imk: Uint8Array,
  pan: string,
  psn: string,
  tags: readonly Tlv[],
): { message: string; cryptogram: string; key: string } {
  const used = scheme(aid, tags);
  const built = cryptogramMessage(used, tags);
  if (!built.ok) throw new Error(`missing ${built.missing}`);
  const empty = new Uint8Array(0);
  const key = cryptogramKey(
    used,
    cardMasterKey(imk, pan, psn),
    findTag(tags, "9F36") ?? empty,
    findTag(tags, "9F37") ?? empty,
  );
  return {
    message: toHex(built.message),
    cryptogram: toHex(applicationCryptogram(used, key, built.message)),
    key: toHex(key),
  };
}

describe("application cryptograms against published values", () => {
  test.each([
    ["ac.visa.cvn10", VISA],
    ["ac.visa.cvn18", VISA],
    ["ac.mchip.10", MASTERCARD],
    ["ac.mchip.11", MASTERCARD],
    ["ac.mchip.15", MASTERCARD],
    ["ac.interac.85", INTERAC],
    ["transcript.visa.arqc", VISA],
    ["transcript.visa.tc", VISA],
    ["transcript.mastercard.arqc", MASTERCARD],
    ["transcript.mastercard.aac", MASTERCARD],
  ])("%s", (id, aid) => {
    const row = vector(id);
    expect(cryptogramOf(aid, row.input("imk"), row.inputText("pan"), row.inputText("psn"), row.tags())).toEqual({
      message: row.outputText("message"),
      key: row.outputText("key"),
      cryptogram: row.outputText("cryptogram"),
    });
  });
});

test("the published test issuer keys are those that reproduce the recorded brand cards", () => {
  expect(toHex(PUBLISHED_TEST_ISSUER_KEYS.visa)).toBe(vector("transcript.visa.arqc").inputText("imk"));
  expect(toHex(PUBLISHED_TEST_ISSUER_KEYS.mastercard)).toBe(vector("transcript.mastercard.arqc").inputText("imk"));
});

test("Mastercard 14 differs from 15 only by the counters it leaves out, and from 10 only by its session key", () => {
  const row = vector("ac.mchip.15");
  const as = (version: string) =>
    row
      .tags()
      .map((tlv) =>
        tlv.tag === "9F10" ? { tag: "9F10", value: fromHex(`01${version}A00003220000000000000000000322FF`) } : tlv,
      );
  const of = (version: string) =>
    cryptogramOf(MASTERCARD, row.input("imk"), row.inputText("pan"), row.inputText("psn"), as(version));
  expect(of("14").key).toBe(of("15").key);
  expect(of("14").message).toBe(of("10").message);
  expect(of("14").key).not.toBe(of("10").key);
});

test("the brand is known by the RID alone, and the version only together with it", () => {
  expect(brandOf(fromHex("A0000000032010"))).toBe("visa");
  expect(brandOf(fromHex("A0000000043060"))).toBe("mastercard");
  expect(brandOf(fromHex("A0000000980840"))).toBe("visa");
  expect(brandOf(fromHex("A00000002501"))).toBe("amex");
  expect(brandOf(fromHex("A0000005241010"))).toBeUndefined();
  expect(schemeOf("visa", 0x11)).toBeUndefined();
  expect(schemeOf("mastercard", 0x11)?.sessionKey).toBe("mastercard");
  expect(schemeOfData(VISA, fromHex("06"))).toBeUndefined();
  expect(schemeOfData(fromHex("A00000002501"), fromHex("06010A03A00000"))).toBeUndefined();
  expect(schemeOfData(fromHex("A0000005241010"), fromHex("06010A03A00000"))).toBeUndefined();
});

test("a missing element and one of a wrong length are named; an absent 9F03 counts as zero", () => {
  const row = vector("ac.visa.cvn10");
  const visa10 = scheme(VISA, row.tags());
  for (const tag of ["9F02", "9F1A", "95", "5F2A", "9A", "9C", "9F37", "82", "9F36", "9F10"]) {
    expect(
      cryptogramMessage(
        visa10,
        row.tags().filter((tlv) => tlv.tag !== tag),
      ),
    ).toEqual({ ok: false, missing: tag });
  }
  expect(
    cryptogramMessage(
      visa10,
      row.tags().map((tlv) => (tlv.tag === "95" ? { tag: "95", value: new Uint8Array(4) } : tlv)),
    ),
  ).toEqual({ ok: false, missing: "95" });
  const without = cryptogramMessage(
    visa10,
    row.tags().filter((tlv) => tlv.tag !== "9F03"),
  );
  expect(without.ok && toHex(without.message)).toBe(row.outputText("message"));
});
