import { Worker } from "node:worker_threads";
import type { Kind } from "./kinds.ts";
import type { Limits, Walked } from "./walk.ts";

/** What a worker is given: one kind at a time. */
export interface Job {
  readonly kind: Kind;
  readonly limits: Limits;
  readonly seconds: number;
}

const HEAP_MB = 4096;

/** Walks all kinds, a worker a core; each kind gets its share of the seconds. Rejects where a worker broke. */
export async function exploreAll(
  kinds: readonly Kind[],
  limits: Limits,
  seconds: number,
  workers: number,
): Promise<readonly Walked[]> {
  // Follow-ups are small and stand last: begun first, they leave the rest of the time to the large ones.
  const waiting = kinds.toReversed();
  const walks: Walked[] = [];
  const until = performance.now() + seconds * 1000;
  const crew = Math.max(1, Math.min(workers, kinds.length));
  const work = async (): Promise<void> => {
    for (let kind = waiting.shift(); kind !== undefined; kind = waiting.shift()) {
      // What a kind leaves of its share is there for those after it.
      const share = (until - performance.now()) / 1000 / Math.ceil((waiting.length + 1) / crew);
      walks.push(await walkElsewhere({ kind, limits, seconds: Math.max(0, share) }));
    }
  };
  await Promise.all(Array.from({ length: crew }, work));
  return walks.toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}

function walkElsewhere(job: Job): Promise<Walked> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), {
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`the walk of ${job.kind} ended with ${code} and no result`)));
  });
}
