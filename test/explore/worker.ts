import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { isKind } from "./kinds.ts";
import { walk } from "./walk.ts";

const jobSchema = z.object({
  kind: z.string().refine(isKind),
  limits: z.object({ depth: z.int(), misfortunes: z.int(), states: z.int() }),
  seconds: z.number(),
});

const { kind, limits, seconds } = jobSchema.parse(workerData);
const clock = (): number => performance.now();
if (isKind(kind)) parentPort?.postMessage(walk(kind, limits, clock, clock() + seconds * 1000));
