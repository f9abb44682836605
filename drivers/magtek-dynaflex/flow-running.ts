import type { CardData } from "../../src/card/card-data.ts";
import { batchWord } from "../../src/card/dynapro-card.ts";
import type { Blob } from "../../src/card/dynapro-data.ts";
import type { Notice } from "../../src/card/notice.ts";
import { promptFor } from "../../src/card/offer.ts";
import { parseBlob } from "./blob.ts";
import { type CardReading, readCard } from "./card-answer.ts";
import { CHOICE, firstChoice, promptIn } from "./display.ts";
import {
  ask,
  type Collect,
  type Device,
  ended,
  fault,
  type Notification,
  prompted,
  type Running,
  type Step,
} from "./flow.ts";
import { startTransaction } from "./flow-start.ts";
import { startStop } from "./flow-stop.ts";
import { notifications } from "./message.ts";
import { type Ruling, rulingOf, technologies } from "./outcomes.ts";
import { BESIDE_MS, REMOVAL_MS } from "./timing.ts";

/*
 * A transaction runs on the device (PROTOCOL.md 7.3 and 7.4). The device sends its steps as progress, its end as an
 * outcome, and the card data in between.
 */

export function running(job: Collect, notification: Notification, device: Device): Step {
  const { phase } = job;
  switch (phase.at) {
    case "running":
      return told(job, phase, notification, device);
    case "decided": {
      const batch = batchIn(notification);
      return batch === undefined ? { job } : decidedBy(job, phase, batch, device);
    }
    case "read-error":
      return isPull(notification) ? ended({ n: job.n, on: "no-card", why: "removed" }) : { job };
    case "asking-out":
    case "clearing":
    case "starting":
    case "asking-why":
      return { job };
  }
}

/** A card left the slot, in a transaction or on an idle device (PROTOCOL.md 5.1 and 5.3). */
function isPull({ id, code }: Notification): boolean {
  return (
    (id === notifications.progress && code === "10010300") || (id === notifications.device && code.startsWith("0103"))
  );
}

const BATCH = "080302";

function batchIn({ id, code, payload }: Notification): Blob | undefined {
  const blob = id === notifications.progress && code.slice(2) === BATCH ? parseBlob(payload) : undefined;
  return typeof blob === "object" && blob.of === "batch" ? blob : undefined;
}

function told(job: Collect, phase: Running, notification: Notification, device: Device): Step {
  const { id, code, payload } = notification;
  if (isPull(notification)) return pulled(job, phase);
  switch (id) {
    case notifications.progress:
      return progressed(job, phase, notification, device);
    case notifications.outcome:
      return over(job, phase, code, device);
    case notifications.screen: {
      if (code === CHOICE) return choose(job, device);
      const prompt = promptIn(payload);
      return prompt === undefined ? { job } : prompted(job, prompt);
    }
    default:
      return { job };
  }
}

/** A card that was not wanted was never read; the transaction keeps waiting for another one. */
function pulled(job: Collect, phase: Running): Step {
  if (job.prompt === "REMOVE_CARD") return prompted(job, promptFor(job.offer));
  return { job: { ...job, phase: { ...phase, isPulled: true } } };
}

/** The device asks its host to choose an application (PROTOCOL.md 7.11). */
function choose(job: Collect, device: Device): Step {
  const asking = ask(device, "selection", firstChoice);
  return { job, device: asking.device, write: asking.write };
}

/** Events, by the last three bytes of a progress notification (PROTOCOL.md 5.1). */
const events = {
  presented: "010100",
  inserted: "010200",
  detected: "0104",
  collision: "010500",
  pinPad: "020601",
  pinBlock: "020602",
  arqc: "080202",
} as const;

function progressed(job: Collect, phase: Running, notification: Notification, device: Device): Step {
  const [technology, event] = [notification.code.slice(0, 2), notification.code.slice(2)];
  if (event === events.presented || event === events.inserted || event.startsWith(events.detected))
    return presented(job, technology);
  switch (event) {
    case events.collision:
      return prompted(job, "ONE_CARD_ONLY");
    case events.pinPad:
    case events.pinBlock:
      return startStop(device, [
        fault(
          job.n,
          "device-error",
          event === events.pinPad ? "its keys for the PIN do not work" : "it cannot encrypt the PIN",
        ),
      ]);
    case events.arqc:
      return arqc(job, technology, notification, device);
    case BATCH: {
      const batch = batchIn(notification);
      return { job: batch === undefined ? job : { ...job, phase: { ...phase, batch } } };
    }
    default:
      return { job };
  }
}

/** Once a card is presented, only the whole transaction has a limit. An unwanted chip stays unread. */
function presented(job: Collect, technology: string): Step {
  const isChip = technology === technologies.chip;
  if (isChip && !job.offer.chip) return prompted(job, "REMOVE_CARD");
  const next: Collect = { ...job, phase: { at: "running", hasCard: true, isPulled: false } };
  const timers = { card: "clear" } as const;
  if (!isChip) return { job: next, timers };
  return { ...prompted(next, job.request.again === "wrong-pin" ? "WRONG_PIN" : "PROCESSING"), timers };
}

function arqc(job: Collect, technology: string, { payload }: Notification, device: Device): Step {
  const { n, request, offer } = job;
  const blob = parseBlob(payload);
  if (typeof blob === "string" || blob.of !== "arqc")
    return startStop(device, [fault(n, "protocol", typeof blob === "string" ? blob : "batch data instead of an ARQC")]);
  const reading = readCard(blob, technology, "online", { request, offer, masking: device.masking });
  const notice = noticeOf(n, reading);
  const found = { serialNumber: blob.serialNumber };
  if (reading.is !== "card") return startStop(device, [notice], found);
  const isWaiting = reading.held.via !== "nobody";
  // A refund has no completion (PROTOCOL.md 7.10).
  if (request.transactionType === "20") return isWaiting ? startStop(device, [notice], found) : ended(notice);
  return { ...ended(notice), device: { ...device, held: reading.held } };
}

function noticeOf(n: number, reading: CardReading): Notice {
  switch (reading.is) {
    case "card":
      return { n, on: "card", card: reading.card };
    case "no-card":
      return { n, on: "no-card", why: reading.why };
    case "fault":
      return fault(n, reading.code, reading.detail);
  }
}

/** The transaction ended without an ARQC. */
function over(job: Collect, phase: Running, code: string, device: Device): Step {
  const { n } = job;
  const ruling = rulingOf(code);
  switch (ruling.is) {
    case "nothing":
      return { job };
    case "no-card":
      return ended({ n, on: "no-card", why: ruling.why });
    case "cancelled":
      return ruling.by === "customer"
        ? ended({ n, on: "cancelled", by: ruling.by })
        : cancelledElsewhere(job, phase, device);
    case "unreadable":
      return unreadable(job, phase, device);
    case "again":
      if (job.startsLeft <= 0) return ended({ n, on: "no-card", why: "not-supported" });
      return again(job, device);
    case "quick":
      // No card was presented, so the outcome belongs to the previous transaction (PROTOCOL.md 7.3).
      return phase.hasCard
        ? ended(fault(n, "misconfigured", "it does not wait for the issuer (quick chip) although it was told to"))
        : { job };
    case "decided":
      return phase.hasCard ? decided(job, phase, ruling, code, device) : { job };
  }
}

/**
 * This driver did not cancel: the outcome belongs to the previous transaction, or another host cancelled (PROTOCOL.md
 * 7.8).
 */
function cancelledElsewhere(job: Collect, { hasCard }: Running, device: Device): Step {
  return hasCard ? startStop(device, [{ n: job.n, on: "cancelled", by: "register" }]) : { job };
}

function again(job: Collect, device: Device): Step {
  const told = prompted({ ...job, startsLeft: job.startsLeft - 1 }, "TRY_AGAIN");
  const step = startTransaction(told.job, device);
  return { ...told, ...step, timers: { ...step.timers, card: job.request.cardMs } };
}

/** A pulled card looks like a chip error, and must not allow a magstripe fallback (PROTOCOL.md 7.9). */
function unreadable(job: Collect, phase: Running, device: Device): Step {
  if (phase.isPulled || (device.tellsSlot && device.slot === false))
    return ended({ n: job.n, on: "no-card", why: "removed" });
  return { job: { ...job, phase: { at: "read-error" } }, timers: { answer: REMOVAL_MS } };
}

type Decided = Extract<Collect["phase"], { at: "decided" }>;

/** The card decided offline. Its data comes with the batch, before or after the outcome (PROTOCOL.md 7.4). */
function decided(
  job: Collect,
  phase: Running,
  { decision }: Extract<Ruling, { is: "decided" }>,
  code: string,
  device: Device,
): Step {
  const technology = code.slice(0, 2);
  if (technology !== technologies.chip && technology !== technologies.tap)
    return ended(
      fault(job.n, "protocol", `an outcome of a card that decides by itself, by technology ${technology} (${code})`),
    );
  const next: Decided = { at: "decided", decision, via: technology === technologies.tap ? "tap" : "chip" };
  if (phase.batch !== undefined) return decidedBy(job, next, phase.batch, device);
  return { job: { ...job, phase: next }, timers: { answer: BESIDE_MS } };
}

function decidedBy(job: Collect, phase: Decided, batch: Blob, device: Device): Step {
  const { n, request, offer } = job;
  const { decision, via } = phase;
  const word = batchWord(batch);
  const isAgreed = word === undefined || (word === "accepted") === (decision === "approved-offline");
  if (!isAgreed) return ended(fault(n, "protocol", `the outcome says ${decision}, the batch data say ${word}`));
  const technology = via === "tap" ? technologies.tap : technologies.chip;
  const reading = readCard(batch, technology, decision, { request, offer, masking: device.masking });
  // The batch may belong to the previous card, and a refund must go to the right one.
  if (reading.is === "card" && device.owesBatch) return outcomeWithoutBatch({ ...job, phase }, device);
  return ended(noticeOf(n, reading));
}

/** Without batch data the offline decision is known, but a refund has no card to go to. */
export function outcomeWithoutBatch({ n, request, phase }: Collect, device: Device): Step {
  const owing: Device = { ...device, owesBatch: true };
  if (phase.at !== "decided" || request.transactionType === "20")
    return {
      ...ended(fault(n, "protocol", "no card data came with the outcome that are certainly this card's")),
      device: owing,
    };
  const card: CardData = {
    interface: phase.via === "tap" ? "contactless-chip" : "chip",
    decision: phase.decision,
    icc: [],
    masked: { last4: "" },
  };
  return { ...ended({ n, on: "card", card }), device: owing };
}
