import type { Notice } from "../../src/card/notice.ts";
import { forgetting } from "../../src/terminal/one-job.ts";
import {
  type Answer,
  ask,
  type Device,
  ended,
  type Frame,
  fault,
  isFor,
  type JobInput,
  lost,
  type Notification,
  type Sending,
  type Step,
  type Stop,
} from "./flow.ts";
import { refusal } from "./issuer-answer.ts";
import { extendedCommand, notifications } from "./message.ts";
import { arqcIn, resultIn, statuses } from "./outcomes.ts";
import { isDone, results, statusText } from "./status-codes.ts";
import { ANSWER_MS, BESIDE_MS, CANCEL_AGAIN_MS, STOP_MS } from "./timing.ts";

/** State that a stop starts from: a START without its answer, or a card that waits for its issuer. */
export interface StopOn {
  readonly starting?: number;
  readonly frame?: Frame;
}

const NOT_SENT: Sending = { ref: 0, rest: [] };

/** Ends the device's current transaction (PROTOCOL.md 7.8). The notices are sent once it is idle. */
export function startStop(device: Device, notices: readonly Notice[], { starting, frame }: StopOn = {}): Step {
  const job: Stop = {
    is: "stop",
    at: "cancelling",
    sending: NOT_SENT,
    isOver: false,
    notices,
    ...(frame && { frame }),
  };
  const timers = { card: "clear", watchdog: STOP_MS } as const;
  // Only one command may be outstanding, so the answer to START comes first.
  if (starting !== undefined) {
    return {
      job: { ...job, at: "starting", sending: { ref: starting, rest: [] } },
      device: forgetting(device),
      timers: { ...timers, answer: ANSWER_MS },
    };
  }
  const step = cancel(job, forgetting(device));
  return { ...step, timers: { ...timers, ...step.timers } };
}

function send(job: Stop, packets: readonly Uint8Array[], device: Device): Step {
  const asking = ask(device, ...packets);
  return {
    job: { ...job, sending: asking.sending },
    device: asking.device,
    write: asking.write,
    timers: { answer: ANSWER_MS },
  };
}

const cancel = (job: Stop, device: Device): Step =>
  send({ ...job, at: "cancelling" }, extendedCommand("cancel"), device);

export function stop(job: Stop, input: JobInput, device: Device): Step {
  if (input.on === "timer") return timedOut(job, input.name, device);
  const { heard } = input;
  switch (heard.is) {
    case "answer":
      return isFor(device, job.sending.ref) ? answered(job, heard, device) : { job };
    case "pending":
      return isFor(device, job.sending.ref) && job.sending.rest.length > 0
        ? send(job, job.sending.rest, device)
        : { job };
    case "notification":
      return told(job, heard, device);
    case "command":
    case "other":
      return { job };
  }
}

function timedOut(job: Stop, name: string, device: Device): Step {
  if (name === "watchdog") return lost(job, "no-answer", `the transaction did not end within ${STOP_MS} ms`);
  switch (job.at) {
    case "pausing":
      return cancel(job, device);
    case "ending":
      return ended(...job.notices);
    case "starting":
    case "cancelling":
    case "refusing":
      return lost(job, "no-answer", `no answer while a transaction was stopped (${job.at})`);
  }
}

function answered(job: Stop, answer: Answer, device: Device): Step {
  switch (job.at) {
    case "starting":
      return isDone(answer) ? cancel(job, device) : ended(...job.notices);
    case "cancelling":
      if (isDone(answer)) return ending(job);
      if (answer.result !== results.inProgress || job.isOver) return ended(...job.notices);
      return job.frame === undefined
        ? { job: { ...job, at: "pausing" }, timers: { answer: CANCEL_AGAIN_MS } }
        : refuse(job, job.frame, device);
    case "refusing":
      if (isDone(answer)) return ending(job);
      if (answer.result === results.noTransaction) return ended(...job.notices);
      return lost(job, "device-error", `a transaction could be neither cancelled nor refused: ${statusText(answer)}`);
    case "pausing":
    case "ending":
      return { job };
  }
}

/** Refuses a waiting card, which cannot be cancelled. */
const refuse = (job: Stop, frame: Frame, device: Device): Step =>
  send({ ...job, at: "refusing" }, refusal(frame), device);

/** The result comes before or after the answer. A refused card needs more time for its final decision. */
function ending(job: Stop): Step {
  if (job.isOver) return ended(...job.notices);
  return { job: { ...job, at: "ending" }, timers: { answer: job.at === "refusing" ? STOP_MS : BESIDE_MS } };
}

function told(job: Stop, { id, data }: Notification, device: Device): Step {
  if (job.at === "starting") return { job };
  if (id === notifications.arqc) {
    const blob = arqcIn(data);
    if (typeof blob === "string") return { job };
    const next: Stop = { ...job, frame: { serialNumber: blob.serialNumber, macKsn: blob.macKsn } };
    // A waiting card can be cancelled again.
    return job.at === "pausing" ? cancel(next, device) : { job: next };
  }
  const result = id === notifications.result ? resultIn(data) : undefined;
  if (result === undefined) return { job };
  const over: Stop = {
    ...job,
    isOver: true,
    notices: result.status === statuses.approved ? approvedMeanwhile(job.notices) : job.notices,
  };
  return job.at === "ending" || job.at === "pausing" ? ended(...over.notices) : { job: over };
}

/** The first notice ends the collect or cancel. An offline approval must not be reported as a cancellation. */
function approvedMeanwhile([first, ...rest]: readonly Notice[]): readonly Notice[] {
  return [fault(first?.n ?? 0, "protocol", "the card approved while its transaction was being stopped"), ...rest];
}
