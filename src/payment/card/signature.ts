import type { Payment } from "../state/payment.ts";

/** Without a `payment.confirmSignature` in this time the sale is reversed. */
const SIGNATURE_MS = 300_000;

/** The CVM is a signature (EMV Book 4, 6.3.4.5): approval waits for the cashier. */
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

/** The cashier's deadline; undefined if no signature is awaited. */
export function signatureBy(payment: Payment): number | undefined {
  if (payment.ending !== undefined || payment.concluded !== undefined || !wantsSignature(payment)) return undefined;
  return payment.terminal.at === "over" ? payment.terminal.since + SIGNATURE_MS : undefined;
}

export function isSignatureRefused(payment: Payment, now: number): boolean {
  const by = signatureBy(payment);
  return payment.signature?.accepted === false || (by !== undefined && now >= by);
}
