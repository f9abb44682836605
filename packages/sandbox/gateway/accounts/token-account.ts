import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import type { Context } from "../context.ts";
import type { Outcome } from "../ledger/outcome.ts";
import type { TokenAccount } from "./account.ts";
import type { AccountAnswer, Asked } from "./account-answer.ts";
import { type CardBrand, cardBrandOf, detectBrand } from "./brands.ts";
import { answerOfIssuer } from "./card.ts";
import { isExpired, refused } from "./card-rules.ts";
import { endsOf, type TestCard, testCardByEnds, testCardOf } from "./test-cards.ts";

/** Token of a sandbox provider for a test card: 99, then the card's first six and last four digits. */
const OF_PROVIDER = /^99([0-9]{10})$/;

/** A cryptogram of zero bytes, which no network creates. */
const WRONG_CRYPTOGRAM = /^A+=*$/;

/** Specification, "Token account": a network token or a provider's token in place of the card number. */
export function answerToken(context: Context, account: TokenAccount, sent: Sent, asked: Asked): AccountAnswer {
  const { number, brand: said, type, expiryMonth, expiryYear, dtvc } = account;
  const behind = testCardOf(number) ?? testCardByEnds(OF_PROVIDER.exec(number)?.[1] ?? "");
  const brand = said === undefined ? detectBrand(behind?.number ?? number) : cardBrandOf(said);
  const ends = behind && endsOf(behind.number);
  return answerOfIssuer(
    context,
    {
      ...{
        brand,
        brandSaid: said,
        isDetected: said === undefined && brand !== undefined,
        bin: ends?.slice(0, 6),
        last4: ends?.slice(6),
      },
      ...{ expiryMonth, expiryYear, holder: undefined, cvv: dtvc, testCard: behind },
      // The holder's bank authenticated him when it created the network token.
      isVerifiedElsewhere: type === "NETWORK",
      refusal: refusalOf(account, behind, brand, sent, asked, context.clock.now()),
    },
    sent,
    asked,
  );
}

function refusalOf(
  token: TokenAccount,
  behind: TestCard | undefined,
  brand: CardBrand | undefined,
  sent: Sent,
  asked: Asked,
  now: number,
): Outcome | undefined {
  const { brand: said, type, cryptogram, dtvc, expiryMonth, expiryYear } = token;
  if (said !== undefined && brand === undefined) return refused("100.100.501", "paymentBrand is no brand of cards");
  if (behind === undefined) return refused("800.100.326", "no test token has that number");
  if (brand === undefined) return refused("100.100.500", "the token tells no brand, and there is no paymentBrand");
  if (!brand.numbers.test(behind.number))
    return refused("100.100.700", "the card behind the token is none of that paymentBrand");
  if (expiryMonth !== undefined && expiryYear !== undefined && isExpired(expiryMonth, expiryYear, now))
    return refused("800.100.330", "the token is past its expiry");
  if (cryptogram !== undefined && WRONG_CRYPTOGRAM.test(cryptogram))
    return refused("800.100.308", "no network made that cryptogram");
  const isByHolder =
    sent.get("standingInstruction.source") !== "MIT" &&
    sent.get("standingInstruction.mode") !== "REPEATED" &&
    asked.paymentType !== "RG";
  const isProven = cryptogram !== undefined || dtvc !== undefined;
  return type === "NETWORK" && isByHolder && !isProven
    ? refused("800.100.315", "a network token needs its cryptogram or its one-time code")
    : undefined;
}
