import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { joinCursor, partsOfCursor, positionOf } from "../../../src/kit/cursor.ts";

const tail = fc.stringMatching(/^[0-9]{9}$/);
/** Facts that a journal may come to in decades. */
const number = fc.nat(8_000_000);

describe("a cursor", () => {
  test("is read as it was made, and kept by whoever takes it for a number", () => {
    fc.assert(
      fc.property(number, tail, (fact, digits) => {
        const cursor = joinCursor(fact, digits);
        expect(partsOfCursor(cursor)).toEqual({ number: fact, tail: digits });
        expect(partsOfCursor(String(Number(cursor)))).toEqual({ number: fact, tail: digits });
        expect(positionOf(cursor)).toBe(fact);
      }),
    );
  });

  test("rises with its fact as a number does, whatever its last digits, and stands behind every old one of nine digits", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), tail, tail, (fact, one, other) => {
        expect(Number(joinCursor(fact, one))).toBeLessThan(Number(joinCursor(fact + 1, other)));
        expect(Number(joinCursor(fact, one))).toBeGreaterThan(999_999_999);
      }),
    );
  });

  test.each(["0", "1", "41", "999999999"])("of earlier bridges, %s, is the fact's number alone", (cursor) => {
    expect(partsOfCursor(cursor)).toEqual({ number: Number(cursor) });
  });

  test.each(["", "-1", "1.5", "1e3", "01", " 1", "x", "9".repeat(26), "\u0661"])("is not %j", (text) => {
    expect(partsOfCursor(text)).toBeUndefined();
    expect(positionOf(text)).toBeNaN();
  });
});
