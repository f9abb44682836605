import type { Tlv } from "../../src/emv/tlv.ts";
import type { Cancel } from "../../src/kit/clock.ts";
import { fromHex } from "../../src/kit/hex.ts";
import type { DeviceOn } from "../../src/simulator/terminal-body.ts";
import type { CardProfile } from "../../src/testbed/card-profile.ts";
import type { ContactTransaction, HostAnswer } from "../../src/testbed/contact-kernel.ts";
import type { Tapped } from "../../src/testbed/contactless-kernel.ts";
import { type SredLayout, sredLayoutOf } from "../../src/testbed/sred-layouts.ts";
import { encodeTemplate, tags } from "./message.ts";
import { objectsFor } from "./simulator-configuration.ts";
import type { StartRequest } from "./simulator-request.ts";

/** How long the device takes over one cryptogram, in milliseconds: cards are slow, but a test does not wait for them. */
export const CRYPTOGRAM_MS = 40;

/** Something is being typed: a PIN, a number, a choice. */
export interface Typing {
  readonly at: "typing";
  readonly typed: string;
  readonly least: number;
  readonly most: number;
  readonly show: (typed: string) => void;
  readonly entered: (typed: string) => void;
  /** Nothing was entered: the red key, too long a wait, ABORT, or the card was pulled. The open command is answered in there. */
  readonly left: (how: "cancelled" | "timeout" | "aborted" | "pulled") => void;
  /** It belongs to the card in the slot, and ends when that is pulled. */
  readonly ofSlot: boolean;
  /** A tap waits for the host meanwhile. */
  readonly behind?: Held;
}

/** A card that gave its first cryptogram, or its tracks by a tap, and waits for CONTINUE. */
export type Held = { readonly via: "chip"; readonly transaction: ContactTransaction } | { readonly via: "tap"; readonly tapped: Tapped };

export type TransactionState =
  | { readonly at: "idle" }
  | { readonly at: "reading" }
  | { readonly at: "tapping"; readonly request: StartRequest; readonly endsAt: number; readonly isKnown: boolean }
  | Typing
  | { readonly at: "deciding" }
  | { readonly at: "host"; readonly held: Held }
  | { readonly at: "completing"; readonly transaction: ContactTransaction; readonly host: HostAnswer };

/** What the transaction tells the protocol around it. `finish` answers the pending command, after the device's usual time; `status` and `card` are unasked. */
export interface TransactionOutput {
  finish(body: Uint8Array, statusWord?: string, delayMs?: number): void;
  status(objects: readonly Tlv[]): void;
  card(objects: readonly Tlv[]): void;
}

/** What of the device has to do with cards. */
export interface Chip {
  readonly on: DeviceOn;
  readonly output: TransactionOutput;
  readonly sred: SredLayout;
  state: TransactionState;
  cancel: Cancel | undefined;
  /** 9F41 of the last transaction. */
  sequence: number;
  /** CARD STATUS asked for tracks. */
  reportsTracks: boolean;
  /** The card that was tapped or swiped last: ONLINE PIN is for its number. */
  last: CardProfile | undefined;
  /** What was typed for GET SECURE DATA. */
  store: readonly Tlv[];
}

export function newChip(on: DeviceOn, output: TransactionOutput): Chip {
  const sred = sredLayoutOf("MIURA_M020");
  if (sred === undefined) throw new RangeError("sred-layouts has no MIURA_M020");
  return { on, output, sred, state: { at: "idle" }, cancel: undefined, sequence: 0, reportsTracks: false, last: undefined, store: [] };
}

export function become(chip: Chip, next: TransactionState): void {
  chip.cancel?.();
  chip.cancel = undefined;
  chip.state = next;
  chip.on.panel.light("busy", next.at !== "idle" && next.at !== "typing" && next.at !== "tapping");
}

export function after(chip: Chip, delayMs: number, act: () => void): void {
  chip.cancel = chip.on.clock.after(delayMs, act);
}

/** Back to idle, without an answer: the pending command, if there is one, is the caller's to answer. The cardholder may take the card. */
export function forget(chip: Chip): void {
  const { panel } = chip.on;
  become(chip, { at: "idle" });
  panel.wishFor(panel.card() === undefined ? undefined : "removal");
}

export function over(chip: Chip, body: Uint8Array): void {
  forget(chip);
  chip.output.finish(body);
}

export function failed(chip: Chip, statusWord: string): void {
  forget(chip);
  refuse(chip, statusWord);
}

/** The command is not taken; whatever runs goes on. */
export function refuse(chip: Chip, statusWord: string): void {
  chip.output.finish(new Uint8Array(0), statusWord);
}

/** What the kernels are configured with, and a number of its own for each transaction. */
export function kernelRequest(chip: Chip, request: StartRequest) {
  const { random, serialNumber } = chip.on;
  chip.sequence += 1;
  return {
    asked: { ...request, unpredictableNumber: random.bytes(4), sequence: chip.sequence },
    configuration: { country: "0276", terminalId: serialNumber, serialNumber },
  };
}

/** The objects of an answer: what the card says of its own accord, then the device's lists. */
export function answerBody(template: "E3" | "E4" | "E5", profile: CardProfile, data: readonly Tlv[]): Uint8Array {
  const said = profile.says.map(([tag, value]) => ({ tag, value: fromHex(value) }));
  return encodeTemplate(template, [...said, ...objectsFor(template, data)]);
}

/** Card data under the SRED key, as DFAE02 and DFAE03; undefined where the keys are used up. */
export function sealed(chip: Chip, data: readonly Tlv[]): readonly Tlv[] | undefined {
  const block = chip.on.secure.sealCard(chip.sred, data);
  return (
    block && [
      { tag: tags.sredData, value: block.data },
      { tag: tags.sredKsn, value: block.ksn },
    ]
  );
}

const hidden = (pan: string, character: string): string => `${pan.slice(0, 6)}${character.repeat(pan.length - 10)}${pan.slice(-4)}`;

/** First six and last four digits of a number, `*` for those between. */
export function maskedNumber(pan: string): string {
  return hidden(pan, "*");
}

/** DFAE57 and DFAE5A: F for hidden digits; what follows the number in the track stays (PROTOCOL.md 4.2). */
export function maskedNumbers({ pan, expiry, serviceCode }: CardProfile): readonly Tlv[] {
  const masked = hidden(pan, "F");
  const track = `${masked}D${expiry.slice(0, 4)}${serviceCode}0000000000`;
  const even = (digits: string): Uint8Array => fromHex(digits.length % 2 === 0 ? digits : `${digits}F`);
  return [
    { tag: tags.maskedTrack2, value: even(track) },
    { tag: tags.maskedPan, value: even(masked) },
  ];
}

/** Body of one byte (PROTOCOL.md 4.7). */
export const pinCancelled: Uint8Array = Uint8Array.of(0x08);
