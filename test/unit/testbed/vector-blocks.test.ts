import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { CardProfile } from "../../../packages/sandbox/testbed/card-profile.ts";
import { magstripeData, tappedMagstripeData, withLrc } from "../../../packages/sandbox/testbed/card-tracks.ts";
import { cardNamed } from "../../../packages/sandbox/testbed/deck.ts";
import { tdesKey } from "../../../packages/sandbox/testbed/des.ts";
import { hostKey } from "../../../packages/sandbox/testbed/dukpt.ts";
import { createIssuer, type Verification } from "../../../packages/sandbox/testbed/issuer.ts";
import type { PosEntryMode } from "../../../packages/sandbox/testbed/issuer-contract.ts";
import { createMemory, emptyMemoryImage } from "../../../packages/sandbox/testbed/memory.ts";
import { decodePinBlock } from "../../../packages/sandbox/testbed/pin-block.ts";
import { createSecureModule } from "../../../packages/sandbox/testbed/secure-module.ts";
import { knownSredLayout, overFirst, sealSred, typedData } from "../../../packages/sandbox/testbed/sred-layouts.ts";
import { openSred } from "../../../packages/sandbox/testbed/sred-opening.ts";
import { PUBLISHED_TEST_BDK } from "../../../packages/sandbox/testbed/test-keys.ts";
import { encodeTlv, encodeTlvs, parseTlv, type Tlv } from "../../../src/emv/tlv.ts";
import { concat } from "../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../src/kit/hex.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";

/*
 * Card data under a vector of its own, as Verifone's devices seal it: the blocks that were published open, and the
 * issuer takes them in each form in which a terminal
 * sends them.
 */

const hex = z.string().regex(/^([0-9A-F]{2})+$/);
const recorded = z
  .object({
    blocks: z.array(
      z.object({
        name: z.string(),
        ksn: hex,
        vector: hex,
        data: hex,
        plain: hex,
        pan: z.string(),
        expiry: z.string().optional(),
        source: z.string(),
      }),
    ),
    pin: z.object({ ksn: hex, pan: z.string(), data: hex, plain: hex, source: z.string() }),
  })
  .parse(JSON.parse(readFileSync(new URL("../../vectors/verifone-card-data.json", import.meta.url), "utf8")));

const VERIFONE = knownSredLayout("VERIFONE_P400");
const NO_STATUS = "00000000";

interface Block {
  readonly ksn: string;
  readonly vector: string;
  readonly data: string;
}

const tlv = (tag: string, value: string): Tlv => ({ tag, value: fromHex(value) });

/** FF7F as a device sends it. */
function template({ ksn, vector, data }: Block, status = NO_STATUS): string {
  const inside = [
    tlv("DFDF12", vector),
    tlv("DFDF11", ksn),
    tlv("DFDF10", data),
    tlv("DFDB0F", status),
    tlv("DFDB0E", "00000D01"),
  ];
  return toHex(encodeTlv("FF7F", encodeTlvs(inside)));
}

const FORMS: Readonly<Record<"template" | "vector-and-data", (block: Block) => string>> = {
  template: (block) => template(block),
  "vector-and-data": ({ vector, data }) => vector + data,
};
const forms = [FORMS.template, FORMS["vector-and-data"]] as const;

function ask(
  sred: { readonly data: string; readonly ksn: string },
  entryMode: PosEntryMode = "MAGSTRIPE",
): Verification {
  const kept = new Map<string, string>();
  const issuer = createIssuer({
    memory: { remembered: (key) => kept.get(key), remember: (key, record) => void kept.set(key, record) },
  });
  return issuer.verify({
    ...{ amount: 1234, currencyNumeric: "978", credit: false, entryMode, deviceType: "VERIFONE_P400", sred },
    ...{ pin: undefined, icc: undefined, panSequenceNumber: undefined, now: Date.UTC(2026, 0, 15) },
  });
}

describe.each(recorded.blocks)("the published block of $name", (block) => {
  const key = hostKey(PUBLISHED_TEST_BDK, fromHex(block.ksn), "data-request");

  test("opens to the last byte under the data request key, chained from its vector", () => {
    expect(toHex(overFirst(tdesKey(key).cbcDecrypt(fromHex(block.data)), fromHex(block.vector)))).toBe(block.plain);
  });

  test("is what the layout makes of the same objects", () => {
    const parsed = parseTlv(fromHex(block.plain.replace(/80(00)*$/, "")));
    const objects = parsed.ok ? parsed.objects : [];
    expect(toHex(sealSred(VERIFONE, key, objects, undefined, fromHex(block.vector)))).toBe(block.data);
  });

  test("shows its number, sent as the device's template or behind its vector, and not alone", () => {
    const card = { pan: block.pan, ...(block.expiry !== undefined && { expiry: block.expiry }) };
    for (const form of forms) expect(openSred(VERIFONE, key, fromHex(form(block)))).toMatchObject({ ok: true, card });
    expect(openSred(VERIFONE, key, fromHex(block.data))).toEqual({
      ok: false,
      error: expect.stringMatching(/option sred: template or vector-and-data/),
    });
  });

  test("is opened by the issuer, which has no such card", () => {
    for (const form of forms)
      expect(ask({ data: form(block), ksn: block.ksn }).refusal).toMatchObject({ reason: "unknown-card" });
  });
});

test("the published PIN block opens to a PIN of format 0", () => {
  const { ksn, pan, data, plain } = recorded.pin;
  const clear = tdesKey(hostKey(PUBLISHED_TEST_BDK, fromHex(ksn), "pin")).decrypt(fromHex(data));
  expect(toHex(clear)).toBe(plain);
  expect(decodePinBlock(clear, pan)).toEqual({ ok: true, pin: "4315" });
});

test("the published track 1 ends with the check character that we calculate, and so does a track 2", () => {
  const track = fromHex(recorded.blocks.find(({ name }) => name === "track 1")?.plain.slice(8, -4) ?? "");
  expect(toHex(withLrc(track.subarray(0, -1)))).toBe(toHex(track));
  // 0 to 9 of ISO/IEC 7813: the exclusive or of ; = ? and the digits.
  expect(new TextDecoder().decode(withLrc(new TextEncoder().encode(";123=4?")))).toBe(";123=4?=");
});

function profile(name: string): CardProfile {
  const found = cardNamed(name);
  if (found === undefined) throw new Error(`no card ${name}`);
  return found;
}

function sealed(objects: readonly Tlv[], seed = 7): Block {
  const block = createSecureModule(seededRandom(seed), createMemory(emptyMemoryImage)).sealCard(VERIFONE, objects);
  if (block?.vector === undefined) throw new Error("nothing sealed under a vector");
  return { ksn: toHex(block.ksn), vector: toHex(block.vector), data: toHex(block.data) };
}

const card = profile("magstripe");
const typed = typedData(VERIFONE, card.pan, `${card.expiry.slice(2, 4)}${card.expiry.slice(0, 2)}`) ?? [];

describe.each<[PosEntryMode, readonly Tlv[]]>([
  ["MAGSTRIPE", magstripeData(card)],
  ["MAGSTRIPE_AS_FALLBACK", magstripeData(card)],
  ["NFC_MAGSTRIPE", tappedMagstripeData(card)],
  ["MANUAL", typed],
])("%s of a card of the issuer's", (entryMode, objects) => {
  test("is taken in each form that says its vector", () => {
    const block = sealed(objects);
    for (const form of forms)
      expect(ask({ data: form(block), ksn: block.ksn }, entryMode)).toMatchObject({
        refusal: undefined,
        sred: "valid",
      });
  });

  test("is taken as data alone where the vector is zero", () => {
    const { ksn } = sealed(objects);
    const data = toHex(sealSred(VERIFONE, hostKey(PUBLISHED_TEST_BDK, fromHex(ksn), "data-request"), objects));
    expect(ask({ data, ksn }, entryMode)).toMatchObject({ refusal: undefined, sred: "valid" });
  });
});

test("each card is sealed under a vector of its own", () => {
  const secure = createSecureModule(seededRandom(1), createMemory(emptyMemoryImage));
  const vectors = Array.from({ length: 20 }, () =>
    toHex(secure.sealCard(VERIFONE, typed)?.vector ?? new Uint8Array(0)),
  );
  expect(new Set(vectors).size).toBe(20);
});

describe("what does not open is refused with its reason", () => {
  const block = sealed(magstripeData(card));
  const bare = (objects: readonly Tlv[]): string => toHex(encodeTlv("FF7F", encodeTlvs(objects)));
  const turned = (data: string, at: number): string =>
    toHex(fromHex(data).map((byte, index) => (index === at ? byte ^ 0x01 : byte)));

  test.each<[string, string, RegExp]>([
    [
      "data alone, sealed under a vector",
      block.data,
      /neither by the eight bytes before it nor by a zero vector.*option sred/,
    ],
    ["another vector", `0011223344556677${block.data}`, /neither by the eight bytes/],
    [
      "a template whose vector is another one",
      template({ ...block, vector: "0011223344556677" }),
      /does not decrypt to card data by its vector \(DFDF12\)/,
    ],
    [
      "a template of another transaction",
      template({ ...block, ksn: "FFFF9876543210E00001" }),
      /names another KSN inside/,
    ],
    ["a template without a KSN", bare([tlv("DFDF12", block.vector), tlv("DFDF10", block.data)]), /lacks DFDF11/],
    ["a template without its data", bare([tlv("DFDF12", block.vector), tlv("DFDF11", block.ksn)]), /lacks DFDF10/],
    [
      "a vector of seven bytes",
      template({ ...block, vector: block.vector.slice(2) }),
      /vector \(DFDF12\) has 7 bytes instead of 8/,
    ],
    ["a device that could not encrypt", template(block, "00000001"), /could not encrypt \(DFDB0F 00000001\)/],
    ["a template with half a block", template({ ...block, data: block.data.slice(0, -8) }), /is not whole blocks/],
    ["half a block", block.data.slice(0, -8), /is not whole blocks/],
    [
      "a bit that was turned in the last block",
      template({ ...block, data: turned(block.data, block.data.length / 2 - 1) }),
      /./,
    ],
    ["a bit that was turned in the vector", template({ ...block, vector: turned(block.vector, 5) }), /./],
  ])("%s", (_what, data, reason) => {
    const { refusal, sred } = ask({ data, ksn: block.ksn });
    expect(["sred", "unknown-card"]).toContain(refusal?.reason);
    expect(refusal?.check).toMatch(reason);
    expect(sred).toBe(`invalid: ${refusal?.check}`);
  });

  test("under another key, with a word about its KSN", () => {
    const other = tdesKey(
      hostKey(fromHex("00112233445566778899AABBCCDDEEFF"), fromHex("FFFF6C00290001E0013F"), "data-request"),
    );
    const data = toHex(other.cbcEncrypt(concat(encodeTlvs(typed), fromHex("8000000000000000")).subarray(0, 24)));
    expect(
      ask({ data: template({ ...block, data, ksn: "FFFF6C00290001E0013F" }), ksn: "FFFF6C00290001E0013F" }).refusal
        ?.check,
    ).toMatch(/does not decrypt.*; its KSN is not of the published test identity/);
  });
});
