import type { Notice } from "../../src/card/notice.ts";
import { type JobInput as Input, type JobStep, lostStep } from "../../src/terminal/one-job.ts";
import type { Answer, CommandName } from "./message.ts";

/** What is known of the device as long as the link holds: its slot, the card whose answer is outstanding, its keys. */
export interface Device {
  readonly isIdentified: boolean;
}

/**
 * What the device is being used for. Collect, complete and ask-pin become jobs of their own, each in a file
 * `flow-*.ts`.
 */
export type Job = { readonly is: "none" } | Asking;

/** One command whose answer ends it. */
export interface Asking {
  readonly is: "asking";
  readonly n: number;
  readonly name: CommandName;
  /** Told when the device has stopped what it did. */
  readonly ending: Notice;
  readonly triesLeft: number;
}

export type JobInput = Input<Answer>;
export type Step = JobStep<Job, Device>;

export const NO_JOB: Job = { is: "none" };

export function ended(...notices: readonly Notice[]): Step {
  return { job: NO_JOB, notices, timers: { answer: "clear" } };
}

export function lost(n: number, detail: string): Step {
  return { ...lostStep(NO_JOB, [n], "no-answer", detail), timers: { answer: "clear" } };
}
