import { type HostAnswer, isApproving } from "../../packages/sandbox/testbed/contact-kernel.ts";
import { ascii, concat, fromAscii } from "../../src/kit/bytes.ts";
import type { CardOutcome, CompletedCard, Failure, ReadCard } from "../../src/simulator/session-contract.ts";
import { arqcData, resultData, type Told } from "./simulator-card-data.ts";
import { type Transaction, tell, type V5 } from "./simulator-core.ts";

/* Card events in the device's messages (PROTOCOL.md 5 and 7). */

const event = {
  none: 0x00,
  inserted: 0x01,
  error: 0x02,
  progress: 0x03,
  waiting: 0x04,
  terminated: 0x06,
  cancelled: 0x07,
  removed: 0x08,
  tapped: 0x09,
  swiped: 0x0a,
};
const stage = {
  idle: 0x00,
  card: 0x01,
  power: 0x02,
  application: 0x05,
  first: 0x0d,
  host: 0x10,
  complete: 0x11,
  failed: 0x12,
  approved: 0x13,
  declined: 0x14,
};
const MORE = { cancelled: 0x91, phone: 0x2b, contactless: 0x1c, swipe: 0x3e };

/** Seconds left in a progress message; the driver ignores them. */
const SECONDS = 0xff;

function progress(device: V5, what: number, how: number): void {
  tell(device, "progress", Uint8Array.of(what, device.transaction === undefined ? 0 : SECONDS, how, 0x00, 0x00));
}

function showAtHost(device: V5, text: string): void {
  tell(device, "display", fromAscii(text));
}

/** START was accepted: a card is wanted. */
export function askForCard(device: V5): void {
  if (device.on.panel.card() !== undefined && device.member.interfaces.includes("chip"))
    progress(device, event.inserted, stage.power);
  else progress(device, event.progress, stage.card);
  showAtHost(device, "PRESENT CARD");
}

export function cardSays(device: V5, outcome: CardOutcome): void {
  const { transaction } = device;
  switch (outcome.is) {
    case "inserted":
      progress(device, event.inserted, transaction === undefined ? stage.idle : stage.power);
      break;
    case "removed":
      progress(device, event.removed, stage.idle);
      break;
    case "see-phone":
      progress(device, event.progress, MORE.phone);
      showAtHost(device, "SEE PHONE");
      break;
    case "choose":
      progress(device, event.waiting, stage.application);
      tell(device, "selection", selectionData(outcome.applications));
      break;
    case "read":
      if (transaction !== undefined) cardRead(device, transaction, outcome);
      break;
    case "completed":
      completed(device, outcome);
      break;
    case "failed":
      if (transaction !== undefined) failed(device, outcome.why);
      break;
    case "pin":
    case "enter-pin":
    case "pin-typed":
    case "typed":
    case "selected":
      // The device has no keys and no message for the others.
      break;
  }
}

const CHOICE_SECONDS = 30;

function selectionData(applications: readonly string[]): Uint8Array {
  const items = ["SELECT APPLICATION", ...applications].map((label) => concat(fromAscii(label), Uint8Array.of(0)));
  return concat(Uint8Array.of(0x00, CHOICE_SECONDS), ...items);
}

function cardRead(device: V5, transaction: Transaction, { via, decision, profile, data, sred }: ReadCard): void {
  const card: Told = { via, profile, data };
  if (via === "tap") progress(device, event.tapped, MORE.contactless);
  if (via === "magstripe") progress(device, event.swiped, MORE.swipe);
  if (via === "chip") progress(device, event.progress, stage.first);
  if (decision !== "online") {
    over(device, card, decision === "approved-offline");
    return;
  }
  tell(device, "arqc", arqcData(device.on.serialNumber, card, sred));
  progress(device, event.progress, stage.host);
  device.transaction = { ...transaction, waiting: card };
}

/** Hands over the issuer's answer; false if no card waits for one. */
export function resumed(device: V5, host: HostAnswer): boolean {
  const { transaction, session } = device;
  const card = transaction?.waiting;
  if (card === undefined) return false;
  if (session.at() === "held") return session.complete(host);
  if (card.via !== "magstripe") return false;
  over(device, card, isApproving(ascii(host.responseCode)));
  return true;
}

function completed(device: V5, { via, verdict, profile, data }: CompletedCard): void {
  const card = device.transaction?.waiting;
  // After a tap the reader has no new data, so the receipt shows the first answer's.
  if (card !== undefined)
    over(device, { via, profile, data: via === "tap" ? card.data : data }, verdict === "approved");
}

const STATUS = {
  approved: 0x00,
  declined: 0x01,
  error: 0x02,
  cancelled: 0x10,
  selectionTimeout: 0x1f,
  waitingCancelled: 0x21,
  waitingTimeout: 0x22,
};

/** Ends a transaction with progress, a text for the customer and the result, in this order (PROTOCOL.md 7.6). */
function over(device: V5, card: Told, isApproved: boolean): void {
  progress(device, event.progress, stage.complete);
  progress(device, event.terminated, isApproved ? stage.approved : stage.declined);
  showAtHost(device, isApproved ? "APPROVED" : "DECLINED");
  device.transaction = undefined;
  tell(device, "result", resultData(device.on, isApproved ? STATUS.approved : STATUS.declined, card));
}

/** Ends all waiting. */
export function cancelled(device: V5): void {
  const isWaiting = device.transaction?.waiting !== undefined;
  progress(device, event.cancelled, isWaiting ? stage.failed : MORE.cancelled);
  device.transaction = undefined;
  device.session.abort();
  tell(device, "result", resultData(device.on, isWaiting ? STATUS.cancelled : STATUS.waitingCancelled, undefined));
  showAtHost(device, "TRANSACTION TERMINATED");
}

/** Progress and status of each failure. */
const FAILURES: Readonly<Record<Failure, readonly [what: number, how: number, status: number]>> = {
  unreadable: [event.error, stage.failed, STATUS.error],
  blocked: [event.terminated, 0x1b, STATUS.error],
  "insert-instead": [event.terminated, 0x28, STATUS.error],
  pulled: [event.error, stage.failed, STATUS.error],
  cancelled: [event.cancelled, stage.failed, STATUS.cancelled],
  timeout: [event.terminated, stage.failed, STATUS.waitingTimeout],
  "pin-timeout": [event.terminated, stage.failed, STATUS.selectionTimeout],
  aborted: [event.cancelled, stage.failed, STATUS.cancelled],
  "pin-key-used-up": [event.error, stage.failed, STATUS.error],
  "card-key-used-up": [event.error, stage.failed, STATUS.error],
};

function failed(device: V5, why: Failure): void {
  const [what, how, status] = FAILURES[why];
  progress(device, what, how);
  device.transaction = undefined;
  if (device.session.at() === "held") device.session.stop("released");
  tell(device, "result", resultData(device.on, status, undefined));
  showAtHost(device, "TRANSACTION TERMINATED");
}
