import type { CollectRequest } from "../../src/card/command.ts";
import type { FaultCode } from "../../src/card/notice.ts";
import { type Offer, offerOf } from "../../src/card/offer.ts";
import { clockProblem, moneyProblem } from "../../src/card/request-problem.ts";
import { isReady } from "../../src/card/waiting.ts";
import { ended, lost } from "../vipa/flow.ts";
import type { CardEvent } from "../vipa/message.ts";
import { type Collect, type Device, framesOf, type JobInput, type Looking, type Step } from "./flow.ts";
import { keyed, startKeyed } from "./flow-keyed.ts";
import { pinOverdue, typedPin } from "./flow-read.ts";
import { running, statusTold } from "./flow-running.ts";
import { startTap, startTransaction } from "./flow-start.ts";
import { startReset } from "./flow-stop.ts";
import { leaveFor, leavingOverdue, leftReader, tapAnswered, tapHeard, tapOverdue } from "./flow-tapping.ts";
import {
  cardTold,
  halt,
  keyTold,
  newWaiting,
  overdue,
  plainAnswered,
  proceed,
  swiped,
  swipeTold,
} from "./flow-waiting.ts";
import type { Answer, DeviceEvent } from "./message.ts";
import { statusText } from "./status-codes.ts";
import {
  CRYPTOGRAM_MS,
  GRACE_MS,
  PUT_OFF_MS,
  PUT_OFF_TRIES,
  QUERY_MS,
  SLOT_MS,
  TAP_TRIES,
  TRANSACTION_MARGIN_MS,
} from "./timing.ts";

/**
 * CARD STATUS P1: report cards, or also tracks 1 to 3 with their status. P2: report the keys enter, cancel and clear
 * (PROTOCOL.md 3.3).
 */
const REPORT_CARD = 0x01;
const REPORT_CARD_AND_MAGSTRIPE = 0x3d;
const REPORT_KEYS = 0x01;

/** PROTOCOL.md 7.3: checks the slot first, because a card that is already there is used. */
export function startCollect(n: number, request: CollectRequest, device: Device): Step {
  const fault = (code: FaultCode, detail: string): Step => ended({ n, on: "fault", code, detail });
  if (device.held !== undefined)
    return fault("refused", "a card waits for its issuer's answer: complete or cancel first");
  const offer = offerOf(request, device.capabilities.interfaces);
  const problem = moneyProblem(request) ?? clockProblem(request.now);
  if (offer === undefined)
    return fault("refused", `interfaces must name one of ${device.capabilities.interfaces.join(", ")}`);
  if (problem !== undefined) return fault("refused", problem);
  const watchdog = request.cardMs + request.pinMs + TRANSACTION_MARGIN_MS;
  const timers = { card: request.cardMs, watchdog };
  const job: Collect = {
    is: "collect",
    n,
    request,
    offer,
    tapsLeft: TAP_TRIES,
    unreadable: 0,
    putOff: 0,
    phase: { at: "slot", isAnswered: false, isTold: false },
  };
  if (offer.keyed) {
    const step = startKeyed(job);
    return { ...step, timers: { ...step.timers, ...timers } };
  }
  const step = look(job);
  return { ...step, timers: { ...step.timers, ...timers } };
}

function look(job: Collect): Step {
  const p1 = job.offer.magstripe ? REPORT_CARD_AND_MAGSTRIPE : REPORT_CARD;
  const phase: Looking = { at: "slot", isAnswered: false, isTold: false };
  return {
    job: { ...job, phase },
    write: framesOf("card-status", { p1, p2: REPORT_KEYS }),
    timers: { answer: QUERY_MS },
  };
}

export function collect(job: Collect, input: JobInput, device: Device): Step {
  if (input.on === "timer") return timedOut(job, input.name, device);
  switch (input.heard.is) {
    case "leak":
    case "encrypted":
      return { job };
    case "event":
      return heard(job, input.heard.event, device);
    case "answer":
      return answered(job, input.heard.answer, device);
  }
}

function answered(job: Collect, answer: Answer, device: Device): Step {
  const { phase } = job;
  if (
    answer.is === "refused" &&
    answer.statusWord === NOT_NOW &&
    beginning(job, device) !== undefined &&
    job.putOff < PUT_OFF_TRIES
  ) {
    return { job: { ...job, putOff: job.putOff + 1, isPutOff: true }, timers: { answer: PUT_OFF_MS } };
  }
  switch (phase.at) {
    case "slot":
      return statusAnswered(job, phase, answer, device);
    case "waiting":
      return plainAnswered(job, phase, answer, device);
    case "tapping":
      return tapAnswered(job, phase, answer, device);
    case "leaving":
      return answer.is === "ok" || answer.is === "refused"
        ? leftReader(job, { ...phase, isAnswered: true }, device)
        : { job };
    case "running":
      return running(job, phase, answer, device);
    case "pin":
      return typedPin(job, phase, answer, device);
    case "keying":
      return keyed(job, answer, device);
    case "read-error":
      return { job };
  }
}

const NOT_NOW = "9FFF";

/**
 * The first command of a phase, to repeat if the device was busy (PROTOCOL.md 7.19); undefined if the phase has moved
 * on.
 */
function beginning(job: Collect, device: Device): Step | undefined {
  const { phase, tapsLeft } = job;
  switch (phase.at) {
    case "slot":
      return phase.isAnswered || phase.isTold ? undefined : look(job);
    case "tapping":
      if (phase.isLeft)
        return leftReader(
          job,
          { ...phase, at: "leaving", isAnswered: true, end: { is: "word", statusWord: NOT_NOW } },
          device,
        );
      return phase.isAccepted ? undefined : startTap({ ...job, tapsLeft: tapsLeft + 1 }, device);
    case "running":
      return phase.isFirst ? undefined : startTransaction(job, device);
    case "waiting":
    case "leaving":
    case "pin":
    case "keying":
    case "read-error":
      return undefined;
  }
}

function timedOut(job: Collect, name: string, device: Device): Step {
  const { n, phase } = job;
  if (name === "answer" && job.isPutOff) {
    const { isPutOff: _over, ...now } = job;
    return beginning(now, device) ?? answerOverdue(now, device);
  }
  if (name === "answer") return answerOverdue(job, device);
  if (name === "card" && isTurningToCard(job, device)) return { job: { ...job, isLast: true } };
  // The device does not report a PIN entry; the cryptogram of a PIN typed in time may still follow.
  if (name === "pin" && phase.at === "running" && !phase.isPinOver)
    return { job: { ...job, phase: { ...phase, isPinOver: true } }, timers: { pin: CRYPTOGRAM_MS } };
  return halt(job, device, [{ n, on: "no-card", why: name === "pin" ? "pin-timeout" : "timeout" }]);
}

/** A card came in time, but an earlier command must be answered first (PROTOCOL.md 7.9). */
function isTurningToCard({ phase, offer }: Collect, { slot }: Device): boolean {
  switch (phase.at) {
    case "tapping":
      return phase.isLeft;
    case "leaving":
      return true;
    case "waiting":
      return (
        phase.open !== undefined &&
        (phase.swipe !== undefined || (offer.chip && !phase.askOut && slot !== undefined && isReady(slot)))
      );
    case "slot":
    case "running":
    case "pin":
    case "keying":
    case "read-error":
      return false;
  }
}

function answerOverdue(job: Collect, device: Device): Step {
  const { n, phase } = job;
  switch (phase.at) {
    case "slot":
      return phase.isAnswered || phase.isTold
        ? looked(job, phase, device)
        : lost([n], "no-answer", `no answer to card-status within ${QUERY_MS} ms`);
    case "waiting":
      return overdue(job, phase, device);
    case "tapping":
      return tapOverdue(job);
    case "leaving":
      return leavingOverdue(job, phase, device);
    case "pin":
      return pinOverdue(job, phase, device);
    case "read-error":
      return ended({ n, on: "no-card", why: phase.why });
    case "running":
    case "keying":
      return { job };
  }
}

/** Whether a card in the slot must be removed first (PROTOCOL.md 7.14). */
function askedOut({ request, offer }: { readonly request: CollectRequest; readonly offer: Offer }): boolean {
  return offer.fallback || request.again === "chip-unreadable";
}

function statusAnswered(job: Collect, phase: Looking, answer: Answer, device: Device): Step {
  switch (answer.is) {
    case "ok":
      return looking(job, { ...phase, isAnswered: true }, device);
    case "refused": {
      const detail = `CARD STATUS was refused: ${statusText(answer.statusWord)}`;
      return startReset(device, [{ n: job.n, on: "fault", code: "device-error", detail }]);
    }
    case "template":
    case "list":
    case "text":
      return { job };
  }
}

/**
 * Answer and state come in either order. The answer may be missing, and so may the state of an empty slot (PROTOCOL.md
 * 4.5).
 */
function looking(job: Collect, phase: Looking, device: Device): Step {
  if (phase.isAnswered && phase.isTold) return looked(job, phase, device);
  return { job: { ...job, phase }, timers: { answer: phase.isTold ? GRACE_MS : SLOT_MS } };
}

function looked(job: Collect, { swipe }: Looking, device: Device): Step {
  const waiting = newWaiting(askedOut(job));
  if (swipe !== undefined) return proceed(job, { ...waiting, swipe }, device);
  return cardTold(job, waiting, device.slot ?? { card: false, chip: false }, device);
}

function heard(job: Collect, event: DeviceEvent, device: Device): Step {
  const { phase } = job;
  switch (event.is) {
    case "card":
      return cardMoved(job, event, device);
    case "status":
      return phase.at === "running" ? statusTold(job, phase, event) : { job };
    case "key":
      return keyTold(job, event.code, device);
    case "reader":
      if (phase.at === "tapping") return tapHeard(job, phase, event.word, device);
      return phase.at === "leaving" ? leftReader(job, { ...phase, end: event.word }, device) : { job };
    case "other":
      return { job };
  }
}

function cardMoved(job: Collect, event: CardEvent, device: Device): Step {
  const { phase } = job;
  const slot = { card: event.slot, chip: event.chip };
  switch (phase.at) {
    case "slot":
      if (!event.magstripe) return looking(job, { ...phase, isTold: true }, device);
      return swiped(job, event, device, (swipe) => looking(job, { ...phase, isTold: true, swipe }, device));
    case "waiting":
      if (!event.magstripe) return cardTold(job, phase, slot, device);
      return swiped(job, event, device, (swipe) => swipeTold(job, phase, swipe, device));
    case "tapping":
      if (!event.magstripe) return event.slot ? leaveFor(job, phase) : { job };
      return swiped(job, event, device, (swipe) => leaveFor(job, { ...phase, swipe }));
    case "leaving":
      return { job };
    case "read-error":
      return event.slot ? { job } : ended({ n: job.n, on: "no-card", why: "removed" });
    case "running":
    case "pin":
    case "keying":
      return { job };
  }
}
