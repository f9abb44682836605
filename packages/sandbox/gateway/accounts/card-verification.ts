import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { isHex } from "../../../../src/kit/hex.ts";
import type { Minor } from "../../../../src/kit/money.ts";
import { entryModeSchema } from "../../../../src/payment/exchange.ts";
import { type Refusal, refusal, type SealedData, type Verification } from "../../testbed/issuer-contract.ts";
import type { Context } from "../context.ts";

/** The transaction that the issuer verifies the card for. */
interface Asked {
  readonly amount: Minor;
  /** ISO 4217, three digits; absent: the request names no money, so any currency that the card signed is accepted. */
  readonly currencyNumeric?: string;
  readonly credit: boolean;
}

/**
 * Hands the presented card (specification, "Point of sale") to the issuer. The specification allows any letters and
 * digits; unreadable data is declined, like undecryptable data.
 */
export function verifyCard(
  { issuer, clock }: Context,
  sent: Sent,
  { amount, currencyNumeric, credit }: Asked,
): Verification {
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

function unreadableOf(
  sred: SealedData | undefined,
  pin: SealedData | undefined,
  icc: string | undefined,
): Verification | undefined {
  const unread = pin && "invalid: not checked, the card is not known";
  const refused = (found: Refusal, pinSaid = unread): Verification => ({
    ...{
      sred: `invalid: ${found.check}`,
      pin: pinSaid,
      card: undefined,
      isCardDone: false,
      refusal: found,
      conclude: () => undefined,
    },
  });
  if (sred !== undefined && !isHex(sred.data)) return refused(refusal("sred", "SRED data is no hexadecimal"));
  if (pin !== undefined && (pin.data === "" || !isHex(pin.data))) {
    const found = refusal("pin-block", pin.data === "" ? "PIN KSN without a PIN block" : "PIN block is no hexadecimal");
    return { ...refused(found, `invalid: ${found.check}`), sred: "invalid: not checked, the PIN block cannot be read" };
  }
  return icc === undefined || isHex(icc) ? undefined : refused(refusal("icc-data", "chip data is no hexadecimal"));
}

/** The ledger stores these words, how verification went, instead of the sealed data. */
export function sealedWords({ sred, pin }: Verification): Readonly<Record<string, string>> {
  return { "pos.encryptedSred.data": sred, "pos.encryptedPin.data": pin ?? "not verified" };
}

/** A contactless payment without PIN; an issuer may answer it with a soft decline. */
export function isTapWithoutPin(sent: Sent): boolean {
  return (sent.get("pos.entryMode") ?? "").startsWith("NFC_") && !sent.has("pos.encryptedPin.data");
}
