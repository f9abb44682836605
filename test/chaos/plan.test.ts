import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readArguments } from "./arguments.ts";
import { createDealer } from "./dealer.ts";
import { fullDose, harshDose, oneMore, planRun } from "./draw.ts";
import { IN_PART } from "./everyday.ts";
import { KIND_NAMES, meansOf, STORIES } from "./kinds.ts";
import { ORDEALS } from "./ordeals.ts";
import { sizeOf } from "./plan.ts";
import { walletsOf } from "./terminals.ts";

const seeds = fc.integer({ min: 0, max: 0xffff_ffff });

describe("a plan", () => {
  it("is the same for the same seed, and another for another", () => {
    expect(planRun(7, fullDose(50))).toEqual(planRun(7, fullDose(50)));
    expect(planRun(7, fullDose(50))).not.toEqual(planRun(8, fullDose(50)));
  });

  it("has exactly as many payments as were ordered, and as many kills, or those of its ordeals where they alone are more", () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1, max: 120 }), (seed, payments) => {
        const plans = planRun(seed, fullDose(payments));
        expect(plans.reduce((total, plan) => total + sizeOf(plan), 0)).toBe(payments);
        const killsOf = (some: typeof plans): number =>
          some.flatMap(({ misfortunes }) => misfortunes.flat()).filter(({ is }) => is === "kill").length;
        expect(killsOf(plans)).toBe(
          Math.max(Math.round(payments * 0.3), killsOf(plans.filter(({ ordeal }) => ordeal !== undefined))),
        );
      }),
    );
  });

  it("takes every kind of misfortune in a long run", () => {
    const kinds = new Set(
      planRun(1, fullDose(1_000)).flatMap(({ misfortunes }) => misfortunes.flat().map(({ is }) => is)),
    );
    expect([...kinds].sort()).toEqual([
      "card-pulled",
      "gateway",
      "gateway-kill",
      "kill",
      "red-key",
      "stop",
      "terminal",
    ]);
  });

  it("has the gateway do a part of captures, reversals and refunds", () => {
    const faults = planRun(1, fullDose(200)).flatMap(({ misfortunes }) =>
      misfortunes.flat().flatMap((one) => (one.is === "gateway" ? [one.fault] : [])),
    );
    const parts = faults.flatMap(({ on, do: what }) =>
      typeof what === "object" && what.result === IN_PART ? [on.paymentType] : [],
    );
    for (const type of ["CP", "RV", "RF"]) expect(parts.filter((one) => one === type).length, type).toBeGreaterThan(2);
  });

  it("ends by itself whatever it breaks", () => {
    const lasting = ["unplug", "hang", "slow"];
    for (const { misfortunes } of planRun(2, fullDose(1_000)))
      for (const one of misfortunes.flat())
        if (one.is === "terminal") expect(one.mendMs !== undefined).toBe(lasting.includes(one.fault));
  });

  it("has misfortunes for the payments that it has, and for no others", () => {
    for (const { story, misfortunes } of planRun(3, fullDose(1_000)))
      expect(misfortunes).toHaveLength(1 + story.after.length);
  });

  it("meets every ordeal in a hundred harsh payments", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const met = new Set(planRun(seed, harshDose(100)).map(({ ordeal }) => ordeal));
        expect(ORDEALS.map(({ name }) => name).filter((name) => !met.has(name))).toEqual([]);
      }),
    );
  });

  it("is about cards in terminals for the most part, and about links and stored cards besides", () => {
    const errands = planRun(4, fullDose(1_000)).flatMap(({ story: { first, after } }) => [
      first,
      ...after.map(({ kind }) => kind),
    ]);
    const payments = errands.filter((errand) => errand !== "DELETION");
    for (const remote of ["link", "stored-card"]) {
      const share = payments.filter((errand) => meansOf(errand) === remote).length / payments.length;
      expect(share).toBeGreaterThan(0.03);
      expect(share).toBeLessThan(0.15);
    }
    expect(errands.filter((errand) => errand === "DELETION").length).toBeGreaterThan(20);
  });

  it("has a customer's phone where there is a link, and nowhere else", () => {
    for (const { story, phone } of planRun(5, fullDose(1_000)))
      expect(phone !== undefined).toBe(story.first === "LINK");
  });

  it("has customers take their time only where the run is longer than that", () => {
    const longest = (payments: number): number => {
      const phones = planRun(6, fullDose(payments)).flatMap(({ phone }) => phone ?? []);
      return Math.max(...phones.map(({ deeds }) => deeds.reduce((total, { afterMs }) => total + afterMs, 0)));
    };
    expect(longest(199)).toBeLessThan(10_000);
    expect(longest(1_000)).toBeGreaterThan(60_000);
  });
});

describe("the stories", () => {
  it("take every kind", () => {
    const told = STORIES.flatMap(({ first, after }) => [first, ...after.map(({ kind }) => kind)]);
    expect([...new Set(told)].sort()).toEqual([...KIND_NAMES, "CHARGE", "HOLD", "DELETION", "LINK"].sort());
  });
});

describe("the dealer", () => {
  const tills = walletsOf(1).map((wallet, at, all) => ({
    wallet,
    isOdd: at === all.length - 1,
    isSingleMessage: at === 1,
    isShopChannel: at === 0,
  }));
  const plans = planRun(4, harshDose(100));
  const dealt = (made: (size: number) => number) => {
    const dealer = createDealer(plans, 100, (number) => oneMore(4, harshDose(100), number));
    const served: { readonly till: number; readonly number: number; readonly made: number }[] = [];
    for (let busy = true; busy; ) {
      busy = false;
      for (const [till, terminal] of tills.entries()) {
        const plan = dealer.next(terminal);
        if (plan === undefined) continue;
        busy = true;
        const count = made(sizeOf(plan));
        dealer.served(plan, count);
        served.push({ till, number: plan.number, made: count });
      }
    }
    return served;
  };

  it("hands every customer out once, to a terminal that can show what he brings", () => {
    const served = dealt((size) => size);
    expect(served.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(plans.map(({ number }) => number));
    for (const { till, number } of served) {
      const plan = plans.find((one) => one.number === number);
      if (plan?.place !== "anywhere") expect(till).toBeLessThan(3);
      if (plan?.place === "reserving") expect(till).not.toBe(1);
      if (plan?.place === "shop-channel") expect(till).toBe(0);
      if (plan?.card === "refusing") expect(tills[till]?.wallet.refusing).toBeDefined();
    }
  });

  it("has one more come for every payment that could not be made", () => {
    const served = dealt(() => 1);
    expect(served.reduce((total, { made }) => total + made, 0)).toBe(100);
    expect(new Set(served.map(({ number }) => number)).size).toBe(served.length);
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
    expect(readArguments([])).toEqual({
      is: "run",
      payments: 40,
      seed: undefined,
      shops: 4,
      patienceMs: 330_000,
      harsh: false,
      json: false,
    });
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
    expect(read).toMatchObject({
      problem: expect.stringContaining("for example: npm run chaos -- --payments 40 --seed 7"),
    });
  });

  it("shows its help where it is asked for", () =>
    expect(readArguments(["--help", "--payments", "1"])).toEqual({ is: "help" }));
});
