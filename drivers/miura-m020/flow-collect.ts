import type { CollectRequest } from "../../src/card/command.ts";
import type { FaultCode } from "../../src/card/notice.ts";
import { type Offer, offerOf } from "../../src/card/offer.ts";
import { clockProblem, moneyProblem } from "../../src/card/request-problem.ts";
import { ended } from "../vipa/flow.ts";
import type { CardEvent } from "../vipa/message.ts";
import { leakIn } from "./card-answer.ts";
import type { Collect, Device, JobInput, Step } from "./flow.ts";
import { keyed, keyedOverdue, startKeyed } from "./flow-keyed.ts";
import { typedPin } from "./flow-read.ts";
import { running, statusTold } from "./flow-running.ts";
import { reportCard, reportCardAndMagstripe } from "./flow-single.ts";
import { tapAnswered, tapHeard, tapOverdue } from "./flow-tapping.ts";
import { cardTold, halt, keyTold, newWaiting, overdue, plainAnswered, swipeTold } from "./flow-waiting.ts";
import type { Answer, DeviceEvent } from "./message.ts";
import { SLOT_MS, TAP_TRIES, TRANSACTION_MARGIN_MS } from "./timing.ts";

/** PROTOCOL.md 7.3: checks the slot first, because a card that is already there is used. */
export function startCollect(n: number, request: CollectRequest, device: Device): Step {
  const fault = (code: FaultCode, detail: string): Step => ended({ n, on: "fault", code, detail });
  if (device.held !== undefined)
    return fault("refused", "a card waits for its issuer's answer: complete or cancel first");
  if (device.keys?.sred === false) return fault("keys-missing", "the terminal has no key for card data: load its keys");
  const offer = offerOf(request, device.capabilities.interfaces);
  const problem = moneyProblem(request) ?? clockProblem(request.now);
  if (offer === undefined)
    return fault(
      "refused",
      `interfaces must name one that this model has: ${device.capabilities.interfaces.join(", ")}`,
    );
  if (problem !== undefined) return fault("refused", problem);
  const watchdog = request.cardMs + request.pinMs + TRANSACTION_MARGIN_MS;
  const job: Collect = { is: "collect", n, request, offer, tapsLeft: TAP_TRIES, unreadable: 0, phase: { at: "slot" } };
  const timers = { card: request.cardMs, watchdog };
  if (offer.keyed) {
    const step = startKeyed(job);
    return { ...step, timers: { ...step.timers, ...timers } };
  }
  return { job, write: offer.magstripe ? reportCardAndMagstripe : reportCard, timers: { answer: SLOT_MS, ...timers } };
}

export function collect(job: Collect, input: JobInput, device: Device): Step {
  if (input.on === "timer") return timedOut(job, input.name, device);
  return input.heard.is === "event" ? told(job, input.heard.event, device) : answered(job, input.heard.answer, device);
}

function answered(job: Collect, answer: Answer, device: Device): Step {
  const { phase } = job;
  switch (phase.at) {
    case "slot":
    case "read-error":
      return { job };
    case "waiting":
      return plainAnswered(job, phase, answer, device);
    case "tapping":
      return tapAnswered(job, phase, answer, device);
    case "running":
      return running(job, answer, device);
    case "pin":
      return typedPin(job, phase, answer, device);
    case "keying":
      return keyed(job, phase, answer, device);
  }
}

function timedOut(job: Collect, name: string, device: Device): Step {
  const { n, phase } = job;
  if (name === "answer") {
    switch (phase.at) {
      case "slot":
        return cardTold(job, newWaiting(askedOut(job)), device.slot ?? { card: false, chip: false }, device);
      case "waiting":
        return overdue(job, phase, device);
      case "tapping":
        return tapOverdue(job, phase, device);
      case "keying":
        return keyedOverdue(job);
      case "read-error":
        return ended({ n, on: "no-card", why: "chip-unreadable" });
      case "running":
      case "pin":
        return { job };
    }
  }
  return halt(job, device, [{ n, on: "no-card", why: name === "pin" ? "pin-timeout" : "timeout" }]);
}

/** Whether a card in the slot must be removed first (PROTOCOL.md 7.14). */
function askedOut({ request, offer }: { readonly request: CollectRequest; readonly offer: Offer }): boolean {
  return offer.fallback || request.again === "chip-unreadable";
}

function told(job: Collect, event: DeviceEvent, device: Device): Step {
  const { phase } = job;
  switch (event.is) {
    case "card": {
      const leak = leakIn(event.objects);
      if (leak !== undefined)
        return halt(job, device, [{ n: job.n, on: "fault", code: "clear-card-data", detail: leak }]);
      return cardMoved(job, event, device);
    }
    case "status":
      return statusTold(job, event);
    case "key":
      return phase.at === "waiting" ? keyTold(job, phase, event.code, device) : { job };
    case "other":
      return { job };
  }
}

function cardMoved(job: Collect, event: CardEvent, device: Device): Step {
  const { phase } = job;
  const slot = { card: event.slot, chip: event.chip };
  switch (phase.at) {
    case "slot":
      return event.magstripe
        ? swipeTold(job, newWaiting(false), event, device)
        : cardTold(job, newWaiting(askedOut(job)), slot, device);
    case "waiting":
      return event.magstripe ? swipeTold(job, phase, event, device) : cardTold(job, phase, slot, device);
    case "tapping":
      return tapHeard(job, phase, event, device);
    case "read-error":
      return event.slot ? { job } : ended({ n: job.n, on: "no-card", why: "removed" });
    case "running":
    case "pin":
    case "keying":
      return { job };
  }
}
