import type { CardData, FirstDecision } from "../../src/card/card-data.ts";
import type { CollectRequest } from "../../src/card/command.ts";
import type { FaultCode } from "../../src/card/notice.ts";
import { currencyProblem, finalAnswerProblem, firstAnswerProblem } from "../../src/emv/answer-problem.ts";
import { receiptDataOf } from "../../src/emv/receipt-data.ts";
import { serviceCodeOf } from "../../src/emv/service-code.ts";
import { clearable } from "../../src/emv/tags.ts";
import type { Tlv } from "../../src/emv/tlv.ts";
import { toHex } from "../../src/kit/hex.ts";
import { type Attributed, plain } from "./attributed.ts";
import type { Held } from "./flow.ts";
import type { Captured, Outcome } from "./message.ts";
import { maskedIn, pinIn, sealedIn, textTracks } from "./sealed.ts";

export type CardReading =
  | { readonly ok: true; readonly card: CardData; readonly held: Held }
  | { readonly ok: false; readonly code: FaultCode; readonly detail: string };

export function clearOf(leaves: readonly Attributed[]): readonly Tlv[] {
  return clearable(
    leaves.filter(({ form, value }) => form === "plain" && value.length > 0).map(({ tag, value }) => ({ tag, value })),
  );
}

const ARQC = 0x80;
const TC = 0x40;

/** The first decision of a tapped card, from its cryptogram (PROTOCOL.md 6.3); undefined without a cryptogram. */
export function tapDecision(leaves: readonly Attributed[]): FirstDecision | undefined {
  const [information] = plain(leaves, "9F27") ?? [];
  if (information === undefined) return undefined;
  switch (information & 0xc0) {
    case ARQC:
      return "online";
    case TC:
      return "approved-offline";
    default:
      return "declined-offline";
  }
}

const INTERFACES: Readonly<Record<Captured, CardData["interface"]>> = {
  chip: "chip",
  tap: "contactless-chip",
  "tap-magstripe": "contactless-magstripe",
  swipe: "magstripe",
};

/**
 * The card data for the payment, or the reason to refuse it. A refund is booked regardless of the card's decision and
 * carries no PIN.
 */
export function readCard(
  { captured, leaves }: Pick<Outcome, "captured" | "leaves">,
  decision: FirstDecision,
  request: CollectRequest,
): CardReading {
  const isRefund = request.transactionType === "20";
  const icc = captured === "swipe" ? [] : clearOf(leaves);
  const problem = firstAnswerProblem(icc, decision, request, INTERFACES[captured]) ?? missingCryptogram(icc, captured);
  if (problem !== undefined) return { ok: false, code: "protocol", detail: problem };
  const otherCurrency = currencyProblem(icc, request);
  if (otherCurrency !== undefined) return { ok: false, code: "refused", detail: otherCurrency };
  const sred = sealedIn(leaves);
  if (sred === undefined && (isRefund || decision === "online")) {
    return { ok: false, code: "keys-missing", detail: "no encrypted card data came with the card" };
  }
  const pin = isRefund ? undefined : pinIn(leaves);
  const atc = icc.find(({ tag }) => tag === "9F36")?.value;
  const hasChip = captured === "swipe" ? chipIn(leaves) : undefined;
  return {
    ok: true,
    card: {
      ...{ interface: INTERFACES[captured], decision, icc },
      ...(sred && { sred }),
      ...(pin && { pin }),
      ...(hasChip !== undefined && { hasChip }),
      masked: maskedIn(leaves),
    },
    held: { via: captured === "chip" ? "chip" : "nobody", ...(atc && { atc: toHex(atc) }) },
  };
}

/** A tapped card asks for an online PIN, but a PIN can be typed only inside a chip transaction (PROTOCOL.md 6.3). */
export function lacksPin(
  { interface: via, decision, icc, pin }: CardData,
  { transactionType }: CollectRequest,
): boolean {
  if (via !== "contactless-chip" || decision !== "online" || transactionType === "20") return false;
  return pin === undefined && receiptDataOf(icc).cvm === "online-pin";
}

/** A chip that took part sends a cryptogram with every decision. */
function missingCryptogram(icc: readonly Tlv[], captured: Captured): string | undefined {
  if (captured === "swipe" || captured === "tap-magstripe" || icc.some(({ tag }) => tag === "9F26")) return undefined;
  return "the answer carries no cryptogram (9F26)";
}

/** Whether a swiped card has a chip; undefined if its masked tracks hide the service code (PROTOCOL.md 6.4). */
export function chipIn(leaves: readonly Attributed[]): boolean | undefined {
  const codes = textTracks(leaves).flatMap((track) => serviceCodeOf(track) ?? []);
  return codes.length === 0 ? undefined : codes.some(({ hasChip }) => hasChip);
}

/** A late final answer of another transaction, recognised by its ATC if both answers have one (PROTOCOL.md 6.5). */
export function isOfAnother(leaves: readonly Attributed[], held: Held): boolean {
  const told = plain(leaves, "9F36");
  return told !== undefined && held.atc !== undefined && toHex(told) !== held.atc;
}

/** The second answer must come from the same transaction as the first; its cryptogram must confirm an approval. */
export function approvalProblem(leaves: readonly Attributed[], held: Held): string | undefined {
  return finalAnswerProblem(clearOf(leaves), held);
}
