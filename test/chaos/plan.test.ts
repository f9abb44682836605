import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readArguments } from "./arguments.ts";
import { KIND_NAMES, KINDS, storiesOf } from "./kinds.ts";
import { fullDose, planRun } from "./plan.ts";

const seeds = fc.integer({ min: 0, max: 0xffff_ffff });

describe("a plan", () => {
  it("is the same for the same seed, and another for another", () => {
    expect(planRun(7, fullDose(50))).toEqual(planRun(7, fullDose(50)));
    expect(planRun(7, fullDose(50))).not.toEqual(planRun(8, fullDose(50)));
  });

  it("has exactly as many payments and kills as were ordered", () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1, max: 60 }), fc.constantFrom(KINDS, KIND_NAMES), (seed, payments, kinds) => {
        const plans = planRun(seed, fullDose(payments), kinds);
        expect(plans.reduce((total, { story }) => total + 1 + story.after.length, 0)).toBe(payments);
        const kills = plans.flatMap(({ misfortunes }) => misfortunes).filter(({ is }) => is === "kill");
        expect(kills).toHaveLength(Math.round(payments * 0.3));
      }),
    );
  });

  it("takes every kind of misfortune in a long run", () => {
    const kinds = new Set(planRun(1, fullDose(1_000)).flatMap(({ misfortunes }) => misfortunes.map(({ is }) => is)));
    expect([...kinds].sort()).toEqual(["card-pulled", "gateway", "gateway-kill", "kill", "red-key", "stop", "terminal"]);
  });

  it("ends by itself whatever it breaks", () => {
    const lasting = ["unplug", "hang", "slow"];
    for (const { misfortunes } of planRun(2, fullDose(1_000)))
      for (const one of misfortunes) if (one.is === "terminal") expect(one.mendMs !== undefined).toBe(lasting.includes(one.fault));
  });
});

describe("the stories", () => {
  it("are those alone that the bridge can tell to their end", () => {
    expect(storiesOf(["SALE"]).map(({ first, after }) => [first, after.length])).toEqual([["SALE", 0]]);
    expect(storiesOf(["SALE", "VOID"]).map(({ after }) => after.map(({ kind }) => kind))).toEqual([[], ["VOID"]]);
  });

  it("take every kind once all are there", () => {
    const told = storiesOf(KIND_NAMES).flatMap(({ first, after }) => [first, ...after.map(({ kind }) => kind)]);
    expect([...new Set(told)].sort()).toEqual([...KIND_NAMES].sort());
  });
});

describe("the command line", () => {
  it("takes payments, seed, shops and json", () => {
    expect(readArguments(["--payments", "12", "--seed", "7", "--shops", "3", "--json"])).toEqual({
      is: "run",
      payments: 12,
      seed: 7,
      shops: 3,
      patienceMs: 330_000,
      harsh: false,
      json: true,
    });
  });

  it("has a default for everything, and more shops for more payments", () => {
    expect(readArguments([])).toEqual({ is: "run", payments: 40, seed: undefined, shops: 3, patienceMs: 330_000, harsh: false, json: false });
    expect(readArguments(["--payments", "1000"])).toMatchObject({ shops: 8 });
  });

  it.each([
    [["--payments", "0"], "--payments 0: must be a whole number from 1 to 100000"],
    [["--payments", "many"], "--payments many: must be a whole number"],
    [["--seed", "-1"], "--seed"],
    [["--shops", "17"], "--shops 17: must be a whole number from 1 to 16"],
    [["--wrong"], "Unknown option '--wrong'"],
    [["10"], "Unexpected argument '10'"],
  ])("refuses %j with what is wrong and an example", (argv, problem) => {
    const read = readArguments(argv);
    expect(read).toMatchObject({ is: "wrong", problem: expect.stringContaining(problem) });
    expect(read).toMatchObject({ problem: expect.stringContaining("for example: npm run chaos -- --payments 40 --seed 7") });
  });

  it("shows its help where it is asked for", () => expect(readArguments(["--help", "--payments", "1"])).toEqual({ is: "help" }));
});
