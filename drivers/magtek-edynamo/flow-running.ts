import { leakIn } from "../../src/card/dynapro-card.ts";
import type { Notice } from "../../src/card/notice.ts";
import { promptFor } from "../../src/card/offer.ts";
import { type CardReading, readCard } from "./card-answer.ts";
import {
  ask,
  type Collect,
  type Device,
  ended,
  fault,
  type Held,
  type Notification,
  prompted,
  type Running,
  type Step,
} from "./flow.ts";
import { startTransaction } from "./flow-start.ts";
import { startStop } from "./flow-stop.ts";
import { extendedCommand, notifications } from "./message.ts";
import { arqcIn, type Result, resultIn, statuses } from "./outcomes.ts";
import { decisionIn, events, isEnding, type Progress, progressIn, promptIn, whyNoCard } from "./progress.ts";
import { REMOVAL_MS } from "./timing.ts";

/*
 * A transaction runs on the device (PROTOCOL.md 7.3 and 7.4). The device sends its steps as progress, the card data as
 * an ARQC, and its end as a result.
 */

export function running(job: Collect, notification: Notification, device: Device): Step {
  const { phase, n } = job;
  const { id, data } = notification;
  if (phase.at === "read-error")
    return progressIn(data)?.event === events.removed ? ended({ n, on: "no-card", why: "removed" }) : { job };
  if (phase.at !== "running") return { job };
  switch (id) {
    case notifications.progress: {
      const progress = progressIn(data);
      return progress === undefined ? { job } : progressed(job, phase, progress);
    }
    case notifications.selection:
      return choose(job, device);
    case notifications.arqc:
      return arqc(job, phase, data, device);
    case notifications.result: {
      const result = resultIn(data);
      return result === undefined
        ? startStop(device, [fault(n, "protocol", "a result without a status")])
        : over(job, phase, result, device);
    }
    default:
      return { job };
  }
}

/**
 * Item 0 is the title. No customer can choose at a till, so the first application is taken: the card prefers it
 * (PROTOCOL.md 7.11).
 */
const FIRST = Uint8Array.of(0x00, 0x01);

function choose(job: Collect, device: Device): Step {
  const asking = ask(device, ...extendedCommand("selection", FIRST));
  return { job, device: asking.device, write: asking.write };
}

const PRESENTED: Readonly<Record<string, Held["via"]>> = {
  [events.inserted]: "chip",
  [events.tapped]: "tap",
  [events.swiped]: "magstripe",
};

function progressed(job: Collect, phase: Running, progress: Progress): Step {
  if (progress.event === events.removed) return pulled(job, phase);
  const via = PRESENTED[progress.event];
  if (via !== undefined) return presented(job, phase, via);
  const next: Collect = isEnding(progress) ? { ...job, phase: { ...phase, ending: progress.stage } } : job;
  const prompt = promptIn(progress);
  return prompt === undefined ? { job: next } : prompted(next, prompt);
}

/** A card that was not wanted was never read; the transaction keeps waiting for another one. */
function pulled(job: Collect, phase: Running): Step {
  if (job.prompt === "REMOVE_CARD") return prompted(job, promptFor(job.offer));
  return { job: { ...job, phase: { ...phase, isPulled: true } } };
}

/** Once a card is presented, only the whole transaction has a limit. An unwanted chip stays unread. */
function presented(job: Collect, phase: Running, via: Held["via"]): Step {
  if (via === "chip" && !job.offer.chip) return prompted(job, "REMOVE_CARD");
  const { ending: _before, ...rest } = phase;
  const next: Collect = { ...job, phase: { ...rest, presented: via, isPulled: false } };
  const timers = { card: "clear" } as const;
  return via === "chip" ? { ...prompted(next, "PROCESSING"), timers } : { job: next, timers };
}

function arqc(job: Collect, { presented: via }: Running, data: Uint8Array, device: Device): Step {
  const { n, request, offer } = job;
  const blob = arqcIn(data);
  if (typeof blob === "string") return startStop(device, [fault(n, "protocol", blob)]);
  const frame = { serialNumber: blob.serialNumber, macKsn: blob.macKsn };
  if (via === undefined || via === "keyed")
    return startStop(device, [fault(n, "protocol", "card data although nobody presented a card")], { frame });
  const reading = readCard(blob, via, "online", { request, offer }, device);
  const notice = noticeOf(n, reading);
  // A refund has no completion (PROTOCOL.md 7.10).
  if (reading.is !== "card" || request.transactionType === "20") return startStop(device, [notice], { frame });
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

/** The transaction ended without an ARQC (PROTOCOL.md 5.5). */
function over(job: Collect, phase: Running, result: Result, device: Device): Step {
  const { n } = job;
  const leak = leakIn(result.batch);
  if (leak !== undefined) return ended(fault(n, "clear-card-data", leak));
  switch (result.status) {
    case statuses.approved:
    case statuses.declined:
      return decided(job, phase, result, device);
    case statuses.waitingTimeout:
      return ended({ n, on: "no-card", why: "timeout" });
    case statuses.selectionCancelled:
    case statuses.selectionTimeout:
      return ended({ n, on: "no-card", why: "timeout" });
    case statuses.swiped:
      return ended({ n, on: "no-card", why: "not-supported" });
    case statuses.cancelled:
    case statuses.waitingCancelled:
      // This driver did not cancel: the result belongs to the previous transaction, or another host cancelled
      // (PROTOCOL.md 7.8).
      return phase.presented === undefined ? { job } : ended({ n, on: "cancelled", by: "register" });
    case statuses.error:
      return failed(job, phase, device);
    default:
      return ended(fault(n, "device-error", `the transaction ended with status ${result.status} (DFDF1A)`));
  }
}

/** The card decided offline. Progress and result must agree (PROTOCOL.md 7.4). */
function decided(job: Collect, { presented: via, ending }: Running, { status, batch }: Result, device: Device): Step {
  const { n, request, offer } = job;
  // No card was presented, so the result belongs to the previous transaction (PROTOCOL.md 7.3).
  if (via === undefined) return { job };
  const [decision, said] =
    status === statuses.approved
      ? (["approved-offline", "approved"] as const)
      : (["declined-offline", "declined"] as const);
  if (decisionIn(ending) !== said)
    return ended(fault(n, "protocol", `the result says ${said}, the progress before it ${ending ?? "nothing"}`));
  if (via !== "chip" && via !== "tap")
    return ended(fault(n, "protocol", `a card that decides by itself was presented as ${via}`));
  return ended(noticeOf(n, readCard(batch, via, decision, { request, offer }, device)));
}

/** A pulled card looks like a chip error, and must not allow a magstripe fallback (PROTOCOL.md 7.9). */
function failed(job: Collect, phase: Running, device: Device): Step {
  const { n } = job;
  const why = whyNoCard(phase.ending, phase.presented);
  if (why === "again") return again(job, device);
  if (why !== "chip-unreadable") return ended({ n, on: "no-card", why });
  if (phase.isPulled || device.slot === false) return ended({ n, on: "no-card", why: "removed" });
  return { job: { ...job, phase: { at: "read-error" } }, timers: { answer: REMOVAL_MS } };
}

function again(job: Collect, device: Device): Step {
  if (job.startsLeft <= 0) return ended({ n: job.n, on: "no-card", why: "not-supported" });
  const told = prompted({ ...job, startsLeft: job.startsLeft - 1 }, "TRY_AGAIN");
  const step = startTransaction(told.job, device);
  return { ...told, ...step, timers: { ...step.timers, card: job.request.cardMs } };
}
