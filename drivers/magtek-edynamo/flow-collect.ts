import type { CollectRequest } from "../../src/card/command.ts";
import type { Notice } from "../../src/card/notice.ts";
import { offerOf, promptFor } from "../../src/card/offer.ts";
import { clockProblem, moneyProblem } from "../../src/card/request-problem.ts";
import {
  type Answer,
  ask,
  type Collect,
  type Device,
  ended,
  fault,
  isFor,
  type JobInput,
  lost,
  type Notification,
  prompted,
  type Step,
} from "./flow.ts";
import { running } from "./flow-running.ts";
import { startTransaction } from "./flow-start.ts";
import { startStop } from "./flow-stop.ts";
import { extendedCommand } from "./message.ts";
import { faultOf, isDone, results, statusText } from "./status-codes.ts";
import { ANSWER_MS, STARTS_AGAIN, TRANSACTION_MARGIN_MS } from "./timing.ts";

/** PROTOCOL.md 7.3 and 7.9: a card to be retried, or not to be used, must leave the slot first. */
export function startCollect(n: number, request: CollectRequest, device: Device): Step {
  const { interfaces } = device.member;
  if (device.held !== undefined)
    return ended(fault(n, "refused", "a card waits for its issuer's answer: complete or cancel first"));
  if (device.hasKeys === false)
    return ended(fault(n, "keys-missing", "the terminal has no key for card data: load its keys"));
  const offer = offerOf(request, interfaces);
  const problem = moneyProblem(request) ?? clockProblem(request.now);
  if (offer === undefined) return ended(fault(n, "refused", `interfaces must name one of ${interfaces.join(", ")}`));
  if (problem !== undefined) return ended(fault(n, "refused", problem));
  const job: Collect = {
    is: "collect",
    n,
    request,
    offer,
    startsLeft: STARTS_AGAIN,
    hasCleared: false,
    phase: { at: "asking-out" },
  };
  const isInTheWay = device.slot === true && (offer.fallback || request.again === "chip-unreadable" || !offer.chip);
  const step = isInTheWay ? prompted(job, "REMOVE_CARD") : startTransaction(job, device);
  return {
    ...step,
    timers: { ...step.timers, card: request.cardMs, watchdog: request.cardMs + request.pinMs + TRANSACTION_MARGIN_MS },
  };
}

export function collect(job: Collect, input: JobInput, device: Device): Step {
  if (input.on === "timer") return timedOut(job, input.name, device);
  const { heard } = input;
  switch (heard.is) {
    case "answer":
      return answered(job, heard, device);
    case "notification":
      return told(job, heard, device);
    case "pending":
    case "command":
    case "other":
      return { job };
  }
}

function timedOut(job: Collect, name: string, device: Device): Step {
  const { n, phase } = job;
  if (name === "answer") {
    switch (phase.at) {
      case "clearing":
      case "starting":
        return lost(job, "no-answer", `no answer within ${ANSWER_MS} ms (${phase.at})`);
      case "read-error":
        return ended({ n, on: "no-card", why: "chip-unreadable" });
      case "asking-out":
      case "running":
        return { job };
    }
  }
  return name === "card" || name === "watchdog" ? halt(job, device, [{ n, on: "no-card", why: "timeout" }]) : { job };
}

/** Ends a collect by command or by time limit. */
export function halt(job: Collect, device: Device, notices: readonly Notice[]): Step {
  const { phase } = job;
  switch (phase.at) {
    case "starting":
    case "clearing":
      return startStop(device, notices, { starting: phase.ref });
    case "running":
      return startStop(device, notices);
    case "asking-out":
    case "read-error":
      return ended(...notices);
  }
}

function answered(job: Collect, answer: Answer, device: Device): Step {
  const { phase } = job;
  switch (phase.at) {
    case "clearing":
      return isFor(device, phase.ref) ? startTransaction(job, device) : { job };
    case "starting":
      if (!isFor(device, phase.ref)) return { job };
      return isDone(answer) ? started(job) : refused(job, answer, device);
    case "asking-out":
    case "running":
    case "read-error":
      return { job };
  }
}

function started(job: Collect): Step {
  const next: Collect = { ...job, phase: { at: "running", isPulled: false } };
  return { ...prompted(next, promptFor(job.offer)), timers: { answer: "clear" } };
}

function refused(job: Collect, answer: Answer, device: Device): Step {
  if (answer.result === results.inProgress && !job.hasCleared) {
    const asking = ask(device, ...extendedCommand("cancel"));
    return {
      job: { ...job, hasCleared: true, phase: { at: "clearing", ref: asking.sending.ref } },
      device: asking.device,
      write: asking.write,
      timers: { answer: ANSWER_MS },
    };
  }
  return ended(fault(job.n, faultOf(answer), `START was refused: ${statusText(answer)}`));
}

function told(job: Collect, notification: Notification, device: Device): Step {
  switch (job.phase.at) {
    case "asking-out":
      return device.slot === true ? { job } : startTransaction(job, device);
    case "running":
    case "read-error":
      return running(job, notification, device);
    case "clearing":
    case "starting":
      // Notifications before the answer to START belong to an earlier transaction (PROTOCOL.md 7.3).
      return { job };
  }
}
