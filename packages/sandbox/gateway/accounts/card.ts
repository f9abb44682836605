import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { type PayingAccount, shopperStepOf } from "../asynchronous/shopper-step.ts";
import type { Context } from "../context.ts";
import type { IssuerPart } from "../ledger/booking.ts";
import type { Outcome } from "../ledger/outcome.ts";
import type { CardAccount } from "./account.ts";
import type { AccountAnswer, Asked } from "./account-answer.ts";
import { type Verified, verifyAddress, verifyCode } from "./avs-cvv.ts";
import { type CardBrand, cardBrandOf, detectBrand } from "./brands.ts";
import { formatRefusal, isExpired, refused } from "./card-rules.ts";
import { acquirerPart } from "./issuer-part.ts";
import { recorded } from "./masking.ts";
import type { StoredCard } from "./stored-account.ts";
import { type TestCard, testCardByEnds, testCardOf } from "./test-cards.ts";
import {
  authenticatesHere,
  authenticationOf,
  enrolmentOf,
  hasProof,
  proofOutcome,
  threeDSecurePart,
} from "./three-d-secure.ts";

/** A card as issuer and reply need it, whether typed, stored, in a wallet or behind a token. */
export interface CardAtHand {
  /** Undefined: the request names no brand and the number matches none. */
  readonly brand: CardBrand | undefined;
  /** The brand as the reply names it if it is not the card's own, such as a wallet's. */
  readonly brandSaid?: string | undefined;
  readonly isDetected: boolean;
  readonly bin: string | undefined;
  readonly last4: string | undefined;
  readonly expiryMonth: string | undefined;
  readonly expiryYear: string | undefined;
  readonly holder: string | undefined;
  readonly cvv: string | undefined;
  /** Undefined: not a published test number. */
  readonly testCard: TestCard | undefined;
  /** An error found before the issuer is asked. */
  readonly refusal: Outcome | undefined;
  /**
   * The part that a registration would keep. Absent for numbers that are no test card, even if a fault approves the
   * payment.
   */
  readonly stored?: StoredCard | undefined;
  /** The wallet or the token's bank authenticated the holder, so 3D Secure is skipped. */
  readonly isVerifiedElsewhere: boolean;
}

/** Specification, "Card account", and a wallet's card in decrypted form. */
export function answerCard(context: Context, account: CardAccount, sent: Sent, asked: Asked): AccountAnswer {
  return answerOfIssuer(context, typed(account, sent, asked, context.clock.now()), sent, asked);
}

function typed(account: CardAccount, sent: Sent, asked: Asked, now: number): CardAtHand {
  const { number, wallet, expiryMonth, expiryYear, holder, cvv } = account;
  const walletBrand = wallet?.toUpperCase();
  const said = account.brand === walletBrand ? undefined : account.brand;
  const brand = said === undefined ? detectBrand(number) : cardBrandOf(said);
  const testCard = testCardOf(number);
  const ends = number.length > 12 ? { bin: number.slice(0, 6), last4: number.slice(-4) } : undefined;
  const kept = { ...(holder !== undefined && { holder }), expiryMonth, expiryYear };
  return {
    ...{
      brand,
      brandSaid: account.brand,
      isDetected: said === undefined && brand !== undefined,
      bin: ends?.bin,
      last4: ends?.last4,
    },
    ...{ expiryMonth, expiryYear, holder, cvv, testCard },
    refusal: formatRefusal({ ...account, brand: said }, sent, asked, now),
    stored:
      wallet === undefined
        ? testCard && brand && ends && { is: "stored-card", brand: brand.key, ...ends, ...kept }
        : undefined,
    isVerifiedElsewhere: false,
  };
}

/** Charges a stored card. Number, brand and expiry were checked when it was stored; it may have expired since. */
export function answerStoredCard(context: Context, stored: StoredCard, sent: Sent, asked: Asked): AccountAnswer {
  const { brand, bin, last4, expiryMonth, expiryYear, holder } = stored;
  const atHand: CardAtHand = {
    ...{
      brand: cardBrandOf(brand),
      brandSaid: brand,
      isDetected: false,
      bin,
      last4,
      expiryMonth,
      expiryYear,
      holder,
      cvv: sent.get("card.cvv"),
    },
    testCard: testCardByEnds(`${bin}${last4}`),
    refusal: isExpired(expiryMonth, expiryYear, context.clock.now())
      ? refused("100.100.303", "the stored card is past its expiry")
      : undefined,
    isVerifiedElsewhere: false,
  };
  return answerOfIssuer(context, atHand, sent, asked);
}

/** The issuer's answer for a card that was not presented at a terminal. */
export function answerOfIssuer(context: Context, card: CardAtHand, sent: Sent, asked: Asked): AccountAnswer {
  const code = verifyCode(card.cvv);
  const address = verifyAddress(sent);
  const enrolment =
    authenticatesHere(sent, asked.paymentType) && !card.isVerifiedElsewhere
      ? enrolmentOf(card.testCard, sent)
      : undefined;
  const paying: PayingAccount = { brand: card.brand?.key, authentication: authenticationOf(enrolment) };
  const isChallenged = shopperStepOf(paying, sent)?.is === "challenge";
  const isAuthenticated = hasProof(sent) || card.isVerifiedElsewhere || isChallenged || enrolment === "frictionless";
  const refusal =
    card.refusal ??
    (asked.paymentType === "RI" ? undefined : refusalOfIssuer(card, sent, asked, { code, address, isAuthenticated }));
  return {
    method: card.brand?.type === "DEBIT" ? "DC" : "CC",
    refusal,
    parameters: recorded(sent),
    paying,
    issuer(outcome, resultCode) {
      const isAsked = card.refusal === undefined && card.testCard !== undefined;
      const part = threeDSecurePart(context.random, sent, { brand: card.brand?.key ?? "", enrolment, isChallenged });
      return {
        ...brandsOf(card),
        card: cardPart(card),
        ...(isAsked && address.response !== undefined && { avsResponse: address.response }),
        ...(isAsked && code.response !== undefined && { cvvResponse: code.response }),
        ...(isAsked && part && { threeDSecure: part }),
        ...acquirerPart(context, outcome, resultCode),
      };
    },
    stored: card.stored,
  };
}

interface Checks {
  readonly code: Verified;
  readonly address: Verified;
  readonly isAuthenticated: boolean;
}

/** The first objection, in the order an authorization system checks. */
function refusalOfIssuer(
  { testCard }: CardAtHand,
  sent: Sent,
  { paymentType }: Asked,
  { code, address, isAuthenticated }: Checks,
): Outcome | undefined {
  if (testCard === undefined) return refused("800.100.151", "no published test card has that number");
  const isByMerchant = sent.get("standingInstruction.source") === "MIT" || paymentType === "CD";
  const soft = testCard.wantsAuthentication && !isAuthenticated && !isByMerchant && paymentType !== "RG";
  return (
    proofOutcome(sent) ??
    testCard.declines ??
    (soft
      ? refused("300.100.100", "the issuer wants the holder to be authenticated")
      : (code.outcome ?? address.outcome))
  );
}

function brandsOf({ brand, brandSaid, isDetected }: CardAtHand): Pick<IssuerPart, "paymentBrand" | "brandResult"> {
  const paymentBrand = brandSaid ?? brand?.key;
  return {
    ...(paymentBrand !== undefined && { paymentBrand }),
    ...(isDetected && brand && { brandResult: brand.key }),
  };
}

/** Issuer of the test cards. */
const ISSUER = { bank: "SANDBOX BANK", phone: "+49 30 5550100", website: "https://bank.sandbox.example" };

function cardPart({
  brand,
  bin,
  last4,
  holder,
  expiryMonth,
  expiryYear,
  testCard,
}: CardAtHand): NonNullable<IssuerPart["card"]> {
  return {
    ...(bin !== undefined && { bin }),
    ...(last4 !== undefined && { last4Digits: last4 }),
    ...(holder !== undefined && { holder }),
    ...(expiryMonth !== undefined && { expiryMonth }),
    ...(expiryYear !== undefined && { expiryYear }),
    ...(brand &&
      testCard && { type: brand.type, level: "1", regulatedFlag: String(brand.type === "DEBIT"), issuer: ISSUER }),
  };
}
