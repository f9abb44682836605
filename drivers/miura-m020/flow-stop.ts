import type { Notice } from "../../src/card/notice.ts";
import { findTag, type Tlv } from "../../src/emv/tlv.ts";
import { forgetting } from "../../src/terminal/one-job.ts";
import { ended, lost } from "../vipa/flow.ts";
import { counterOf } from "./card-answer.ts";
import {
  type Device,
  framesOf,
  type Job,
  type JobInput,
  numbersOf,
  type Step,
  type Stop,
  settledBefore,
} from "./flow.ts";
import { startIdle } from "./flow-single.ts";
import { type Answer, tags } from "./message.ts";
import { pinOutcome } from "./online-pin.ts";
import { ABORT_MS, DRAIN_MS, KEYBOARD_MS, RESET_MS, RESET_TRIES } from "./timing.ts";

/**
 * Work on the device: none, an unanswered command, a transaction whose card waits for its issuer, or both, which is PIN
 * entry for a tap.
 */
export type Running = "nothing" | "transaction" | "held" | "both";

/**
 * Further work of a stop: the idle command that follows, and the commands that a waiting collect left open (PROTOCOL.md
 * 7.9).
 */
export interface Besides {
  readonly idle?: number;
  readonly plainOpen?: boolean;
  readonly keysOn?: boolean;
}

/** Stops the device's current work (PROTOCOL.md 7.6). The notices are sent once it is idle. */
export function startStop(
  device: Device,
  running: Running,
  notices: readonly Notice[],
  { idle, plainOpen = false, keysOn = false }: Besides = {},
): Step {
  return {
    job: {
      is: "stop",
      abortOpen: true,
      transactionOpen: running === "transaction" || running === "both",
      extraOpen: running === "held" || running === "both",
      plainOpen,
      keysOn,
      notices,
      ...(idle !== undefined && { idle }),
    },
    device: dropping(device, running),
    write: framesOf("abort"),
    timers: { answer: ABORT_MS, card: "clear", pin: "clear", watchdog: "clear" },
  };
}

/**
 * A card that waits for its issuer may cause a late E5. So may an earlier dropped one, even after several idle
 * commands.
 */
function dropping(device: Device, running: Running): Device {
  const rest = forgetting(device);
  const { held } = device;
  return held === undefined || running === "nothing" || running === "transaction" ? rest : { ...rest, dropped: held };
}

export function stop(job: Stop, input: JobInput, device: Device): Step {
  if (input.on === "timer") return input.name === "answer" ? overdue(job) : { job };
  return input.heard.is === "answer" ? answered(job, input.heard.answer, device) : { job };
}

/** The stop is over if only a plain answer or the extra E5 is missing; not every firmware sends that E5. */
function overdue(job: Stop): Step {
  if (job.abortOpen || job.transactionOpen)
    return lost(numbersOf(job), "no-answer", `no answer to ABORT within ${ABORT_MS} ms`);
  return job.plainOpen ? going({ ...job, plainOpen: false }) : stopped(job);
}

/**
 * Answers come in any order: an error or template is the transaction's, an empty one ABORT's or a plain command's.
 * Those two need no order.
 */
function answered(job: Stop, answer: Answer, device: Device): Step {
  switch (answer.is) {
    case "ok":
      return going(job.abortOpen ? { ...job, abortOpen: false } : { ...job, plainOpen: false });
    case "refused":
      if (job.transactionOpen) return going({ ...job, transactionOpen: false });
      return going(job.plainOpen ? { ...job, plainOpen: false } : { ...job, abortOpen: false });
    case "template":
      if (answer.template === "E5" && !job.transactionOpen)
        return { device: settledBefore(device), ...going({ ...job, extraOpen: false }) };
      if (!job.transactionOpen) return { job };
      return {
        ...going(overtaken(job, answer.template, answer.objects)),
        device: answer.template === "E4" ? { ...device, dropped: counterOf(answer.objects) } : device,
      };
    case "other":
      return job.transactionOpen && pinOutcome(answer) !== undefined
        ? going({ ...job, transactionOpen: false })
        : { job };
  }
}

/** The transaction ended by itself before ABORT arrived. */
function overtaken(
  job: Stop,
  template: Extract<Answer, { is: "template" }>["template"],
  objects: readonly Tlv[],
): Stop {
  switch (template) {
    case "E4":
    case "E2":
      return { ...job, transactionOpen: false, extraOpen: true };
    case "E5":
      return { ...job, transactionOpen: false };
    case "E3":
      return { ...job, transactionOpen: false, notices: job.notices.map(approvedMeanwhile) };
    case "E1":
      return hasSecret(objects) ? { ...job, transactionOpen: false } : job;
    case "E0":
    case "E6":
      return job;
  }
}

/** A PIN typed before ABORT arrived. */
const hasSecret = (objects: readonly Tlv[]): boolean => findTag(objects, tags.pinData) !== undefined;

/** The first notice ends the collect. An offline approval must not be reported as a cancellation. */
function approvedMeanwhile(notice: Notice, at: number): Notice {
  return at === 0
    ? {
        n: notice.n,
        on: "fault",
        code: "protocol",
        detail: "the card approved offline while the transaction was being aborted",
      }
    : notice;
}

function going(job: Stop): Step {
  if (job.abortOpen || job.transactionOpen || job.plainOpen) return { job };
  if (job.keysOn)
    return { job: { ...job, keysOn: false, plainOpen: true }, write: keysOff, timers: { answer: KEYBOARD_MS } };
  return job.extraOpen ? { job, timers: { answer: DRAIN_MS } } : stopped(job);
}

function stopped({ notices, idle }: Stop): Step {
  if (idle === undefined) return ended(...notices);
  return { ...startIdle(idle), notices };
}

/** KEYBOARD STATUS P1: key events on or off (PROTOCOL.md 3.3). */
export const keysOn: readonly Uint8Array[] = framesOf("keyboard-status", { p1: 0x01 });
export const keysOff: readonly Uint8Array[] = framesOf("keyboard-status", { p1: 0x00 });

type Reset = Extract<Job, { is: "reset" }>;

/**
 * A soft reset after an error that leaves the device's state unknown. The notices are sent after it (PROTOCOL.md 7.8).
 */
export function startReset(notices: readonly Notice[]): Step {
  return {
    ...sendReset({ is: "reset", notices, triesLeft: RESET_TRIES }),
    timers: { answer: RESET_MS, card: "clear", pin: "clear", watchdog: "clear" },
  };
}

function sendReset(job: Reset): Step {
  return { job: { ...job, triesLeft: job.triesLeft - 1 }, write: framesOf("reset"), timers: { answer: RESET_MS } };
}

export function reset(job: Reset, input: JobInput): Step {
  if (input.on === "heard")
    return input.heard.is === "answer" && isResetAnswer(input.heard.answer) ? ended(...job.notices) : { job };
  return job.triesLeft > 0 ? sendReset(job) : { ...ended(...job.notices), link: "reopen" };
}

function isResetAnswer(answer: Answer): boolean {
  return (
    answer.is === "template" && answer.template === "E1" && findTag(answer.objects, tags.serialNumber) !== undefined
  );
}
