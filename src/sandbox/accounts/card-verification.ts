import type { Sent } from "../../gateway/parameters/chapter.ts";
import { isHex } from "../../kit/hex.ts";
import type { Minor } from "../../kit/money.ts";
import { entryModeSchema } from "../../payment/operation.ts";
import { type Refusal, refusal, type SealedData, type Verification } from "../../testbed/issuer-contract.ts";
import type { Context } from "../context.ts";

/** What the issuer is to answer for. */
interface Asked {
  readonly amount: Minor;
  /** ISO 4217, three digits; absent: whatever the card signed, because the request names no money. */
  readonly currencyNumeric?: string;
  readonly credit: boolean;
}

/**
 * Shows the card of a request (specification, "Point of sale") to its issuer. The specification's table takes any letters and digits for what is sealed; what no
 * terminal can have sealed is refused here as the issuer refuses what does not open.
 */
export function verifyCard({ issuer, clock }: Context, sent: Sent, { amount, currencyNumeric, credit }: Asked): Verification {
  const [sred, pin] = [sealedIn(sent, "pos.encryptedSred"), sealedIn(sent, "pos.encryptedPin")];
  const icc = sent.get("pos.iccDataRequest");
  const unreadable = unreadableOf(sred, pin, icc);
  if (unreadable !== undefined) return unreadable;
  return issuer.verify({
    amount,
    currencyNumeric,
    credit,
    entryMode: entryModeSchema.parse(sent.get("pos.entryMode")),
    deviceType: sent.get("pos.deviceType"),
    sred: { data: "", ksn: "", ...sred },
    pin,
    icc,
    panSequenceNumber: sent.get("pos.panSequenceNumber"),
    now: clock.now(),
  });
}

function sealedIn(sent: Sent, name: "pos.encryptedSred" | "pos.encryptedPin"): SealedData | undefined {
  const [data, ksn] = [sent.get(`${name}.data`), sent.get(`${name}.ksn`)];
  return data === undefined && ksn === undefined ? undefined : { data: data ?? "", ksn: ksn ?? "" };
}

function unreadableOf(sred: SealedData | undefined, pin: SealedData | undefined, icc: string | undefined): Verification | undefined {
  const unread = pin && "invalid: not checked, the card is not known";
  const refused = (found: Refusal, pinSaid = unread): Verification => ({
    ...{ sred: `invalid: ${found.check}`, pin: pinSaid, card: undefined, isCardDone: false, refusal: found, conclude: () => undefined },
  });
  if (sred !== undefined && !isHex(sred.data)) return refused(refusal("sred", "SRED data is no hexadecimal"));
  if (pin !== undefined && (pin.data === "" || !isHex(pin.data))) {
    const found = refusal("pin-block", pin.data === "" ? "PIN KSN without a PIN block" : "PIN block is no hexadecimal");
    return { ...refused(found, `invalid: ${found.check}`), sred: "invalid: not checked, the PIN block cannot be read" };
  }
  return icc === undefined || isHex(icc) ? undefined : refused(refusal("icc-data", "chip data is no hexadecimal"));
}

/** What the ledger keeps instead of what was sealed: how its verification went. */
export function sealedWords({ sred, pin }: Verification): Readonly<Record<string, string>> {
  return { "pos.encryptedSred.data": sred, "pos.encryptedPin.data": pin ?? "not verified" };
}

/** A tap whose holder has shown nothing but the card: what an issuer may answer with a soft decline. */
export function isTapWithoutPin(sent: Sent): boolean {
  return (sent.get("pos.entryMode") ?? "").startsWith("NFC_") && !sent.has("pos.encryptedPin.data");
}
