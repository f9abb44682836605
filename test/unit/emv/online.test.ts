import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { iccDataRequestOf, issuerResponseOf } from "../../../src/emv/online.ts";
import { encodeTlvs, type Tlv } from "../../../src/emv/tlv.ts";
import { fromHex, toHex } from "../../../src/kit/hex.ts";
import { CLEAR_CONTACT_CARD, objectsOf } from "./objects.ts";

const tagsOf = (hex: string): string =>
  objectsOf(hex)
    .map(({ tag }) => tag)
    .join(" ");

/**
 * Built from the transcript of a public test card (binaryfoo/emv-bertlv, contact Visa): every object that the card and
 * the terminal gave.
 */
const SAMPLE =
  "82021C008407A00000000310105F2A020036950580000080009A031203169C01009F02060000000010009F03060000000000009F101706010A03A4B8000F112233445566778899AABBCCDDEEFF9F1A0200369F26087CB3BA090724C5249F2701809F360200299F3704D3173A1F";

describe("iccDataRequestOf", () => {
  test("puts what every scheme demands first, in a fixed order, then the rest", () => {
    expect(tagsOf(iccDataRequestOf(objectsOf(CLEAR_CONTACT_CARD)))).toBe(
      "82 84 95 9A 9C 5F2A 9F02 9F03 9F10 9F1A 9F26 9F33 9F36 9F37 5F34 9F27 9F34 9F35 9F41 9F1E 9F09 9F06",
    );
  });

  test("keeps the values as the card gave them", () => {
    const request = objectsOf(iccDataRequestOf(objectsOf(SAMPLE)));
    for (const { tag, value } of objectsOf(SAMPLE))
      expect(request.find((object) => object.tag === tag)?.value).toEqual(value);
    expect(request).toHaveLength(objectsOf(SAMPLE).length);
  });

  test("does not depend on the order it got, and takes the first of two", () => {
    const objects = objectsOf(SAMPLE);
    expect(iccDataRequestOf([...objects].reverse())).toBe(iccDataRequestOf(objects));
    expect(iccDataRequestOf([...objects, { tag: "9F26", value: new Uint8Array(8) }])).toBe(iccDataRequestOf(objects));
  });

  test("an absent other amount is sent as zero", () => {
    const without = objectsOf(SAMPLE).filter(({ tag }) => tag !== "9F03");
    expect(iccDataRequestOf(without)).toBe(iccDataRequestOf(objectsOf(SAMPLE)));
  });

  test("of a card without objects is empty", () => {
    expect(iccDataRequestOf([])).toBe("");
    expect(iccDataRequestOf([{ tag: "57", value: fromHex("4761739001010119D15122") }])).toBe("");
  });

  test("never exceeds 1024 bytes and never carries card data, whatever the card sends", () => {
    const tag = fc.constantFrom(
      "57",
      "5A",
      "5F20",
      "9F6B",
      "84",
      "4F",
      "9F06",
      "9F10",
      "9F6E",
      "9F26",
      "82",
      "9F03",
      "9F41",
      "DFAE02",
    );
    const object: fc.Arbitrary<Tlv> = fc.record({ tag, value: fc.uint8Array({ maxLength: 255 }) });
    fc.assert(
      fc.property(fc.array(object, { maxLength: 60 }), (objects) => {
        const request = iccDataRequestOf(objects);
        expect(request).toMatch(/^([0-9A-F]{2})*$/);
        expect(request.length).toBeLessThanOrEqual(2048);
        const tags = tagsOf(request).split(" ");
        expect(new Set(tags).size).toBe(tags.length);
        for (const sensitive of ["57", "5A", "5F20", "9F6B", "DFAE02"]) expect(tags).not.toContain(sensitive);
      }),
    );
  });
});

describe("issuerResponseOf", () => {
  const sample = "8A023030910A11223344556677880000";

  test("passes an approving code and the issuer's authentication", () => {
    expect(issuerResponseOf("approved", sample)).toEqual({
      verdict: "approved",
      arc: "3030",
      authentication: "11223344556677880000",
      scripts: [],
    });
  });

  test.each([
    ["approved", undefined, "3030"],
    ["approved", "8A023130", "3130"],
    ["approved", "8A023131", "3131"],
    ["approved", "8A023035", "3030"],
    ["approved", "8A025A33", "3030"],
    ["approved", "8A0130", "3030"],
    ["declined", undefined, "3035"],
    ["declined", "8A023531", "3531"],
    ["declined", "8A025230", "5230"],
    ["declined", "8A023030", "3035"],
    ["declined", "8A023130", "3035"],
    ["declined", "8A023038", "3035"],
    ["declined", "8A023031", "3035"],
    ["declined", "8A023835", "3035"],
    ["declined", "8A025931", "3035"],
    ["declined", "8A025A33", "3035"],
    ["declined", "8A02FFFE", "3035"],
    ["unable-to-go-online", undefined, "5A33"],
    ["unable-to-go-online", sample, "5A33"],
  ] as const)("%s with %s tells the card %s", (verdict, received, arc) => {
    expect(issuerResponseOf(verdict, received)).toMatchObject({ verdict, arc });
  });

  test("passes scripts in their order, also with a decline", () => {
    const received = `${toHex(
      encodeTlvs([
        { tag: "72", value: fromHex("9F180400000001") },
        { tag: "71", value: fromHex("8601AA") },
        { tag: "72", value: fromHex("8601BB") },
      ]),
    )}89063132333435360000`;
    expect(issuerResponseOf("declined", received)).toEqual({
      verdict: "declined",
      arc: "3035",
      scripts: [
        { tag: "72", value: "9F180400000001" },
        { tag: "71", value: "8601AA" },
        { tag: "72", value: "8601BB" },
      ],
    });
  });

  test("after unable to go online nothing of an issuer reaches the card", () => {
    expect(issuerResponseOf("unable-to-go-online", `${sample}71038601AA`)).toEqual({
      verdict: "unable-to-go-online",
      arc: "5A33",
      scripts: [],
    });
  });

  test.each(["", "8", "zz", "8A02", "910711223344556677", `9111${"00".repeat(17)}`])(
    "ignores garbage: %j",
    (garbage) => {
      expect(issuerResponseOf("approved", garbage)).toEqual({ verdict: "approved", arc: "3030", scripts: [] });
    },
  );

  test("never throws and never contradicts the verdict", () => {
    const hex = fc.uint8Array({ maxLength: 60 }).map(toHex);
    const code = fc
      .uint8Array({ minLength: 2, maxLength: 2 })
      .map((value) => toHex(encodeTlvs([{ tag: "8A", value }])));
    fc.assert(
      fc.property(fc.oneof(hex, code, fc.string()), (received) => {
        expect(["3030", "3130", "3131"]).toContain(issuerResponseOf("approved", received).arc);
        expect(issuerResponseOf("declined", received).arc).not.toMatch(/^(3030|3130|3131|3038|59..|5A..)$/);
        expect(issuerResponseOf("unable-to-go-online", received).arc).toBe("5A33");
      }),
    );
  });
});
