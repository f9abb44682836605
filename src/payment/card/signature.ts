import type { Payment } from "../state/payment.ts";

/**
 * A signature not confirmed in this time (`payment.confirmSignature`) counts as refused: the approved payment is
 * reversed.
 */
const SIGNATURE_MS = 300_000;

/**
 * The CVM is a signature (EMV Book 4, 6.3.4.5), which only the cashier can compare: until then the payment is not
 * approved.
 */
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

export function signatureBy(payment: Payment): number | undefined {
  if (payment.ending !== undefined || payment.concluded !== undefined || !wantsSignature(payment)) return undefined;
  return payment.terminal.at === "over" ? payment.terminal.since + SIGNATURE_MS : undefined;
}

export function isSignatureRefused(payment: Payment, now: number): boolean {
  const by = signatureBy(payment);
  return payment.signature?.accepted === false || (by !== undefined && now >= by);
}
