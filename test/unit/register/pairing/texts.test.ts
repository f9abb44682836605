import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Secret } from "../../../../src/kit/secret.ts";
import { seededRandom } from "../../../../src/kit/seeded-random.ts";
import { bridgeKeyOf, hasSigned, isPublicKey, newPrivateKey } from "../../../../src/register/pairing/keys.ts";
import { placeOf } from "../../../../src/register/pairing/place.ts";
import { addressOf, codeOf, isLocalhost, parseCode } from "../../../../src/register/pairing/texts.ts";

describe("a code", () => {
  it("is the first 30 bits of a hash, five bits a symbol", () => {
    expect(codeOf(Uint8Array.of(0, 0, 0, 0))).toBe("222222");
    expect(codeOf(Uint8Array.of(0xff, 0xff, 0xff, 0xfc))).toBe("ZZZZZZ");
    // 00001 00010 00011 00100 00101 00110 00
    expect(codeOf(Uint8Array.of(0b00001000, 0b10000110, 0b01000010, 0b10011000))).toBe("345678");
  });

  it("is read as people type it, and nothing else is a code", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 4, maxLength: 32 }), (digest) => {
        const code = codeOf(digest);
        expect(parseCode(` ${code.slice(0, 3).toLowerCase()}-${code.slice(3)} `)).toBe(code);
      }),
    );
    for (const other of ["", "22222", "2222222", "22222O", "22222I", "22222é"])
      expect(parseCode(other)).toBeUndefined();
  });
});

describe("an address", () => {
  it.each([
    ["ws://127.0.0.1:7717/v1", "ws://127.0.0.1:7717"],
    ["ws://127.0.0.1/v1", "ws://127.0.0.1:80"],
    ["wss://Till.Example/v1", "wss://till.example:443"],
    ["ws://[0:0:0:0:0:0:0:1]:7717/v1", "ws://[::1]:7717"],
    ["http://127.0.0.1:7717", undefined],
    ["till", undefined],
  ])("of %s is %s", (url, address) => expect(addressOf(url)).toBe(address));

  it.each([
    ["ws://localhost:7717", true],
    ["wss://LOCALHOST.:7717", true],
    ["wss://till.localhost:7717", true],
    ["ws://127.0.0.1:7717", false],
    ["wss://localhost.example:7717", false],
  ])("%s may lead to another program: %s", (address, may) => expect(isLocalhost(address)).toBe(may));

  it("of a bare socket is its own end, whatever the Host header says; of TLS it is the certificate's name", () => {
    const end = { host: "till.example:7717", localAddress: "::ffff:127.0.0.1", localPort: 7718 };
    expect(placeOf({ ...end, isSecure: false })).toEqual({ origin: "none", address: "ws://127.0.0.1:7718" });
    expect(placeOf({ ...end, localAddress: "::1", isSecure: false }).address).toBe("ws://[::1]:7718");
    expect(placeOf({ ...end, origin: "https://a.example", isSecure: true })).toEqual({
      origin: "https://a.example",
      address: "wss://till.example:7717",
    });
  });
});

describe("the bridge's key", () => {
  const key = bridgeKeyOf(newPrivateKey(seededRandom(1)));

  it("signs, and only its own text and key fit the signature", () => {
    const signature = key?.sign("one") ?? "";
    const own = key?.public ?? "";
    expect(hasSigned(own, "one", signature)).toBe(true);
    expect(hasSigned(own, "two", signature)).toBe(false);
    const other = bridgeKeyOf(newPrivateKey(seededRandom(2)))?.public ?? "";
    expect(hasSigned(other, "one", signature)).toBe(false);
  });

  it("is no zero, and a public key is a point of the curve", () => {
    expect(bridgeKeyOf(new Secret(Buffer.alloc(32).toString("base64url")))).toBeUndefined();
    expect(isPublicKey(key?.public ?? "")).toBe(true);
    expect(isPublicKey(Buffer.alloc(65, 4).toString("base64url"))).toBe(false);
    expect(hasSigned(Buffer.alloc(65, 4).toString("base64url"), "one", key?.sign("one") ?? "")).toBe(false);
  });
});
