import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CardProfile } from "../../../packages/sandbox/testbed/card-profile.ts";
import { magstripeData, tappedMagstripeData } from "../../../packages/sandbox/testbed/card-tracks.ts";
import { replaced } from "../../../packages/sandbox/testbed/contact-kernel.ts";
import { cardNamed } from "../../../packages/sandbox/testbed/deck.ts";
import {
  type AuthorizationRequest,
  createIssuer,
  type IssuerMemory,
  PIN_TRIES,
  type Verification,
} from "../../../packages/sandbox/testbed/issuer.ts";
import { createMemory, emptyMemoryImage } from "../../../packages/sandbox/testbed/memory.ts";
import { createSecureModule } from "../../../packages/sandbox/testbed/secure-module.ts";
import { sredLayoutOf, trackText, typedData } from "../../../packages/sandbox/testbed/sred-layouts.ts";
import { encodeTlvs, parseTlv, type Tlv } from "../../../src/emv/tlv.ts";
import { fromHex, toHex } from "../../../src/kit/hex.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { NOW, type SaleOptions, simulatedTill } from "../sandbox/simulated-till.ts";
import { vector } from "./vectors.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

function memory(): IssuerMemory & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return { kept, remembered: (key) => kept.get(key), remember: (key, record) => void kept.set(key, record) };
}

function bench(seed = 1) {
  const own = memory();
  const issuer = createIssuer({ memory: own });
  const till = simulatedTill(seed);
  const request = (options: SaleOptions = {}): AuthorizationRequest => {
    const { fields } = till.sale(options);
    const field = (name: string): string => fields.get(name) ?? "";
    return {
      amount: 1234,
      currencyNumeric: "978",
      credit: options.paymentType === "CD",
      entryMode: "ICC",
      deviceType: field("pos.deviceType"),
      sred: { data: field("pos.encryptedSred.data"), ksn: field("pos.encryptedSred.ksn") },
      pin: fields.has("pos.encryptedPin.data")
        ? { data: field("pos.encryptedPin.data"), ksn: field("pos.encryptedPin.ksn") }
        : undefined,
      icc: fields.get("pos.iccDataRequest"),
      panSequenceNumber: fields.get("pos.panSequenceNumber"),
      now: NOW,
    };
  };
  return { memory: own, issuer, request };
}

const withTag = (request: AuthorizationRequest, tag: string, value: string): AuthorizationRequest => {
  const parse = parseTlv(fromHex(request.icc ?? ""));
  return {
    ...request,
    icc: toHex(encodeTlvs(replaced(parse.ok ? parse.objects : [], [{ tag, value: fromHex(value) }]))),
  };
};

const V_PAY = "A0000000032020";

const layout = sredLayoutOf("MIURA_M020");

/** Number and expiry as the Miura has them typed. */
const typedOnMiura = ({ pan, expiry }: CardProfile): readonly Tlv[] =>
  (layout && typedData(layout, pan, `${expiry.slice(2, 4)}${expiry.slice(0, 2)}`)) ?? [];

/** Card data under a fresh SRED key of another device. */
function sealedBy(objects: readonly Tlv[]): Pick<AuthorizationRequest, "sred"> {
  const block =
    layout && createSecureModule(seededRandom(99), createMemory(emptyMemoryImage)).sealCard(layout, objects);
  if (block === undefined) throw new Error("nothing sealed");
  return { sred: { data: toHex(block.data), ksn: toHex(block.ksn) } };
}

const reasonOf = (verification: Verification) => verification.refusal?.reason;

describe("published transcripts", () => {
  const transcript = (id: string, card: string) => {
    const { issuer, request } = bench();
    const sent: readonly Tlv[] = [
      ...vector(id).tags(),
      { tag: "9F26", value: vector(id).output("cryptogram") },
      { tag: "84", value: fromHex(card === "visa-contact" ? "A0000000031010" : "A0000000041010") },
    ];
    const own = request({ card, pin: null });
    return issuer.verify({
      ...own,
      amount: 1000,
      currencyNumeric: "036",
      icc: toHex(encodeTlvs(sent)),
      now: Date.UTC(2012, 2, 16),
    });
  };

  test("of a Visa test card: its ARQC verifies, and the answer is the ARPC that is published for it", () => {
    const verification = transcript("transcript.visa.arqc", "visa-contact");
    expect(verification.refusal).toBeUndefined();
    const answer = verification.conclude({ approved: true, arc: "00", variation: undefined });
    expect(answer).toBe(`8A023030910A${vector("transcript.visa.arpc").outputText("tag91")}`);
  });

  test("of a Mastercard test card: the same, with Mastercard's binary response code", () => {
    const verification = transcript("transcript.mastercard.arqc", "mastercard-contact");
    expect(verification.refusal).toBeUndefined();
    const answer = verification.conclude({ approved: true, arc: "00", variation: undefined });
    expect(answer).toBe(`8A023030910A${vector("transcript.mastercard.arpc").outputText("tag91")}`);
  });
});

describe("what the issuer lets through", () => {
  test.each(["visa-contact", "visa-contact-cvn18", "mastercard-contact"])("%s with its PIN", (card) => {
    const { issuer, request } = bench();
    const verification = issuer.verify(request({ card }));
    expect(verification).toMatchObject({ sred: "valid", pin: "valid", refusal: undefined });
  });

  test("a credit with transaction type 20", () => {
    const { issuer, request } = bench();
    expect(reasonOf(issuer.verify(request({ paymentType: "CD" })))).toBeUndefined();
  });

  test.each([
    ["MAGSTRIPE", magstripeData],
    ["MAGSTRIPE_AS_FALLBACK", magstripeData],
    ["NFC_MAGSTRIPE", tappedMagstripeData],
    ["MANUAL", typedOnMiura],
  ] as const)("%s, which has no cryptogram, by what is in its SRED data", (entryMode, dataOf) => {
    const { issuer, request } = bench();
    const profile = cardNamed("fallback");
    if (profile === undefined) throw new Error("no card");
    const verification = issuer.verify({
      ...request(),
      ...sealedBy(dataOf(profile)),
      entryMode,
      icc: undefined,
      pin: undefined,
    });
    expect(verification).toMatchObject({ refusal: undefined, sred: "valid", card: { last4: "0408" } });
    expect(verification.conclude({ approved: true, arc: "00", variation: undefined })).toBeUndefined();
  });

  test.each([
    ["text", undefined],
    ["an object 9F6B", "9F6B"],
    ["an object 57", "57"],
  ])("a tap in stripe mode on an ID TECH, with its track as %s", (_form, tag) => {
    const profile = cardNamed("fallback");
    const [track] = profile === undefined ? [] : tappedMagstripeData(profile);
    if (track === undefined) throw new Error("no card");
    const clear = tag === undefined ? trackText(track.value) : encodeTlvs([{ tag, value: track.value }]);
    const parts = createSecureModule(seededRandom(7), createMemory(emptyMemoryImage)).sealParts("data-request", [
      clear,
    ]);
    const sred = { data: toHex(parts?.parts[0] ?? new Uint8Array(0)), ksn: toHex(parts?.ksn ?? new Uint8Array(0)) };
    const { issuer, request } = bench();
    const sent = {
      ...request(),
      sred,
      deviceType: "IDTECH_VP3300",
      entryMode: "NFC_MAGSTRIPE",
      icc: undefined,
      pin: undefined,
    } as const;
    expect(issuer.verify(sent)).toMatchObject({ refusal: undefined, sred: "valid", card: { last4: "0408" } });
    // What is another card's, or more than the track, is none.
    expect(issuer.verify({ ...sent, entryMode: "MAGSTRIPE" }).sred).toMatch(/^invalid/);
  });

  test("an application that is not the first on its card", () => {
    const { issuer, request } = bench();
    const sent = request({ card: "two-applications" });
    expect(
      reasonOf(issuer.verify(withTag(withTag(withTag(sent, "84", V_PAY), "9F06", V_PAY), "4F", V_PAY))),
    ).toBeUndefined();
  });

  test("sale after sale, with one card and with another", () => {
    const { issuer, request } = bench();
    const refusals = Array.from(
      { length: 20 },
      (_, at) => issuer.verify(request({ card: at % 3 === 0 ? "mastercard-contact" : "visa-contact" })).refusal,
    );
    expect(refusals.filter((refusal) => refusal !== undefined)).toEqual([]);
  });
});

describe("what the issuer refuses", () => {
  const expired = Date.UTC(2032, 0, 1);
  test.each<[string, string, (request: AuthorizationRequest) => AuthorizationRequest]>([
    ["another amount than was signed", "mismatch", (request) => ({ ...request, amount: 1235 })],
    ["another currency", "mismatch", (request) => ({ ...request, currencyNumeric: "840" })],
    ["a credit instead of a debit", "mismatch", (request) => ({ ...request, credit: true })],
    ["a date more than a day away", "mismatch", (request) => ({ ...request, now: NOW + 3 * DAY_MS })],
    ["another PAN sequence number", "mismatch", (request) => ({ ...request, panSequenceNumber: "7" })],
    ["a PIN that was taken away", "mismatch", (request) => ({ ...request, pin: undefined })],
    ["another entry mode than 9F39 says", "mismatch", (request) => withTag(request, "9F39", "07")],
    ["a TC where an ARQC belongs", "mismatch", (request) => withTag(request, "9F27", "40")],
    ["another application", "mismatch", (request) => withTag(request, "84", "A0000000041010")],
    [
      "another application of another card",
      "mismatch",
      (request) => withTag(withTag(withTag(request, "84", V_PAY), "9F06", V_PAY), "4F", V_PAY),
    ],
    ["a chip's card data as a stripe's", "sred", (request) => ({ ...request, entryMode: "MAGSTRIPE", icc: undefined })],
    ["a chip's card data as typed ones", "sred", (request) => ({ ...request, entryMode: "MANUAL", icc: undefined })],
    ["another cryptogram", "cryptogram", (request) => withTag(request, "9F26", "0011223344556677")],
    [
      "a cryptogram version that the card has not",
      "cryptogram",
      (request) => withTag(request, "9F10", "06011203A00000"),
    ],
    ["chip data that are none", "icc-data", (request) => ({ ...request, icc: "9F02" })],
    ["chip data that say a tag twice", "icc-data", (request) => ({ ...request, icc: `${request.icc}9C0100` })],
    ["a chip without chip data", "icc-data", (request) => ({ ...request, icc: undefined })],
    [
      "a card that is past its expiry",
      "expired-card",
      (request) => withTag({ ...request, now: expired }, "9A", "320101"),
    ],
    ["a device type it does not know", "sred", (request) => ({ ...request, deviceType: "TOASTER" })],
    ["no device type", "sred", (request) => ({ ...request, deviceType: undefined })],
    [
      "a KSN of keys that are not published",
      "sred",
      (request) => ({ ...request, sred: { ...request.sred, ksn: "0011223344556670000B" } }),
    ],
    [
      "a KSN that is too short",
      "sred",
      (request) => ({ ...request, sred: { ...request.sred, ksn: "FFFF9876543210" } }),
    ],
    [
      "a PIN block of nine bytes",
      "pin-block",
      (request) => ({ ...request, pin: { data: "001122334455667788", ksn: request.pin?.ksn ?? "" } }),
    ],
    [
      "a PIN block that does not open",
      "pin-block",
      (request) => ({ ...request, pin: { data: "0011223344556677", ksn: request.pin?.ksn ?? "" } }),
    ],
  ])("%s", (_what, reason, change) => {
    const { issuer, request } = bench();
    if (reason === "expired-card") {
      // The date is under the cryptogram, so the card has to sign that day.
      expect(reasonOf(issuer.verify({ ...request({ date: "320101" }), now: expired }))).toBe(reason);
      return;
    }
    expect(reasonOf(issuer.verify(change(request())))).toBe(reason);
  });

  test("any key but the published test key, at start", () => {
    expect(() => createIssuer({ memory: memory(), bdk: fromHex("00112233445566778899AABBCCDDEEFF") })).toThrow(
      RangeError,
    );
  });
});

describe("replay", () => {
  test("of a whole request is refused by its SRED KSN", () => {
    const { issuer, request } = bench();
    const sent = request();
    expect(reasonOf(issuer.verify(sent))).toBeUndefined();
    expect(issuer.verify(sent)).toMatchObject({ refusal: { reason: "replay" }, sred: expect.stringContaining("KSN") });
  });

  test("of a KSN below one that was seen is refused too", () => {
    const { issuer, request } = bench();
    const earlier = request();
    issuer.verify(request());
    expect(reasonOf(issuer.verify(earlier))).toBe("replay");
  });

  test("of a cryptogram under a fresh KSN is refused by its ATC", () => {
    const { issuer, request } = bench();
    const sent = request();
    issuer.verify(sent);
    const fresh = request();
    expect(issuer.verify({ ...fresh, icc: sent.icc }).refusal?.check).toContain("ATC");
  });

  test("of a PIN block is refused by its KSN", () => {
    const { issuer, request } = bench();
    const sent = request();
    issuer.verify(sent);
    expect(issuer.verify({ ...request(), pin: sent.pin }).refusal).toMatchObject({
      reason: "replay",
      check: expect.stringContaining("PIN KSN"),
    });
  });

  test("of a cryptogram that got a soft decline is taken once, with a PIN, and not again", () => {
    const { issuer, request } = bench();
    const tap = { ...request({ pin: null }), entryMode: "NFC_ICC" as const };
    issuer.verify(tap).conclude({ approved: false, arc: "65", variation: undefined });
    const { pin } = request();
    expect(reasonOf(issuer.verify(tap))).toBe("replay");
    expect(reasonOf(issuer.verify({ ...tap, pin }))).toBeUndefined();
    expect(reasonOf(issuer.verify({ ...tap, pin: request().pin }))).toBe("replay");
  });

  test("is remembered by who kept the memory", () => {
    const { issuer, request, memory: kept } = bench();
    const sent = request();
    issuer.verify(sent);
    expect(reasonOf(createIssuer({ memory: kept }).verify(sent))).toBe("replay");
  });

  test("is remembered without a card number or a PIN", () => {
    const { issuer, request, memory: own } = bench();
    issuer.verify(request());
    const text = JSON.stringify([...own.kept]);
    expect(text).not.toContain("4761340000000050");
    expect(text).not.toContain("1234");
  });
});

describe("PIN tries", () => {
  test("are counted; a right PIN gives them back; too many block the PIN for a day", () => {
    const { issuer, request } = bench();
    const attempt = (pin: string, now = NOW) =>
      reasonOf(issuer.verify({ ...request({ pin, ...(now > NOW && { date: "261122" }) }), now }));
    expect([attempt("9999"), attempt("9998"), attempt("1234")]).toEqual(["wrong-pin", "wrong-pin", undefined]);
    const wrong = Array.from({ length: PIN_TRIES }, () => attempt("0000"));
    expect(wrong).toEqual(["wrong-pin", "wrong-pin", "pin-tries-exceeded"]);
    expect(attempt("1234")).toBe("pin-tries-exceeded");
    expect(attempt("1234", NOW + DAY_MS)).toBeUndefined();
  });

  test("are not spent by a block that does not open", () => {
    const { issuer, request } = bench();
    for (let at = 0; at < 5; at += 1) {
      const sent = request();
      expect(reasonOf(issuer.verify({ ...sent, pin: { data: "0011223344556677", ksn: sent.pin?.ksn ?? "" } }))).toBe(
        "pin-block",
      );
    }
    expect(reasonOf(issuer.verify(request()))).toBeUndefined();
  });
});

describe("a bit that turned on the way", () => {
  /**
   * The ten common elements, what identifies the application, and as much of 9F10 as each version signs. Other tags are
   * for information only.
   */
  const SIGNED = [
    "9F02",
    "9F03",
    "9F1A",
    "95",
    "5F2A",
    "9A",
    "9C",
    "9F37",
    "82",
    "9F36",
    "9F26",
    "84",
    "4F",
    "9F06",
    "9F27",
    "5F34",
  ];
  const issuerDataBytes = { visa: 7, mastercard: 8, unionpay: 7, interac: 22 } as const;

  test.each<[string, keyof typeof issuerDataBytes]>([
    ["visa-contact", "visa"],
    ["visa-contact-cvn18", "visa"],
    ["mastercard-contact", "mastercard"],
    ["unionpay", "unionpay"],
    ["interac", "interac"],
  ])("in the chip data of %s is a decline, wherever the card signed", (card, brand) => {
    const sent = bench().request({ card });
    const parse = parseTlv(fromHex(sent.icc ?? ""));
    const objects = parse.ok ? parse.objects : [];
    // An issuer that has seen nothing yet, every time: else each attempt after the first would be refused as a replay.
    const verify = (icc: readonly Tlv[]) =>
      createIssuer({ memory: memory() }).verify({ ...sent, icc: toHex(encodeTlvs(icc)) });
    expect(verify(objects).refusal).toBeUndefined();
    const bits = objects.flatMap(({ tag, value }) => {
      const signed = SIGNED.includes(tag) ? value.length : 0;
      const length = tag === "9F10" ? (issuerDataBytes[brand] ?? 0) : signed;
      return Array.from({ length: length * 8 }, (_, bit) => ({ tag, bit }));
    });
    expect(bits.length).toBeGreaterThan(400);
    for (const { tag, bit } of bits) {
      const flipped = objects.map((object) => (object.tag === tag ? { tag, value: flip(object.value, bit) } : object));
      expect({ tag, bit, refused: verify(flipped).refusal !== undefined }).toEqual({ tag, bit, refused: true });
    }
  });

  test("in SRED data, PIN block or one of their KSNs is a decline", () => {
    const places = ["sred.data", "sred.ksn", "pin.data", "pin.ksn"] as const;
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.nat(), fc.integer({ min: 1, max: 1000 }), (place, position, seed) => {
        const { issuer, request } = bench(seed);
        const sent = request({ pin: "1234" });
        const pin = sent.pin ?? { data: "", ksn: "" };
        const turn = (hex: string): string => toHex(flip(fromHex(hex), position % (hex.length * 4)));
        const changed: AuthorizationRequest = {
          ...sent,
          sred: {
            data: place === "sred.data" ? turn(sent.sred.data) : sent.sred.data,
            ksn: place === "sred.ksn" ? turn(sent.sred.ksn) : sent.sred.ksn,
          },
          pin: {
            data: place === "pin.data" ? turn(pin.data) : pin.data,
            ksn: place === "pin.ksn" ? turn(pin.ksn) : pin.ksn,
          },
        };
        return issuer.verify(changed).refusal !== undefined;
      }),
      { numRuns: 300 },
    );
  });

  test("never makes the issuer throw, whatever comes", () => {
    const { issuer, request } = bench();
    const hex = fc.uint8Array({ maxLength: 60 }).map(toHex);
    fc.assert(
      fc.property(hex, hex, hex, hex, hex, (sred, sredKsn, pin, pinKsn, icc) => {
        const verification = issuer.verify({
          ...request(),
          sred: { data: sred, ksn: sredKsn },
          pin: { data: pin, ksn: pinKsn },
          icc,
        });
        return verification.refusal !== undefined;
      }),
    );
  });
});

describe("the answer to the card", () => {
  test("has a declining 91 wherever the cryptogram verified, and none where it did not", () => {
    const { issuer, request } = bench();
    const declined = (sent: AuthorizationRequest) =>
      issuer.verify(sent).conclude({ approved: false, arc: "05", variation: undefined });
    expect(declined({ ...request(), amount: 1 })).toMatch(/^8A023035910A[0-9A-F]{16}3035$/);
    expect(declined(withTag(request(), "9F26", "0011223344556677"))).toBe("8A023035");
  });

  test("can be spoiled, left out in part, or carry scripts, for tests", () => {
    const { issuer, request } = bench();
    const verification = issuer.verify(request());
    const say = (variation: "without-91" | "wrong-91" | "scripts" | undefined) =>
      verification.conclude({ approved: true, arc: "00", variation }) ?? "";
    const right = say(undefined);
    expect(say("without-91")).toBe("8A023030");
    expect(say("wrong-91")).not.toBe(right);
    expect(say("wrong-91")).toHaveLength(right.length);
    const parse = parseTlv(fromHex(say("scripts")));
    expect(parse.ok && parse.objects.map(({ tag }) => tag)).toEqual(["8A", "91", "71", "72"]);
  });
});

function flip(bytes: Uint8Array, bit: number): Uint8Array {
  return bytes.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
}
