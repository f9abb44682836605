import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { withoutHome } from "../../../packaging/without-home.ts";

const START = readFileSync("node_modules/@yao-pkg/pkg/prelude/sea-bootstrap.bundle.js");

it("the start of a packaged program asks nobody for a home folder, and is as long as it was", () => {
  const changed = withoutHome(START);
  expect(START.toString()).toContain("homedir()");
  expect(changed.toString()).not.toContain("homedir()");
  expect(changed.length).toBe(START.length);
});

it("a program that asks in other words is not packaged: somebody has to look at pkg again", () => {
  expect(() => withoutHome(Buffer.from("join(os.homedir(), '.pkg')"))).toThrow("pkg asks for the home folder in other words than expected");
});
