import type { Notice } from "../../src/card/notice.ts";
import { findTag } from "../../src/emv/tlv.ts";
import { forgetting } from "../../src/terminal/one-job.ts";
import { type EmvMessage, own } from "./emv-message.ts";
import { type Device, ended, fault, JOB_OVER, type JobInput, lost, numbersOf, type Step, type Stop } from "./flow.ts";
import { startIdentify } from "./flow-identify.ts";
import { startDisplay } from "./flow-single.ts";
import { say } from "./message.ts";
import { CANCEL_TRIES, IDENTIFY_MS, OFFLINE_MS, OFFLINE_TRIES } from "./timing.ts";

/** Stops the device's current work (PROTOCOL.md 6.2). The notices are sent once it is idle. */
export function startStop(device: Device, notices: readonly Notice[], then?: Stop["then"]): Step {
  const tries = then?.is === "identify" ? OFFLINE_TRIES : CANCEL_TRIES;
  return {
    job: { is: "stop", triesLeft: tries - 1, notices, ...(then && { then }) },
    device: forgetting(device),
    write: [say.offline],
    timers: { ...JOB_OVER, answer: OFFLINE_MS, ...(then?.is === "identify" && { watchdog: IDENTIFY_MS }) },
  };
}

export function stop(job: Stop, input: JobInput, device: Device): Step {
  if (input.on === "timer") {
    if (input.name === "watchdog") return lost(numbersOf(job), `not identified within ${IDENTIFY_MS} ms`);
    if (job.triesLeft <= 0) return lost(numbersOf(job), `no answer to 00. within ${OFFLINE_MS} ms`);
    return { job: { ...job, triesLeft: job.triesLeft - 1 }, write: [say.offline], timers: { answer: OFFLINE_MS } };
  }
  const { heard } = input;
  if (heard.is === "reply" && heard.id === "00") return stopped(job, device);
  if (heard.is === "emv" && heard.step === "05" && hasApproved(heard))
    return { job: { ...job, notices: job.notices.map(approvedMeanwhile) } };
  return { job };
}

function stopped({ notices, then }: Stop, device: Device): Step {
  switch (then?.is) {
    case undefined:
      return ended(...notices);
    case "identify":
      return { ...startIdentify(then.n), notices };
    case "idle": {
      const { idleText } = device.options;
      if (idleText === "") return ended(...notices, { n: then.n, on: "done" });
      return { ...startDisplay(then.n, [idleText], device), notices };
    }
  }
}

const TC = 0x40;

function hasApproved({ objects }: Pick<EmvMessage, "objects">): boolean {
  const [information] = findTag(objects, "9F27") ?? [];
  const [confirmation] = findTag(objects, own.confirmation) ?? [];
  return (information !== undefined && (information & 0xc0) === TC) || confirmation === APPROVED;
}

/** "A". */
const APPROVED = 0x41;

/**
 * The first notice ends the collect. An offline approval must not be reported as a cancellation; a fault stays a fault.
 */
function approvedMeanwhile(notice: Notice, at: number): Notice {
  const isNothingMore = notice.on === "cancelled" || notice.on === "no-card";
  return at === 0 && isNothingMore
    ? fault(notice.n, "protocol", "the card approved offline while the transaction was being cancelled")
    : notice;
}
