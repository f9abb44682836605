import { expect, it } from "vitest";
import { runtimeProblem } from "../../../src/kit/runtime.ts";

it.each(["24.0.0", "24.21.0"])("Node %s is supported", (version) => {
  expect(runtimeProblem(version)).toBeUndefined();
});

it("the Node that runs this test is supported", () => {
  expect(runtimeProblem(process.versions.node)).toBeUndefined();
});

it.each(["20.20.2", "22.20.0", "25.1.0", "26.0.0", "2.4.0", "240.0.0"])(
  "Node %s is refused with the mend",
  (version) => {
    expect(runtimeProblem(version)).toBe(
      `Node ${version} is not supported, only 24; use node_modules/.bin/node, which npm ci installs, or the packaged binary`,
    );
  },
);
