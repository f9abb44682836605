import type { Tlv } from "../../src/emv/tlv.ts";
import { fromAscii } from "../../src/kit/bytes.ts";
import type { Cancel } from "../../src/kit/clock.ts";
import { fromHex } from "../../src/kit/hex.ts";
import type { Key } from "../../src/simulator/panel.ts";
import type { DeviceOn } from "../../src/simulator/terminal-body.ts";
import type { ChipCard } from "../../src/testbed/card.ts";
import {
  type Completed,
  type ContactTransaction,
  complete,
  decideFirst,
  type HostAnswer,
  replaced,
  selectApplication,
} from "../../src/testbed/contact-kernel.ts";
import type { CardProfile } from "../../src/testbed/deck.ts";
import { type SredLayout, sredLayoutOf } from "../../src/testbed/sred-layouts.ts";
import { encodeTemplate, tags } from "./message.ts";
import { objectsFor } from "./simulator-configuration.ts";
import { amountOf, continueRequest, type StartRequest, startRequest } from "./simulator-request.ts";

/** How long the device takes, in milliseconds: chips are slow, but a test does not wait for them. */
const SELECT_MS = 40;
const CRYPTOGRAM_MS = 40;
const COMPLETION_MS = 60;
/** A person who does not type a PIN in this time does not want to (inferred: the protocol names no time). */
const PIN_MS = 60_000;

const SHORTEST_PIN = 4;
const LONGEST_PIN = 12;
/** C5: how often the PIN may be wrong. An online PIN is counted by the issuer, so this never falls. */
const PIN_TRIES = 3;

export type TransactionState =
  | { readonly at: "idle" }
  | { readonly at: "reading" }
  | { readonly at: "pin"; readonly transaction: ContactTransaction; readonly request: StartRequest; readonly typed: string }
  | { readonly at: "deciding" }
  | { readonly at: "host"; readonly transaction: ContactTransaction }
  | { readonly at: "completing"; readonly transaction: ContactTransaction; readonly host: HostAnswer };

/** What the transaction tells the protocol around it. `finish` answers the pending command; `status` is unasked. */
export interface TransactionOutput {
  finish(body: Uint8Array, statusWord?: string): void;
  status(objects: readonly Tlv[]): void;
}

/** The chip side of the device, from START TRANSACTION to CONTINUE TRANSACTION. */
export interface Chip {
  readonly on: DeviceOn;
  readonly output: TransactionOutput;
  readonly sred: SredLayout;
  state: TransactionState;
  cancel: Cancel | undefined;
  /** 9F41 of the last transaction. */
  sequence: number;
}

export function newChip(on: DeviceOn, output: TransactionOutput): Chip {
  const sred = sredLayoutOf("MIURA_M020");
  if (sred === undefined) throw new RangeError("sred-layouts has no MIURA_M020");
  return { on, output, sred, state: { at: "idle" }, cancel: undefined, sequence: 0 };
}

function become(chip: Chip, next: TransactionState): void {
  chip.cancel?.();
  chip.cancel = undefined;
  chip.state = next;
  chip.on.panel.light("busy", next.at !== "idle" && next.at !== "pin");
}

function after(chip: Chip, delayMs: number, act: () => void): void {
  chip.cancel = chip.on.clock.after(delayMs, act);
}

/** Back to idle, without an answer: the pending command, if there is one, is the caller's to answer. The cardholder may take the card. */
export function forget(chip: Chip): void {
  const { panel } = chip.on;
  become(chip, { at: "idle" });
  panel.wishFor(panel.card() === undefined ? undefined : "removal");
}

function over(chip: Chip, body: Uint8Array): void {
  forget(chip);
  chip.output.finish(body);
}

function failed(chip: Chip, statusWord: string): void {
  forget(chip);
  refuse(chip, statusWord);
}

/** The command is not taken; whatever runs goes on. */
function refuse(chip: Chip, statusWord: string): void {
  chip.output.finish(new Uint8Array(0), statusWord);
}

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
  const { memory, random, serialNumber } = chip.on;
  // The protocol says of 9F25 that the stripe must not be tried instead: what a blocked application calls for.
  if (card.profile.blocked) {
    failed(chip, "9F25");
    return;
  }
  chip.sequence += 1;
  const configuration = { country: "0276", terminalId: serialNumber, serialNumber };
  const asked = { ...request, unpredictableNumber: random.bytes(4), sequence: chip.sequence };
  const transaction = selectApplication(card, memory.nextAtc(card.profile.name), asked, configuration);
  if (transaction.verification === "online-pin") askPin(chip, transaction, request);
  else decide(chip, transaction);
}

function askPin(chip: Chip, transaction: ContactTransaction, request: StartRequest): void {
  become(chip, { at: "pin", transaction, request, typed: "" });
  after(chip, PIN_MS, () => failed(chip, "9F42"));
  chip.output.status(pinEvent("Enter PIN", { tag: tags.pinTries, value: Uint8Array.of(PIN_TRIES) }));
  showPin(chip, request, "");
  chip.on.panel.wishFor("pin");
}

function showPin(chip: Chip, request: StartRequest, typed: string): void {
  chip.on.panel.show([`Amount ${amountOf(request)}`, "Enter PIN", "*".repeat(typed.length)]);
}

/** A key of the device. Only the red one means something outside PIN entry. */
export function keyPressed(chip: Chip, key: Key): void {
  const { state } = chip;
  if (state.at !== "pin") {
    if (key === "CANCEL" && (state.at === "reading" || state.at === "deciding")) failed(chip, "9F41");
    return;
  }
  switch (key) {
    case "CANCEL":
      failed(chip, "9F41");
      break;
    case "CLEAR":
      retype(chip, state, "");
      break;
    case "ENTER":
      if (state.typed.length >= SHORTEST_PIN) entered(chip, state.transaction, state.typed);
      break;
    default:
      if (state.typed.length < LONGEST_PIN) retype(chip, state, state.typed + key);
  }
}

function retype(chip: Chip, state: Extract<TransactionState, { at: "pin" }>, typed: string): void {
  chip.state = { ...state, typed };
  showPin(chip, state.request, typed);
}

function entered(chip: Chip, transaction: ContactTransaction, pin: string): void {
  const block = chip.on.secure.sealPin(pin, transaction.card.chip.profile.pan);
  if (block === undefined) {
    failed(chip, "9FE0");
    return;
  }
  chip.on.panel.wishFor(undefined);
  chip.output.status(pinEvent("PIN OK", { tag: "DFA102", value: Uint8Array.of(0x02) }));
  const sealed = [
    { tag: tags.pinData, value: block.data },
    { tag: tags.pinKsn, value: block.ksn },
  ];
  decide(chip, { ...transaction, data: replaced(transaction.data, sealed) });
}

function decide(chip: Chip, transaction: ContactTransaction): void {
  become(chip, { at: "deciding" });
  chip.on.panel.show(["Please wait"]);
  after(chip, CRYPTOGRAM_MS, () => decided(chip, transaction));
}

function decided(chip: Chip, asked: ContactTransaction): void {
  const block = chip.on.secure.sealCard(chip.sred, asked.data);
  if (block === undefined) {
    failed(chip, "9F0D");
    return;
  }
  const { transaction, decision } = decideFirst(asked);
  const data = replaced(transaction.data, [
    { tag: tags.sredData, value: block.data },
    { tag: tags.sredKsn, value: block.ksn },
    ...maskedNumbers(transaction.card.chip.profile),
  ]);
  switch (decision) {
    case "online":
      become(chip, { at: "host", transaction: { ...transaction, data } });
      chip.output.finish(encodeTemplate("E4", objectsFor("E4", data)));
      break;
    case "approved-offline":
      over(chip, encodeTemplate("E3", objectsFor("E3", data)));
      break;
    case "declined-offline":
      over(chip, encodeTemplate("E5", objectsFor("E5", data)));
      break;
  }
}

/** CONTINUE TRANSACTION: issuer authentication and the second GENERATE AC. */
export function continueTransaction(chip: Chip, data: Uint8Array): void {
  const { state } = chip;
  const host = continueRequest(data);
  if (state.at !== "host") refuse(chip, "9F22");
  else if (!host.ok) refuse(chip, host.statusWord);
  else if (chip.on.panel.card() === undefined) over(chip, withoutCard(state.transaction, host.value));
  else {
    become(chip, { at: "completing", transaction: state.transaction, host: host.value });
    after(chip, COMPLETION_MS, () => over(chip, completedBody(complete(state.transaction, host.value))));
  }
}

export function cardPulled(chip: Chip): void {
  const { state } = chip;
  switch (state.at) {
    case "idle":
    case "host":
      break;
    case "reading":
    case "pin":
    case "deciding":
      failed(chip, "9F30");
      break;
    case "completing":
      over(chip, withoutCard(state.transaction, state.host));
      break;
  }
}

/** What the device says after ABORT of a transaction that waits for the host: the card was asked for an AAC. Undefined in every other state. */
export function declineHeld(chip: Chip): Uint8Array | undefined {
  const { state } = chip;
  if (state.at !== "host") return undefined;
  const host: HostAnswer = { responseCode: fromAscii("Z3"), scripts: [] };
  return chip.on.panel.card() === undefined ? withoutCard(state.transaction, host) : completedBody(complete(state.transaction, host));
}

function completedBody({ verdict, transaction }: Completed): Uint8Array {
  const template = verdict === "approved" ? "E3" : "E5";
  return encodeTemplate(template, objectsFor(template, transaction.data));
}

/** A card that is gone makes no second cryptogram: a decline that carries none. */
function withoutCard(transaction: ContactTransaction, host: HostAnswer): Uint8Array {
  const data = transaction.data.filter(({ tag }) => !["9F26", "9F27", "9F10"].includes(tag));
  return encodeTemplate("E5", objectsFor("E5", replaced(data, [{ tag: "8A", value: host.responseCode }])));
}

function pinEvent(text: string, more: Tlv): readonly Tlv[] {
  return [{ tag: tags.statusCode, value: Uint8Array.of(0x02) }, { tag: tags.statusText, value: fromAscii(text) }, more];
}

/** DFAE57 and DFAE5A: first six and last four digits, F for those between; what follows the number in the track stays (PROTOCOL.md 4.2). */
function maskedNumbers({ pan, expiry, serviceCode }: CardProfile): readonly Tlv[] {
  const masked = `${pan.slice(0, 6)}${"F".repeat(pan.length - 10)}${pan.slice(-4)}`;
  const track = `${masked}D${expiry.slice(0, 4)}${serviceCode}0000000000`;
  const even = (digits: string): Uint8Array => fromHex(digits.length % 2 === 0 ? digits : `${digits}F`);
  return [
    { tag: tags.maskedTrack2, value: even(track) },
    { tag: tags.maskedPan, value: even(masked) },
  ];
}
