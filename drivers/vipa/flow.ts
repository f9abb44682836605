import type { CardData } from "../../src/card/card-data.ts";
import type { FaultCode, Notice } from "../../src/card/notice.ts";
import { type JobStep, lostStep } from "../../src/terminal/one-job.ts";

/** The device is idle. */
export interface NoJob {
  readonly is: "none";
}

type Over = JobStep<NoJob, never>;

export const NO_JOB: NoJob = { is: "none" };

/** The timers that every job may set. */
const JOB_TIMERS_CLEAR = { answer: "clear", card: "clear", pin: "clear", watchdog: "clear" } as const;

export function ended(...notices: readonly Notice[]): Over {
  return { job: NO_JOB, notices, timers: JOB_TIMERS_CLEAR };
}

/**
 * The device or the stream is no longer trusted: each listed command ends with the fault, and the link is reopened
 * (PROTOCOL.md 2.5).
 */
export function lost(numbers: readonly number[], code: FaultCode, detail: string): Over {
  return lostStep(NO_JOB, numbers, code, detail);
}

/** A reported card, and the data that identifies its final answer. */
export interface HeldCard {
  /**
   * The party that waits for CONTINUE: the chip, the reader after a tap, or nobody (swipe, keyed number, tap aborted
   * for its PIN).
   */
  readonly via: "chip" | "tap" | "nobody";
  /**
   * Application transaction counter (9F36) of the first answer, hexadecimal, if reported; the second answer must match
   * it.
   */
  readonly atc?: string;
}

/** A swiped card, as its tracks show it. */
export interface SwipedCard {
  readonly card: CardData;
  /** By the service code. */
  readonly wantsPin: boolean;
}
