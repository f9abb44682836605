import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { canonicalJson, fingerprintOf } from "../../../../src/register/rpc/fingerprint.ts";

const jsonSchema = z.record(z.string(), z.json());

describe("the fingerprint of a start", () => {
  it("is the SHA-256 of sorted JSON without blanks", () => {
    const text = '{"amount":"1.00","cart":{"items":[{"a":1,"b":true}]},"reference":"r"}';
    const sent = { reference: "r", cart: { items: [{ b: true, a: 1 }] }, amount: "1.00" };
    expect(canonicalJson(sent)).toBe(text);
    expect(fingerprintOf(sent)).toBe(createHash("sha256").update(text).digest("hex"));
  });

  it("sorts as RFC 8785, 3.2.3 shows: by UTF-16 code units", () => {
    const sample = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew",
      "1": "One",
      "\ud83d\ude00": "Emoji",
      "\u0080": "Control",
      "\u00f6": "o",
    };
    expect(Object.values(JSON.parse(canonicalJson(sample)))).toHaveLength(7);
    const order = ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\ud83d\ude00", "\ufb33"].map((name) =>
      canonicalJson(sample).indexOf(JSON.stringify(name)),
    );
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order).not.toContain(-1);
  });

  it("does not look at queue, expiresInMs and despite, and at everything else", () => {
    const sent = { reference: "r", amount: "1.00" };
    expect(fingerprintOf({ ...sent, queue: true, expiresInMs: 1000, despite: "other" })).toBe(fingerprintOf(sent));
    expect(fingerprintOf({ ...sent, amount: "1.01" })).not.toBe(fingerprintOf(sent));
    expect(fingerprintOf({ ...sent, order: "o" })).not.toBe(fingerprintOf(sent));
    expect(fingerprintOf({ ...sent, allowPartialApproval: false })).not.toBe(fingerprintOf(sent));
  });

  it("is the same for the same members in any order, and canonical JSON means what was sent", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (any) => {
        const sent = jsonSchema.parse(any);
        const turned = Object.fromEntries(Object.entries(sent).reverse());
        expect(canonicalJson(turned)).toBe(canonicalJson(sent));
        expect(JSON.parse(canonicalJson(sent))).toEqual(JSON.parse(JSON.stringify(sent)));
      }),
    );
  });
});
