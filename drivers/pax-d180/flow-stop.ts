import type { Notice } from "../../src/card/notice.ts";
import { replyTo } from "./call-backs.ts";
import { type Ask, ask, type Device, ended, fault, forgetting, type Job, type JobInput, lost, numbersOf, type Step, type Stop } from "./flow.ts";
import { completing } from "./flow-complete.ts";
import { startQuestions } from "./flow-identify.ts";
import { answers, type Heard } from "./message.ts";
import { ARQC, OK, TC } from "./results.ts";
import { STOP_MS } from "./timing.ts";

export interface StopOn {
  readonly notices: readonly Notice[];
  /** Nothing is outstanding: the last command was answered just now. */
  readonly answered?: true;
  /** The chip may have made a cryptogram, whatever the device says of it. */
  readonly denies?: true;
  /** Number of an identify command that goes on after it. */
  readonly identify?: number;
  /** What is done behind it: the idle text. */
  readonly afterwards?: readonly Ask[];
}

/** Brings the device to rest (PROTOCOL.md 6.7), whatever `job` was doing. The notices are given once it is. */
export function startStop(job: Job, device: Device, { notices, answered, denies, identify, afterwards = [] }: StopOn): Step {
  const isStripeOpen = job.is === "collect" ? job.offer.stripe : identify !== undefined;
  const stop: Stop = {
    is: "stop",
    left: [...(isStripeOpen ? [{ name: "stripe-off" } as const] : []), ...afterwards],
    denies: denies === true || device.held?.via === "chip" || isHoldingArqc(job),
    notices,
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

/** The chip made its first cryptogram, and nobody is going to hear of it. */
function isHoldingArqc(job: Job): boolean {
  if (job.is !== "collect") return false;
  switch (job.phase.at) {
    case "objects":
      return job.phase.decided === "online";
    case "sealing":
      return job.phase.card.via === "chip" && job.phase.card.decided === "online";
    case "preparing":
    case "polling":
    case "pause":
    case "stripe":
    case "chip":
    case "failed":
      return false;
  }
}

/** Declines the card that waits, then the rest. */
function next(job: Stop, device: Device): Step {
  if (job.denies) return { ...asking({ ...job, denies: false }, completing("declined", [])) };
  const [first, ...left] = job.left;
  return first === undefined ? stopped(job, device) : asking({ ...job, left }, first);
}

/** One clock runs over all of it. */
function asking(job: Stop, what: Ask): Step {
  return { ...ask(job, what), timers: { answer: "clear" } };
}

function stopped({ notices, identify }: Stop, device: Device): Step {
  const over = ended(...notices);
  if (identify === undefined) return over;
  const questions = startQuestions(identify, device);
  return { ...questions, notices, timers: { ...over.timers, ...questions.timers } };
}

export function stop(job: Stop, input: JobInput, device: Device): Step {
  if (input.on === "timer") return input.name === "watchdog" ? lost(numbersOf(job), "no-answer", `it did not come to rest within ${STOP_MS} ms`) : { job };
  const { heard } = input;
  if (heard.is === "call-back") return { job, write: [replyTo(heard.sub, heard.data, 0, true).write] };
  const { asked } = job;
  if (asked === undefined || !answers(asked.name, heard)) return { job };
  return next(judged(job, asked, heard), device);
}

/** What the card did meanwhile: an ARQC is declined; that it approved by itself must not be dressed up as a cancellation. */
function judged(job: Stop, { name }: Ask, { rc, data: [cryptogram] }: Extract<Heard, { is: "answer" }>): Stop {
  if ((name !== "start" && name !== "complete") || rc !== OK) return job;
  if (cryptogram === ARQC) return { ...job, denies: true };
  return cryptogram === TC ? { ...job, notices: job.notices.map(approvedMeanwhile) } : job;
}

function approvedMeanwhile(notice: Notice, at: number): Notice {
  return at === 0 ? fault(notice.n, "protocol", "the card approved while the transaction was being stopped") : notice;
}
