import { anyUnder, type Chapter, chapter, neededUnder, neededWhen, part, type Sent } from "./chapter.ts";
import { date, letters, lettersOrDigits, matching, recentDate, text } from "./format.ts";

const isSent = (sent: Sent): boolean => anyUnder(sent, "bankAccount.");

const holder = neededUnder("bankAccount.", "bankAccount.holder");
const numberOrIban = neededWhen("bankAccount.number", (sent) => isSent(sent) && !sent.has("bankAccount.iban"));
const bankCodeOrBic = neededWhen("bankAccount.bankCode", (sent) => isSent(sent) && !sent.has("bankAccount.bic"));

export const bankAccount = chapter(
  "Bank account",
  [
    ["bankAccount.holder", text(4, 128), "required"],
    ["bankAccount.bankName", text(1, 255), "conditional"],
    ["bankAccount.number", lettersOrDigits(3, 64), "conditional"],
    [
      "bankAccount.iban",
      matching(
        "A2 N2 [A,N]11-27",
        "[A-Za-z]{2}[0-9]{2}[A-Za-z0-9]{11,27}",
        "be 2 letters, 2 digits and 11-27 letters or digits",
      ),
      "conditional",
    ],
    ["bankAccount.bankCode", lettersOrDigits(1, 12), "conditional"],
    [
      "bankAccount.bic",
      matching("[A,N]8 or 11", "[A-Za-z0-9]{8}(?:[A-Za-z0-9]{3})?", "be 8 or 11 letters or digits"),
      "conditional",
    ],
    ["bankAccount.country", letters(2, 2), "conditional"],
    [
      "bankAccount.mandate.id",
      matching("[A,-]0-256", "[A-Za-z-]{0,256}", "be 0-256 letters and hyphens"),
      "conditional",
    ],
    ["bankAccount.mandate.dateOfSignature", recentDate, "conditional"],
    ["transactionDueDate", date, "conditional"],
  ],
  [...holder, numberOrIban, bankCodeOrBic],
  [
    "Either `bankAccount.number` or `bankAccount.iban`, and either `bankAccount.bankCode` or `bankAccount.bic`. To be stored, and from the hosted form, an IBAN needs no bank code.",
    "Where the shopper says the account later, the checkout takes the holder, the country, the mandate and `transactionDueDate`.",
  ],
);

/**
 * To be stored, and from the hosted form, "holder, IBAN" is enough: the IBAN implies the bank ("What the service
 * does").
 */
export const bankAccountWithIban: Chapter = part(bankAccount, () => true, [
  ...holder,
  numberOrIban,
  (sent) => (sent.has("bankAccount.iban") ? [] : bankCodeOrBic(sent)),
]);

/**
 * The shopper enters number, IBAN and bank. The merchant knows the mandate and the due date when creating the checkout.
 */
const OF_SHOPPER = [
  "bankAccount.number",
  "bankAccount.iban",
  "bankAccount.bankCode",
  "bankAccount.bic",
  "bankAccount.bankName",
];

export const bankAccountOfCheckout: Chapter = part(bankAccount, (name) => !OF_SHOPPER.includes(name));

/** A later debit of a stored account or of a booking. */
export const bankAccountOfReference: Chapter = part(
  bankAccount,
  (name) => name === "transactionDueDate" || name.startsWith("bankAccount.mandate."),
);
