import {
  anyUnder,
  type Chapter,
  EMPTY_MESSAGE,
  neededWhen,
  type ParameterProblem,
  type Rule,
  type Sent,
} from "./chapter.ts";
import { isDecrypted, WALLETS } from "./wallets.ts";

export type Account = "card" | "wallet" | "virtualAccount" | "bankAccount" | "tokenAccount" | "pointOfSale" | "token";

/**
 * Account types by group of parameters. pos.* is an account only with a sealed card; its clear fields may also go with
 * a card.
 */
const GROUPS: ReadonlyMap<string, Account> = new Map([
  ["card", "card"],
  ...WALLETS.map((wallet) => [wallet, "wallet"] as const),
  ["virtualAccount", "virtualAccount"],
  ["bankAccount", "bankAccount"],
  ["tokenAccount", "tokenAccount"],
  ["registrationId", "token"],
]);

/**
 * Brands whose shopper identifies and chooses an account on the brand's own page, so that no account is needed.
 * Inferred: the specification names only PAYPAL and speaks of "online transfer" and "virtual wallets".
 */
export const REDIRECTING_BRANDS = [
  ...[
    "PAYPAL",
    "ALIPAY",
    "WECHAT_PAY",
    "MBWAY",
    "MOBILEPAY",
    "VIPPS",
    "SWISH",
    "TWINT",
    "BLIK",
    "STC_PAY",
    "PAYSAFECARD",
  ],
  ...[
    "SOFORTUEBERWEISUNG",
    "IDEAL",
    "GIROPAY",
    "PAYDIREKT",
    "EPS",
    "PRZELEWY",
    "TRUSTLY",
    "BANCONTACT",
    "BANCONTACT_MOBILE",
    "POLI",
  ],
  ...["PAYTRAIL", "TRUSTPAY_VA", "ENTERCASH", "POSTFINANCE", "INTERAC_ONLINE", "ONLINETRANSFER", "SADAD", "KNET"],
  ...[
    "KLARNA_PAYMENTS_PAYLATER",
    "KLARNA_PAYMENTS_PAYNOW",
    "KLARNA_PAYMENTS_SLICEIT",
    "KLARNA_INVOICE",
    "KLARNA_INSTALLMENTS",
  ],
  ...["AFTERPAY", "TABBY", "TAMARA", "PREPAYMENT", "BOLETO", "MULTIBANCO", "OXXO"],
] as const;
export type RedirectingBrand = (typeof REDIRECTING_BRANDS)[number];

const redirecting: ReadonlySet<string> = new Set(REDIRECTING_BRANDS);

/** Every account of a form, by its first parameter, in the order of the form. */
export function accountsOf(sent: Sent): ReadonlyMap<Account, string> {
  const found = new Map<Account, string>();
  for (const name of sent.keys()) {
    const dot = name.indexOf(".");
    const account = name.startsWith("pos.encryptedSred.")
      ? "pointOfSale"
      : GROUPS.get(dot < 0 ? name : name.slice(0, dot));
    if (account !== undefined && !found.has(account)) found.set(account, name);
  }
  if (isPartOfOther(sent, found)) found.delete("card");
  return found;
}

/**
 * A decrypted wallet's card belongs to the wallet, and a security code and holder beside a token belong to the token.
 */
function isPartOfOther(sent: Sent, found: ReadonlyMap<Account, string>): boolean {
  if (found.has("wallet")) return WALLETS.some((wallet) => isDecrypted(sent, wallet));
  return (
    found.has("token") &&
    ![...sent.keys()].some((name) => name.startsWith("card.") && name !== "card.cvv" && name !== "card.holder")
  );
}

function second(accounts: ReadonlyMap<Account, string>, sent: Sent): readonly ParameterProblem[] {
  const [, name] = accounts.values();
  return name === undefined
    ? []
    : [{ name, value: sent.get(name) ?? "", message: "is a second account: a payment takes one" }];
}

/** Two wallets are two accounts of one kind. */
function secondWallet(sent: Sent): readonly ParameterProblem[] {
  const named = WALLETS.filter((wallet) => anyUnder(sent, `${wallet}.`));
  if (named.length < 2) return [];
  const [, name] = named.flatMap((wallet) => [...sent.keys()].find((each) => each.startsWith(`${wallet}.`)) ?? []);
  return name === undefined
    ? []
    : [{ name, value: sent.get(name) ?? "", message: "is a second account: a payment takes one" }];
}

/** Tells whether the payment refers to a booking instead of an account ("Basic payment parameters", referenceUuid). */
const refers = (sent: Sent): boolean =>
  sent.has("referenceUuid") || sent.get("standingInstruction.industryPractice") === "INCREMENTAL_AUTH";

/** pos.* counts as an account even without a sealed card. The issuer decides whether there is anything to debit. */
const isPresented = (sent: Sent): boolean => anyUnder(sent, "pos.");

/** Without any account, a card is missing, unless the brand has a page of its own. */
const exactlyOne: Rule = (sent) => {
  const accounts = accountsOf(sent);
  if (accounts.size > 0)
    return accounts.has("wallet") ? [...second(accounts, sent), ...secondWallet(sent)] : second(accounts, sent);
  if (isPresented(sent) || refers(sent)) return [];
  return redirecting.has(sent.get("paymentBrand") ?? "")
    ? []
    : [{ name: "card.number", value: "", message: EMPTY_MESSAGE }];
};

/** "Optional when brand detection for cards is used, otherwise mandatory": only a card's brand can be detected. */
const brandOfOthers: Rule = neededWhen(
  "paymentBrand",
  (sent) => anyUnder(sent, "bankAccount.") || anyUnder(sent, "virtualAccount."),
);

/** "One account structure, or token reference" ("Endpoints", POST /v1/payments), and its brand. */
export const oneAccount: Chapter = {
  title: "One account",
  parameters: [],
  rules: [exactlyOne, brandOfOthers],
  notes: [],
};
