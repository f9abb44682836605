import type { CardProfile } from "../../packages/sandbox/testbed/card-profile.ts";
import { type HostAnswer, isApproving } from "../../packages/sandbox/testbed/contact-kernel.ts";
import { receiptDataOf } from "../../src/emv/receipt-data.ts";
import type { Tlv } from "../../src/emv/tlv.ts";
import { ascii, concat, fromAscii } from "../../src/kit/bytes.ts";
import type { CardOutcome, CompletedCard, Failure, ReadCard, Via } from "../../src/simulator/session-contract.ts";
import { properties } from "./identity.ts";
import { tlvPayload } from "./message.ts";
import { arqcPayload, batchPayload, batchPlain, dynaflexLayout, type Shows } from "./simulator-card-data.ts";
import { type DynaFlex, type Transaction, tell } from "./simulator-core.ts";

/* Card events in the device's messages (PROTOCOL.md 5 and 7). */

const TECHNOLOGY: Readonly<Record<Via, string>> = { chip: "10", tap: "20", magstripe: "08", keyed: "07" };

export function cardSays(device: DynaFlex, outcome: CardOutcome): void {
  const { transaction } = device;
  switch (outcome.is) {
    case "inserted":
    case "removed":
      slotMoved(device, outcome.is === "inserted");
      break;
    case "see-phone":
      showAtHost(device, "SEE PHONE");
      break;
    case "choose":
      if (!device.member.touch) tell(device, "screen", "02020000", choicePayload(outcome.applications));
      break;
    case "read":
      if (transaction !== undefined) cardRead(device, transaction, outcome);
      break;
    case "pin":
      pinTyped(device, outcome);
      break;
    case "completed":
      ended(device, outcome, outcome.verdict === "approved");
      break;
    case "failed":
      if (transaction !== undefined) failed(device, transaction, outcome.why);
      break;
    case "enter-pin":
    case "pin-typed":
    case "typed":
    case "selected":
      // The protocol has no message for them.
      break;
  }
}

/** User event bits: card seated, card unseated. */
const SEATED = 0x04;
const UNSEATED = 0x08;

/** Reports a slot change as progress in a transaction, otherwise as an event if a host wants it (PROTOCOL.md 5.3). */
function slotMoved(device: DynaFlex, isInserted: boolean): void {
  if (device.transaction !== undefined) {
    tell(device, "progress", isInserted ? "10010200" : "10010300");
    return;
  }
  const [wanted = 0] = device.settings.get(properties.userEvents) ?? [];
  if ((wanted & (isInserted ? SEATED : UNSEATED)) !== 0) tell(device, "device", isInserted ? "01020000" : "01030000");
}

/** A device without a screen sends its texts to the host (PROTOCOL.md 5.4). */
export function showAtHost(device: DynaFlex, text: string, isCancellable = false): void {
  if (device.member.touch) return;
  const payload = tlvPayload(["81", Uint8Array.of(0)], ["82", Uint8Array.of(1)], ["83", fromAscii(text)]);
  tell(device, "screen", isCancellable ? "02010200" : "02010100", payload);
}

const CHOICE_SECONDS = 30;

function choicePayload(applications: readonly string[]): Uint8Array {
  const lines = concat(...applications.map((label) => concat(fromAscii(label), Uint8Array.of(0))));
  return tlvPayload(["81", Uint8Array.of(CHOICE_SECONDS)], ["82", Uint8Array.of(1)], ["83", lines]);
}

function cardRead(device: DynaFlex, transaction: Transaction, card: ReadCard): void {
  const { via, decision, profile, data } = card;
  if (via === "tap") tell(device, "progress", "20010400");
  if (via === "magstripe") tell(device, "progress", "08010100");
  if (via === "keyed") tell(device, "progress", "07010100");
  const wantsPin =
    via === "tap" &&
    decision === "online" &&
    device.on.capabilities.onlinePin &&
    receiptDataOf(data).cvm === "online-pin";
  // The PIN belongs to the same ciphertext, so the card data is encrypted again after PIN entry.
  if (wantsPin) {
    device.transaction = { ...transaction, waiting: { via, profile, data } };
    device.session.askPin(transaction.request);
    return;
  }
  cardTold(device, transaction, card);
}

function pinTyped(device: DynaFlex, { pin }: Extract<CardOutcome, { is: "pin" }>): void {
  const { transaction, on, session } = device;
  const card = transaction?.waiting;
  if (transaction === undefined || card === undefined) return;
  const sred = on.secure.sealCard(dynaflexLayout, card.data, pin);
  if (sred !== undefined) {
    cardTold(device, transaction, { is: "read", decision: "online", ...card, sred });
    return;
  }
  session.stop("released");
  failed(device, transaction, "card-key-used-up");
}

function shows({ on, settings }: DynaFlex): Shows {
  const [leading = 0] = settings.get(properties.leading) ?? [];
  return { serialNumber: on.serialNumber, leading };
}

function cardTold(device: DynaFlex, transaction: Transaction, card: ReadCard): void {
  const { via, decision, profile, data, sred } = card;
  if (decision !== "online") {
    const isApproved = decision === "approved-offline";
    over(device, { via, profile, data }, `${TECHNOLOGY[via]}02${isApproved ? "02" : "03"}00`, isApproved);
    return;
  }
  tell(
    device,
    "progress",
    `${TECHNOLOGY[via]}080202`,
    arqcPayload(shows(device), { via, profile, sred, fallback: transaction.fallback }),
  );
  if (via === "keyed") over(device, { via, profile, data }, "07040000", true);
  else if (transaction.isQuick) quick(device, { via, profile, data });
  else {
    device.transaction = { ...transaction, waiting: { via, profile, data } };
    showAtHost(device, "AUTHORIZING PLEASE WAIT");
  }
}

/** Quick chip: the card gets Z3 without a wait for the issuer (PROTOCOL.md 7.5). */
function quick(device: DynaFlex, card: Told): void {
  device.session.abort();
  over(device, card, `${TECHNOLOGY[card.via]}020700`, false);
}

/** Hands over the issuer's answer; false if no card waits for one. */
export function resumed(device: DynaFlex, host: HostAnswer): boolean {
  const { transaction, session } = device;
  const card = transaction?.waiting;
  if (card === undefined) return false;
  if (session.at() === "held") return session.complete(host);
  if (card.via !== "magstripe") return false;
  const isApproved = isApproving(ascii(host.responseCode));
  over(device, card, `0802${isApproved ? "06" : "80"}00`, isApproved);
  return true;
}

/** Ends all waiting. */
export function cancelled(device: DynaFlex): void {
  device.transaction = undefined;
  device.session.abort();
  tell(device, "outcome", "00030100");
  showAtHost(device, "CANCELED");
}

/** Card data at the end of a transaction. */
interface Told {
  readonly via: Via;
  readonly profile: CardProfile;
  readonly data: readonly Tlv[];
}

function ended(device: DynaFlex, { via, profile, data }: CompletedCard, isApproved: boolean): void {
  // After a tap the reader has no new data, so the receipt shows the first answer's.
  const card = device.transaction?.waiting;
  if (card === undefined) return;
  // The device does not report whether the issuer approved; the receiver of the batch data knows.
  over(
    device,
    { via, profile, data: via === "tap" ? card.data : data },
    `${TECHNOLOGY[via]}02${isApproved ? "06" : "80"}00`,
    isApproved,
    via === "chip" && !isApproved,
  );
}

/** Sends outcome and batch data, in either order (PROTOCOL.md 7.6). */
function over(device: DynaFlex, card: Told, code: string, isAccepted: boolean, isReversed = false): void {
  device.transaction = undefined;
  const { secure, random } = device.on;
  const plain = batchPlain(card.data, isReversed);
  const sealed = secure.sealParts(dynaflexLayout.use, [plain]);
  const batch = (): void => {
    const [data] = sealed?.parts ?? [];
    if (sealed === undefined || data === undefined) return;
    const told = { ...card, sred: { data, ksn: sealed.ksn }, padding: data.length - plain.length, isAccepted };
    tell(device, "progress", `${TECHNOLOGY[card.via]}080302`, batchPayload(shows(device), told));
  };
  const [coin = 0] = random.bytes(1);
  if (coin % 2 === 1) batch();
  tell(device, "outcome", code);
  if (coin % 2 === 0) batch();
  showAtHost(device, isAccepted ? "APPROVED" : "DECLINED");
}

const FAILURES: Readonly<Record<Failure, string>> = {
  unreadable: "10020002",
  blocked: "10020900",
  "insert-instead": "20020100",
  pulled: "10020002",
  cancelled: "00030200",
  timeout: "00010000",
  "pin-timeout": "00010000",
  aborted: "00030100",
  "pin-key-used-up": "10020800",
  "card-key-used-up": "10020800",
};

/** DFDF53: technical fallback. */
const TECHNICAL = 0x01;
const UNLIMITED_MS = 86_400_000;

function failed(device: DynaFlex, transaction: Transaction, why: Failure): void {
  const [byItself = 0] = device.settings.get(properties.fallback) ?? [];
  if (why === "unreadable" && byItself === 1) {
    device.transaction = { ...transaction, fallback: TECHNICAL };
    showAtHost(device, "USE MAGSTRIPE");
    device.session.begin(transaction.request, { magstripe: true }, UNLIMITED_MS);
    return;
  }
  device.transaction = undefined;
  if (device.session.at() === "held") device.session.stop("released");
  tell(device, "outcome", FAILURES[why]);
}
