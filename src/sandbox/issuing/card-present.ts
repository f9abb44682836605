import type { Sent } from "../../gateway/parameters/chapter.ts";
import type { Minor } from "../../kit/money.ts";
import { entryModeSchema } from "../../payment/operation.ts";
import type { Verification } from "../../testbed/issuer.ts";
import type { Context } from "../context.ts";

/** What the issuer is to answer for. */
interface Asked {
  readonly amount: Minor;
  /** ISO 4217, three digits; absent: whatever the card signed, because the request names no money. */
  readonly currencyNumeric?: string;
  readonly credit: boolean;
}

/** Shows the card of a request (specification, "Point of sale") to its issuer. The parameters were found in order before. */
export function verifyCard({ issuer, clock }: Context, sent: Sent, { amount, currencyNumeric, credit }: Asked): Verification {
  return issuer.verify({
    amount,
    currencyNumeric,
    credit,
    entryMode: entryModeSchema.parse(sent.get("pos.entryMode")),
    deviceType: sent.get("pos.deviceType"),
    sred: { data: sent.get("pos.encryptedSred.data") ?? "", ksn: sent.get("pos.encryptedSred.ksn") ?? "" },
    pin: sent.has("pos.encryptedPin.data") ? { data: sent.get("pos.encryptedPin.data") ?? "", ksn: sent.get("pos.encryptedPin.ksn") ?? "" } : undefined,
    icc: sent.get("pos.iccDataRequest"),
    panSequenceNumber: sent.get("pos.panSequenceNumber"),
    now: clock.now(),
  });
}

/** As received, but for what was sealed: instead of the ciphertext stands what its verification said. */
export function recorded(sent: Sent, verification: Verification): Record<string, string> {
  const sealed = { "pos.encryptedSred.data": verification.sred, "pos.encryptedPin.data": verification.pin };
  const entries = [...sent].map(([name, value]) => {
    if (name === "pos.encryptedSred.data" || name === "pos.encryptedPin.data") return [name, sealed[name] ?? "not verified"] as const;
    return [name, value] as const;
  });
  return Object.fromEntries(entries);
}

/** A tap whose holder has shown nothing but the card: what an issuer may answer with a soft decline. */
export function isTapWithoutPin(sent: Sent): boolean {
  return (sent.get("pos.entryMode") ?? "").startsWith("NFC_") && !sent.has("pos.encryptedPin.data");
}
