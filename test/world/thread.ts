import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { parentPort } from "node:worker_threads";
import { z } from "zod";
import { playWorld } from "./batch.ts";

// One thread of a batch: plays the world that it is told, and tells what came of it.

// Errors are everyday life in a world, and their stacks cost more than they are worth; a world that fails is played again where stacks are made.
Error.stackTraceLimit = 0;

// The next batch need not read the product's sources again.
enableCompileCache(join(import.meta.dirname, "../../node_modules/.cache/compiled"));

const orderSchema = z.object({ seed: z.int(), world: z.int(), steps: z.int(), model: z.string().optional() });

parentPort?.on("message", (message: unknown) => {
  const { seed, world, steps, model } = orderSchema.parse(message);
  void playWorld(seed, world, steps, model).then((summary) => parentPort?.postMessage(summary));
});
