import type { Notice } from "../../src/card/notice.ts";
import type { Slot } from "../../src/card/waiting.ts";
import { ended } from "../vipa/flow.ts";
import type { CardEvent } from "../vipa/message.ts";
import { isLate, readSwipe } from "./card-answer.ts";
import { type Collect, type Device, prompted, type Step, settledBefore, type Tapping } from "./flow.ts";
import { readDecided, readForIssuer } from "./flow-read.ts";
import { startTap } from "./flow-start.ts";
import { startReset } from "./flow-stop.ts";
import { cardTold, halt, newWaiting, proceed } from "./flow-waiting.ts";
import type { Answer } from "./message.ts";
import { statusText } from "./status-codes.ts";
import { SLOT_MS, TAP_END_MS } from "./timing.ts";

/*
 * START CONTACTLESS runs (PROTOCOL.md 7.10). An inserted or swiped card ends it: the device sends an answer and an
 * event, in either order.
 */

/** A card moved while the reader waits, or after the reader stopped for it. */
export function tapHeard(job: Collect, phase: Tapping, event: CardEvent, device: Device): Step {
  if (event.magstripe) return swiped(job, phase, event, device);
  if (!phase.isOpen) return cameInstead(job, { card: event.slot, chip: event.chip }, device);
  return { job, timers: { answer: event.slot ? TAP_END_MS : "clear" } };
}

function swiped(job: Collect, phase: Tapping, event: CardEvent, device: Device): Step {
  if (!job.offer.magstripe) return { job };
  if (!event.tracks) return prompted(job, "TRY_AGAIN");
  const reading = readSwipe(event.objects, job.request);
  if (!reading.ok) return halt(job, device, [{ n: job.n, on: "fault", code: reading.code, detail: reading.detail }]);
  const { swipe } = reading;
  if (!phase.isOpen) return proceed(job, { ...newWaiting(false), swipe }, device);
  return { job: { ...job, phase: { ...phase, swipe } }, timers: { answer: TAP_END_MS } };
}

/**
 * Answer or event is missing. Without the event no card was presented. Without the answer the reader's state is
 * unknown.
 */
export function tapOverdue(job: Collect, { isOpen }: Tapping, device: Device): Step {
  if (!isOpen) return cardTold(job, newWaiting(false), device.slot ?? { card: false, chip: false }, device);
  return halt(job, device, [
    {
      n: job.n,
      on: "fault",
      code: "device-error",
      detail: "the reader went on although a card was inserted or swiped",
    },
  ]);
}

export function tapAnswered(job: Collect, phase: Tapping, answer: Answer, device: Device): Step {
  if (!phase.isOpen) return { job };
  switch (answer.is) {
    case "ok":
    case "other":
      return { job };
    case "refused":
      return refused(job, phase, answer.statusWord, device);
    case "template":
      break;
  }
  switch (answer.template) {
    case "E4":
      return readForIssuer(job, answer.objects, settledBefore(device), "tap");
    case "E3":
      return { ...readDecided(job, answer.objects, "approved-offline", "tap"), device: settledBefore(device) };
    case "E5":
      if (isLate(answer.objects, device.dropped)) return { job };
      return { ...readDecided(job, answer.objects, "declined-offline", "tap"), device: settledBefore(device) };
    case "E0":
    case "E1":
    case "E2":
    case "E6":
      return { job };
  }
}

function refused(job: Collect, phase: Tapping, statusWord: string, device: Device): Step {
  const { n } = job;
  const noCard = (why: Extract<Notice, { on: "no-card" }>["why"]): Step => ended({ n, on: "no-card", why });
  switch (statusWord) {
    case "9F25":
      return noCard("blocked");
    case "9F28":
    case "9FC1":
    case "9FC2":
    case "9FC3":
      return noCard("use-chip");
    case "9F30":
      return again(job, "TRY_AGAIN") ?? noCard("use-chip");
    case "9F41":
      return ended({ n, on: "cancelled", by: "customer" });
    case "9F42":
      return again(job) ?? noCard("timeout");
    case "9F43":
    case "9F44":
      return endedByCard(job, phase, device);
    case "9FCF":
      return withoutReader(job, device);
    default:
      return startReset([
        { n, on: "fault", code: "device-error", detail: `START CONTACTLESS ended with ${statusText(statusWord)}` },
      ]);
  }
}

/** Starts the reader again; undefined if no attempt is left. */
function again(job: Collect, prompt?: "TRY_AGAIN"): Step | undefined {
  if (job.tapsLeft <= 0) return undefined;
  const told = prompt === undefined ? { job } : prompted(job, prompt);
  return { ...told, ...startTap(told.job) };
}

/** A card was inserted or swiped. Its event has come, or follows in a moment. */
function endedByCard(job: Collect, phase: Tapping, device: Device): Step {
  if (phase.swipe !== undefined) return proceed(job, { ...newWaiting(false), swipe: phase.swipe }, device);
  if (device.slot?.card === true) return cameInstead(job, device.slot, device);
  return { job: { ...job, phase: { ...phase, isOpen: false } }, timers: { answer: SLOT_MS } };
}

/** Inserting a card costs no attempt: once the slot is empty the reader starts again, without a limit. */
function cameInstead(job: Collect, slot: Slot, device: Device): Step {
  return cardTold(slot.card ? { ...job, tapsLeft: job.tapsLeft + 1 } : job, newWaiting(false), slot, device);
}

/** The reader is broken; chip and magstripe may still work (PROTOCOL.md 7.10). */
function withoutReader(job: Collect, device: Device): Step {
  const { n, offer } = job;
  if (!offer.chip && !offer.magstripe)
    return ended({
      n,
      on: "fault",
      code: "device-error",
      detail: `START CONTACTLESS ended with ${statusText("9FCF")}`,
    });
  return cardTold(
    { ...job, offer: { ...offer, tap: false } },
    newWaiting(false),
    device.slot ?? { card: false, chip: false },
    device,
  );
}
