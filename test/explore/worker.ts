import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { firstState, isKind, type Kind } from "./kinds.ts";
import { type Walked, walk } from "./walk.ts";

const jobSchema = z.object({
  kind: z.string().refine(isKind),
  limits: z.object({ depth: z.int(), misfortunes: z.int(), states: z.int() }),
  seconds: z.number(),
});

const { kind, limits, seconds } = jobSchema.parse(workerData);
const clock = (): number => performance.now();
if (isKind(kind)) parentPort?.postMessage(unbegun(kind) ?? walk(kind, limits, clock, clock() + seconds * 1000));

/** A kind whose original cannot even be made is not walked: what stands in its way is the violation. */
function unbegun(one: Kind): Walked | undefined {
  try {
    firstState(one);
    return undefined;
  } catch (cause) {
    const truth = `its original cannot be made: ${cause instanceof Error ? cause.message : String(cause)}`;
    return {
      kind: one,
      states: 0,
      transitions: 0,
      depth: 0,
      isExhausted: false,
      seconds: 0,
      violations: [{ truth, path: [] }],
    };
  }
}
