import type { CardData, CardInterface, FirstDecision } from "../../src/card/card-data.ts";
import type { CollectRequest } from "../../src/card/command.ts";
import type { FaultCode } from "../../src/card/notice.ts";
import { firstAnswerProblem } from "../../src/emv/answer-problem.ts";
import { type ServiceCode, serviceCodeOf } from "../../src/emv/service-code.ts";
import { clearable } from "../../src/emv/tags.ts";
import { findTag, type Tlv } from "../../src/emv/tlv.ts";
import { ascii } from "../../src/kit/bytes.ts";
import { toHex } from "../../src/kit/hex.ts";
import { own } from "./emv-message.ts";
import type { CardRead } from "./message.ts";
import { maskedIn, maskedInTracks, pinIn, sealedIn, sealedInTracks } from "./sealed.ts";

export type CardReading =
  | { readonly ok: true; readonly card: CardData; readonly atc?: string; readonly wantsPin: boolean }
  | { readonly ok: false; readonly code: FaultCode; readonly detail: string };

const NO_CIPHER =
  "no encrypted card data came with the card: have its keys injected, and encryption set to mode 19 (91_1)";

const bad = (code: FaultCode, detail: string): CardReading => ({ ok: false, code, detail });

/**
 * The card data for the payment, or the reason to refuse it (PROTOCOL.md 6.6). A refund ignores the card's decision and
 * carries no PIN.
 */
export function readChip(
  objects: readonly Tlv[],
  via: "chip" | "contactless-chip",
  decision: FirstDecision,
  request: CollectRequest,
): CardReading {
  const icc = clearable(objects);
  const problem =
    firstAnswerProblem(icc, decision, request, via) ??
    (findTag(icc, "9F26") === undefined ? "the answer carries no cryptogram (9F26)" : undefined);
  if (problem !== undefined) return bad("protocol", problem);
  const isRefund = request.transactionType === "20";
  const sred = sealedIn(objects);
  if (sred === undefined && (isRefund || decision === "online")) return bad("keys-missing", NO_CIPHER);
  const pin = isRefund ? undefined : pinIn(objects);
  const atc = findTag(icc, "9F36");
  return {
    ok: true,
    card: { interface: via, decision, icc, ...(sred && { sred }), ...(pin && { pin }), masked: maskedIn(objects) },
    ...(atc && { atc: toHex(atc) }),
    wantsPin: !isRefund && decision === "online" && pin === undefined && wantsPin(objects, via),
  };
}

const YES = "1";
/** EMV Book 4, A4: enciphered PIN verified online. */
const ONLINE_PIN = 0x02;

/** The device's own flag or the card's CVM asks for an online PIN (PROTOCOL.md 6.8). */
function wantsPin(objects: readonly Tlv[], via: "chip" | "contactless-chip"): boolean {
  const [rule] = findTag(objects, "9F34") ?? [];
  if (rule !== undefined && (rule & 0x3f) === ONLINE_PIN) return true;
  if (via === "contactless-chip") return textOf(objects, own.tapPin) === YES;
  return rule === undefined && textOf(objects, own.pinRequired) === YES;
}

/** Tags that an answer holds at most once. */
const SAID_ONCE: readonly string[] = ["9F02", "9F26", "9F27", "9F36", own.confirmation, own.entryMode];

/**
 * Why an answer is not believed: a tag has two values, or the answer belongs to another card interface (PROTOCOL.md
 * 6.9).
 */
export function contradictionIn(objects: readonly Tlv[], via: "chip" | "contactless-chip"): string | undefined {
  const twice = SAID_ONCE.find(
    (tag) => new Set(objects.flatMap((one) => (one.tag === tag ? [toHex(one.value)] : []))).size > 1,
  );
  if (twice !== undefined) return `the answer carries ${twice} twice, with different values`;
  const entry = textOf(objects, own.entryMode);
  const isOther = (entry === "C" && via !== "chip") || (entry === "D" && via === "chip");
  return isOther ? "the answer is of a card that was presented in another way (9001)" : undefined;
}

export function textOf(objects: readonly Tlv[], tag: string): string {
  return ascii(findTag(objects, tag) ?? new Uint8Array(0));
}

/** Tracks of a swipe, a magstripe tap or a keyed number. */
export function readTracks(
  read: CardRead,
  via: Extract<CardInterface, "magstripe" | "contactless-magstripe" | "keyed">,
  request: CollectRequest,
): CardReading {
  const sred = sealedInTracks(read);
  if (sred === undefined) return bad("keys-missing", NO_CIPHER);
  const code = via === "magstripe" ? serviceCodeIn(read) : undefined;
  const told = code && { hasChip: code.hasChip };
  return {
    ok: true,
    card: { interface: via, decision: "online", icc: [], sred, ...told, masked: maskedInTracks(read) },
    wantsPin: request.transactionType === "00" && code?.wantsPin === true,
  };
}

/** Masked tracks keep expiry and service code (PROTOCOL.md 7.2). */
export function serviceCodeIn({ tracks: [first, second] }: Pick<CardRead, "tracks">): ServiceCode | undefined {
  return serviceCodeOf(second) ?? serviceCodeOf(first);
}
