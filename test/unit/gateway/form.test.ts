import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decodeForm,
  encodeForm,
  flatten,
  MAX_FORM_CHARACTERS,
  MAX_FORM_FIELDS,
  MAX_NAME_CHARACTERS,
  type Nested,
} from "../../../src/gateway/form.ts";

const KEYED: ReadonlySet<string> = new Set(["customParameters"]);

describe("percent encoding", () => {
  test("brackets, spaces and everything beyond ASCII are escaped as UTF-8", () => {
    expect(encodeForm([["cart.items[0].name", "Käse & Brot +1 ~'()*"]])).toBe(
      "cart.items%5B0%5D.name=K%C3%A4se+%26+Brot+%2B1+%7E%27%28%29*",
    );
  });

  test("agrees with the platform's own encoder on any well-formed text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (name, value) => {
        expect(encodeForm([[name, value]])).toBe(new URLSearchParams([[name, value]]).toString());
      }),
    );
  });

  test("what is encoded decodes to itself", () => {
    const field = fc.tuple(
      fc.string({ unit: "binary", minLength: 1, maxLength: MAX_NAME_CHARACTERS }),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(fc.uniqueArray(field, { selector: ([name]) => name }), (fields) => {
        expect(decodeForm(encodeForm(fields))).toEqual({ ok: true, value: new Map(fields) });
      }),
    );
  });

  test("half a surrogate pair becomes the replacement character instead of an exception", () => {
    expect(encodeForm([["a", "\ud800"]])).toBe("a=%EF%BF%BD");
  });

  test("decoding never throws, whatever the body", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[%&=+a-fA-F0-9[\].]*$/)), (body) => {
        expect(typeof decodeForm(body).ok).toBe("boolean");
      }),
    );
  });

  test.each([
    ["an escape that ends early", "a=%", "a is not percent-encoded UTF-8"],
    ["an escape that is none", "a=%zz", "a is not percent-encoded UTF-8"],
    ["half a character", "a=%C3", "a is not percent-encoded UTF-8"],
    ["half a character in a name", "%C3=1", "the name of field 1 is not valid"],
    ["an empty name", "a=1&=2", "the name of field 2 is not valid"],
    ["a name sent twice", "a=1&b=2&a=3", "a is sent twice"],
    ["a name that is too long", `${"n".repeat(MAX_NAME_CHARACTERS + 1)}=1`, "the name of field 1 is not valid"],
    [
      "a form that is too long",
      "x".repeat(MAX_FORM_CHARACTERS + 1),
      `the form is longer than ${MAX_FORM_CHARACTERS} characters`,
    ],
    ["too many fields", "a&".repeat(MAX_FORM_FIELDS + 1), `the form has more than ${MAX_FORM_FIELDS} fields`],
  ])("%s is refused", (_, body, error) => {
    expect(decodeForm(body)).toEqual({ ok: false, error });
  });

  test("an empty body has no fields, and a name without a value an empty one", () => {
    expect(decodeForm("")).toEqual({ ok: true, value: new Map() });
    expect(decodeForm("a&b=&c=1=2")).toEqual({
      ok: true,
      value: new Map([
        ["a", ""],
        ["b", ""],
        ["c", "1=2"],
      ]),
    });
  });
});

describe("flattening", () => {
  test("groups take dots, lists indexes, free names brackets", () => {
    const nested = {
      descriptor: "Shop",
      cart: {
        items: [
          { name: "Tea", quantity: 2 },
          { name: "Jam", recipient: { city: "Mainz" } },
        ],
        payments: [{ primary: true }],
      },
      customParameters: { "a.b": "1", SHOPPER_x: "2" },
      customer: null,
      billing: undefined,
    };
    expect(flatten(nested, KEYED)).toEqual([
      ["descriptor", "Shop"],
      ["cart.items[0].name", "Tea"],
      ["cart.items[0].quantity", "2"],
      ["cart.items[1].name", "Jam"],
      ["cart.items[1].recipient.city", "Mainz"],
      ["cart.payments[0].primary", "true"],
      ["customParameters[a.b]", "1"],
      ["customParameters[SHOPPER_x]", "2"],
    ]);
  });

  test("nesting without end ends in a field that validation will name", () => {
    let deep: Nested = "end";
    for (let at = 0; at < 100_000; at += 1) deep = { a: deep };
    expect(flatten(deep, KEYED)).toEqual([["a.a.a.a.a.a.a.a.a", ""]]);
  });
});
