import type { CardData, FirstDecision, Sealed } from "../../src/card/card-data.ts";
import type { CollectRequest } from "../../src/card/command.ts";
import type { FaultCode } from "../../src/card/notice.ts";
import { maskedFromPacked } from "../../src/emv/mask.ts";
import { type ClearForm, clearable, sensitiveClear } from "../../src/emv/tags.ts";
import { findTag, type Tlv } from "../../src/emv/tlv.ts";
import { toHex } from "../../src/kit/hex.ts";
import { Secret } from "../../src/kit/secret.ts";
import type { Held } from "./flow.ts";
import { leavesOf, tags } from "./message.ts";

export type CardReading =
  | { readonly ok: true; readonly card: CardData; readonly held: Held }
  | { readonly ok: false; readonly code: FaultCode; readonly detail: string };

/** Objects of the device's own that hold numbers or tracks (PROTOCOL.md 4.2); the masked ones too, in case a device does not mask. */
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
};

/** Names the tags of clear card data in an answer or event, or undefined where all of it is protected (PROTOCOL.md 7.7). */
export function leakIn(objects: readonly Tlv[]): string | undefined {
  const leaked = sensitiveClear(leavesOf(objects), ownNumbers);
  return leaked.length === 0 ? undefined : `the device sent card data in clear: ${leaked.join(", ")}`;
}

/** The first answer of a card (E3, E4 or E5) as a payment wants it, or why it is not to be used (PROTOCOL.md 7.4 and 7.7). */
export function readCard(objects: readonly Tlv[], decision: FirstDecision, request: CollectRequest): CardReading {
  const leaves = leavesOf(objects);
  const leak = leakIn(objects);
  if (leak !== undefined) return { ok: false, code: "clear-card-data", detail: leak };
  const problem = cryptogramProblem(leaves, decision) ?? amountProblem(leaves, request);
  if (problem !== undefined) return { ok: false, code: "protocol", detail: problem };
  const sred = sealedIn(leaves, tags.sredData, tags.sredKsn);
  if (sred === undefined && decision === "online") return { ok: false, code: "keys-missing", detail: "no encrypted card data came with the cryptogram" };
  const pin = sealedIn(leaves, tags.pinData, tags.pinKsn);
  const atc = findTag(leaves, "9F36");
  const card: CardData = {
    interface: "chip",
    decision,
    icc: clearable(leaves),
    ...(sred && { sred }),
    ...(pin && { pin }),
    masked: maskedIn(leaves),
  };
  return { ok: true, card, held: atc === undefined ? {} : { atc: toHex(atc) } };
}

const ARQC = 0x80;
const TC = 0x40;

/** Template and cryptogram must say the same; a decline needs no proof. */
function cryptogramProblem(leaves: readonly Tlv[], decision: FirstDecision): string | undefined {
  const [information] = findTag(leaves, "9F27") ?? [];
  if (information === undefined || decision === "declined-offline") return undefined;
  const kind = information & 0xc0;
  return kind === (decision === "online" ? ARQC : TC) ? undefined : `the answer says ${decision}, its cryptogram (9F27) does not`;
}

/** An answer with another amount belongs to another transaction. */
function amountProblem(leaves: readonly Tlv[], request: CollectRequest): string | undefined {
  const amount = findTag(leaves, "9F02");
  return amount === undefined || toHex(amount) === packedAmount(request.amount) ? undefined : "the answer carries another amount (9F02) than was asked for";
}

/** 9F02: twelve digits. */
export function packedAmount(amount: number): string {
  return String(amount).padStart(12, "0");
}

/** The second answer of the card must come from the same transaction as the first, and its cryptogram must bear out an approval. */
export function approvalProblem(objects: readonly Tlv[], held: Held): string | undefined {
  const leaves = leavesOf(objects);
  const atc = findTag(leaves, "9F36");
  if (atc !== undefined && held.atc !== undefined && toHex(atc) !== held.atc) return "the final answer carries another transaction counter (9F36)";
  return cryptogramProblem(leaves, "approved-offline") && "the final answer says approved, its cryptogram (9F27) does not";
}

const KSN_SIZES: readonly number[] = [10, 12];
const MOST_SEALED = 1024;

/** The last run of ciphertext that is followed by its key serial number: a device may send the same data under several (PROTOCOL.md 4.6). */
function sealedIn(leaves: readonly Tlv[], dataTag: string, ksnTag: string): Sealed | undefined {
  let data: Uint8Array | undefined;
  let last: Sealed | undefined;
  for (const { tag, value } of leaves) {
    if (tag === dataTag) data = value;
    if (tag !== ksnTag || data === undefined) continue;
    if (isCiphertext(data) && KSN_SIZES.includes(value.length)) last = { data: new Secret(toHex(data)), ksn: toHex(value) };
    data = undefined;
  }
  return last;
}

const isCiphertext = (data: Uint8Array): boolean => data.length > 0 && data.length % 8 === 0 && data.length <= MOST_SEALED;

/** The masked number; where the device's configuration sends none, the last four digits alone (9F25), else none at all. */
function maskedIn(leaves: readonly Tlv[]): CardData["masked"] {
  for (const tag of [tags.maskedPan, tags.maskedTrack2]) {
    const masked = maskedFromPacked(findTag(leaves, tag) ?? new Uint8Array(0));
    if (masked !== undefined) return masked;
  }
  const lastFour = toHex(findTag(leaves, "9F25") ?? new Uint8Array(0));
  return { last4: /^[0-9]{4}$/.test(lastFour) ? lastFour : "" };
}
