import type { Notice } from "../../src/card/notice.ts";
import { forgetting } from "../../src/terminal/one-job.ts";
import { plain } from "./attributed.ts";
import { type Device, ended, fault, type JobInput, lost, numbersOf, type Step, type Stop } from "./flow.ts";
import { startIdentify } from "./flow-identify.ts";
import { answers, frameOf, type Heard, outcomeIn } from "./message.ts";
import { rulingOf } from "./outcomes.ts";
import { CANCEL_MS, CANCEL_TRIES, PAUSE_MS, QUERY_MS, TRIES } from "./timing.ts";

/**
 * Stops the device's current work (PROTOCOL.md 6.6). The notices are sent once it is idle; `identify` then continues.
 */
export function startStop(device: Device, notices: readonly Notice[], identify?: number): Step {
  const job: Stop = {
    is: "stop",
    at: "cancel",
    triesLeft: CANCEL_TRIES - 1,
    notices,
    ...(identify !== undefined && { identify }),
  };
  return {
    job,
    device: forgetting(device),
    write: [frameOf("cancel")],
    timers: { answer: CANCEL_MS, card: "clear", watchdog: "clear" },
  };
}

export function stop(job: Stop, input: JobInput, device: Device): Step {
  return input.on === "timer" ? (input.name === "answer" ? overdue(job) : { job }) : heard(job, input.heard, device);
}

function overdue(job: Stop): Step {
  switch (job.at) {
    case "pause":
      return ping({ ...job, at: "ping", triesLeft: TRIES });
    case "cancel":
      if (job.triesLeft <= 0) return lost(numbersOf(job), "no-answer", `no answer to cancel within ${CANCEL_MS} ms`);
      return {
        job: { ...job, triesLeft: job.triesLeft - 1 },
        write: [frameOf("cancel")],
        timers: { answer: CANCEL_MS },
      };
    case "ping":
      return job.triesLeft > 0
        ? ping(job)
        : lost(numbersOf(job), "no-answer", `no answer to ping within ${QUERY_MS} ms`);
  }
}

function ping(job: Stop): Step {
  return { job: { ...job, triesLeft: job.triesLeft - 1 }, write: [frameOf("ping")], timers: { answer: QUERY_MS } };
}

/**
 * A device that refuses to cancel has nothing to cancel. Everything before the ping's answer belongs to the cancelled
 * work.
 */
function heard(job: Stop, what: Heard, device: Device): Step {
  // A device that was just switched on reports its start at the first command.
  if (what.is === "restart" && job.identify === undefined)
    return lost(numbersOf(job), "device-error", `the device restarted: ${what.text}`);
  if (what.is !== "answer") return { job };
  if (job.at === "cancel" && answers("cancel", what))
    return { job: { ...job, at: "pause" }, timers: { answer: PAUSE_MS } };
  if (job.at === "ping" && answers("ping", what)) return stopped(job, device);
  const isCardWord = answers("start", what) || answers("activate", what);
  return isCardWord && hasApproved(what.data)
    ? { job: { ...job, notices: job.notices.map(approvedMeanwhile) } }
    : { job };
}

function stopped({ notices, identify }: Stop, device: Device): Step {
  if (identify === undefined) return ended(...notices);
  return { ...startIdentify(identify, device), notices };
}

const TC = 0x40;

function hasApproved(data: Uint8Array): boolean {
  const outcome = outcomeIn(data);
  if (outcome === undefined) return false;
  const [information] = plain(outcome.leaves, "9F27") ?? [];
  const said = outcome.result === undefined ? undefined : rulingOf(outcome.result).is;
  return said === "approved-offline" || (information !== undefined && (information & 0xc0) === TC);
}

/** The first notice ends the collect. An offline approval must not be reported as a cancellation. */
function approvedMeanwhile(notice: Notice, at: number): Notice {
  return at === 0
    ? fault(notice.n, "protocol", "the card approved offline while the transaction was being cancelled")
    : notice;
}
