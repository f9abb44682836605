import { describe, expect, it } from "vitest";
import { readTree } from "../tidy/tree.ts";
import { argumentsOf } from "./arguments.ts";
import { EQUIVALENT } from "./equivalent.ts";
import { guardsOf, testsFor, withoutGuard } from "./guard.ts";

const text = `function a(b: number): number {
  if (b === 0) return 1;
  if (b === 1) {
    return 2;
  } else if (b === 2) return 3;
  for (const c of [b]) if (c > 3) continue;
  if (b < 0) throw new RangeError("negative");
  return b;
}
`;

describe("a guard", () => {
  it("is a statement of one line that ends a function or a turn", () => {
    expect(guardsOf("src/payment/a.ts", text).map(({ line }) => line)).toEqual([2, 7]);
  });

  it("is taken out alone, and other lines keep their numbers", () => {
    const [first, second] = guardsOf("src/payment/a.ts", text);
    if (first === undefined || second === undefined) throw new Error("both are there");
    expect(withoutGuard(first, text)).toBe(text.replace("  if (b === 0) return 1;", ""));
    expect(withoutGuard(second, text).split("\n")).toHaveLength(text.split("\n").length);
  });

  it("is missed by the tests of its own model first, and of the payment machine first", () => {
    expect(testsFor("drivers/pax-d180/frame.ts")[0]).toEqual(["test/unit/drivers/pax-d180"]);
    expect(testsFor("src/payment/machine/decide.ts")[0]).toEqual(["test/unit/payment"]);
  });

  it("that is said to be of no effect still stands in its file", () => {
    const files = new Map(
      readTree("src/payment", "drivers").map(({ path, text: code }) => [path, guardsOf(path, code)]),
    );
    expect(
      EQUIVALENT.filter(({ file, text: guard }) => files.get(file)?.some((each) => each.text === guard) !== true),
    ).toEqual([]);
  });
});

describe("the arguments", () => {
  it("are payment and drivers, two at once, unless said otherwise", () => {
    expect(argumentsOf([])).toEqual({
      is: "run",
      under: ["src/payment", "drivers"],
      only: "",
      sample: undefined,
      seed: 1,
      atOnce: 2,
      json: false,
    });
    expect(argumentsOf(["--under", "drivers/pax-d180", "--sample", "8", "--seed", "3"])).toMatchObject({
      under: ["drivers/pax-d180"],
      sample: 8,
      seed: 3,
    });
  });

  it.each([
    [["--sample", "0"], "--sample takes a whole number from 1"],
    [["--at-once", "many"], "--at-once takes a whole number from 1"],
    [["--nothing"], "Unknown option"],
  ])("%j are refused", (argv, words) => {
    const wrong = argumentsOf(argv);
    expect(wrong.is === "wrong" ? wrong.problem : wrong.is).toContain(words);
  });
});
