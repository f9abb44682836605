import type { CollectRequest } from "../../src/card/command.ts";
import type { Notice } from "../../src/card/notice.ts";
import { offerOf, promptFor } from "../../src/card/offer.ts";
import { clockProblem, moneyProblem } from "../../src/card/request-problem.ts";
import { displayPayload } from "./display.ts";
import {
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
  type Response,
  type Step,
} from "./flow.ts";
import { outcomeWithoutBatch, running } from "./flow-running.ts";
import { startTransaction } from "./flow-start.ts";
import { startStop, stopped } from "./flow-stop.ts";
import { properties } from "./identity.ts";
import { type CommandName, isReset } from "./message.ts";
import { askFor, propertyIn } from "./properties.ts";
import { details, faultOf, isSuccess, statusText } from "./status-codes.ts";
import { ANSWER_MS, STARTS_AGAIN, TRANSACTION_MARGIN_MS } from "./timing.ts";

/**
 * PROTOCOL.md 7.3 and 7.9: a card to be retried, or not to be used, must leave the slot first, if the device reports
 * its slot.
 */
export function startCollect(n: number, request: CollectRequest, device: Device): Step {
  if (device.held !== undefined)
    return ended(fault(n, "refused", "a card waits for its issuer's answer: complete or cancel first"));
  if (device.keys?.sred === false)
    return ended(fault(n, "keys-missing", "the terminal has no key for card data: load its keys"));
  const offer = offerOf(request, device.member.interfaces);
  const problem = moneyProblem(request) ?? clockProblem(request.now);
  if (offer === undefined)
    return ended(fault(n, "refused", `interfaces must name one of ${device.member.interfaces.join(", ")}`));
  if (problem !== undefined) return ended(fault(n, "refused", problem));
  const job: Collect = {
    is: "collect",
    n,
    request,
    offer,
    startsLeft: STARTS_AGAIN,
    hasCleared: false,
    phase: { at: "starting", ref: 0 },
  };
  const isInTheWay =
    device.tellsSlot && device.slot === true && (offer.fallback || request.again === "chip-unreadable" || !offer.chip);
  const step = isInTheWay ? askOut(job, device) : startTransaction(job, device);
  return {
    ...step,
    timers: { ...step.timers, card: request.cardMs, watchdog: request.cardMs + request.pinMs + TRANSACTION_MARGIN_MS },
  };
}

function askOut(job: Collect, device: Device): Step {
  const told = prompted(job, "REMOVE_CARD");
  if (!device.member.touch) return { ...told, job: { ...told.job, phase: { at: "asking-out", ref: undefined } } };
  const asking = ask(device, "display", displayPayload("remove"));
  return {
    ...told,
    job: { ...told.job, phase: { at: "asking-out", ref: asking.ref } },
    device: asking.device,
    write: asking.write,
    timers: { answer: ANSWER_MS },
  };
}

export function collect(job: Collect, input: JobInput, device: Device): Step {
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
          return lost(job, "device-error", "the device holds no message as long as ours");
        case "request":
        case "other":
          return { job };
      }
  }
}

function timedOut(job: Collect, name: string, device: Device): Step {
  const { n, phase } = job;
  if (name === "answer") {
    switch (phase.at) {
      case "asking-out":
        return gone({ ...job, phase: { at: "asking-out", ref: undefined } }, device);
      case "clearing":
      case "starting":
      case "asking-why":
        return lost(job, "no-answer", `no answer within ${ANSWER_MS} ms (${phase.at})`);
      case "decided":
        return outcomeWithoutBatch(job, device);
      case "read-error":
        return ended({ n, on: "no-card", why: "chip-unreadable" });
      case "running":
        return { job };
    }
  }
  const isTyping = phase.at === "running" && phase.hasCard && device.member.touch;
  return halt(job, device, [{ n, on: "no-card", why: isTyping ? "pin-timeout" : "timeout" }]);
}

/** Ends a collect by command or by time limit. */
export function halt(job: Collect, device: Device, notices: readonly Notice[], idle?: number): Step {
  const more = idle === undefined ? {} : { idle };
  switch (job.phase.at) {
    case "starting":
      return startStop(device, notices, { ...more, starting: job.phase.ref });
    case "clearing":
    case "running":
      return startStop(device, notices, more);
    case "asking-out":
    case "decided":
    case "read-error":
    case "asking-why":
      return stopped({ notices, ...more }, device);
  }
}

function answered(job: Collect, response: Response, device: Device): Step {
  const { phase } = job;
  const isAnswerTo = (name: CommandName, ref: number | undefined): boolean =>
    ref !== undefined && isFor(response, name, ref);
  switch (phase.at) {
    case "asking-out":
      return isAnswerTo("display", phase.ref)
        ? gone({ ...job, phase: { at: "asking-out", ref: undefined } }, device)
        : { job };
    case "clearing":
      return isAnswerTo("cancel", phase.ref) ? startTransaction(job, device) : { job };
    case "starting":
      if (!isAnswerTo("start", phase.ref)) return { job };
      return isSuccess(response) ? started(job, device) : refused(job, response, device);
    case "asking-why":
      return isAnswerTo("get-property", phase.ref) ? ended(whyOffline(job, response)) : { job };
    case "running":
    case "decided":
    case "read-error":
      return { job };
  }
}

/** The card has left the slot and no answer is outstanding. */
function gone(job: Collect, device: Device): Step {
  return device.slot === true ? { job, timers: { answer: "clear" } } : startTransaction(job, device);
}

/** After a wrong PIN the cashier sees that prompt as long as the card is in the slot. */
function started(job: Collect, device: Device): Step {
  const prompt = job.request.again === "wrong-pin" && device.slot === true ? "WRONG_PIN" : promptFor(job.offer);
  const running: Collect = { ...job, phase: { at: "running", hasCard: false, isPulled: false } };
  return { ...prompted(running, prompt), timers: { answer: "clear" } };
}

const NO_PROBLEM = 0x00;
const TAMPER = 0x01;

function refused(job: Collect, response: Response, device: Device): Step {
  const { n } = job;
  if (response.detail === details.inProgress && !job.hasCleared) {
    const asking = ask(device, "cancel");
    return {
      job: { ...job, hasCleared: true, phase: { at: "clearing", ref: asking.ref } },
      device: asking.device,
      write: asking.write,
      timers: { answer: ANSWER_MS },
    };
  }
  if (response.detail === details.offline) {
    const asking = ask(device, "get-property", askFor(properties.problems));
    return {
      job: { ...job, phase: { at: "asking-why", ref: asking.ref } },
      device: asking.device,
      write: asking.write,
      timers: { answer: ANSWER_MS },
    };
  }
  return ended(fault(n, faultOf(response), `START was refused: ${statusText(response)}`));
}

/** An offline device has lost its keys or was tampered with; its problems property may say which (PROTOCOL.md 7.2). */
function whyOffline({ n }: Collect, response: Response): Notice {
  const problems = Number.parseInt(propertyIn(response.payload, properties.problems)?.slice(0, 2) ?? "00", 16);
  if ((problems & TAMPER) !== 0) return fault(n, "tampered", "it says so itself");
  const detail =
    problems === NO_PROBLEM
      ? "it is offline: it has no keys, or was tampered with"
      : `it is offline, problems ${problems.toString(16).padStart(2, "0")}`;
  return fault(n, "keys-missing", detail);
}

function told(job: Collect, notification: Notification, device: Device): Step {
  if (isReset(notification)) return lost(job, "device-error", "the device restarted during the transaction");
  const { phase } = job;
  switch (phase.at) {
    case "asking-out":
      return phase.ref === undefined ? gone(job, device) : { job };
    case "running":
    case "decided":
    case "read-error":
      return running(job, notification, device);
    case "clearing":
    case "starting":
    case "asking-why":
      // Notifications before the answer to START belong to an earlier transaction (PROTOCOL.md 7.3).
      return { job };
  }
}
