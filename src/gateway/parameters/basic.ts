import { type Chapter, neededWhen, parameters, type Rule, type Sent } from "./chapter.ts";
import { amount, count, currency, flag, lettersOrDigits, matching, oneOf, text, word } from "./format.ts";

const twoLetters = matching("[A-Z]{2}", "be 2 uppercase letters");

/** A stand-alone registration has no payment type, and then no amount either ("Tokenization rules"). */
const onlyRegisters = (sent: Sent): boolean => sent.get("createRegistration") === "true" && !sent.has("paymentType");

/** A full reversal names neither (gateway-facts 2.2); naming one of the two makes it a partial one that needs both. */
const needsMoney = (sent: Sent): boolean => !onlyRegisters(sent) && (sent.get("paymentType") !== "RV" || sent.has("amount") || sent.has("currency"));

/** amount, currency and paymentType are "Required" in the specification; the rules below state the two exceptions. testMode comes from its opening chapter. */
export const basic: Chapter = {
  title: "Basic payment parameters",
  parameters: parameters([
    ["amount", amount, "conditional"],
    ["taxAmount", amount, "conditional"],
    ["discountAmount", amount],
    ["currency", currency, "conditional"],
    ["paymentBrand", word(1, 32), "conditional"],
    ["paymentType", twoLetters, "conditional"],
    ["integrity", flag],
    ["overridePaymentType[key]", twoLetters, "optional", word(1, 32)],
    ["descriptor", text(1, 127)],
    ["merchantTransactionId", text(8, 255), "conditional"],
    ["merchantInvoiceId", text(8, 255)],
    ["merchantMemo", text(8, 255)],
    ["transactionCategory", lettersOrDigits(0, 32)],
    ["sequence", text(1, 255)],
    ["numberOfCaptures", count("[1-9]|[1-8][0-9]|9[0-8]", "be a whole number from 1 to 98")],
    ["promotionCode", lettersOrDigits(0, 15)],
    ["locale", text(1, 10)],
    ["transactionPurposeCode", text(1, 12)],
    ["integrationType", text(1, 10)],
    ["transactionBai", text(2, 2)],
    ["transactionTti", text(3, 3)],
    ["transactionProcessingCode", oneOf("PURCHASE", "FUNDING", "PAYMENT")],
    ["lifecycleId", text(1, 35)],
    ["referenceUuid", text(1, 32)],
    ["testMode", oneOf("INTERNAL", "EXTERNAL")],
  ]),
  rules: [neededWhen("paymentType", (sent) => !onlyRegisters(sent)), neededWhen("amount", needsMoney), neededWhen("currency", needsMoney)],
};

/** What is about money, or about a payment that came before. */
const OF_PAYMENTS = ["amount", "taxAmount", "discountAmount", "currency", "overridePaymentType[key]", "sequence", "numberOfCaptures", "referenceUuid"];

/** The address says what is wanted; where the type is said as well it is that one. */
const registersOnly: Rule = (sent) => {
  const value = sent.get("paymentType");
  return value === undefined || value === "RG" ? [] : [{ name: "paymentType", value, message: "must be RG here" }];
};

/** The same chapter as a registration uses it: it has no amount ("Tokenization rules"). */
export const basicOfRegistration: Chapter = {
  title: basic.title,
  parameters: basic.parameters.filter(({ name }) => !OF_PAYMENTS.includes(name)),
  rules: [registersOnly],
};

/** And as the deletion of a registration does. */
export const basicOfDeletion: Chapter = { title: basic.title, parameters: basic.parameters.filter(({ name }) => name === "testMode"), rules: [] };
