import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeBlob, parseBlob } from "../../../../drivers/magtek-dynaflex/blob.ts";
import { parseMessage } from "../../../../drivers/magtek-dynaflex/message.ts";
import { tdesKey } from "../../../../packages/sandbox/testbed/des.ts";
import { hostKey } from "../../../../packages/sandbox/testbed/dukpt.ts";
import { tags } from "../../../../src/card/dynapro-data.ts";
import { isClear, maskedIn } from "../../../../src/card/dynapro-masked.ts";
import { findTag, parseTlv, type Tlv } from "../../../../src/emv/tlv.ts";
import { ascii, concat, fromAscii } from "../../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { vectors } from "./vectors.ts";

const { synthetic, realArqc, maskedSample } = vectors;
const payloadOf = (hex: string): Uint8Array => {
  const message = parseMessage(fromHex(hex));
  if (typeof message === "string" || message.is !== "notification") throw new Error("no notification");
  return message.payload;
};
const wrapped = (blob: string): Uint8Array =>
  concat(Uint8Array.of(0x84, 0x82, blob.length >> 9, (blob.length >> 1) & 0xff), fromHex(blob));
const blobOf = (payload: Uint8Array) => {
  const blob = parseBlob(payload);
  if (typeof blob === "string") throw new Error(blob);
  return blob;
};
const hexOf = (leaves: readonly Tlv[], tag: string): string => toHex(findTag(leaves, tag) ?? new Uint8Array(0));
const textOf = (leaves: readonly Tlv[], tag: string): string => ascii(findTag(leaves, tag) ?? new Uint8Array(0));

describe("card data", () => {
  test("the synthetic ARQC is read, and opens under the published key", () => {
    const { of, serialNumber, leaves } = blobOf(payloadOf(synthetic.arqcNotification));
    expect([of, ascii(serialNumber)]).toEqual(["arqc", "B000001"]);
    expect([
      hexOf(leaves, tags.cardType),
      hexOf(leaves, tags.fallback),
      hexOf(leaves, tags.ksn),
      hexOf(leaves, tags.encryption),
    ]).toEqual(["05", "00", synthetic.ksn, "80"]);
    expect(textOf(leaves, tags.maskedChip)).toBe(";4761000000000010=22122010000000000000?");
    const key = hostKey(fromHex(synthetic.bdk), fromHex(synthetic.ksn), "data-request");
    expect(toHex(key)).toBe(synthetic.dataKeyVariant);
    const plain = tdesKey(key).cbcDecrypt(findTag(leaves, tags.data) ?? new Uint8Array(0));
    expect(toHex(plain)).toBe(synthetic.arqcPlain + "00".repeat(synthetic.arqcPadBytes));
    const opened = parseTlv(plain, [0]);
    expect(opened.ok && opened.objects.map(({ tag }) => tag)).toEqual(["FC"]);
  });

  test("the synthetic batch is read, with what is meant for a receipt apart", () => {
    const { of, leaves, merchant } = blobOf(payloadOf(synthetic.batchNotification));
    expect([of, hexOf(leaves, tags.accepted)]).toEqual(["batch", "00"]);
    expect(hexOf(merchant, "9F06")).toBe("A0000000031010");
    expect(merchant.some(({ tag }) => tag === tags.data)).toBe(false);
  });

  test("a real device's ARQC is read, EMV objects in clear beside the ciphertext included", () => {
    const { serialNumber, leaves } = blobOf(wrapped(realArqc.blob));
    expect(ascii(serialNumber)).toBe(realArqc.serialNumber);
    expect([hexOf(leaves, tags.cardType), hexOf(leaves, tags.ksn)]).toEqual([realArqc.cardType, realArqc.ksn]);
    expect([hexOf(leaves, "82"), hexOf(leaves, "9F6E")]).toEqual(["1980", "0840000030300 0".replace(" ", "")]);
    expect(textOf(leaves, tags.maskedChip)).toBe(realArqc.masked);
    expect(findTag(leaves, tags.data)?.length).toBe(realArqc.encryptedBytes);
  });

  test("a blob is written as the other implementation wrote it, its MAC by ISO 16609 over all before it", () => {
    const { serialNumber } = blobOf(wrapped(synthetic.arqcBlob));
    const outer = parseTlv(fromHex(synthetic.arqcBlob).subarray(2, 2 + 0x013f), [0]);
    const whole = parseTlv(
      outer.ok ? (findTag(outer.objects, tags.whole) ?? new Uint8Array(0)) : new Uint8Array(0),
      [0],
    );
    const generic = parseTlv((whole.ok && findTag(whole.objects, tags.generic)) || new Uint8Array(0), [0]);
    const key = tdesKey(fromHex(synthetic.macKeyVariant));
    const frame = {
      macKsn: fromHex(synthetic.ksn),
      macType: 0x82,
      serialNumber,
      mac: (bytes: Uint8Array) => key.cbcEncrypt(bytes).slice(-8, -4),
    };
    expect(toHex(encodeBlob(frame, generic.ok ? generic.objects : []))).toBe(toHex(wrapped(synthetic.arqcBlob)));
  });

  test("the data always have a length of three bytes, however short they are", () => {
    const frame = {
      macKsn: new Uint8Array(10),
      macType: 0x82,
      serialNumber: fromAscii("B1"),
      mac: () => new Uint8Array(4),
    };
    expect(toHex(encodeBlob(frame, [{ tag: tags.arqc, value: new Uint8Array(0) }])).slice(0, 8)).toMatch(/^848200/);
  });

  test.each([
    ["no data", "", "without data"],
    ["a length beyond its end", "84060010F90000AA", "claims 16"],
    ["no frame", "840A000286000000000000000000".slice(0, 24), "without its frame"],
    [
      "something else in the frame",
      `8410000A F908DFDF250141FA0000 00000000`.replaceAll(" ", ""),
      "neither ARQC nor batch",
    ],
  ])("card data with %s are none", (_what, hex, why) => {
    expect(parseBlob(fromHex(hex))).toContain(why);
  });

  test("nothing is thrown, whatever the bytes", () => {
    const blob = fromHex(synthetic.arqcBlob);
    fc.assert(
      fc.property(fc.nat({ max: blob.length - 1 }), fc.uint8Array({ minLength: 1, maxLength: 6 }), (at, bytes) => {
        const changed = blob.slice();
        changed.set(bytes.subarray(0, blob.length - at), at);
        parseBlob(wrapped(toHex(changed)));
        parseBlob(bytes);
      }),
    );
  });
});

describe("masked tracks", () => {
  const usual = { leading: 4, trailing: 4 };
  const track = (text: string): Tlv => ({ tag: tags.maskedChip, value: fromAscii(text) });

  test("the maker's own example is masked, and its clear form is not", () => {
    expect(isClear(track(maskedSample.masked))).toBe(false);
    expect(isClear(track(maskedSample.clear))).toBe(true);
  });

  test("a real device's track is masked although its number passes for a card's", () => {
    expect(isClear(track(realArqc.masked))).toBe(false);
    expect(maskedIn([track(realArqc.masked)], { leading: 8, trailing: 4 })).toEqual({ bin: "531257", last4: "8112" });
  });

  test.each<[string, object, object | undefined]>([
    [";4761000000000010=22122010000000000000?", usual, { last4: "0010" }],
    [";4761730000000010=22122010000000000000?", { leading: 6, trailing: 4 }, { bin: "476173", last4: "0010" }],
    [";4761********0010=****?", usual, { last4: "0010" }],
    [";****************=****?", { leading: 8, trailing: 4 }, { last4: "" }],
    [";4761000000000000=22122010000000000000?", { leading: 4, trailing: 0 }, { last4: "" }],
    ["", usual, undefined],
    ["nonsense", usual, undefined],
  ])("of %s no more is shown than the device leaves as it is", (text, masking, shown) => {
    expect(maskedIn([track(text)], { ...usual, ...masking })).toEqual(shown);
  });

  test.each([
    [";4761739001010010=22122010000000000000?", true],
    [";476173900101001=22122010000000000000?", true],
    [";4761730001010010=22122010000000000000?", true],
    [";476173000000010=22122010000000000000?", false],
    ["4761739001010010", true],
    ["%B6011000020000000^0000000000^00000000000000000000?", false],
    ["%B6011000995500000^ TEST CARD ^15121015432112345678?", true],
    ["%B4761 7390 0101 0119^CARD/TEST^22122010000000000000?", true],
    [";4761730000000010=22122011234567890120?", true],
  ])("%s: clear is %s", (text, clear) => {
    expect(isClear(track(text))).toBe(clear);
  });

  test("no number of a card is ever taken for masked, but for those with five zeros in the middle", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 16, maxLength: 19 }), (digits) => {
        expect(isClear(track(`;${digits.join("")}=2212201?`))).toBe(true);
      }),
    );
  });
});
