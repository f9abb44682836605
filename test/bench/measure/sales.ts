import fs from "node:fs";
import path from "node:path";
import type { Figures } from "../figures.ts";
import { moment } from "../moment.ts";
import type { Mark } from "../shop/marks.ts";
import type { BenchRegister } from "../sides/register.ts";
import { type BenchWorld, openWorld, terminalsReady, type WorldOn } from "./world.ts";

type SideName = "bridge" | "bare";
const SIDES: readonly SideName[] = ["bridge", "bare"];

export interface SalesOn extends Omit<WorldOn, "terminals"> {
  /** Sales of each side that count. */
  readonly sales: number;
  readonly warmUp: number;
  readonly figures: Figures;
  readonly progress: (text: string) => void;
}

/** One sale after the other, a side at a time by turns; the customer takes no time. */
export async function measureSales({ sales, warmUp, figures, progress, ...on }: SalesOn): Promise<void> {
  const world = await openWorld({ ...on, terminals: 1 });
  const registers = { bridge: await world.register("bridge"), bare: await world.register("bare") };
  for (let n = 0; n < warmUp + sales; n += 1) {
    for (const side of SIDES) {
      const taken = await sellOne(world, side, registers[side], n);
      if (n < warmUp) continue;
      for (const [row, value] of Object.entries(taken)) figures.add(row, side, value);
    }
    if (n % 25 === 0) progress(`sale ${n} of ${warmUp + sales}`);
  }
  for (const register of Object.values(registers)) register.close();
  await world.close();
}

async function sellOne(
  world: BenchWorld,
  side: SideName,
  register: BenchRegister,
  n: number,
): Promise<Readonly<Record<string, number>>> {
  await world.shop.marks();
  register.forget();
  const log = logOf(world, side);
  const written = log.frames();
  const reference = `bench-${n}`;
  const began = moment();
  const amount = `20.${String(n % 100).padStart(2, "0")}`;
  await register.call("payment.start", { reference, type: "SALE", terminal: "till-1", currency: "EUR", amount });
  const asked = await register.until(reference, ({ state }) => state === "AWAITING_CARD");
  const final = await register.until(reference, ({ state }) => state === "FINAL");
  if (final.outcome !== undefined && final.outcome !== "APPROVED") throw new Error(`${reference} ${final.outcome}`);
  if (side === "bridge") await terminalsReady(register, 1);
  // The capture is booked and on disk.
  await new Promise((later) => setTimeout(later, 30));
  const marks = await world.shop.marks();
  const at = (what: Mark["what"]): number => {
    const found = marks.find((mark) => mark.side === side && mark.what === what);
    if (found === undefined) throw new Error(`${side} ${reference}: no ${what}`);
    return found.at;
  };
  return {
    "sale-own": at("posted") - at("card-read") + at("card-told") - at("replied"),
    "sale-start": asked.at - began,
    "sale-final": final.at - at("card-agreed"),
    "sale-whole": final.at - began,
    "sale-written": log.bytesSince(written),
  };
}

const FRAME_BYTES = 4_096 + 24;
/** Where the shared memory of a write-ahead log counts its frames (sqlite.org/walformat, 2.1: mxFrame). */
const FRAMES_AT = 16;

interface LogFrames {
  frames(): number;
  bytesSince(frames: number): number;
}

/** What a side's database wrote to its write-ahead log. After a checkpoint the count begins anew. */
function logOf(world: BenchWorld, side: SideName): LogFrames {
  const folder = side === "bridge" ? world.bridge.place.dataDir : path.join(world.folder, "bare-data");
  const frames = (): number => {
    const head = Buffer.alloc(4);
    const file = fs.openSync(path.join(folder, "journal.db-shm"), "r");
    fs.readSync(file, head, 0, 4, FRAMES_AT);
    fs.closeSync(file);
    return head.readUInt32LE();
  };
  return {
    frames,
    bytesSince: (before) => {
      const now = frames();
      return (now >= before ? now - before : now) * FRAME_BYTES;
    },
  };
}
