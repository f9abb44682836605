import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { sameEachTime } from "../../../packaging/same-each-time.ts";

it("a program that was made in another folder of pkg's is the same file", () => {
  const [one, other] = ["/tmp/pkg-sea-Ab12Cd/sea-main.js", "/tmp/pkg-sea-ZZyy99/sea-main.js"].map((path) => Buffer.from(`blob ${path} ${path} end \u00ff`));
  if (one === undefined || other === undefined) throw new Error("two programs");
  expect(sameEachTime(one).equals(sameEachTime(other))).toBe(true);
  expect(sameEachTime(one).length).toBe(one.length);
});

it("a program that was made in a folder of another name is refused: somebody has to look at pkg again", () => {
  expect(() => sameEachTime(Buffer.from("/tmp/sea-1/main.js"))).toThrow("pkg works in another folder than expected");
  expect(readFileSync("node_modules/@yao-pkg/pkg/lib-es5/sea.js", "utf8")).toContain("'pkg-sea-'");
});
