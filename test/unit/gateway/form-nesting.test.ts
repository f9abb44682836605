import fc from "fast-check";
import { expect, test } from "vitest";
import { flatten } from "../../../src/gateway/form.ts";
import { type NestedText, unflatten } from "../../../src/gateway/form-nesting.ts";

const KEYED: ReadonlySet<string> = new Set(["customParameters"]);

const member = fc.oneof(fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_]{0,8}$/), fc.constant("__proto__"));
const free = fc.stringMatching(/^[A-Za-z0-9._]{3,10}$/);
const { group } = fc.letrec<{ node: NestedText; group: Record<string, NestedText> }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small" },
    fc.string(),
    fc.array(tie("node"), { minLength: 1, maxLength: 3 }),
    tie("group"),
  ),
  group: fc
    .uniqueArray(fc.tuple(member, tie("node")), { minLength: 1, maxLength: 4, selector: ([name]) => name })
    .map((entries) => Object.fromEntries(entries)),
}));

test("what is flattened unflattens to itself", () => {
  fc.assert(
    fc.property(group, fc.dictionary(free, fc.string(), { minKeys: 1 }), (nested, names) => {
      const whole = { ...nested, customParameters: names };
      const fields = flatten(whole, KEYED);
      fc.pre(fields.every(([name]) => name.split(/[.[]/).length <= 8));
      expect(unflatten(fields, KEYED)).toEqual({ ok: true, value: whole });
    }),
  );
});

test("unflattening never throws, whatever the names", () => {
  const name = fc.oneof(fc.string(), fc.stringMatching(/^[ab.[\]01]{0,12}$/));
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.string())), (fields) => {
      expect(typeof unflatten(fields, KEYED).ok).toBe("boolean");
    }),
  );
});

test.each([
  [["a", "a.b"], "a.b does not fit the other parameters"],
  [["a.b", "a"], "a does not fit the other parameters"],
  [["a[0]", "a.b"], "a.b does not fit the other parameters"],
  [["a.b", "a[0]"], "a[0] does not fit the other parameters"],
  [["a[1]"], "a list skips an index"],
  [["a[0].b", "a[2].b"], "a list skips an index"],
  [["a..b"], "a..b is not a parameter's name"],
  [["[0]"], "[0] is not a parameter's name"],
  [["a[b]"], "a[b] is not a parameter's name"],
  [["a[01]"], "a[01] is not a parameter's name"],
  [["a[99999]"], "a[99999] is not a parameter's name"],
  [["a.b.c.d.e.f.g.h.i"], "a.b.c.d.e.f.g.h.i is not a parameter's name"],
  [[""], " is not a parameter's name"],
])("%j is refused", (names, error) => {
  expect(
    unflatten(
      names.map((name) => [name, "1"]),
      KEYED,
    ),
  ).toEqual({ ok: false, error });
});

test("indexes may come in any order", () => {
  expect(
    unflatten(
      [
        ["a[1]", "y"],
        ["a[0]", "x"],
      ],
      KEYED,
    ),
  ).toEqual({ ok: true, value: { a: ["x", "y"] } });
});
