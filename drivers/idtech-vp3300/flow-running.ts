import type { FirstDecision } from "../../src/card/card-data.ts";
import type { Notice } from "../../src/card/notice.ts";
import { plain } from "./attributed.ts";
import { chipIn, lacksPin, readCard, tapDecision } from "./card-answer.ts";
import { type Collect, type Device, ended, fault, prompted, type Step } from "./flow.ts";
import { askForCard, authenticateData } from "./flow-start.ts";
import { startStop } from "./flow-stop.ts";
import { frameOf, type Heard, type Outcome, outcomeIn, tags } from "./message.ts";
import { rulingOf, tapFailureOf } from "./outcomes.ts";
import { leakIn, leakInRaw, recordsIn } from "./sealed.ts";
import {
  CARD_INSERTED,
  CARD_INSERTED_NEWER,
  FAILED,
  KEY_MISSING,
  KEY_USED_UP,
  OTHER_CARD,
  statusText,
  TAMPER,
  TIMEOUT,
} from "./status-codes.ts";
import { AUTHENTICATE_MS, REMOVAL_MS } from "./timing.ts";

/** An answer that reports the card's progress (PROTOCOL.md 6.2 to 6.4). */
export function outcomeHeard(job: Collect, data: Uint8Array, device: Device): Step {
  const { n } = job;
  const outcome = outcomeIn(data);
  const leak = outcome === undefined ? leakInRaw(data) : leakIn(outcome.leaves);
  if (leak !== undefined) return startStop(device, [fault(n, "clear-card-data", leak)]);
  if (outcome === undefined) return startStop(device, [fault(n, "protocol", "an answer whose data are no objects")]);
  if (outcome.result !== undefined) return ruled(job, outcome, outcome.result, device);
  switch (outcome.captured) {
    case "chip":
      return startStop(device, [fault(n, "protocol", "an answer of a contact chip without a result (DFEE25)")]);
    case "swipe":
      return swiped(job, outcome, device);
    case "tap": {
      const decision = tapDecision(outcome.leaves);
      if (decision === undefined) return startStop(device, [fault(n, "protocol", "a tap without a cryptogram (9F27)")]);
      return read(job, outcome, decision, device);
    }
    case "tap-magstripe":
      return read(job, outcome, "online", device);
  }
}

function ruled(job: Collect, outcome: Outcome, result: string, device: Device): Step {
  const { n, phase } = job;
  const ruling = rulingOf(result);
  switch (ruling.is) {
    case "selected":
      return phase.at === "waiting" ? authenticate(job, device) : { job };
    case "online":
      return read(
        job,
        outcome,
        outcome.captured === "tap" ? (tapDecision(outcome.leaves) ?? "online") : "online",
        device,
      );
    case "approved-offline":
    case "declined-offline":
      return read(job, outcome, ruling.is, device);
    case "swiped":
      return swiped(job, { ...outcome, captured: "swipe" }, device);
    case "again":
      return again(job, ruling.prompt, device);
    case "cancelled":
      return ended({ n, on: "cancelled", by: "customer" });
    case "no-card":
      return noCard(
        job,
        { n, on: "no-card", why: ruling.why === "timeout" && isTypingPin(job, device) ? "pin-timeout" : ruling.why },
        device,
      );
    case "elsewhere":
      return { job };
    case "error":
      return noCard(job, fault(n, "device-error", `the transaction ended with result ${result}`), device);
  }
}

/** Inside a chip transaction the reader waits only for a PIN (PROTOCOL.md 7). */
function isTypingPin({ phase }: Collect, { member }: Device): boolean {
  return phase.at === "running" && member.capabilities.onlinePin;
}

/** Sends 60-11 after the card's application was selected. */
function authenticate(job: Collect, device: Device): Step {
  const running: Collect = { ...job, phase: { at: "running" } };
  const step = prompted(running, "PROCESSING");
  // Without an earlier slot notice the card may have been in the slot all along, so no insertion is reported.
  const isNew = device.tellsSlot && device.card === false;
  const limitMs = AUTHENTICATE_MS + (device.member.capabilities.onlinePin ? job.request.pinMs : 0);
  return {
    ...step,
    device: isNew ? { ...device, card: true } : device,
    notices: [...(isNew ? [{ n: 0, on: "slot", card: true } as const] : []), ...(step.notices ?? [])],
    write: [frameOf("authenticate", authenticateData)],
    timers: { answer: limitMs, card: "clear" },
  };
}

/**
 * The card waits for its issuer from here on, unless its data is unusable, this is a refund, or the card decided
 * offline.
 */
function read(job: Collect, outcome: Outcome, decision: FirstDecision, device: Device): Step {
  const { n, request } = job;
  const reading = readCard(outcome, decision, request);
  if (!reading.ok) return startStop(device, [fault(n, reading.code, reading.detail)]);
  if (job.offer.chip && lacksPin(reading.card, request)) return ended({ n, on: "no-card", why: "use-chip" });
  const notice = { n, on: "card", card: reading.card } as const;
  if (decision !== "online") return ended(notice);
  if (request.transactionType === "20")
    return reading.held.via === "chip" ? startStop(device, [notice]) : ended(notice);
  return { ...ended(notice), device: { ...device, held: reading.held } };
}

function swiped(job: Collect, outcome: Outcome, device: Device): Step {
  const { n, offer } = job;
  const hasSlot = device.member.capabilities.interfaces.includes("chip");
  if (!offer.magstripe) return again(job, undefined, device);
  const [record] = recordsIn(outcome.leaves);
  if (record === undefined)
    return startStop(device, [fault(n, "protocol", "a swipe whose record (DFEE23) cannot be read")]);
  if (record.encrypted.every((track) => track.length === 0) && record.ksn !== undefined)
    return again(job, "TRY_AGAIN", device);
  if (chipIn(outcome.leaves) === true && !offer.fallback && hasSlot)
    return ended({ n, on: "no-card", why: "use-chip" });
  return read(job, outcome, "online", device);
}

/** Asks for a card again, or ends the collect if no activation is left. */
function again(job: Collect, prompt: "TRY_AGAIN" | "ONE_CARD_ONLY" | undefined, device: Device): Step {
  if (job.isLast) return ended({ n: job.n, on: "no-card", why: "timeout" });
  if (job.activationsLeft <= 0)
    return ended({ n: job.n, on: "no-card", why: job.offer.chip && prompt !== undefined ? "use-chip" : "timeout" });
  const told = prompt === undefined ? { job } : prompted(job, prompt);
  const asked = askForCard(told.job, device);
  return { ...asked, notices: [...(told.notices ?? []), ...(asked.notices ?? [])] };
}

/** A pulled card looks like a chip error, and must not allow a magstripe fallback (PROTOCOL.md 6.4). */
function noCard(job: Collect, ending: Notice, device: Device): Step {
  const isChip = ending.on === "fault" || (ending.on === "no-card" && ending.why === "chip-unreadable");
  if (!isChip || !device.tellsSlot) return ended(ending);
  const removed = { n: job.n, on: "no-card", why: "removed" } as const;
  if (device.card === false) return ended(removed);
  return { job: { ...job, phase: { at: "read-error", ending } }, timers: { answer: REMOVAL_MS, card: "clear" } };
}

/** A status other than success (PROTOCOL.md 4.4). */
export function refusedBy(job: Collect, { status, data }: Extract<Heard, { is: "answer" }>, device: Device): Step {
  const { n, offer, phase } = job;
  switch (status) {
    case TIMEOUT:
      return phase.at === "waiting"
        ? again(job, undefined, device)
        : noCard(job, { n, on: "no-card", why: "timeout" }, device);
    case CARD_INSERTED:
    case CARD_INSERTED_NEWER:
      return inserted(job, device);
    case OTHER_CARD:
      return ended({ n, on: "no-card", why: offer.chip ? "not-supported" : "use-chip" });
    case KEY_MISSING:
    case KEY_USED_UP:
      return startStop(device, [fault(n, "keys-missing", statusText(status))]);
    case TAMPER:
      return startStop(device, [fault(n, "tampered", statusText(status))]);
    case FAILED:
      return failed(job, data, device);
    default:
      return startStop(device, [fault(n, "device-error", `the transaction ended with status ${statusText(status)}`)]);
  }
}

/**
 * The reader stopped because a card was inserted. Ejecting it costs no activation: the reader is activated again only
 * after the slot is empty.
 */
function inserted(job: Collect, device: Device): Step {
  const known = device.tellsSlot ? { ...device, card: true } : device;
  const { activationsLeft, offer, phase } = job;
  if (phase.at === "running" || (offer.chip && activationsLeft <= 0))
    return startStop(device, [fault(job.n, "device-error", "a card was inserted out of turn")]);
  if (offer.chip) return askForCard({ ...job, offer: { ...offer, tap: false, magstripe: false } }, known, true);
  return {
    ...prompted({ ...job, activationsLeft: activationsLeft + 1, phase: { at: "asking-out" } }, "REMOVE_CARD"),
    device: known,
  };
}

function failed(job: Collect, data: Uint8Array, device: Device): Step {
  const { n, phase } = job;
  const block = plain(outcomeIn(data)?.leaves ?? [], tags.errorBlock);
  if (phase.at === "running" || block === undefined)
    return noCard(job, fault(n, "device-error", `the transaction ended with status ${statusText(FAILED)}`), device);
  const failure = tapFailureOf(block[0]);
  switch (failure.is) {
    case "no-card":
      return ended({ n, on: "no-card", why: failure.why });
    case "again":
      return again(job, failure.prompt, device);
    case "error":
      return startStop(device, [fault(n, "device-error", `the reader failed with error ${block[0] ?? 0}`)]);
  }
}
