import { anyUnder, type Chapter, EMPTY_MESSAGE, neededWhen, type ParameterProblem, type Rule, type Sent } from "./chapter.ts";
import { isDecrypted, WALLETS } from "./wallets.ts";

/** What a payment takes its money from. */
export type Account = "card" | "wallet" | "virtualAccount" | "bankAccount" | "tokenAccount" | "pointOfSale" | "token";

/** The account that a group of parameters is. pos.* is one where it carries a sealed card; the clear rest of it may go with a card as well. */
const GROUPS: ReadonlyMap<string, Account> = new Map([
  ["card", "card"],
  ...WALLETS.map((wallet) => [wallet, "wallet"] as const),
  ["virtualAccount", "virtualAccount"],
  ["bankAccount", "bankAccount"],
  ["tokenAccount", "tokenAccount"],
  ["registrationId", "token"],
]);

/**
 * Brands whose shopper says at the method's own page who he is and what he pays from: a payment by one of these needs no account structure (inferred; the
 * specification names PAYPAL alone, and speaks of "online transfer" and "virtual wallets").
 */
export const REDIRECTING_BRANDS = [
  ...["PAYPAL", "ALIPAY", "WECHAT_PAY", "MBWAY", "MOBILEPAY", "VIPPS", "SWISH", "TWINT", "BLIK", "STC_PAY", "PAYSAFECARD"],
  ...["SOFORTUEBERWEISUNG", "IDEAL", "GIROPAY", "PAYDIREKT", "EPS", "PRZELEWY", "TRUSTLY", "BANCONTACT", "BANCONTACT_MOBILE", "POLI"],
  ...["PAYTRAIL", "TRUSTPAY_VA", "ENTERCASH", "POSTFINANCE", "INTERAC_ONLINE", "ONLINETRANSFER", "SADAD", "KNET"],
  ...["KLARNA_PAYMENTS_PAYLATER", "KLARNA_PAYMENTS_PAYNOW", "KLARNA_PAYMENTS_SLICEIT", "KLARNA_INVOICE", "KLARNA_INSTALLMENTS"],
  ...["AFTERPAY", "TABBY", "TAMARA", "PREPAYMENT", "BOLETO", "MULTIBANCO", "OXXO"],
] as const;
export type RedirectingBrand = (typeof REDIRECTING_BRANDS)[number];

const redirecting: ReadonlySet<string> = new Set(REDIRECTING_BRANDS);

/** Every account of a form, by the first parameter of each, in the order of the form. */
export function accountsOf(sent: Sent): ReadonlyMap<Account, string> {
  const found = new Map<Account, string>();
  for (const name of sent.keys()) {
    const dot = name.indexOf(".");
    const account = name.startsWith("pos.encryptedSred.") ? "pointOfSale" : GROUPS.get(dot < 0 ? name : name.slice(0, dot));
    if (account !== undefined && !found.has(account)) found.set(account, name);
  }
  if (isPartOfOther(sent, found)) found.delete("card");
  return found;
}

/** The card of a wallet that the caller decrypted, and the security code and holder that go with a token, are no account of their own. */
function isPartOfOther(sent: Sent, found: ReadonlyMap<Account, string>): boolean {
  if (found.has("wallet")) return WALLETS.some((wallet) => isDecrypted(sent, wallet));
  return found.has("token") && ![...sent.keys()].some((name) => name.startsWith("card.") && name !== "card.cvv" && name !== "card.holder");
}

function second(accounts: ReadonlyMap<Account, string>, sent: Sent): readonly ParameterProblem[] {
  const [, name] = accounts.values();
  return name === undefined ? [] : [{ name, value: sent.get(name) ?? "", message: "is a second account: a payment takes one" }];
}

/** Two wallets are two accounts, although of one kind. */
function secondWallet(sent: Sent): readonly ParameterProblem[] {
  const named = WALLETS.filter((wallet) => anyUnder(sent, `${wallet}.`));
  if (named.length < 2) return [];
  const [, name] = named.flatMap((wallet) => [...sent.keys()].find((each) => each.startsWith(`${wallet}.`)) ?? []);
  return name === undefined ? [] : [{ name, value: sent.get(name) ?? "", message: "is a second account: a payment takes one" }];
}

/** Whether a booking is said instead of an account: this payment goes on from that one ("Basic payment parameters", referenceUuid). */
const refers = (sent: Sent): boolean => sent.has("referenceUuid") || sent.get("standingInstruction.industryPractice") === "INCREMENTAL_AUTH";

/** Without a sealed card, pos.* is still the account that was meant: whether there is anything to take money from, the issuer says. */
const isPresented = (sent: Sent): boolean => anyUnder(sent, "pos.");

/** Nothing is there at all: a card is what is asked for, unless the brand has a page of its own. */
const exactlyOne: Rule = (sent) => {
  const accounts = accountsOf(sent);
  if (accounts.size > 0) return accounts.has("wallet") ? [...second(accounts, sent), ...secondWallet(sent)] : second(accounts, sent);
  if (isPresented(sent) || refers(sent)) return [];
  return redirecting.has(sent.get("paymentBrand") ?? "") ? [] : [{ name: "card.number", value: "", message: EMPTY_MESSAGE }];
};

/** "Optional when brand detection for cards is used, otherwise mandatory": what is no card has no brand that could be detected. */
const brandOfOthers: Rule = neededWhen("paymentBrand", (sent) => anyUnder(sent, "bankAccount.") || anyUnder(sent, "virtualAccount."));

/** "One account structure, or token reference" ("Endpoints", POST /v1/payments), and the brand that goes with it. */
export const oneAccount: Chapter = {
  title: "One account",
  parameters: [],
  rules: [exactlyOne, brandOfOthers],
  notes: [],
};
