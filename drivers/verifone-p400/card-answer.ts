import type { CardData, FirstDecision, Sealed } from "../../src/card/card-data.ts";
import type { CollectRequest } from "../../src/card/command.ts";
import { currencyProblem, firstAnswerProblem } from "../../src/emv/answer-problem.ts";
import { type MaskedNumber, maskedFromPacked, maskedFromText } from "../../src/emv/mask.ts";
import { receiptDataOf } from "../../src/emv/receipt-data.ts";
import { serviceCodeOf } from "../../src/emv/service-code.ts";
import { type ClearForm, clearable, sensitiveClear } from "../../src/emv/tags.ts";
import { findTag, type Tlv } from "../../src/emv/tlv.ts";
import { transactionData } from "../../src/emv/transaction-data.ts";
import { ascii } from "../../src/kit/bytes.ts";
import { toHex } from "../../src/kit/hex.ts";
import type { SwipedCard } from "../vipa/flow.ts";
import type { Held } from "./flow.ts";
import { leavesOf, tags } from "./message.ts";
import type { Options } from "./options.ts";
import { sealedIn, type Unusable } from "./sealed.ts";

export type CardReading = { readonly ok: true; readonly card: CardData; readonly held: Held } | Unusable;

/**
 * The device's own objects with numbers or tracks (PROTOCOL.md 4.7). Masked objects count too, in case a device fails
 * to mask.
 */
const ownNumbers: Readonly<Record<string, ClearForm>> = {
  "5F21": "text",
  "5F22": "text",
  "5F23": "text",
  [tags.typedNumber]: "text",
  [tags.typedExpiry]: "text",
  DFDB04: "text",
  [tags.maskedTrack1]: "text",
  [tags.maskedTrack2]: "text",
};

/** A card verification value has three or four digits, too few for the rule on card numbers. */
const DIGITS = /[0-9]{3}/;

/** Names the tags with clear card data in an answer or event; undefined if all of it is protected (PROTOCOL.md 7.7). */
export function leakIn(objects: readonly Tlv[]): string | undefined {
  const leaves = leavesOf(objects);
  const verification = leaves
    .filter(({ tag, value }) => tag === tags.typedVerificationNumber && DIGITS.test(ascii(value)))
    .map(({ tag }) => tag);
  const leaked = [...new Set([...sensitiveClear(leaves, ownNumbers), ...verification])];
  return leaked.length === 0 ? undefined : `the device sent card data in clear: ${leaked.join(", ")}`;
}

/**
 * Card data for the payment, or why it is refused (PROTOCOL.md 7.4, 7.7, 7.10, 7.16). `before`: earlier ciphertext
 * under the same KSN, used if the answer has none.
 */
export function readCard(
  objects: readonly Tlv[],
  decision: FirstDecision,
  request: CollectRequest,
  {
    via,
    isMagstripe,
    before,
    options,
  }: { via: "chip" | "tap"; isMagstripe: boolean; before: Sealed | undefined; options: Options },
): CardReading {
  const leaves = leavesOf(objects);
  const leak = leakIn(objects);
  if (leak !== undefined) return { ok: false, code: "clear-card-data", detail: leak };
  const kind =
    via === "chip" ? "chip" : isMagstripe || isMagstripeMode(leaves) ? "contactless-magstripe" : "contactless-chip";
  const problem = firstAnswerProblem(leaves, decision, request, kind);
  if (problem !== undefined) return { ok: false, code: "protocol", detail: problem };
  const otherCurrency = currencyProblem(leaves, request);
  if (otherCurrency !== undefined) return { ok: false, code: "refused", detail: otherCurrency };
  const sealing = sealedIn(objects, options);
  if (sealing.is === "unusable") return sealing;
  const sred = sealing.is === "sealed" ? sealing.sealed : before;
  if (sred === undefined && (decision === "online" || request.transactionType === "20")) return withoutSred;
  const card: CardData = {
    interface: kind,
    decision,
    icc: clearable(leaves),
    ...(sred && { sred }),
    masked: maskedIn(leaves),
  };
  return { ok: true, card, held: heldOf(leaves, via, request) };
}

const withoutSred: Unusable = { ok: false, code: "keys-missing", detail: "no encrypted card data came with the card" };

/** 9F39 of a magstripe tap (ISO 8583). */
const MAGSTRIPE_ENTRY_MODE = 0x91;

function isMagstripeMode(leaves: readonly Tlv[]): boolean {
  return findTag(leaves, "9F39")?.[0] === MAGSTRIPE_ENTRY_MODE;
}

/** Transaction data that the later commands repeat (PROTOCOL.md 7.5). */
export function repeated(request: CollectRequest): readonly Tlv[] {
  return transactionData(request, ["9F02", "9F03", "5F2A"]);
}

function heldOf(leaves: readonly Tlv[], via: "chip" | "tap", request: CollectRequest): Held {
  const atc = findTag(leaves, "9F36");
  return { via, ...(atc && { atc: toHex(atc) }), repeated: repeated(request) };
}

/** Whether the card asks for an online PIN (9F34, or 9F6C of a tap): PROTOCOL.md 7.12. */
export function wantsOnlinePin({ icc }: CardData): boolean {
  return receiptDataOf(icc).cvm === "online-pin";
}

export type SwipeReading = { readonly ok: true; readonly swipe: SwipedCard } | Unusable;

/** A swipe as the device reports it (PROTOCOL.md 7.11). */
export function readSwipe(objects: readonly Tlv[], request: CollectRequest, options: Options): SwipeReading {
  const leak = leakIn(objects);
  if (leak !== undefined) return { ok: false, code: "clear-card-data", detail: leak };
  const sealing = sealedIn(objects, options);
  if (sealing.is === "unusable") return sealing;
  if (sealing.is === "none") return withoutSred;
  const leaves = leavesOf(objects);
  const codes = [tags.maskedTrack2, tags.maskedTrack1].map((tag) => serviceCodeOf(textOf(leaves, tag)));
  const code = codes.find((found) => found !== undefined);
  const told = code && { hasChip: code.hasChip };
  const card: CardData = {
    interface: "magstripe",
    decision: "online",
    icc: [],
    sred: sealing.sealed,
    ...told,
    masked: maskedIn(leaves),
  };
  return { ok: true, swipe: { card, wantsPin: code?.wantsPin === true && request.transactionType !== "20" } };
}

/** A keyed number (PROTOCOL.md 7.13). */
export function readTyped(
  objects: readonly Tlv[],
  options: Options,
): { readonly ok: true; readonly card: CardData } | Unusable {
  const leak = leakIn(objects);
  if (leak !== undefined) return { ok: false, code: "clear-card-data", detail: leak };
  const sealing = sealedIn(objects, options);
  if (sealing.is === "unusable") return sealing;
  if (sealing.is === "none") return withoutSred;
  return {
    ok: true,
    card: {
      interface: "keyed",
      decision: "online",
      icc: [],
      sred: sealing.sealed,
      masked: maskedIn(leavesOf(objects)),
    },
  };
}

const textOf = (leaves: readonly Tlv[], tag: string): string => ascii(findTag(leaves, tag) ?? new Uint8Array(0));

/**
 * The masked number from any object. Masks are A in BCD, the byte AA in text and `*` in a keyed number (PROTOCOL.md
 * 4.7).
 */
function maskedIn(leaves: readonly Tlv[]): MaskedNumber {
  for (const tag of ["5A", "57"]) {
    const masked = maskedFromPacked(findTag(leaves, tag) ?? new Uint8Array(0), "A");
    if (masked !== undefined) return masked;
  }
  for (const tag of [tags.maskedTrack2, tags.maskedTrack1, tags.typedNumber]) {
    const text = textOf(leaves, tag);
    const masked = maskedFromText(text, "\u00aa") ?? maskedFromText(text);
    if (masked !== undefined) return masked;
  }
  return { last4: "" };
}
