import { NO_TERMINAL } from "./card-present.ts";
import type { PaymentView } from "./public.ts";

export interface MerchantData {
  readonly name: string;
  readonly address: readonly string[];
  readonly vatId?: string;
}

/** Also what was not approved was asked for at a terminal, which its receipt names as the acquirer knows it. */
export type ReceiptView = PaymentView & { readonly terminalId?: string };

/** When the payment was made, as a clock on the shop's wall showed it: 2026-01-15, 12:34:56. */
export interface WallTime {
  readonly date: string;
  readonly time: string;
}

export interface ReceiptLine {
  readonly key: string;
  readonly label: string;
  readonly value: string;
}

/** Columns of the narrowest paper there is, of the widest, and of the usual one (80 mm). */
export const RECEIPT_COLUMNS = { min: 24, max: 80, normal: 42 } as const;

const CVM_TEXTS: Readonly<Record<string, string>> = {
  "online-pin": "PIN verified by the bank",
  "offline-pin": "PIN verified by the card",
  signature: "Signature",
  none: "No verification",
  device: "Verified on the device",
  failed: "Verification failed",
};

const OUTCOME_TEXTS: Readonly<Record<NonNullable<PaymentView["outcome"]>, string>> = {
  APPROVED: "APPROVED",
  PARTIALLY_APPROVED: "APPROVED IN PART",
  DECLINED: "DECLINED",
  CANCELLED: "CANCELLED",
  FAILED: "NOT COMPLETED",
};

const TYPE_TEXTS: Readonly<Record<PaymentView["type"], string>> = {
  SALE: "SALE",
  PREAUTHORIZATION: "PREAUTHORIZATION",
  REFUND: "REFUND",
  LINKED_REFUND: "REFUND",
  REGISTRATION: "CARD STORED",
  CAPTURE: "CAPTURE",
  VOID: "VOID",
  INCREMENT: "PREAUTHORIZATION, ADDED",
};

/** Of an online PIN only an approval says that the bank has verified it, and of a signature that it was accepted. */
function verificationOf({ card, decision }: PaymentView): string | undefined {
  if (card?.cvm === "online-pin" && decision !== "approved") return "PIN typed, not verified";
  if (card?.cvm === "signature" && decision !== "approved") return decision === undefined ? "Signature, to be compared" : "No signature accepted";
  return card?.cvm && (CVM_TEXTS[card.cvm] ?? card.cvm);
}

/** A tip is part of what was asked for: how much of it is in a smaller amount that was approved nobody has said. */
function tipOf({ tip, amount, approvedAmount = amount, currency }: PaymentView): string | undefined {
  return tip === undefined || Number(approvedAmount) < Number(amount) ? undefined : `${tip} ${currency}`;
}

/** Bank and card have approved, and the cashier compares the signature: the slip that the customer signs. */
function isToBeSigned({ prompt }: PaymentView): boolean {
  return prompt?.code === "SIGN";
}

/** What was not approved is nobody's to sign for. */
function signatureLineOf(payment: PaymentView, copy: "merchant" | "customer"): string | undefined {
  const isToSign = isToBeSigned(payment) || payment.decision === "approved";
  return copy === "merchant" && payment.card?.cvm === "signature" && isToSign ? "x_______________________" : undefined;
}

function outcomeOf(payment: PaymentView): string {
  const { outcome, amount, approvedAmount = amount } = payment;
  if (outcome !== undefined) return OUTCOME_TEXTS[outcome];
  if (!isToBeSigned(payment)) return "NOT FINAL";
  return Number(approvedAmount) < Number(amount) ? "APPROVED IN PART, SUBJECT TO SIGNATURE" : "APPROVED, SUBJECT TO SIGNATURE";
}

/** What a receipt must name (EMV receipt minimum: AID, label, masked number, entry mode, verification, cryptogram, TVR, TSI, response and approval codes). */
export function receiptLines(payment: ReceiptView, merchant: MerchantData, made: WallTime, copy: "merchant" | "customer"): readonly ReceiptLine[] {
  const { card, emv, authorization } = payment;
  const lines: (readonly [key: string, label: string, value: string | undefined])[] = [
    ["merchant", "", merchant.name],
    ...merchant.address.map((line, at) => [`address${at + 1}`, "", line] as const),
    ["vatId", "VAT", merchant.vatId],
    ["type", "", TYPE_TEXTS[payment.type]],
    ["copy", "", copy === "customer" ? "CUSTOMER COPY" : "MERCHANT COPY"],
    ["test", "", payment.environment === "test" ? "*** TEST - NO MONEY MOVED ***" : undefined],
    ["date", "Date", made.date],
    ["time", "Time", made.time],
    ["reference", "Reference", payment.reference],
    ["terminalId", "Terminal", authorization?.terminalId ?? payment.terminalId],
    ["merchantId", "Merchant", authorization?.merchantId],
    ["means", "Paid by", meansOf(payment)],
    ["brand", "Card", card?.brand],
    ["number", "Number", numberOf(payment)],
    ["entryMode", "Entry", card?.entryMode],
    ["verification", "Verification", verificationOf(payment)],
    ["applicationLabel", "Application", emv?.applicationLabel],
    ["aid", "AID", emv?.aid],
    ["tvr", "TVR", emv?.tvr],
    ["tsi", "TSI", emv?.tsi],
    ["cryptogram", emv?.cryptogramType ?? "Cryptogram", emv?.cryptogram],
    ["arc", "ARC", emv?.arc],
    ["approvalCode", "Approval code", payment.decision === "approved" || isToBeSigned(payment) ? authorization?.code : undefined],
    ["rrn", "RRN", authorization?.rrn],
    ["sequenceNumber", "Sequence", authorization?.sequenceNumber],
    ["tip", "Tip included", tipOf(payment)],
    ["amount", "Amount", payment.type === "REGISTRATION" ? undefined : `${payment.approvedAmount ?? payment.amount ?? "0"} ${payment.currency}`],
    ["signature", "Signature", signatureLineOf(payment, copy)],
    ["outcome", "", outcomeOf(payment)],
    ["reason", "", payment.reason?.message],
  ];
  return lines.flatMap(([key, label, value]) => (value === undefined || value === "" ? [] : [{ key, label, value }]));
}

/** Some terminals show nothing of the number (drivers/pax-d180/PROTOCOL.md). */
function numberOf({ card }: PaymentView): string | undefined {
  return card?.last4 && `${"*".repeat(12)}${card.last4}`;
}

/** What stands in place of a card that nobody presented. */
function meansOf({ terminal, registration, of }: PaymentView): string | undefined {
  if (registration !== undefined) return "Stored card";
  return terminal === NO_TERMINAL && of === undefined ? "Link on the customer's phone" : undefined;
}

/** The receipt as plain text of that many columns: labels left, values right; a value without a label is centred; what does not fit goes on further lines. */
export function receiptText(lines: readonly ReceiptLine[], columns: number): string {
  return lines.flatMap((line) => textLines(line, columns)).join("\n");
}

function textLines({ label, value }: ReceiptLine, columns: number): readonly string[] {
  if (label === "") return pieces(value, columns).map((piece) => " ".repeat(Math.floor((columns - piece.length) / 2)) + piece);
  if (label.length + 1 + value.length <= columns) return [label + value.padStart(columns - label.length)];
  return [label, ...pieces(value, columns).map((piece) => piece.padStart(columns))];
}

/** Lines of at most that many columns, broken between words; a word that is longer than a line is broken where it must be. */
function pieces(value: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of value.split(" ").flatMap((one) => slices(one, columns))) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (joined.length <= columns) {
      line = joined;
    } else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

function slices(word: string, columns: number): readonly string[] {
  const count = Math.max(1, Math.ceil(word.length / columns));
  return Array.from({ length: count }, (_, at) => word.slice(at * columns, (at + 1) * columns));
}
