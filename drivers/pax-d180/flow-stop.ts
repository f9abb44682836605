import type { Notice } from "../../src/card/notice.ts";
import { forgetting } from "../../src/terminal/one-job.ts";
import { replyTo } from "./call-backs.ts";
import {
  type Ask,
  ask,
  type Decided,
  type Device,
  ended,
  fault,
  type Job,
  type JobInput,
  lost,
  numbersOf,
  type Step,
  type Stop,
} from "./flow.ts";
import { completing } from "./flow-complete.ts";
import { startIdentify } from "./flow-identify.ts";
import { answers, type Heard } from "./message.ts";
import { AAC, AAC_OF_HOST, ARQC, TC } from "./outcomes.ts";
import { OK } from "./status-codes.ts";
import { STOP_MS } from "./timing.ts";

export interface StopOn {
  readonly notices: readonly Notice[];
  /** The last command was just answered, so none is outstanding. */
  readonly answered?: true;
  /** The chip may have made a cryptogram that the device does not report. */
  readonly denies?: true;
  /** Number of the identify command that continues afterwards. */
  readonly identify?: number;
  /** Commands that follow: the idle text. */
  readonly afterwards?: readonly Ask[];
}

/** Brings the device to idle from any `job` (PROTOCOL.md 6.7), then sends the notices. */
export function startStop(
  job: Job,
  device: Device,
  { notices, answered, denies, identify, afterwards = [] }: StopOn,
): Step {
  const isMagstripeOpen = job.is === "collect" ? job.offer.magstripe : identify !== undefined;
  const stop: Stop = {
    is: "stop",
    left: [...(isMagstripeOpen ? [{ name: "stripe-off" } as const] : []), ...afterwards],
    denies: denies === true || device.held?.via === "chip" || decidedIn(job) === "online",
    notices: decidedIn(job) === "approved-offline" ? notices.map(approvedMeanwhile) : notices,
    ...(identify !== undefined && { identify }),
  };
  const quiet = { card: "clear", poll: "clear", answer: "clear", watchdog: STOP_MS } as const;
  const outstanding = answered === true ? undefined : outstandingIn(job);
  const idle = forgetting(device);
  if (outstanding !== undefined) return { job: { ...stop, asked: outstanding }, device: idle, timers: quiet };
  const step = next(stop, idle);
  return { ...step, device: idle, timers: { ...quiet, ...step.timers } };
}

function outstandingIn(job: Job): Ask | undefined {
  if (job.is === "none" || (job.is === "collect" && job.phase.at === "pause")) return undefined;
  return job.asked;
}

/** The chip's first decision, which the stopped job will not report. */
function decidedIn(job: Job): Decided | undefined {
  if (job.is !== "collect") return undefined;
  switch (job.phase.at) {
    case "objects":
      return job.phase.decided;
    case "sealing":
      return job.phase.card.via === "chip" ? job.phase.card.decided : undefined;
    case "preparing":
    case "polling":
    case "pause":
    case "magstripe":
    case "chip":
    case "failed":
      return undefined;
  }
}

/** Declines the waiting card, then runs the rest. */
function next(job: Stop, device: Device): Step {
  if (job.denies) return { ...asking({ ...job, denies: false }, completing("declined", [])) };
  const [first, ...left] = job.left;
  return first === undefined ? stopped(job, device) : asking({ ...job, left }, first);
}

/** One time limit covers the whole stop. */
function asking(job: Stop, what: Ask): Step {
  return { ...ask(job, what), timers: { answer: "clear" } };
}

function stopped({ notices, identify }: Stop, device: Device): Step {
  const over = ended(...notices);
  if (identify === undefined) return over;
  const questions = startIdentify(identify, device);
  return { ...questions, notices, timers: { ...over.timers, ...questions.timers } };
}

export function stop(job: Stop, input: JobInput, device: Device): Step {
  if (input.on === "timer")
    return input.name === "watchdog"
      ? lost(numbersOf(job), "no-answer", `it did not come to rest within ${STOP_MS} ms`)
      : { job };
  const { heard } = input;
  if (heard.is === "call-back") return { job, write: [replyTo(heard.sub, heard.data, 0, true).write] };
  const { asked } = job;
  if (asked === undefined || !answers(asked.name, heard)) return { job };
  return next(judged(job, asked, heard), device);
}

/**
 * The card's result during the stop: an ARQC or a contradiction is declined. An offline approval must not be reported
 * as a cancellation.
 */
function judged(job: Stop, { name }: Ask, { rc, data: [cryptogram] }: Extract<Heard, { is: "answer" }>): Stop {
  if (name !== "start" && name !== "complete") return job;
  if (cryptogram === TC) return { ...job, notices: job.notices.map(approvedMeanwhile) };
  const isAac = cryptogram === AAC || cryptogram === AAC_OF_HOST;
  return name === "start" && (cryptogram === ARQC || (rc === OK && !isAac)) ? { ...job, denies: true } : job;
}

function approvedMeanwhile(notice: Notice, at: number): Notice {
  return at === 0 && notice.on !== "fault"
    ? fault(notice.n, "protocol", "the card approved while the transaction was being stopped")
    : notice;
}
