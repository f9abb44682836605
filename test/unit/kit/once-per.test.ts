import { expect, test } from "vitest";
import { oncePer } from "../../../src/kit/once-per.ts";

test("what a function makes of an object is worked out once, also where that is nothing, and for each object by itself", () => {
  const asked: object[] = [];
  const nameOf = oncePer((of: { readonly name?: string }) => {
    asked.push(of);
    return of.name;
  });
  const [ada, nobody, other] = [{ name: "Ada" }, {}, { name: "Ada" }];
  expect([ada, nobody, other, nobody, ada].map(nameOf)).toEqual(["Ada", undefined, "Ada", undefined, "Ada"]);
  expect(asked).toEqual([ada, nobody, other]);
  expect(asked[2]).toBe(other);
});
