import { oneAccount } from "./accounts.ts";
import { airline } from "./airline.ts";
import { asynchronous } from "./asynchronous.ts";
import { authentication } from "./authentication.ts";
import { bankAccount, bankAccountOfCheckout, bankAccountOfReference, bankAccountWithIban } from "./bank-account.ts";
import {
  basic,
  basicOfCheckout,
  basicOfPayment,
  basicOfRegistration,
  basicOfSubmission,
  basicOfUpdate,
  testMode,
} from "./basic.ts";
import { billing, merchantBilling } from "./billing.ts";
import { card, cardBesideToken, cardOrToken, holderOfCheckout } from "./card.ts";
import { cardOnFile } from "./card-on-file.ts";
import { cartItems } from "./cart-items.ts";
import { cartPayments } from "./cart-payments.ts";
import { type Chapter, part } from "./chapter.ts";
import { chargeback } from "./chargeback.ts";
import { checkoutWithTokens, recurring, tokenOfSchedule, tokenReference } from "./checkout.ts";
import { corporate } from "./corporate.ts";
import { customParameters, customParametersOfShopper } from "./custom-parameters.ts";
import { customer } from "./customer.ts";
import { forex } from "./forex.ts";
import { giftCard } from "./gift-card.ts";
import { marketplace } from "./marketplace.ts";
import { merchant } from "./merchant.ts";
import { payByLink } from "./pay-by-link.ts";
import { pointOfSale, pointOfSaleRepeated } from "./point-of-sale.ts";
import { paging, query } from "./query.ts";
import { recipient } from "./recipient.ts";
import { recurringMigration } from "./recurring-migration.ts";
import { reporting, reportingOfOne } from "./reporting.ts";
import { risk } from "./risk.ts";
import { scheduling } from "./scheduling.ts";
import { sender } from "./sender.ts";
import { merchantShipping, shipping, shippingCustomer } from "./shipping.ts";
import { threeDSecure } from "./three-d-secure.ts";
import { tokenAccount } from "./token-account.ts";
import { tokenization } from "./tokenization.ts";
import { virtualAccount } from "./virtual-account.ts";
import { encryptedWallets, wallets } from "./wallets.ts";

/** Chapters about a sale, for any account. A register may send these (passthrough.ts). */
const aboutTheSale = [
  ...[
    customer,
    billing,
    merchantBilling,
    shipping,
    shippingCustomer,
    merchantShipping,
    corporate,
    sender,
    recipient,
    merchant,
  ],
  ...[cartItems, cartPayments, marketplace, airline, risk, cardOnFile, customParameters],
] as const;

/** Further chapters for integrators. */
const aboutThePayment = [
  ...[
    ...aboutTheSale,
    forex,
    tokenization,
    recurringMigration,
    threeDSecure,
    asynchronous,
    giftCard,
    scheduling,
    testMode,
  ],
] as const;

/** Only the text of a gift card: number, PIN and holder are account data. */
const giftCardText = part(giftCard, (name) => name === "giftCard.message" || name === "giftCard.type");

/** The bridge's parameters at POST /v1/payments and POST /v1/payments/{id}: a presented card, and the sale. */
export const paymentChapters: readonly Chapter[] = [
  authentication,
  basicOfPayment,
  testMode,
  pointOfSale,
  tokenization,
  giftCardText,
  ...aboutTheSale,
];

/** The bridge's parameters at POST /v1/registrations (gateway-facts 0): a card and its holder, no money. */
export const registrationChapters: readonly Chapter[] = paymentChapters.map((chapter) =>
  chapter === basicOfPayment ? basicOfRegistration : chapter,
);

/** DELETE /v1/registrations/{id} (gateway-facts 0). */
export const deletionChapters: readonly Chapter[] = [authentication, testMode];

export const queryChapters: readonly Chapter[] = [authentication, query];

const accounts = [cardOrToken, wallets, virtualAccount, bankAccount, tokenAccount, pointOfSale] as const;
const accountsToStore = [card, wallets, virtualAccount, bankAccountWithIban, tokenAccount, pointOfSale] as const;

const currencyAlone = part(basic, (name) => name === "currency");

/**
 * A shopper may choose whether the account is stored, which token pays, and where the browser goes next. A page may not
 * set overrideHolder ("at prepare and update of the hosted checkout"), notificationUrl or recurringType.
 */
const ofTheShopper = part(tokenization, (name) => name === "createRegistration");
const chosenToken = part(tokenReference, (name) => name === "registrationId");
const wayBack = part(asynchronous, (name) => name === "shopperResultUrl");

/**
 * Chapters of each endpoint (specification, "Endpoints"; gateway-facts 0 and 5). A parameter of no chapter "is not an
 * allowed parameter". In doubt a chapter about sale or payment counts as "common parameters". Allowed payment types are
 * not checked here.
 */
export const chaptersOf = {
  /** POST /v1/payments. */
  payment: [authentication, basicOfPayment, ...accounts, tokenReference, ...aboutThePayment, chargeback, oneAccount],
  /** POST /v1/payments/{id}: the account is that of the booking. */
  reference: [
    authentication,
    basicOfPayment,
    pointOfSaleRepeated,
    bankAccountOfReference,
    recurring,
    ...aboutThePayment,
    chargeback,
  ],
  /** POST /v1/registrations: one account to be stored, no money. */
  registration: [authentication, basicOfRegistration, ...accountsToStore, recurring, ...aboutThePayment, oneAccount],
  /** POST /v1/registrations/{id}/payments: the account is the token, whose security code was never stored. */
  registrationPayment: [
    authentication,
    basicOfPayment,
    cardBesideToken,
    bankAccountOfReference,
    recurring,
    ...aboutThePayment,
  ],
  /** DELETE /v1/registrations/{id}, DELETE /v1/schedules/{id}. */
  deletion: deletionChapters,
  /** POST /v1/schedules: a payment and its time. */
  schedule: [authentication, basicOfPayment, tokenOfSchedule, ...aboutThePayment],
  /** POST /v1/checkouts: the shopper enters the account. */
  checkout: [
    authentication,
    basicOfCheckout,
    holderOfCheckout,
    bankAccountOfCheckout,
    checkoutWithTokens,
    ...aboutThePayment,
  ],
  /** POST /v1/checkouts/{id}: changes only. */
  checkoutUpdate: [
    authentication,
    basicOfUpdate,
    holderOfCheckout,
    bankAccountOfCheckout,
    checkoutWithTokens,
    ...aboutThePayment,
  ],
  /**
   * POST /v1/checkouts/{id}/payment, by the hosted form in the shopper's browser: no access token, no entity, no money.
   */
  checkoutSubmission: [
    ...[basicOfSubmission, cardOrToken, encryptedWallets, virtualAccount, bankAccountWithIban, chosenToken],
    ...[
      customer,
      billing,
      shipping,
      shippingCustomer,
      giftCard,
      ofTheShopper,
      wayBack,
      customParametersOfShopper,
      oneAccount,
    ],
  ],
  /** GET /v1/checkouts/{id}/payment and /registration, GET /v1/payments/{id}, GET /v1/registrations/{id}. */
  read: [authentication, testMode, part(query, (name) => name === "includeLinkedTransactions")],
  /** GET /v1/query. */
  query: queryChapters,
  /** GET /v3/query, page by page. */
  pagedQuery: [...queryChapters, paging],
  /** GET .../reconciliations/aggregations. */
  aggregations: [authentication, testMode, reporting, currencyAlone, paging],
  /** GET .../reconciliations/aggregations/{id}. */
  aggregation: [authentication, testMode, reportingOfOne, paging],
  /** POST /paybylink/v1. */
  link: [authentication, basicOfPayment, payByLink, recurring, ...aboutThePayment],
  /** GET /paybylink/v1/{id} and below. */
  linkRead: [authentication],
} as const satisfies Readonly<Record<string, readonly Chapter[]>>;

export type Endpoint = keyof typeof chaptersOf;
