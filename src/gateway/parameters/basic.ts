import { anyUnder, type Chapter, chapter, needed, neededWhen, part, type Rule, type Sent } from "./chapter.ts";
import {
  amount,
  count,
  currency,
  flag,
  letters,
  lettersOrDigits,
  oneOf,
  string,
  text,
  textUpTo,
  word,
} from "./format.ts";

/** The specification lists no types; its format is "2 letters". Each endpoint checks which types it takes. */
const paymentType = letters(2, 2);

/** Nothing is required here; each endpoint adds its own rules. */
export const basic = chapter(
  "Basic payment parameters",
  [
    ["amount", amount, "required"],
    ["taxAmount", amount, "conditional"],
    ["discountAmount", amount],
    ["currency", currency, "required"],
    ["paymentBrand", word(1, 32), "conditional"],
    ["paymentType", paymentType, "required"],
    ["integrity", flag],
    ["overridePaymentType[key]", paymentType, "optional", word(1, 32)],
    ["descriptor", text(1, 127)],
    ["merchantTransactionId", text(8, 255), "conditional"],
    ["merchantInvoiceId", text(8, 255)],
    ["merchantMemo", text(8, 255)],
    ["transactionCategory", lettersOrDigits(0, 32)],
    ["sequence", string],
    ["numberOfCaptures", count("1 to 98", "[1-9]|[1-8][0-9]|9[0-8]", "be a whole number from 1 to 98")],
    ["promotionCode", lettersOrDigits(0, 15)],
    ["locale", text(1, 10)],
    ["transactionPurposeCode", text(1, 12)],
    ["integrationType", text(1, 10)],
    ["transactionBai", text(2, 2)],
    ["transactionTti", text(3, 3)],
    ["transactionProcessingCode", oneOf("PURCHASE", "FUNDING", "PAYMENT")],
    ["lifecycleId", textUpTo(35)],
    ["referenceUuid", textUpTo(32)],
  ],
  [],
  [
    "`paymentType`, `amount` and `currency` are required wherever money moves. A full reversal (`RV`) and a registration (`RG`) have no amount; a checkout that only registers (`createRegistration=true`) has none of the three.",
    "`paymentBrand` is required for bank accounts and virtual accounts: only a card's brand can be detected.",
    "`overridePaymentType[BRAND]` is taken where a checkout is created and nowhere else.",
    "`transactionPurposeCode` is required for transfers over a card network (`transactionProcessingCode` FUNDING or PAYMENT) to recipients in Argentina, Bangladesh, Chile, Colombia, Egypt and India.",
  ],
);

/** The specification's opening chapter, "Test modes". */
export const testMode = chapter("Test modes", [["testMode", oneOf("EXTERNAL", "INTERNAL")]]);

/** "Create the checkout with createRegistration=true and without paymentType" ("Tokenization rules"). */
const onlyRegisters = (sent: Sent): boolean => sent.get("createRegistration") === "true" && !sent.has("paymentType");

/**
 * A registration has no amount, and a full reversal names none (gateway-facts 2.2). Amount or currency make it a
 * partial reversal, which needs both.
 */
const needsMoney = (sent: Sent): boolean =>
  !["RV", "RG"].includes(sent.get("paymentType") ?? "") || sent.has("amount") || sent.has("currency");

/** Argentina, Bangladesh, Chile, Colombia, Egypt and India, in the form of recipient.country. */
const ASKING_FOR_PURPOSE: ReadonlySet<string> = new Set(["ARG", "BGD", "CHL", "COL", "EGY", "IND"]);

/** "Must be sent for card-network account-funding and original-credit transfers to recipients in" those six. */
const purposeOfTransfer: Rule = neededWhen("transactionPurposeCode", (sent) => {
  if (!["FUNDING", "PAYMENT"].includes(sent.get("transactionProcessingCode") ?? "")) return false;
  const isOfNetwork = !anyUnder(sent, "bankAccount.") && !anyUnder(sent, "virtualAccount.");
  return isOfNetwork && ASKING_FOR_PURPOSE.has((sent.get("recipient.country") ?? "").toUpperCase());
});

const moneyAndType: readonly Rule[] = [
  ...needed("paymentType"),
  neededWhen("amount", needsMoney),
  neededWhen("currency", needsMoney),
];

/** A checkout that only registers needs none of the three. */
const moneyAndTypeOfCheckout: Rule = (sent) => (onlyRegisters(sent) ? [] : moneyAndType.flatMap((rule) => rule(sent)));

/** For a payment or a follow-up. overridePaymentType is "accepted only at checkout creation". */
export const basicOfPayment: Chapter = part(basic, (name) => name !== "overridePaymentType[key]", [
  ...moneyAndType,
  purposeOfTransfer,
]);

export const basicOfCheckout: Chapter = part(basic, () => true, [moneyAndTypeOfCheckout, purposeOfTransfer]);

/** An update contains only changes, so nothing is required. */
export const basicOfUpdate: Chapter = part(basic, (name) => name !== "overridePaymentType[key]");

/** Parameters about money, or about an earlier payment. */
const OF_PAYMENTS = [
  "amount",
  "taxAmount",
  "discountAmount",
  "currency",
  "overridePaymentType[key]",
  "sequence",
  "numberOfCaptures",
  "referenceUuid",
];

/** The endpoint implies RG; an explicit type must agree. */
const registersOnly: Rule = (sent) => {
  const value = sent.get("paymentType");
  return value === undefined || value === "RG" ? [] : [{ name: "paymentType", value, message: "must be RG here" }];
};

/** For a registration, which has no amount ("Tokenization rules"). */
export const basicOfRegistration: Chapter = part(basic, (name) => !OF_PAYMENTS.includes(name), [registersOnly]);

/** For the shopper's browser. The merchant has already set the amount and the type. */
export const basicOfSubmission: Chapter = part(basic, (name) => name === "paymentBrand" || name === "locale");
