import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HELP, readArguments } from "./arguments.ts";
import { planRun } from "./plan.ts";

const seeds = fc.integer({ min: 0, max: 0xffff_ffff });
const misfortunesOf = (seed: number, payments: number) =>
  planRun(seed, payments).flatMap(({ steps }) => steps.flatMap(({ misfortunes }) => misfortunes));

describe("a plan", () => {
  it("is the same for the same seed, and another for another", () => {
    expect(planRun(7, 50)).toEqual(planRun(7, 50));
    expect(planRun(7, 50)).not.toEqual(planRun(8, 50));
  });

  it("has exactly as many payments as were ordered, and three kills for ten of them", () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1, max: 120 }), (seed, payments) => {
        expect(planRun(seed, payments).flatMap(({ steps }) => steps)).toHaveLength(payments);
        const kills = misfortunesOf(seed, payments).filter(({ is }) => is === "bridge killed");
        expect(kills).toHaveLength(Math.round(payments * 0.3));
      }),
    );
  });

  it("has every misfortune in a long run", () => {
    const drawn = misfortunesOf(1, 1_000).map((one) => ("fault" in one ? `${one.is} ${one.fault}` : one.is));
    expect([...new Set(drawn)].sort()).toEqual([
      ...["bridge killed", "bridge stopped", "cancelled", "card pulled", "gateway delay", "gateway drop-after"],
      ...["gateway drop-before", "gateway http-502-html", "gateway killed", "gateway reset-mid-body"],
      ...["gateway truncated-json", "register away", "started again", "terminal corrupt-next-frame"],
      ...["terminal drop-next-frame", "terminal duplicate-next-frame", "terminal garbage", "terminal hang"],
      ...["terminal reboot", "terminal slow", "terminal unplug"],
    ]);
  });
});

describe("the command line", () => {
  it("takes payments, seed, shops, patience and json", () => {
    const argv = ["--payments", "12", "--seed", "7", "--shops", "3", "--patience", "60", "--json"];
    const asked = { is: "run", payments: 12, seed: 7, shops: 3, patienceMs: 60_000, json: true };
    expect(readArguments(argv)).toEqual(asked);
  });

  it("has a default for everything, and more shops for more payments", () => {
    const usual = { is: "run", payments: 40, seed: undefined, shops: 4, patienceMs: 330_000, json: false };
    expect(readArguments([])).toEqual(usual);
    expect(readArguments(["--payments", "1000"])).toMatchObject({ shops: 8 });
    for (const value of ["default 40", "default 330", "from 2 to 8"]) expect(HELP).toContain(value);
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
    expect(read).toMatchObject({ problem: expect.stringContaining("for example: npm run chaos --") });
  });

  it("shows its help if it is asked for", () =>
    expect(readArguments(["--help", "--payments", "1"])).toEqual({ is: "help" }));
});
