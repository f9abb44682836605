import { fromAscii } from "../../src/kit/bytes.ts";
import { applicationsOf, type ChipCard, withApplication } from "../../src/testbed/card.ts";
import {
  type Completed,
  type ContactTransaction,
  complete,
  decideFirst,
  type HostAnswer,
  replaced,
  selectApplication,
} from "../../src/testbed/contact-kernel.ts";
import { tags } from "./message.ts";
import {
  after,
  answerBody,
  become,
  type Chip,
  CRYPTOGRAM_MS,
  failed,
  type Held,
  kernelRequest,
  maskedNumbers,
  over,
  refuse,
  sealed,
} from "./simulator-chip.ts";
import { amountOf, continueRequest, type StartRequest, startRequest } from "./simulator-request.ts";
import { tapCompleted } from "./simulator-tap.ts";
import { startPin, startTyping } from "./simulator-typing.ts";

const SELECT_MS = 40;
const COMPLETION_MS = 60;

/** START TRANSACTION. */
export function startTransaction(chip: Chip, data: Uint8Array): void {
  const request = startRequest(data);
  const card = chip.on.panel.card();
  if (chip.state.at !== "idle") refuse(chip, "9F26");
  else if (!request.ok) refuse(chip, request.statusWord);
  else if (card === undefined) refuse(chip, "9F23");
  else {
    chip.on.panel.wishFor(undefined);
    chip.on.panel.show(["Please wait"]);
    become(chip, { at: "reading" });
    after(chip, SELECT_MS, () => read(chip, card, request.value));
  }
}

function read(chip: Chip, card: ChipCard, request: StartRequest): void {
  const { blocked, chip: works, others } = card.profile;
  // The protocol says of 9F25 that the stripe must not be tried instead: what a blocked application calls for.
  if (blocked) failed(chip, "9F25");
  else if (works !== "works") unreadable(chip);
  else if (others.length > 0) choose(chip, card, request);
  else select(chip, card, request);
}

/** The device says nothing of taking the card: the host does, once it knows that the card was not pulled (PROTOCOL.md 7.3). */
function unreadable(chip: Chip): void {
  become(chip, { at: "idle" });
  refuse(chip, "9F30");
}

/** The holder chooses between the applications on the card by the number that stands before each. */
function choose(chip: Chip, card: ChipCard, request: StartRequest): void {
  const { panel } = chip.on;
  const applications = applicationsOf(card.profile);
  chip.output.status([
    { tag: tags.statusCode, value: Uint8Array.of(0x03) },
    { tag: tags.statusText, value: fromAscii("Select application") },
  ]);
  startTyping(chip, {
    least: 1,
    most: 1,
    show: (typed) => panel.show(["Select application", ...applications.map(({ label }, at) => `${typed === String(at + 1) ? ">" : " "}${at + 1} ${label}`)]),
    entered: (typed) => {
      if (applications[Number(typed) - 1] === undefined) return;
      panel.wishFor(undefined);
      select(chip, withApplication(card, Number(typed)), request);
    },
    left: (how) => failed(chip, ENTRY_ENDINGS[how]),
    ofSlot: true,
  });
  panel.wishFor("application");
}

/** How the open command ends when somebody stops typing. */
const ENTRY_ENDINGS = { cancelled: "9F41", timeout: "9F42", aborted: "9F41", pulled: "9F30" } as const;

function select(chip: Chip, card: ChipCard, request: StartRequest): void {
  const { asked, configuration } = kernelRequest(chip, request);
  const transaction = selectApplication(card, chip.on.memory.nextAtc(card.profile.name), asked, configuration);
  if (transaction.verification === "online-pin") askPin(chip, transaction, request);
  else decide(chip, transaction);
}

function askPin(chip: Chip, transaction: ContactTransaction, request: StartRequest): void {
  startPin(chip, {
    amount: amountOf(request),
    card: transaction.card.chip.profile,
    ofSlot: true,
    left: (how) => failed(chip, ENTRY_ENDINGS[how]),
    entered: (block) => {
      if (block === undefined) {
        failed(chip, "9FE0");
        return;
      }
      const pin = [
        { tag: tags.pinData, value: block.data },
        { tag: tags.pinKsn, value: block.ksn },
      ];
      decide(chip, { ...transaction, data: replaced(transaction.data, pin) });
    },
  });
}

function decide(chip: Chip, transaction: ContactTransaction): void {
  become(chip, { at: "deciding" });
  chip.on.panel.show(["Please wait"]);
  after(chip, CRYPTOGRAM_MS, () => decided(chip, transaction));
}

function decided(chip: Chip, asked: ContactTransaction): void {
  const sred = sealed(chip, asked.data);
  if (sred === undefined) {
    failed(chip, "9F0D");
    return;
  }
  const { transaction, decision } = decideFirst(asked);
  const { profile } = transaction.card.chip;
  const data = replaced(transaction.data, [...sred, ...maskedNumbers(profile)]);
  switch (decision) {
    case "online":
      become(chip, { at: "host", held: { via: "chip", transaction: { ...transaction, data } } });
      chip.output.finish(answerBody("E4", profile, data));
      break;
    case "approved-offline":
      over(chip, answerBody("E3", profile, data));
      break;
    case "declined-offline":
      over(chip, answerBody("E5", profile, data));
      break;
  }
}

/** CONTINUE TRANSACTION: issuer authentication and the second GENERATE AC; a reader takes nothing but the code. */
export function continueTransaction(chip: Chip, data: Uint8Array): void {
  const { state } = chip;
  const host = continueRequest(data);
  if (state.at !== "host") refuse(chip, "9F22");
  else if (!host.ok) refuse(chip, host.statusWord);
  else if (state.held.via === "tap") over(chip, tapCompleted(host.value));
  else completeChip(chip, state.held.transaction, host.value);
}

function completeChip(chip: Chip, transaction: ContactTransaction, host: HostAnswer): void {
  if (chip.on.panel.card() === undefined) {
    over(chip, withoutCard(transaction, host));
    return;
  }
  become(chip, { at: "completing", transaction, host });
  after(chip, COMPLETION_MS, () => over(chip, completedBody(complete(transaction, host))));
}

export function cardPulled(chip: Chip): void {
  const { state } = chip;
  switch (state.at) {
    case "idle":
    case "host":
    case "tapping":
      break;
    case "typing":
      if (state.ofSlot) state.left("pulled");
      break;
    case "reading":
    case "deciding":
      failed(chip, "9F30");
      break;
    case "completing":
      over(chip, withoutCard(state.transaction, state.host));
      break;
  }
}

/** What the device says after ABORT of a transaction that waits for the host: a card in the slot was asked for an AAC. */
export function declineHeld(chip: Chip, held: Held): Uint8Array {
  const host: HostAnswer = { responseCode: fromAscii("Z3"), scripts: [] };
  if (held.via === "tap") return tapCompleted(host);
  return chip.on.panel.card() === undefined ? withoutCard(held.transaction, host) : completedBody(complete(held.transaction, host));
}

function completedBody({ verdict, transaction }: Completed): Uint8Array {
  return answerBody(verdict === "approved" ? "E3" : "E5", transaction.card.chip.profile, transaction.data);
}

/** A card that is gone makes no second cryptogram: a decline that carries none. */
function withoutCard(transaction: ContactTransaction, host: HostAnswer): Uint8Array {
  const data = transaction.data.filter(({ tag }) => !["9F26", "9F27", "9F10"].includes(tag));
  return answerBody("E5", transaction.card.chip.profile, replaced(data, [{ tag: "8A", value: host.responseCode }]));
}
