import type { CardData } from "../../src/card/card-data.ts";
import type { FaultCode, Notice } from "../../src/card/notice.ts";
import { type JobStep, lostStep } from "../../src/terminal/one-job.ts";

/** The device does nothing. */
export interface NoJob {
  readonly is: "none";
}

type Over = JobStep<NoJob, never>;

export const NO_JOB: NoJob = { is: "none" };

/** The timers that every job may set. */
const JOB_TIMERS_CLEAR = { answer: "clear", card: "clear", pin: "clear", watchdog: "clear" } as const;

/** A job that is over. */
export function ended(...notices: readonly Notice[]): Over {
  return { job: NO_JOB, notices, timers: JOB_TIMERS_CLEAR };
}

/** The device or the stream cannot be trusted any more: every command named ends with the fault, and a fresh link is asked for (PROTOCOL.md 2.5). */
export function lost(numbers: readonly number[], code: FaultCode, detail: string): Over {
  return lostStep(NO_JOB, numbers, code, detail);
}

/** A card that was told, and what tells its final answer from another's. */
export interface HeldCard {
  /** Who waits for CONTINUE: the chip in the slot, the reader after a tap, or nobody (a swipe, a typed number, a tap that was aborted over its PIN). */
  readonly via: "chip" | "tap" | "nobody";
  /** Application transaction counter (9F36) of the first answer, hexadecimal, where the device told it: what a second answer is held against. */
  readonly atc?: string;
}

/** A card that was swiped, as its tracks show it. */
export interface SwipedCard {
  readonly card: CardData;
  /** By its service code. */
  readonly wantsPin: boolean;
}
