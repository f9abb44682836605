import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import type { Outcome } from "../ledger/outcome.ts";
import type { CardAccount } from "./account.ts";
import type { Asked } from "./account-answer.ts";
import { type CardBrand, cardBrandOf, detectBrand } from "./brands.ts";
import { passesLuhn } from "./check-digits.ts";

export function refused(resultCode: string, because: string): Outcome {
  return { resultCode, because };
}

/** Card errors that the gateway finds before it asks the issuer. */
export function formatRefusal(card: CardAccount, sent: Sent, asked: Asked, now: number): Outcome | undefined {
  const brand = card.brand === undefined ? detectBrand(card.number) : cardBrandOf(card.brand);
  if (card.brand !== undefined && brand === undefined)
    return refused("100.100.501", "paymentBrand is no brand of cards");
  if (!passesLuhn(card.number)) return refused("100.100.101", "card.number has a wrong check digit");
  if (brand === undefined) return refused("100.100.500", "card.number tells no brand, and there is no paymentBrand");
  if (!brand.numbers.test(card.number)) return refused("100.100.700", "card.number is none of that paymentBrand");
  if (isExpired(card.expiryMonth, card.expiryYear, now)) return refused("100.100.303", "the card is past its expiry");
  return codeRefusal(card, brand, sent, asked);
}

function codeRefusal(
  { cvv, wallet }: CardAccount,
  brand: CardBrand,
  sent: Sent,
  { paymentType }: Asked,
): Outcome | undefined {
  if (cvv !== undefined)
    return cvv.length === brand.cvvDigits
      ? undefined
      : refused("100.100.601", `card.cvv has not ${brand.cvvDigits} digits`);
  const isTyped = (paymentType === "PA" || paymentType === "DB") && wallet === undefined;
  return isTyped && brand.wantsCvv && isByHolder(sent)
    ? refused("100.100.600", "card.cvv is required for this brand")
    : undefined;
}

/**
 * Whether the holder can read the code from the card. False for merchant-initiated payments and device numbers (DPAN).
 */
function isByHolder(sent: Sent): boolean {
  if (sent.get("card.numberType") === "DPAN" || sent.get("recurringType") === "REPEATED") return false;
  return sent.get("standingInstruction.source") !== "MIT" && sent.get("standingInstruction.mode") !== "REPEATED";
}

/** A card is good to the end of its month (UTC). */
export function isExpired(month: string, year: string, now: number): boolean {
  return Date.UTC(Number(year), Number(month), 1) <= now;
}
