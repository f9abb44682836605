import type { CardData, FirstDecision, Sealed } from "../../src/card/card-data.ts";
import type { CollectRequest } from "../../src/card/command.ts";
import type { FaultCode } from "../../src/card/notice.ts";
import { sealedOf } from "../../src/card/sealed.ts";
import { currencyProblem, firstAnswerProblem } from "../../src/emv/answer-problem.ts";
import { type MaskedNumber, maskedFromPacked, maskedFromText } from "../../src/emv/mask.ts";
import { serviceCodeOf } from "../../src/emv/service-code.ts";
import { type ClearForm, clearable, sensitiveClear } from "../../src/emv/tags.ts";
import { findTag, type Tlv } from "../../src/emv/tlv.ts";
import { ascii, fromAscii } from "../../src/kit/bytes.ts";
import { toHex } from "../../src/kit/hex.ts";
import type { Device, Held, Swipe } from "./flow.ts";
import { leavesOf, tags } from "./message.ts";

export type CardReading =
  | { readonly ok: true; readonly card: CardData; readonly held: Held }
  | { readonly ok: false; readonly code: FaultCode; readonly detail: string };

/**
 * The device's own objects with numbers or tracks (PROTOCOL.md 4.2). Masked and encrypted objects count too, in case a
 * device fails to protect them.
 */
const ownNumbers: Readonly<Record<string, ClearForm>> = {
  "5F21": "text",
  "5F22": "text",
  "5F23": "text",
  DFA121: "text",
  DFA122: "text",
  DFA123: "text",
  DFAE21: "text",
  DFAE22: "text",
  DFAE56: "text",
  DFAE57: "packed",
  DFAE5A: "packed",
  DFAE6B: "packed",
  DFA208: "text",
  [tags.sredData]: "text",
};

/** Names the tags with clear card data in an answer or event; undefined if all of it is protected (PROTOCOL.md 7.7). */
export function leakIn(objects: readonly Tlv[]): string | undefined {
  const leaked = sensitiveClear(leavesOf(objects), ownNumbers);
  return leaked.length === 0 ? undefined : `the device sent card data in clear: ${leaked.join(", ")}`;
}

/**
 * Card data for the payment, or why it is refused (PROTOCOL.md 7.4, 7.7, 7.10). A refund ignores the decision, needs
 * the encrypted number and has no PIN (7.16).
 */
export function readCard(
  objects: readonly Tlv[],
  decision: FirstDecision,
  request: CollectRequest,
  via: "chip" | "tap",
): CardReading {
  const leaves = leavesOf(objects);
  const leak = leakIn(objects);
  if (leak !== undefined) return { ok: false, code: "clear-card-data", detail: leak };
  const problem = firstAnswerProblem(leaves, decision, request, interfaceOf(leaves, via));
  if (problem !== undefined) return { ok: false, code: "protocol", detail: problem };
  const otherCurrency = currencyProblem(leaves, request);
  if (otherCurrency !== undefined) return { ok: false, code: "refused", detail: otherCurrency };
  const isRefund = request.transactionType === "20";
  const sred = sealedIn(leaves, tags.sredData, tags.sredKsn);
  if (sred === undefined && (isRefund || decision === "online"))
    return { ok: false, code: "keys-missing", detail: "no encrypted card data came with the card" };
  const pin = isRefund ? undefined : pinIn(leaves);
  const card: CardData = {
    interface: interfaceOf(leaves, via),
    decision,
    icc: clearable(leaves),
    ...(sred && { sred }),
    ...(pin && { pin }),
    masked: maskedIn(leaves),
  };
  return { ok: true, card, held: heldOf(leaves, via) };
}

function heldOf(leaves: readonly Tlv[], via: "chip" | "tap"): Held {
  const counter = counterOf(leaves);
  if (via === "chip") return { via, ...counter };
  const track = trackText(findTag(leaves, tags.maskedTap) ?? findTag(leaves, tags.maskedTrack2) ?? new Uint8Array(0));
  return {
    via,
    ...counter,
    ...(track && { pinBy: { track: fromAscii(track), label: findTag(leaves, "50") ?? NO_LABEL } }),
  };
}

/** Data that tells one card's transaction from another's. */
export function counterOf(objects: readonly Tlv[]): Pick<Held, "atc" | "last4"> {
  const leaves = leavesOf(objects);
  const atc = findTag(leaves, "9F36");
  return { ...(atc && { atc: toHex(atc) }), last4: maskedIn(leaves).last4 };
}

/**
 * Whether a first answer is the extra E5 of the aborted transaction: its ATC and number match, or are missing
 * (PROTOCOL.md 7.6).
 */
export function isLate(objects: readonly Tlv[], dropped: Device["dropped"]): boolean {
  if (dropped === undefined) return false;
  const { atc, last4 } = counterOf(objects);
  return atc === undefined || (atc === dropped.atc && last4 === dropped.last4);
}

/** ONLINE PIN requires a label; a magstripe has none (PROTOCOL.md 7.12). */
const NO_LABEL = fromAscii("CARD");

/** The PIN block of an answer (PROTOCOL.md 4.2). */
export function pinIn(objects: readonly Tlv[]): Sealed | undefined {
  return sealedIn(leavesOf(objects), tags.pinData, tags.pinKsn);
}

/** 9F39 of a magstripe tap (ISO 8583), and the second byte of DF30 in chip mode: PROTOCOL.md 7.10, I19. */
const MAGSTRIPE_ENTRY_MODE = 0x91;
const CHIP_MODE = 0x01;

function interfaceOf(leaves: readonly Tlv[], via: "chip" | "tap"): CardData["interface"] {
  if (via === "chip") return "chip";
  const [entryMode] = findTag(leaves, "9F39") ?? [];
  const [, mode] = findTag(leaves, tags.contactlessMode) ?? [];
  const isMagstripe =
    entryMode !== undefined
      ? entryMode === MAGSTRIPE_ENTRY_MODE
      : mode !== undefined
        ? mode !== CHIP_MODE
        : findTag(leaves, "9F26") === undefined;
  return isMagstripe ? "contactless-magstripe" : "contactless-chip";
}

/**
 * A masked track 2 as in a swipe (DFAE22), from the packed form (DFAE57, DFAE6B): only number, expiry and service code.
 */
function trackText(packed: Uint8Array): string | undefined {
  const [, number, rest] = /^([0-9]+F+[0-9]{4})D([0-9]{7})/.exec(toHex(packed)) ?? [];
  return number === undefined ? undefined : `;${number.replaceAll("F", "*")}=${rest}**********?`;
}

export type SwipeReading =
  | { readonly ok: true; readonly swipe: Swipe }
  | { readonly ok: false; readonly code: FaultCode; readonly detail: string };

/** A swipe as the device reports it (PROTOCOL.md 7.11). */
export function readSwipe(objects: readonly Tlv[], request: CollectRequest): SwipeReading {
  const leaves = leavesOf(objects);
  const sred = sealedIn(leaves, tags.sredData, tags.sredKsn);
  if (sred === undefined)
    return { ok: false, code: "keys-missing", detail: "no encrypted card data came with the swipe" };
  const track = findTag(leaves, tags.maskedSwipe);
  const text = ascii(track ?? new Uint8Array(0));
  const code = serviceCodeOf(text);
  const swipe: Swipe = {
    card: {
      interface: "magstripe",
      decision: "online",
      icc: [],
      sred,
      ...(code && { hasChip: code.hasChip }),
      masked: maskedFromText(text) ?? { last4: "" },
    },
    wantsPin: code?.wantsPin === true && request.transactionType !== "20",
    ...(track && { pinBy: { track, label: NO_LABEL } }),
  };
  return { ok: true, swipe };
}

/** A keyed number (PROTOCOL.md 7.13); undefined if the answer holds none. */
export function readTyped(objects: readonly Tlv[], masked: MaskedNumber | undefined): CardData | undefined {
  const sred = sealedIn(leavesOf(objects), tags.sredData, tags.sredKsn);
  if (sred === undefined) return undefined;
  return {
    interface: "keyed",
    decision: "online",
    icc: [],
    sred,
    masked: maskedTyped(objects) ?? masked ?? { last4: "" },
  };
}

/** The masked number (DFA208). */
export function maskedTyped(objects: readonly Tlv[]): MaskedNumber | undefined {
  return maskedFromText(ascii(findTag(leavesOf(objects), tags.typed) ?? new Uint8Array(0)));
}

/** The last ciphertext that its KSN follows: a device may send the same data under several keys (PROTOCOL.md 4.6). */
function sealedIn(leaves: readonly Tlv[], dataTag: string, ksnTag: string): Sealed | undefined {
  let data: Uint8Array | undefined;
  let last: Sealed | undefined;
  for (const { tag, value } of leaves) {
    if (tag === dataTag) data = value;
    if (tag !== ksnTag || data === undefined) continue;
    last = sealedOf(data, value) ?? last;
    data = undefined;
  }
  return last;
}

/** The masked number. If the device is configured to send none, the last four digits (9F25), or nothing. */
function maskedIn(leaves: readonly Tlv[]): CardData["masked"] {
  for (const tag of [tags.maskedPan, tags.maskedTap, tags.maskedTrack2]) {
    const masked = maskedFromPacked(findTag(leaves, tag) ?? new Uint8Array(0));
    if (masked !== undefined) return masked;
  }
  const lastFour = toHex(findTag(leaves, "9F25") ?? new Uint8Array(0));
  return { last4: /^[0-9]{4}$/.test(lastFour) ? lastFour : "" };
}
