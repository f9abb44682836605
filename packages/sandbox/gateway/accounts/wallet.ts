import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import type { Context } from "../context.ts";
import type { WalletToken } from "./account.ts";
import type { AccountAnswer, Asked } from "./account-answer.ts";
import { cardBrandOf, detectBrand } from "./brands.ts";
import { answerOfIssuer } from "./card.ts";
import { refused } from "./card-rules.ts";
import { endsOf, testCardByEnds } from "./test-cards.ts";

/**
 * Test token: first six and last four digits of a test card. Real wallet tokens are encrypted to gateway keys, which a
 * sandbox has not.
 */
const TOKEN = /^sandbox:([0-9]{10})$/;

/** Validity of a wallet's device number. */
const YEARS = 4;

/** Specification, "Wallet payments", encrypted form. The wallet authenticated the holder, so no challenge follows. */
export function answerWallet(
  context: Context,
  { wallet, brand: said, paymentToken }: WalletToken,
  sent: Sent,
  asked: Asked,
): AccountAnswer {
  const testCard = testCardByEnds(TOKEN.exec(paymentToken)?.[1] ?? "");
  const ofCard = testCard && detectBrand(testCard.number);
  const brand = said === undefined || said === wallet.toUpperCase() ? ofCard : cardBrandOf(said);
  const ends = testCard && endsOf(testCard.number);
  const year = new Date(context.clock.now()).getUTCFullYear() + YEARS;
  const refusal = () => {
    if (testCard === undefined) return refused("200.100.603", `${wallet}.paymentToken is no token of this sandbox`);
    if (brand === undefined) return refused("100.100.501", "paymentBrand is neither the wallet's nor a brand of cards");
    return brand.numbers.test(testCard.number)
      ? undefined
      : refused("100.100.700", "the wallet's card is none of that paymentBrand");
  };
  const card = {
    bin: ends?.slice(0, 6),
    last4: ends?.slice(6),
    expiryMonth: testCard && "12",
    expiryYear: testCard && String(year),
  };
  return answerOfIssuer(
    context,
    {
      ...card,
      brand,
      brandSaid: said,
      isDetected: said !== brand?.key,
      holder: undefined,
      cvv: undefined,
      testCard,
      refusal: refusal(),
      isVerifiedElsewhere: true,
    },
    sent,
    asked,
  );
}
