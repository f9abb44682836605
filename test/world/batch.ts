import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import { drawScript, seedFor } from "./draw.ts";
import type { Script } from "./script.ts";
import type { Fleet } from "./stand.ts";
import type { WorldResult } from "./world.ts";

/**
 * Payments of one world. Small ones read little back after a crash, forget what they held, and are cut down quickly
 * where they fail.
 */
const WORLD_PAYMENTS = 100;

/**
 * What is to be played: so many payments, or as many worlds as fit the time. Each world's part follows from the seed
 * and its number alone.
 */
export interface BatchOrder {
  readonly seed: number;
  readonly payments: number;
  readonly fleet?: Fleet;
  /** No world begins later than this. */
  readonly withinMs: number;
  /** Threads that play worlds beside each other; 0 plays them in this one. What comes of it is the same. */
  readonly threads: number;
}

/** What a world came to, without its history. */
export interface WorldSummary extends Omit<WorldResult, "history"> {
  readonly world: number;
}

const counts = z.record(z.string(), z.int());
/** As it comes from a thread. */
const summarySchema = z.object({
  world: z.int(),
  payments: z.int(),
  outcomes: counts,
  approved: counts,
  troubles: counts,
  crashes: z.int(),
  virtualMs: z.number(),
  violations: z.array(z.object({ rule: z.string(), reference: z.string(), at: z.number(), text: z.string() })),
});

export const defaultThreads = availableParallelism();

/** How many steps each world of a batch has. */
export function worldSizes(payments: number): readonly number[] {
  const worlds = Math.ceil(payments / WORLD_PAYMENTS);
  return Array.from({ length: worlds }, (_, world) => Math.min(WORLD_PAYMENTS, payments - world * WORLD_PAYMENTS));
}

export function scriptOf(seed: number, world: number, steps: number, fleet?: Fleet): Script {
  return drawScript(seedFor(seed, "world", world), steps, fleet);
}

export async function playWorld(seed: number, world: number, steps: number, fleet?: Fleet): Promise<WorldSummary> {
  // The product is loaded where worlds are played: the thread that only hands them out need not wait for it.
  const { runWorld } = await import("./world.ts");
  const { history: _, ...result } = await runWorld(scriptOf(seed, world, steps, fleet));
  return { world, ...result };
}

/** In the order of the worlds, whichever thread played which. */
export async function runBatch(order: BatchOrder): Promise<readonly WorldSummary[]> {
  const sizes = worldSizes(order.payments);
  const end = performance.now() + order.withinMs;
  let next = 0;
  const take = (): number | undefined => {
    if (next >= sizes.length || performance.now() >= end) return undefined;
    next += 1;
    return next - 1;
  };
  const play = (world: number): Promise<WorldSummary> => playWorld(order.seed, world, sizes[world] ?? 0, order.fleet);
  const threads = Math.min(order.threads, sizes.length);
  const played =
    threads < 1
      ? [await inTurn(take, play)]
      : await Promise.all(Array.from({ length: threads }, () => inThread(order, sizes, take)));
  return played.flat().sort((a, b) => a.world - b.world);
}

async function inTurn(
  take: () => number | undefined,
  play: (world: number) => Promise<WorldSummary>,
): Promise<readonly WorldSummary[]> {
  const played: WorldSummary[] = [];
  for (let world = take(); world !== undefined; world = take()) played.push(await play(world));
  return played;
}

/**
 * A world makes much that is soon forgotten: the more of it fits into the young generation, the less is looked through.
 */
const YOUNG_GENERATION_MB = 128;

async function inThread(
  { seed, fleet = {} }: BatchOrder,
  sizes: readonly number[],
  take: () => number | undefined,
): Promise<readonly WorldSummary[]> {
  const worker = new Worker(new URL("./thread.ts", import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  const ask = (world: number): Promise<WorldSummary> =>
    new Promise((resolve, reject) => {
      const failed = (cause: unknown): void =>
        reject(new Error(`world ${world} of seed ${seed} ended its thread: ${String(cause)}`, { cause }));
      worker.once("error", failed);
      worker.once("message", (message) => {
        worker.off("error", failed);
        resolve(summarySchema.parse(message));
      });
      worker.postMessage({ seed, world, steps: sizes[world] ?? 0, fleet });
    });
  try {
    return await inTurn(take, ask);
  } finally {
    await worker.terminate();
  }
}
