import { NO_TERMINAL } from "../payment/state.ts";
import type { PaymentView } from "../payment/view-schema.ts";
import { receiptReason } from "./reasons.ts";
import type { Copy, ReceiptLine, ReceiptSource } from "./source.ts";
import type { LabelKey, ReceiptWords, Verification } from "./words/words.ts";

/**
 * The lines of a receipt, in the order in which they are printed: the shop, the payment, the card, and EMV's data (AID,
 * label, masked number, entry mode,
 * verification, cryptogram, TVR, TSI, response and approval codes). No value holds a character that a printer or a
 * browser would obey.
 */
export function receiptLines(
  { payment, merchant, made }: ReceiptSource,
  copy: Copy,
  words: ReceiptWords,
): readonly ReceiptLine[] {
  const { card, emv, authorization } = payment;
  const plain = (key: string, value: string | undefined) => ({ key, label: "", value });
  const titled = (key: string, label: string, value: string | undefined) => ({ key, label, value });
  const labelled = (key: LabelKey, value: string | undefined) => titled(key, words.labels[key], value);
  return [
    plain("merchant", merchant.name),
    ...merchant.address.map((line, at) => plain(`address${at + 1}`, line)),
    labelled("vatId", merchant.vatId),
    plain("type", words.types[payment.type]),
    plain("copy", words.copies[copy]),
    plain("test", payment.environment === "test" ? words.test : undefined),
    labelled("date", made.date),
    labelled("time", made.time),
    labelled("reference", payment.reference),
    labelled("terminalId", authorization?.terminalId ?? payment.terminalId),
    labelled("merchantId", authorization?.merchantId),
    labelled("means", meansOf(payment, words)),
    labelled("brand", card?.brand),
    labelled("number", numberOf(payment)),
    labelled("entryMode", card?.entryMode),
    labelled("verification", verificationOf(payment, words)),
    labelled("applicationLabel", emv?.applicationLabel),
    titled("aid", "AID", emv?.aid),
    titled("tvr", "TVR", emv?.tvr),
    titled("tsi", "TSI", emv?.tsi),
    titled("cryptogram", emv?.cryptogramType ?? words.labels.cryptogram, emv?.cryptogram),
    titled("arc", "ARC", emv?.arc),
    labelled(
      "approvalCode",
      payment.decision === "approved" || isToBeSigned(payment) ? authorization?.code : undefined,
    ),
    titled("rrn", "RRN", authorization?.rrn),
    labelled("sequenceNumber", authorization?.sequenceNumber),
    labelled("tip", tipOf(payment, words)),
    labelled(
      "amount",
      payment.type === "REGISTRATION"
        ? undefined
        : moneyText(payment.approvedAmount ?? payment.amount ?? "0", payment, words),
    ),
    labelled("signature", signatureLineOf(payment, copy)),
    plain("outcome", words.results[resultOf(payment)]),
    plain("reason", reasonText(payment, words)),
  ].flatMap(({ key, label, value }) =>
    value === undefined || value === "" ? [] : [{ key, label, value: harmless(value) }],
  );
}

/**
 * Controls, format characters (direction marks among them) and line breaks as "?": names and labels come from cards,
 * devices and the gateway.
 */
function harmless(text: string): string {
  return text.normalize("NFC").replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
}

function moneyText(amount: string, { currency }: PaymentView, { decimalSign }: ReceiptWords): string {
  return `${amount.replace(".", decimalSign)} ${currency}`;
}

const VERIFICATIONS: readonly Verification[] = ["online-pin", "offline-pin", "signature", "none", "device", "failed"];

/** Only an approval shows that the bank has verified an online PIN, or that the shop has accepted a signature. */
function verificationOf({ card, decision }: PaymentView, { verifications }: ReceiptWords): string | undefined {
  if (card?.cvm === "online-pin" && decision !== "approved") return verifications["pin-not-verified"];
  if (card?.cvm === "signature" && decision !== "approved")
    return verifications[decision === undefined ? "signature-to-compare" : "signature-not-accepted"];
  const known = VERIFICATIONS.find((one) => one === card?.cvm);
  return known === undefined ? card?.cvm : verifications[known];
}

/** Undefined where less than the amount was approved: nobody has said how much of a tip is in that. */
function tipOf(payment: PaymentView, words: ReceiptWords): string | undefined {
  const { tip, amount, approvedAmount = amount } = payment;
  return tip === undefined || Number(approvedAmount) < Number(amount) ? undefined : moneyText(tip, payment, words);
}

/** Bank and card have approved, and the cashier compares the signature. */
function isToBeSigned({ prompt }: PaymentView): boolean {
  return prompt?.code === "SIGN";
}

/** Nobody signs for a payment that was not approved. */
function signatureLineOf(payment: PaymentView, copy: Copy): string | undefined {
  const isToSign = isToBeSigned(payment) || payment.decision === "approved";
  return copy === "merchant" && payment.card?.cvm === "signature" && isToSign ? "x_______________________" : undefined;
}

function resultOf(payment: PaymentView): keyof ReceiptWords["results"] {
  const { outcome, amount, approvedAmount = amount } = payment;
  if (outcome !== undefined) return outcome;
  if (!isToBeSigned(payment)) return "NOT_FINAL";
  return Number(approvedAmount) < Number(amount) ? "PARTIALLY_APPROVED_TO_SIGN" : "APPROVED_TO_SIGN";
}

function reasonText({ reason }: PaymentView, { reasons }: ReceiptWords): string | undefined {
  if (reason === undefined) return undefined;
  const known = reasons === undefined ? undefined : receiptReason(reason);
  return known === undefined ? reason.message : reasons?.[known];
}

/** Some terminals show nothing of the number (drivers/pax-d180/PROTOCOL.md). */
function numberOf({ card }: PaymentView): string | undefined {
  return card?.last4 && `${"*".repeat(12)}${card.last4}`;
}

/** Stands in place of a card that nobody presented. */
function meansOf({ terminal, registration, of }: PaymentView, { means }: ReceiptWords): string | undefined {
  if (registration !== undefined) return means["stored-card"];
  return terminal === NO_TERMINAL && of === undefined ? means.link : undefined;
}
