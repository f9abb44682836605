import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { parentPort } from "node:worker_threads";
import { z } from "zod";
import { paceNames } from "../../src/simulator/pace.ts";
import { playWorld } from "./batch.ts";

// One thread of a batch: plays the world that it is told, and tells what came of it.

// Errors are everyday life in a world, and their stacks cost more than they are worth; a world that fails is played
// again where stacks are made.
Error.stackTraceLimit = 0;

// The next batch need not read the product's sources again.
enableCompileCache(join(import.meta.dirname, "../../node_modules/.cache/compiled"));

const orderSchema = z.object({
  seed: z.int(),
  world: z.int(),
  steps: z.int(),
  fleet: z.object({ model: z.string().optional(), pace: z.enum(paceNames).optional() }),
});

parentPort?.on("message", (message: unknown) => {
  const { seed, world, steps, fleet } = orderSchema.parse(message);
  void playWorld(seed, world, steps, fleet).then((summary) => parentPort?.postMessage(summary));
});
