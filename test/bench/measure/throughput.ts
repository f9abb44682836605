import fs from "node:fs";
import path from "node:path";
import type { Figures, Of } from "../figures.ts";
import { moment } from "../moment.ts";
import { linesLost } from "../sides/bridge.ts";
import type { BenchRegister } from "../sides/register.ts";
import { type BenchWorld, openWorld, terminalsReady, type WorldOn } from "./world.ts";

export interface ThroughputOn extends WorldOn {
  readonly rounds: number;
  readonly roundMs: number;
  readonly figures: Figures;
  readonly progress: (text: string) => void;
}

/** Lines of a captured sale at the log's usual level (docs/log.md). */
const LINES_A_SALE = 8;
const OPEN_SOCKETS = 60;

interface Crew {
  readonly registers: readonly BenchRegister[];
  /** Sells at every terminal for that long; gives the sales a second. */
  round(forMs: number): Promise<number>;
  sold(): number;
}

/** All terminals sell without a pause, a side at a time by turns, and the log is looked through afterwards. */
export async function measureThroughput({ rounds, roundMs, figures, progress, ...on }: ThroughputOn): Promise<void> {
  const world = await openWorld(on);
  const crews = {
    bridge: await crewOf(world, "bridge", on.terminals),
    bare: await crewOf(world, "bare", on.terminals),
  };
  for (let round = 0; round <= rounds; round += 1)
    for (const side of ["bridge", "bare"] as const) {
      const rate = await crews[side].round(roundMs);
      progress(`${side}: ${rate.toFixed(0)} sales a second`);
      // The first round warms up.
      if (round > 0) figures.add("many-rate", side, rate);
    }
  // The last capture of each terminal, and what waits for the disk.
  await new Promise((later) => setTimeout(later, 2_000));
  const written = fs.readFileSync(path.join(world.folder, "bridge.log"), "utf8").match(/"reference":"many-/g)?.length;
  const expected = crews.bridge.sold() * LINES_A_SALE;
  figures.add("log-lost", "bridge", Math.max(await linesLost(world.bridge), expected - (written ?? 0)));
  for (const { registers } of Object.values(crews)) for (const register of registers) register.close();
  await world.close();
}

async function crewOf(world: BenchWorld, side: Of, terminals: number): Promise<Crew> {
  const registers: BenchRegister[] = [];
  for (let at = 0; at < terminals; at += 1) registers.push(await world.register(side));
  let sold = 0;
  const sellUntil = async (register: BenchRegister, terminal: string, end: number): Promise<void> => {
    while (moment() < end) {
      sold += 1;
      const reference = `many-${side}-${sold}`;
      const start = { reference, type: "SALE", terminal, currency: "EUR", amount: "12.34", queue: true };
      await register.call("payment.start", start);
      const { outcome = "APPROVED" } = await register.until(reference, ({ state }) => state === "FINAL");
      if (outcome !== "APPROVED") throw new Error(`${reference} ended ${outcome}`);
      register.forget();
    }
  };
  return {
    registers,
    sold: () => sold,
    round: async (forMs) => {
      const [began, before] = [moment(), sold];
      const end = began + forMs;
      await Promise.all(registers.map((register, at) => sellUntil(register, `till-${at + 1}`, end)));
      return ((sold - before) * 1_000) / (moment() - began);
    },
  };
}

/** From the card's last answer until the last of many registers has heard of it. */
export async function measureSockets({
  sales,
  warmUp,
  figures,
  ...on
}: WorldOn & { readonly sales: number; readonly warmUp: number; readonly figures: Figures }): Promise<void> {
  const world = await openWorld(on);
  const sides = { bridge: await listenersOf(world, "bridge"), bare: await listenersOf(world, "bare") };
  for (let n = 0; n < warmUp + sales; n += 1)
    for (const side of ["bridge", "bare"] as const) {
      const reference = `heard-${n}`;
      const [seller] = sides[side];
      await world.shop.marks();
      await seller?.call("payment.start", {
        ...{ reference, type: "SALE", terminal: "till-1", currency: "EUR", amount: "12.34" },
      });
      const heard = await Promise.all(
        sides[side].map((register) => register.until(reference, ({ state }) => state === "FINAL")),
      );
      if (side === "bridge" && seller !== undefined) await terminalsReady(seller, 1);
      await new Promise((later) => setTimeout(later, 30));
      const agreed = (await world.shop.marks()).find((mark) => mark.side === side && mark.what === "card-agreed")?.at;
      if (n >= warmUp && agreed !== undefined)
        figures.add("event-many", side, Math.max(...heard.map(({ at }) => at)) - agreed);
      for (const register of sides[side]) register.forget();
    }
  for (const registers of Object.values(sides)) for (const register of registers) register.close();
  await world.close();
}

async function listenersOf(world: BenchWorld, side: Of): Promise<readonly BenchRegister[]> {
  const registers: BenchRegister[] = [];
  for (let at = 0; at < OPEN_SOCKETS; at += 1) {
    const register = await world.register(side);
    await register.call("events.subscribe", {});
    registers.push(register);
  }
  return registers;
}
