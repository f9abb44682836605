import type { CardData } from "../../src/card/card-data.ts";
import type { CollectRequest } from "../../src/card/command.ts";
import type { FaultCode } from "../../src/card/notice.ts";
import { sealedOf } from "../../src/card/sealed.ts";
import { currencyProblem, finalAnswerProblem, firstAnswerProblem } from "../../src/emv/answer-problem.ts";
import { type MaskedNumber, maskedFromPacked, maskedFromText } from "../../src/emv/mask.ts";
import { clearable, sensitiveClear } from "../../src/emv/tags.ts";
import { findTag, type Tlv } from "../../src/emv/tlv.ts";
import { ascii } from "../../src/kit/bytes.ts";
import { toHex } from "../../src/kit/hex.ts";
import type { Held, Sealing, Told } from "./flow.ts";
import { amountInStart } from "./flow-start.ts";
import { NUMBER, TRACK_2 } from "./objects.ts";

export type CardReading =
  | { readonly ok: true; readonly card: CardData; readonly held: Held }
  | { readonly ok: false; readonly code: FaultCode; readonly detail: string };

/** Tracks of a swipe, under the tags that other drivers also use. */
const TRACKS = ["5F21", "5F22", "5F23"] as const;
const MAGSTRIPE_TRACK_2 = "5F22";
const ownNumbers = { "5F21": "text", "5F22": "text", "5F23": "text" } as const;

/** The tracks of a swipe, each after a length of one byte (PROTOCOL.md 4.7); undefined if the bytes do not parse. */
export function tracksIn(data: Uint8Array): readonly Told[] | undefined {
  const tracks: Told[] = [];
  let at = 0;
  for (const tag of TRACKS) {
    const length = data[at];
    if (length === undefined || data.length < at + 1 + length) return undefined;
    if (length > 0) tracks.push({ tag, value: data.slice(at + 1, at + 1 + length), isSealed: false });
    at += 1 + length;
  }
  return at === data.length ? tracks : undefined;
}

/**
 * Start of a packed track 2: number, separator, expiry, service code. Random ciphertext matches less than once in
 * 400,000 times.
 */
const PACKED_TRACK = /^[1-9][0-9]{11,18}D[0-9]{2}(?:0[1-9]|1[0-2])[0-9]{3}/;

/** Names the tags of clear card data, or undefined where all of it is protected (PROTOCOL.md 6.8). */
export function leakIn(found: readonly Told[]): string | undefined {
  const told = sensitiveClear(
    found.filter(({ isSealed }) => !isSealed),
    ownNumbers,
  );
  // Ciphertext, or a packed value in a text field, may still be clear card data.
  const packed = found
    .filter(({ tag, value }) => (tag === TRACK_2 || tag === MAGSTRIPE_TRACK_2) && PACKED_TRACK.test(toHex(value)))
    .map(({ tag }) => tag);
  const leaked = [...new Set([...told, ...packed])];
  return leaked.length === 0 ? undefined : `the device sent card data in clear: ${leaked.join(", ")}`;
}

/** The encrypted card data, preferred tag first. A swiped track carries no encryption mark (PROTOCOL.md 4.7). */
export function sealedIn(found: readonly Told[]): Uint8Array | undefined {
  const sealed = [TRACK_2, NUMBER].flatMap((tag) => found.find((one) => one.tag === tag && one.isSealed)?.value ?? []);
  return sealed[0] ?? findTag(found, MAGSTRIPE_TRACK_2);
}

/** A swiped track with masked digits is not ciphertext, even if its length is a multiple of the block size. */
function isMaskedTrack(found: readonly Told[]): boolean {
  const track = findTag(found, MAGSTRIPE_TRACK_2);
  return track !== undefined && maskedFromText(ascii(track)) !== undefined;
}

export function clearOf(found: readonly Told[]): readonly Tlv[] {
  return clearable(found.flatMap(({ tag, value, isSealed }) => (isSealed ? [] : [{ tag, value }])));
}

/** The card data for the payment, or the reason to refuse it. A refund ignores the card's decision. */
export function readCard({ via, decided, found, ksn }: Sealing, request: CollectRequest): CardReading {
  const leak = leakIn(found);
  if (leak !== undefined) return { ok: false, code: "clear-card-data", detail: leak };
  const icc = via === "chip" ? clearOf(found) : [];
  const problem =
    firstAnswerProblem(icc, decided, request, via) ?? (via === "chip" ? missingCryptogram(icc) : undefined);
  if (problem !== undefined) return { ok: false, code: "protocol", detail: problem };
  const otherCurrency = currencyProblem(icc, request);
  if (otherCurrency !== undefined) return { ok: false, code: "refused", detail: otherCurrency };
  const data = isMaskedTrack(found) ? undefined : sealedIn(found);
  const sred = data && ksn && sealedOf(data, ksn);
  if (sred === undefined && (decided === "online" || request.transactionType === "20")) {
    return { ok: false, code: "keys-missing", detail: "no encrypted card data came with the card" };
  }
  const atc = findTag(icc, "9F36");
  const card: CardData = {
    interface: via,
    decision: decided,
    icc,
    ...(sred && { sred }),
    masked: maskedIn(found) ?? { last4: "" },
  };
  return {
    ok: true,
    card,
    held: { via: via === "chip" ? "chip" : "nobody", amount: amountInStart(request), ...(atc && { atc: toHex(atc) }) },
  };
}

/** A chip that took part sends a cryptogram with every decision. */
function missingCryptogram(icc: readonly Tlv[]): string | undefined {
  return findTag(icc, "9F26") === undefined ? "the card shows no cryptogram (9F26)" : undefined;
}

/** The masked number. No known member of the family sends one. */
function maskedIn(found: readonly Told[]): MaskedNumber | undefined {
  const clear = found.filter(({ isSealed }) => !isSealed);
  const [track, number] = [findTag(clear, TRACK_2), findTag(clear, NUMBER)];
  const magstripe = findTag(clear, MAGSTRIPE_TRACK_2);
  return (
    (track && maskedFromPacked(track)) ??
    (number && maskedFromPacked(number)) ??
    (magstripe && maskedFromText(ascii(magstripe)))
  );
}

/** The second answer must come from the same transaction as the first; its cryptogram must confirm an approval. */
export function approvalProblem(objects: readonly Tlv[], held: Held): string | undefined {
  return finalAnswerProblem(clearable(objects), held);
}

/** EMV Book 3, table 15: the two bits that mark a TC. */
const KIND = 0xc0;
const IS_TC = 0x40;

/** A decline with a TC is a contradiction: the card's decision is unknown. */
export function declineProblem(objects: readonly Tlv[]): string | undefined {
  const [information = 0] = findTag(clearable(objects), "9F27") ?? [];
  return (information & KIND) === IS_TC ? "the device says declined, the cryptogram (9F27) is a TC" : undefined;
}
