import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../../src/kit/hex.ts";
import { type Envelope, envelopeOf, openEnvelope } from "../../../src/webhook/envelope.ts";
import { seal, unseal } from "../../../src/webhook/seal.ts";
import published from "../../vectors/crypto-vectors.json" with { type: "json" };

const { vectors } = published.webhook_aes_256_gcm;
const text = new TextEncoder();
const key = fromHex("000102030405060708090A0B0C0D0E0F000102030405060708090A0B0C0D0E0F");
const iv = fromHex("3D575574536D450F71AC76D8");

const bytes = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length });

describe("the published vectors", () => {
  it.each(vectors)("open: $plaintext with iv $iv", (vector) => {
    const plain = unseal(
      { iv: fromHex(vector.iv), tag: fromHex(vector.tag), body: fromHex(vector.body) },
      fromHex(vector.key),
    );
    expect(plain && new TextDecoder().decode(plain)).toBe(vector.plaintext);
  });

  it.each(vectors)("are what sealing gives: $plaintext with iv $iv", (vector) => {
    const sealed = seal(text.encode(vector.plaintext), fromHex(vector.key), fromHex(vector.iv));
    expect({ tag: toHex(sealed.tag), body: toHex(sealed.body) }).toEqual({ tag: vector.tag, body: vector.body });
  });

  it.each(vectors)("travel in either wrapping: $plaintext", (vector) => {
    const sealed = seal(text.encode(vector.plaintext), fromHex(vector.key), fromHex(vector.iv));
    expect(envelopeOf(sealed, "none")).toEqual({
      headers: {
        "content-type": "text/plain",
        "x-initialization-vector": vector.iv,
        "x-authentication-tag": vector.tag,
      },
      body: vector.body,
    });
    expect(envelopeOf(sealed, "json")).toMatchObject({
      headers: { "content-type": "application/json" },
      body: `{"encryptedBody":"${vector.body}"}`,
    });
  });
});

describe("whatever is sealed", () => {
  it("comes back, in either wrapping, with any key", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        bytes(32),
        bytes(12),
        fc.constantFrom("none", "json"),
        (plain, own, vector, wrapper) => {
          const opened = openEnvelope(envelopeOf(seal(plain, own, vector), wrapper));
          expect(opened.ok && unseal(opened.sealed, own)).toEqual(Buffer.from(plain));
        },
      ),
    );
  });

  it("does not open with another key, nor with one bit changed anywhere", () => {
    const sealed = seal(text.encode('{"type":"PAYMENT"}'), key, iv);
    const turned = (run: Uint8Array, bit: number): Uint8Array =>
      run.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
    for (const part of ["iv", "tag", "body"] as const) {
      for (let bit = 0; bit < sealed[part].length * 8; bit += 1)
        expect(unseal({ ...sealed, [part]: turned(sealed[part], bit) }, key)).toBeUndefined();
    }
    for (let bit = 0; bit < 256; bit += 17) expect(unseal(sealed, turned(key, bit))).toBeUndefined();
  });

  it("does not open with a shortened tag, which the platform alone would let pass", () => {
    const sealed = seal(text.encode('{"type":"PAYMENT"}'), key, iv);
    for (const length of [0, 4, 8, 12, 13, 14, 15])
      expect(unseal({ ...sealed, tag: sealed.tag.slice(0, length) }, key)).toBeUndefined();
    expect(unseal({ ...sealed, tag: Buffer.concat([sealed.tag, Buffer.of(0)]) }, key)).toBeUndefined();
  });

  it.each([0, 1, 8, 11, 13, 16, 128])("does not open with an initialization vector of %i bytes", (length) => {
    expect(
      unseal({ iv: new Uint8Array(length), tag: new Uint8Array(16), body: new Uint8Array(4) }, key),
    ).toBeUndefined();
  });

  it.each([0, 16, 31, 33])("needs a key of 32 bytes, not %i", (length) => {
    expect(() => seal(new Uint8Array(1), new Uint8Array(length), iv)).toThrow(RangeError);
    expect(() => unseal({ iv, tag: new Uint8Array(16), body: new Uint8Array(1) }, new Uint8Array(length))).toThrow(
      RangeError,
    );
  });
});

describe("an envelope", () => {
  const [first] = vectors;
  if (first === undefined) throw new Error("there are vectors");
  const good: Envelope = {
    headers: { "x-initialization-vector": first.iv, "x-authentication-tag": first.tag },
    body: first.body,
  };

  it("is read in lower case and with white space around its body as well", () => {
    const headers = {
      "x-initialization-vector": first.iv.toLowerCase(),
      "x-authentication-tag": first.tag.toLowerCase(),
    };
    const opened = openEnvelope({ headers, body: `\r\n ${first.body.toLowerCase()}\n` });
    expect(opened.ok && unseal(opened.sealed, key)).toBeDefined();
    const json = openEnvelope({ headers, body: ` { "encryptedBody" : "${first.body}", "more": 1 }` });
    expect(json.ok && unseal(json.sealed, key)).toBeDefined();
  });

  it.each([
    [
      "no initialization vector",
      { ...good, headers: { "x-authentication-tag": first.tag } },
      "X-Initialization-Vector",
    ],
    [
      "one that is not hexadecimal",
      { ...good, headers: { ...good.headers, "x-initialization-vector": "zz" } },
      "X-Initialization-Vector",
    ],
    ["no tag", { ...good, headers: { "x-initialization-vector": first.iv } }, "X-Authentication-Tag"],
    ["an empty tag", { ...good, headers: { ...good.headers, "x-authentication-tag": "" } }, "X-Authentication-Tag"],
    ["no body", { ...good, body: "" }, "body"],
    ["half a digit", { ...good, body: "F8E" }, "body"],
    ["torn JSON", { ...good, body: '{"encryptedBody":"F8' }, "encryptedBody"],
    ["JSON of something else", { ...good, body: '{"body":"F8"}' }, "encryptedBody"],
    ["JSON that is no object", { ...good, body: "[1]" }, "body"],
  ])("with %s is refused by name", (_, envelope: Envelope, named) => {
    const opened = openEnvelope(envelope);
    expect(opened.ok ? "" : opened.problem).toContain(named);
  });

  it("of any garbage is refused without a fault, and says nothing of what it held", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("x-initialization-vector", "x-authentication-tag"), fc.string()),
        fc.string(),
        (headers, body) => {
          const opened = openEnvelope({ headers, body });
          expect(opened.ok ? unseal(opened.sealed, key) : undefined).toBeUndefined();
        },
      ),
    );
  });
});
