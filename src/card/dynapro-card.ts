import { currencyProblem, firstAnswerProblem } from "../emv/answer-problem.ts";
import { clearable, sensitiveClear } from "../emv/tags.ts";
import { findTag, parseTlv, type Tlv } from "../emv/tlv.ts";
import { toHex } from "../kit/hex.ts";
import type { CardData, FirstDecision, Sealed } from "./card-data.ts";
import type { CollectRequest } from "./command.ts";
import { type Blob, leavesOf, tags } from "./dynapro-data.ts";
import { isClear, type Masking, maskedIn } from "./dynapro-masked.ts";
import type { FaultCode, Notice } from "./notice.ts";
import type { Offer } from "./offer.ts";
import { sealedOf } from "./sealed.ts";

/* Reads card data in the format of dynapro-data.ts. The clauses are those of drivers/magtek-dynaflex/PROTOCOL.md. */

/** How the card was presented, according to the device. */
export type Presented = "chip" | "tap" | "magstripe" | "keyed";

export type CardReading =
  | { readonly is: "card"; readonly card: CardData }
  | { readonly is: "no-card"; readonly why: Extract<Notice, { on: "no-card" }>["why"] }
  | { readonly is: "fault"; readonly code: FaultCode; readonly detail: string };

/** Card types (DFDF52) that matter (6.3). */
const cardTypes = { magstripe: "01", licence: "02", magstripeOfChip: "07", tapInMagstripeMode: "08" } as const;
/** DFDF53: no fallback. */
const NO_FALLBACK = "00";

/** Presentation by card type; other types may have come in any way. */
const presentedAs: Readonly<Record<string, Presented>> = {
  "01": "magstripe",
  "02": "magstripe",
  "03": "keyed",
  "05": "chip",
  "06": "tap",
  "07": "magstripe",
  "08": "tap",
};

/** The request, against which a card's reading is checked. */
export interface Asked {
  readonly request: CollectRequest;
  readonly offer: Offer;
  readonly masking: Masking;
}

/** The first answer of a card for the payment, or why it is unusable (6.3 and 6.4). */
export function readDynaProCard(
  blob: Blob,
  presented: Presented,
  decision: FirstDecision,
  { request, offer, masking }: Asked,
): CardReading {
  const type = byteIn(blob.leaves, tags.cardType);
  // Cards that are no payment cards arrive unmasked; a driving licence is no leak (6.5).
  if (type === cardTypes.licence) return { is: "no-card", why: "not-supported" };
  const leak = leakIn(blob);
  if (leak !== undefined) return { is: "fault", code: "clear-card-data", detail: leak };
  const expected = type === undefined ? undefined : presentedAs[type];
  if (expected !== undefined && expected !== presented)
    return protocol(`a card of type ${type} (DFDF52) that was presented as ${presented}`);
  const via = interfaceOf(presented, type);
  if (type === cardTypes.magstripeOfChip && !offer.fallback) return { is: "no-card", why: "use-chip" };
  const fallback = byteIn(blob.leaves, tags.fallback) ?? NO_FALLBACK;
  // The device fell back by itself; the payment decides whether that is allowed (7.9).
  if (fallback !== NO_FALLBACK && !offer.fallback) return { is: "no-card", why: "chip-unreadable" };
  // The cryptogram is sealed with the card, so it cannot be required, as after a swipe (7.10).
  const problem = firstAnswerProblem(blob.leaves, decision, request, "magstripe");
  if (problem !== undefined) return protocol(problem);
  const otherCurrency = currencyProblem(blob.leaves, request);
  if (otherCurrency !== undefined) return { is: "fault", code: "refused", detail: otherCurrency };
  const sred = sealedIn(blob.leaves);
  if (typeof sred === "string") return { is: "fault", code: "misconfigured", detail: sred };
  const isNeeded = decision === "online" || request.transactionType === "20";
  if (sred === undefined && isNeeded)
    return { is: "fault", code: "keys-missing", detail: "no encrypted card data came with the card" };
  const told =
    type === cardTypes.magstripe || type === cardTypes.magstripeOfChip
      ? { hasChip: type === cardTypes.magstripeOfChip }
      : undefined;
  const card: CardData = {
    interface: via,
    decision,
    icc: [],
    ...(sred && { sred }),
    ...told,
    masked: maskedIn(blob.leaves, masking) ?? { last4: "" },
  };
  return { is: "card", card };
}

function protocol(detail: string): CardReading {
  return { is: "fault", code: "protocol", detail };
}

function byteIn(leaves: readonly Tlv[], tag: string): string | undefined {
  const value = findTag(leaves, tag);
  return value?.length === 1 ? toHex(value) : undefined;
}

function interfaceOf(presented: Presented, type: string | undefined): CardData["interface"] {
  if (presented !== "tap") return presented;
  return type === cardTypes.tapInMagstripeMode ? "contactless-magstripe" : "contactless-chip";
}

/** Bit 7 of DFDF57: a key of DUKPT. */
const DUKPT = 0x80;

/** The ciphertext with all card data, or why it is unusable; undefined: none came (6.4). */
function sealedIn(leaves: readonly Tlv[]): Sealed | string | undefined {
  const [data, ksn] = [findTag(leaves, tags.data), findTag(leaves, tags.ksn)];
  const [encryption] = findTag(leaves, tags.encryption) ?? [];
  if (encryption !== undefined && (encryption & DUKPT) === 0)
    return "it encrypts card data under a fixed key (DFDF57); assign a DUKPT key (property 1.1.2.4.1.2)";
  return data && ksn && sealedOf(data, ksn);
}

/** The device's own tags for clear tracks inside its ciphertext (6.2). */
const ownTracks = { DF41: "text", DF42: "text", DF43: "text" } as const;

/**
 * A device without encryption sends the template FC itself in place of ciphertext. Real ciphertext cannot look like
 * complete TLV by chance.
 */
function unencrypted({ value }: Tlv): readonly Tlv[] {
  const parsed = parseTlv(value, [0x00]);
  return parsed.ok && parsed.objects[0]?.tag === tags.plain ? leavesOf(parsed.objects) : [];
}

/** Names the tags of clear card data; undefined: all of it is protected (6.5). */
export function leakIn({ leaves, merchant }: Pick<Blob, "leaves" | "merchant">): string | undefined {
  const all = [...leaves, ...merchant, ...leaves.filter(({ tag }) => tag === tags.data).flatMap(unencrypted)];
  const leaked = [...sensitiveClear(all, ownTracks), ...all.filter(isClear).map(({ tag }) => tag)];
  return leaked.length === 0 ? undefined : `the device sent card data in clear: ${[...new Set(leaked)].join(", ")}`;
}

/** The receipt's objects in the batch data (6.6). */
export function receiptObjects(batch: Blob | undefined): readonly Tlv[] {
  return clearable(batch?.merchant ?? []);
}

export type BatchWord = "accepted" | "declined" | "error" | "something else";

/** DFDF1A: the transaction's result according to the batch data. */
export function batchWord({ leaves }: Blob): BatchWord | undefined {
  switch (byteIn(leaves, tags.accepted)) {
    case "00":
      return "accepted";
    case "01":
      return "declined";
    case "02":
      return "error";
    case undefined:
      return undefined;
    default:
      return "something else";
  }
}
