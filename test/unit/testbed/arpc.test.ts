import { describe, expect, test } from "vitest";
import {
  arpcMethod1,
  arpcMethod2,
  checkIssuerAuthentication,
  issuerAuthenticationData,
} from "../../../packages/sandbox/testbed/arpc.ts";
import { type Brand, type CryptogramScheme, schemeOf } from "../../../packages/sandbox/testbed/cryptogram.ts";
import { fromHex, toHex } from "../../../src/kit/hex.ts";
import { vector, vectors } from "./vectors.ts";

function scheme(brand: Brand, version: number): CryptogramScheme {
  const found = schemeOf(brand, version);
  if (found === undefined) throw new Error(`no ${brand} ${version}`);
  return found;
}

test.each(vectors("arpc1.").map((row) => [row.id, row] as const))("method 1: %s", (_id, row) => {
  expect(toHex(arpcMethod1(row.input("key"), row.input("arqc"), row.input("arc")))).toBe(row.outputText("arpc"));
});

test.each(vectors("arpc2.").map((row) => [row.id, row] as const))("method 2: %s", (id, row) => {
  const proprietary = fromHex(id === "arpc2.proprietary" ? row.inputText("proprietary") : "");
  expect(toHex(arpcMethod2(row.input("key"), row.input("arqc"), row.input("csu"), proprietary))).toBe(
    row.outputText("arpc"),
  );
});

describe("issuer authentication data", () => {
  const wrongKey = new Uint8Array(16).fill(0x5b);
  const only = (method: "card" | "session", key: Uint8Array) =>
    method === "card" ? { card: key, session: wrongKey } : { card: wrongKey, session: key };

  test.each([
    ["arpc1.visa.cvn10.approve", scheme("visa", 0x0a), true, "00"],
    ["arpc1.visa.cvn10.decline", scheme("visa", 0x0a), false, "05"],
    ["arpc2.visa.cvn18.approve", scheme("visa", 0x12), true, "00"],
    ["arpc2.visa.cvn18.zero", scheme("visa", 0x12), false, "51"],
    ["arpc1.mchip.10", scheme("mastercard", 0x10), true, "00"],
    ["arpc1.mchip.10.decline", scheme("mastercard", 0x10), false, "05"],
    ["arpc1.mchip.11", scheme("mastercard", 0x11), true, "00"],
    ["arpc1.mchip.15", scheme("mastercard", 0x15), true, "00"],
  ] as const)("%s is built, and read again by the card", (id, used, approved, arc) => {
    const row = vector(id);
    const keys = only(used.arpcKey, row.input("key"));
    const data = issuerAuthenticationData(used, keys, row.input("arqc"), approved, arc);
    expect(toHex(data)).toBe(row.outputText("tag91"));
    expect(checkIssuerAuthentication(used, keys, row.input("arqc"), data)).toEqual({ is: "good", approves: approved });
  });

  test("any changed bit is a wrong cryptogram, and another length is said to be one", () => {
    for (const [id, used] of [
      ["arpc1.visa.cvn10.approve", scheme("visa", 0x0a)],
      ["arpc2.visa.cvn18.approve", scheme("visa", 0x12)],
    ] as const) {
      const row = vector(id);
      const keys = only(used.arpcKey, row.input("key"));
      const good = row.output("tag91");
      for (let bit = 0; bit < good.length * 8; bit += 1) {
        const changed = good.with(bit >> 3, (good[bit >> 3] ?? 0) ^ (0x80 >> (bit & 7)));
        expect(checkIssuerAuthentication(used, keys, row.input("arqc"), changed)).toEqual({ is: "wrong" });
      }
      expect(checkIssuerAuthentication(used, keys, row.input("arqc"), good.subarray(0, 7))).toEqual({
        is: "wrong-length",
      });
      expect(checkIssuerAuthentication(used, keys, row.input("arqc"), new Uint8Array(17))).toEqual({
        is: "wrong-length",
      });
    }
  });
});
