import { describe, expect, test } from "vitest";
import { simulators } from "../../drivers/simulators.ts";
import { runsOf, sampleOf, shortOrLong } from "../support/dose.ts";
import { linesOf } from "../support/simulated-models.ts";
import { runBatch, scriptOf, type WorldSummary, worldSizes } from "./batch.ts";
import type { Script } from "./script.ts";
import { shrink } from "./shrink.ts";
import { runWorld } from "./world.ts";

const again = (seed: number, payments: number): string =>
  `again with: npm run world -- --seed ${seed} --payments ${payments}`;
const sum = (played: readonly WorldSummary[], name: "outcomes" | "approved" | "troubles"): Record<string, number> => {
  const total: Record<string, number> = {};
  for (const counts of played)
    for (const [key, count] of Object.entries(counts[name])) total[key] = (total[key] ?? 0) + count;
  return total;
};

const PAYMENTS = runsOf(300, 500);
const THREADS = runsOf(0, 2);
const oneOfEachDriver = simulators.filter(
  (one, at) => simulators.findIndex(({ driver }) => driver === one.driver) === at,
);

describe("a seeded world of faulty gateways, terminals, cables, disks and crashes", () => {
  test.each(sampleOf([1, 2, 3, 4], 1))(
    `seed %i: ${PAYMENTS} payments, and every truth holds after every step`,
    async (seed) => {
      const played = await runBatch({ seed, payments: PAYMENTS, withinMs: Number.POSITIVE_INFINITY, threads: 0 });
      expect(
        played.flatMap(({ violations }) => violations),
        again(seed, PAYMENTS),
      ).toEqual([]);
      expect(played.reduce((total, { payments }) => total + payments, 0)).toBeGreaterThanOrEqual(PAYMENTS);
      expect(sum(played, "outcomes")["APPROVED"] ?? 0).toBeGreaterThan(100);
      const approved = sum(played, "approved");
      const rare = ["REGISTRATION", "REFUND", "PREAUTHORIZATION", "VOID", "LINKED_REFUND", "CAPTURE"];
      for (const kind of rare) expect(approved[kind] ?? 0, kind).toBeGreaterThan(1);
      for (const kind of ["SALE by link", "SALE by stored-card"]) expect(approved[kind] ?? 0, kind).toBeGreaterThan(0);
      expect(sum(played, "outcomes")["DELETION deleted"] ?? 0).toBeGreaterThan(0);
      expect(played.reduce((total, { crashes }) => total + crashes, 0)).toBeGreaterThan(20);
      const troubles = [
        "gateway",
        "gateway-down",
        "crash",
        "unplug",
        "line",
        "card-pulled",
        "disk",
        "clock-set",
        "cancel",
        "register-gone",
        "twice",
        "rival",
      ];
      expect(Object.keys(sum(played, "troubles"))).toEqual(expect.arrayContaining(troubles));
    },
  );

  test("a seed that the clock gives holds too", async () => {
    const seed = Date.now() % 1_000_000;
    const payments = runsOf(100, 3000);
    const played = await runBatch({ seed, payments, withinMs: Number.POSITIVE_INFINITY, threads: 0 });
    const broken = played.filter(({ violations }) => violations.length > 0);
    expect(broken, broken.map(({ world }) => `${again(seed, payments)} --world ${world}`).join("\n")).toEqual([]);
    expect(played).toHaveLength(payments / 100);
  });

  test.each(shortOrLong(oneOfEachDriver, simulators).map(({ id }) => id))(
    "nothing but %s at the tills: some customers cannot pay, and every truth holds",
    async (model) => {
      const payments = runsOf(60, 150);
      const played = await runBatch({
        seed: 9,
        payments,
        fleet: { model },
        withinMs: Number.POSITIVE_INFINITY,
        threads: 0,
      });
      expect(
        played.flatMap(({ violations }) => violations),
        `${again(9, payments)} --terminal ${model}`,
      ).toEqual([]);
      expect(sum(played, "approved")["SALE"] ?? 0).toBeGreaterThan(0);
    },
  );

  test("every model comes to its tills, over every line it has", () => {
    const stands = Array.from({ length: 400 }, (_, world) => scriptOf(1, world, 4).stands).flat();
    const seen = new Set(stands.map(({ model, line }) => `${model} over ${line}`));
    for (const model of simulators)
      for (const { kind } of linesOf(model)) expect(seen).toContain(`${model.id} over ${kind}`);
  });

  test(`the same seed and payments are the same worlds again, with ${THREADS} more threads`, async () => {
    const order = { seed: 7, payments: runsOf(30, 150), withinMs: Number.POSITIVE_INFINITY };
    const alone = await runBatch({ ...order, threads: 0 });
    expect(await runBatch({ ...order, threads: THREADS })).toEqual(alone);
    expect(alone.map(({ world }) => world)).toEqual(worldSizes(order.payments).map((_, world) => world));
    expect(alone.every(({ payments }) => payments > 0)).toBe(true);
  });

  test("a script is the same history every time", async () => {
    const script = scriptOf(3, 0, 30);
    const first = await runWorld(script, { recording: true });
    expect(first.history.length).toBeGreaterThan(500);
    expect(await runWorld(script, { recording: true })).toEqual(first);
  });
});

describe("a failure is cut down", () => {
  /**
   * A gateway that books, loses its reply, and lets no query see the booking until after the last late look: no bridge
   * can find that.
   */
  const stubborn: Script = {
    seed: 1,
    stands: [0, 1, 2].map((till) => ({ till, model: "miura-m020", line: "serial" })),
    steps: [
      {
        n: 0,
        does: "SALE",
        till: 0,
        amount: 500,
        pauseMs: 300,
        troubles: [{ is: "line", fault: "garbage", after: 3 }],
      },
      {
        n: 1,
        does: "SALE",
        till: 1,
        amount: 600,
        pauseMs: 300,
        troubles: [{ is: "gateway", errand: "booking", nth: 0, times: 1, deed: "drop-after", hideMs: 400_000_000 }],
      },
      { n: 2, does: "SALE", till: 2, amount: 700, pauseMs: 300, troubles: [{ is: "cancel", afterMs: 900 }] },
      {
        ...{ n: 3, does: "SALE", till: 2, amount: 800, pauseMs: 300 },
        troubles: [
          {
            is: "gateway",
            errand: "CP",
            nth: 0,
            times: 1,
            result: "000.200.000",
            becomes: "approved",
            forMs: 900_000_000,
          },
          { is: "red-key", afterMs: 5_000 },
        ],
      },
    ],
  };

  test("to the one payment and the one trouble that matter, and its history ends with the violation", async () => {
    const before = await runWorld(stubborn);
    expect(before.violations.map(({ rule }) => rule)).toContain("nothing-is-left");
    const { script, history } = await shrink(stubborn, "nothing-is-left");
    expect(script.steps).toHaveLength(1);
    expect(script.steps[0]?.troubles).toHaveLength(1);
    expect(script.steps[0]?.troubles[0]?.is).toBe("gateway");
    expect(history.at(-1)).toContain("nothing-is-left");
    expect(history.join("\n")).toMatch(/query → 700.400.580/);
  });
});
