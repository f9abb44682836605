import fc from "fast-check";
import { expect, test } from "vitest";
import { textRows } from "../../../src/kit/text-rows.ts";

test.each([
  [["Please remove your card now"], { rows: 4, columns: 21 }, ["Please remove your", "card now"]],
  [["Please remove your card now"], { rows: 2, columns: 16 }, ["Please remove", "your card now"]],
  [["12345678901234567"], { rows: 2, columns: 16 }, ["1234567890123456", "7"]],
  [["a", "b", "c"], { rows: 2, columns: 16 }, ["a", "b"]],
  [["M\u00fcll\u0002"], { rows: 2, columns: 16 }, ["M?ll?"]],
  [[], { rows: 2, columns: 16 }, []],
])("%j on %j is %j", (lines, size, expected) => {
  expect(textRows(lines, size)).toEqual(expected);
});

test("nothing is ever wider or higher than the display, and nothing but printable ASCII comes out", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 200 }), { maxLength: 12 }),
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 1, max: 40 }),
      (lines, rows, columns) => {
        const shown = textRows(lines, { rows, columns });
        expect(shown.length).toBeLessThanOrEqual(rows);
        for (const row of shown) expect(row).toMatch(new RegExp(`^[\\x20-\\x7e]{0,${columns}}$`));
      },
    ),
  );
});
