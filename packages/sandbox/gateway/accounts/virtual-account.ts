import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { type AsynchronousKind, asynchronousMethodOf } from "../asynchronous/methods.ts";
import type { Context } from "../context.ts";
import type { PaymentMethod } from "../ledger/booking.ts";
import type { Outcome } from "../ledger/outcome.ts";
import type { VirtualAccount } from "./account.ts";
import type { AccountAnswer } from "./account-answer.ts";
import { refused } from "./card-rules.ts";
import { acquirerPart } from "./issuer-part.ts";
import { recorded } from "./masking.ts";
import type { StoredVirtualAccount } from "./stored-account.ts";

const METHODS: Readonly<Record<AsynchronousKind, PaymentMethod>> = {
  wallet: "VA",
  "online-transfer": "OT",
  "pay-later": "IV",
  voucher: "PP",
};

/** Payment method of the brand, as queries filter by it. */
export function methodOf(brand: string): PaymentMethod {
  const method = asynchronousMethodOf(brand);
  return method === undefined ? "VA" : METHODS[method.kind];
}

/** Account of a shopper who pays at the brand's page and sent no account or email. */
const SHOPPER = "shopper@sandbox.example";

/** Specification, "Virtual account". The shopper confirms at the brand's page. */
export function answerVirtualAccount(
  context: Context,
  { brand, accountId }: VirtualAccount,
  sent: Sent,
): AccountAnswer {
  const refusal =
    asynchronousMethodOf(brand) === undefined
      ? refused("100.210.102", "paymentBrand is no brand of virtual accounts")
      : undefined;
  const stored: StoredVirtualAccount = {
    is: "stored-virtual-account",
    brand,
    accountId: accountId ?? sent.get("customer.email") ?? SHOPPER,
  };
  return answerOfBrand(context, accountId === undefined ? undefined : stored, {
    sent,
    brand,
    refusal,
    stored,
    agreed: false,
  });
}

/**
 * The shopper agreed to later payments when the account was stored, so nobody is asked (specification, "Versioning",
 * 4).
 */
export function answerStoredVirtualAccount(context: Context, stored: StoredVirtualAccount, sent: Sent): AccountAnswer {
  return answerOfBrand(context, stored, {
    sent,
    brand: stored.brand,
    refusal: undefined,
    stored: undefined,
    agreed: true,
  });
}

interface Brand {
  readonly sent: Sent;
  readonly brand: string;
  readonly refusal: Outcome | undefined;
  readonly stored: StoredVirtualAccount | undefined;
  readonly agreed: boolean;
}

function answerOfBrand(
  context: Context,
  told: StoredVirtualAccount | undefined,
  { sent, brand, refusal, stored, agreed }: Brand,
): AccountAnswer {
  return {
    method: methodOf(brand),
    refusal,
    parameters: recorded(sent),
    paying: { brand, agreed },
    issuer: (outcome, resultCode) => ({
      paymentBrand: brand,
      ...(told && { virtualAccount: { accountId: told.accountId } }),
      ...acquirerPart(context, outcome, resultCode),
    }),
    stored,
  };
}
