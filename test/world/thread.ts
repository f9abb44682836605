import { parentPort } from "node:worker_threads";
import { z } from "zod";
import { playWorld } from "./batch.ts";

/** One thread of a batch: plays the world that it is told, and tells what came of it. */
const orderSchema = z.object({ seed: z.int(), world: z.int(), steps: z.int() });

parentPort?.on("message", (message: unknown) => {
  const { seed, world, steps } = orderSchema.parse(message);
  void playWorld(seed, world, steps).then((summary) => parentPort?.postMessage(summary));
});
