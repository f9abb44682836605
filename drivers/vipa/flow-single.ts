import type { Notice } from "../../src/card/notice.ts";
import type { JobInput, JobStep } from "../../src/terminal/one-job.ts";
import { ended, lost, type NoJob } from "./flow.ts";

/**
 * One command with an empty answer. `read`: that answer acknowledges a completion that no card waits for (PROTOCOL.md
 * 7.15).
 */
export interface Single {
  readonly is: "single";
  readonly n: number;
  readonly name: "clock" | "display";
  readonly frames: readonly Uint8Array[];
  readonly limitMs: number;
  readonly triesLeft: number;
  readonly ending: "done" | "read";
}

type Step = JobStep<Single | NoJob, never>;

type Answer =
  | { readonly is: "ok" | "template" | "list" | "text" | "other" }
  | { readonly is: "refused"; readonly statusWord: string };
type Heard = { readonly is: "answer"; readonly answer: Answer } | { readonly is: "event" | "leak" | "encrypted" };

/** Sends the command again. */
export function sendSingle(job: Single): Step {
  return { job: { ...job, triesLeft: job.triesLeft - 1 }, write: job.frames, timers: { answer: job.limitMs } };
}

/** A text fails if a card moves at the same moment, so a refused one is repeated (PROTOCOL.md 7.2). */
export function answerSingle(job: Single, input: JobInput<Heard>, statusText: (statusWord: string) => string): Step {
  const { n, name, triesLeft } = job;
  if (input.on === "timer") return triesLeft > 0 ? sendSingle(job) : lost([n], "no-answer", `no answer to ${name}`);
  const answer = input.heard.is === "answer" ? input.heard.answer : undefined;
  if (answer?.is === "ok") return ended(endOf(job));
  if (answer?.is !== "refused") return { job };
  if (triesLeft > 0) return sendSingle(job);
  return ended({
    n,
    on: "fault",
    code: "device-error",
    detail: `${name} was refused: ${statusText(answer.statusWord)}`,
  });
}

function endOf({ n, ending }: Single): Notice {
  return ending === "read" ? { n, on: "finished", verdict: "read", emv: [] } : { n, on: "done" };
}
