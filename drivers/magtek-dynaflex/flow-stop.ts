import type { Notice } from "../../src/card/notice.ts";
import { fromHex } from "../../src/kit/hex.ts";
import { forgetting } from "../../src/terminal/one-job.ts";
import { parseBlob } from "./blob.ts";
import {
  ask,
  type Device,
  ended,
  fault,
  isFor,
  type JobInput,
  lost,
  type Notification,
  type Response,
  type Step,
  type Stop,
} from "./flow.ts";
import { startIdleText } from "./flow-single.ts";
import { resumePayload, UNREACHED } from "./issuer-answer.ts";
import { isReset, notifications } from "./message.ts";
import { rulingOf } from "./outcomes.ts";
import { details, isSuccess, statusText } from "./status-codes.ts";
import { ANSWER_MS, BESIDE_MS, CANCEL_AGAIN_MS, STOP_MS } from "./timing.ts";

/** State that a stop starts from: a START without its answer, or a card that waits for its issuer. */
export interface Found {
  readonly starting?: number;
  readonly serialNumber?: Uint8Array;
  readonly idle?: number;
}

/** Ends the device's current transaction (PROTOCOL.md 7.8). The notices are sent once it is idle. */
export function startStop(
  device: Device,
  notices: readonly Notice[],
  { starting, serialNumber, idle }: Found = {},
): Step {
  const more = { ...(serialNumber && { serialNumber }), ...(idle !== undefined && { idle }) };
  const job: Stop = { is: "stop", at: "cancelling", ref: 0, isOver: false, notices, ...more };
  const timers = { card: "clear", watchdog: STOP_MS } as const;
  // Only one request may be outstanding, so the answer to START comes first.
  if (starting !== undefined)
    return {
      job: { ...job, at: "starting", ref: starting },
      device: forgetting(device),
      timers: { ...timers, answer: ANSWER_MS },
    };
  const step = cancel(job, forgetting(device));
  return { ...step, timers: { ...timers, ...step.timers } };
}

function cancel(job: Stop, device: Device): Step {
  const asking = ask(device, "cancel");
  return {
    job: { ...job, at: "cancelling", ref: asking.ref },
    device: asking.device,
    write: asking.write,
    timers: { answer: ANSWER_MS },
  };
}

/** Tells a waiting card, which cannot be cancelled, that its issuer was unreachable. */
function refuse(job: Stop, serialNumber: Uint8Array, device: Device): Step {
  const asking = ask(device, "resume", resumePayload(serialNumber, [{ tag: "8A", value: fromHex(UNREACHED) }]));
  return {
    job: { ...job, at: "refusing", ref: asking.ref },
    device: asking.device,
    write: asking.write,
    timers: { answer: ANSWER_MS },
  };
}

export function stop(job: Stop, input: JobInput, device: Device): Step {
  switch (input.on) {
    case "timer":
      return timedOut(job, input.name, device);
    case "heard":
      switch (input.heard.is) {
        case "response":
          return answered(job, input.heard, device);
        case "notification":
          return told(job, input.heard, device);
        case "too-long":
        case "request":
        case "other":
          return { job };
      }
  }
}

function timedOut(job: Stop, name: string, device: Device): Step {
  if (name === "watchdog") return lost(job, "no-answer", `the transaction did not end within ${STOP_MS} ms`);
  switch (job.at) {
    case "pausing":
      return cancel(job, device);
    case "ending":
      return stopped(job, device);
    case "starting":
    case "cancelling":
    case "refusing":
      return lost(job, "no-answer", `no answer while a transaction was stopped (${job.at})`);
  }
}

function answered(job: Stop, response: Response, device: Device): Step {
  switch (job.at) {
    case "starting":
      if (!isFor(response, "start", job.ref)) return { job };
      return isSuccess(response) ? cancel(job, device) : stopped(job, device);
    case "cancelling":
      if (!isFor(response, "cancel", job.ref)) return { job };
      if (isSuccess(response)) return ending(job, device);
      if (response.detail === details.noTransaction) return stopped(job, device);
      return job.serialNumber === undefined
        ? { job: { ...job, at: "pausing" }, timers: { answer: CANCEL_AGAIN_MS } }
        : refuse(job, job.serialNumber, device);
    case "refusing":
      if (!isFor(response, "resume", job.ref)) return { job };
      if (isSuccess(response)) return ending(job, device);
      if (response.detail === details.noTransaction) return stopped(job, device);
      return lost(job, "device-error", `a transaction could be neither cancelled nor refused: ${statusText(response)}`);
    case "pausing":
    case "ending":
      return { job };
  }
}

/** The outcome comes before or after the answer. */
function ending(job: Stop, device: Device): Step {
  return job.isOver ? stopped(job, device) : { job: { ...job, at: "ending" }, timers: { answer: BESIDE_MS } };
}

function told(job: Stop, { id, code, payload }: Notification, device: Device): Step {
  if (isReset({ id, code })) return lost(job, "device-error", "the device restarted while its transaction was stopped");
  if (id === notifications.progress && code.slice(2) === "080202") {
    const blob = parseBlob(payload);
    return { job: typeof blob === "string" ? job : { ...job, serialNumber: blob.serialNumber } };
  }
  if (id !== notifications.outcome || job.at === "starting") return { job };
  const ruling = rulingOf(code);
  if (ruling.is === "nothing") return { job };
  const isApproved = ruling.is === "decided" && ruling.decision === "approved-offline";
  const over: Stop = { ...job, isOver: true, notices: isApproved ? approvedMeanwhile(job.notices) : job.notices };
  return job.at === "ending" || job.at === "pausing" ? stopped(over, device) : { job: over };
}

/**
 * The first notice ends the collect or cancel; an idle command has none. An offline approval must not be reported as a
 * cancellation.
 */
function approvedMeanwhile([first, ...rest]: readonly Notice[]): readonly Notice[] {
  return [fault(first?.n ?? 0, "protocol", "the card approved while its transaction was being stopped"), ...rest];
}

/** The device is idle. */
export function stopped({ notices, idle }: Pick<Stop, "notices" | "idle">, device: Device): Step {
  if (idle === undefined) return ended(...notices);
  const step = startIdleText(idle, device);
  return { ...step, notices: [...notices, ...(step.notices ?? [])], timers: { ...ended().timers, ...step.timers } };
}
