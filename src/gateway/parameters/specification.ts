import { airline } from "./airline.ts";
import { asynchronous } from "./asynchronous.ts";
import { authentication } from "./authentication.ts";
import { bankAccount } from "./bank-account.ts";
import { basic, testMode } from "./basic.ts";
import { billing, merchantBilling } from "./billing.ts";
import { card } from "./card.ts";
import { cardOnFile } from "./card-on-file.ts";
import { cartItems } from "./cart-items.ts";
import { cartPayments } from "./cart-payments.ts";
import { chargeback } from "./chargeback.ts";
import { checkout } from "./checkout.ts";
import { corporate } from "./corporate.ts";
import { customParameters } from "./custom-parameters.ts";
import { customer } from "./customer.ts";
import { forex } from "./forex.ts";
import { giftCard } from "./gift-card.ts";
import { marketplace } from "./marketplace.ts";
import { merchant } from "./merchant.ts";
import { payByLink } from "./pay-by-link.ts";
import { pointOfSale } from "./point-of-sale.ts";
import { paging, query } from "./query.ts";
import { recipient } from "./recipient.ts";
import { recurringMigration } from "./recurring-migration.ts";
import { reporting } from "./reporting.ts";
import { risk } from "./risk.ts";
import { scheduling } from "./scheduling.ts";
import { sender } from "./sender.ts";
import { merchantShipping, shipping, shippingCustomer } from "./shipping.ts";
import { threeDSecure } from "./three-d-secure.ts";
import { tokenAccount } from "./token-account.ts";
import { tokenization } from "./tokenization.ts";
import { virtualAccount } from "./virtual-account.ts";
import { wallets } from "./wallets.ts";

/** All tables in the order of the specification, followed by those of gateway-facts. */
export const specification = [
  ...[testMode, basic, forex, authentication, card, wallets, virtualAccount, bankAccount, tokenAccount],
  ...[
    customer,
    shippingCustomer,
    billing,
    merchantBilling,
    shipping,
    merchantShipping,
    corporate,
    sender,
    recipient,
    merchant,
  ],
  ...[
    cartItems,
    cartPayments,
    marketplace,
    airline,
    tokenization,
    recurringMigration,
    threeDSecure,
    customParameters,
    asynchronous,
  ],
  ...[pointOfSale, reporting, giftCard, risk, scheduling, cardOnFile, chargeback, query, checkout, paging, payByLink],
] as const;

/** A name as it is sent: an index for `[n]`, anything for `[key]`, a word for `<network>`. */
type AsSent<Name extends string> = Name extends `${infer Before}[n]${infer After}`
  ? `${Before}[${number}]${AsSent<After>}`
  : Name extends `${infer Before}[key]`
    ? `${Before}[${string}]`
    : Name extends `${infer Before}<network>${infer After}`
      ? `${Before}${string}${After}`
      : Name;

/** Every name that the gateway knows. The bridge's own requests use this type, so that a typo does not compile. */
export type ParameterName = AsSent<(typeof specification)[number]["parameters"][number]["name"]>;
