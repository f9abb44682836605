import type { Payment } from "../state/payment.ts";

/** An unanswered `payment.confirmSignature` is a void after this (contract, section 3). */
const SIGNATURE_MS = 300_000;

/** The card wants the signature compared (CVM results, EMV Book 4, 6.3.4.5), so approval waits for the cashier. */
export function wantsSignature({ terminal, chip, signature }: Payment): boolean {
  if (
    terminal.at !== "over" ||
    terminal.how.is !== "verdict" ||
    terminal.how.verdict === "declined" ||
    terminal.how.issuer.verdict !== "approved"
  )
    return false;
  return chip?.cvm === "signature" && signature === undefined;
}

/** Undefined while nobody waits for the cashier. */
export function signatureBy(payment: Payment): number | undefined {
  if (payment.ending !== undefined || payment.concluded !== undefined || !wantsSignature(payment)) return undefined;
  return payment.terminal.at === "over" ? payment.terminal.since + SIGNATURE_MS : undefined;
}

/** The sale is reversed if the cashier refuses, or does not judge in time. */
export function isSignatureRefused(payment: Payment, now: number): boolean {
  const by = signatureBy(payment);
  return payment.signature?.accepted === false || (by !== undefined && now >= by);
}
