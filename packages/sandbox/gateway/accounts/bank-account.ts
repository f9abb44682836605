import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { isoTime } from "../../../../src/kit/clock.ts";
import type { Random } from "../../../../src/kit/random.ts";
import { asynchronousMethodOf } from "../asynchronous/methods.ts";
import type { Context } from "../context.ts";
import type { IssuerPart } from "../ledger/booking.ts";
import type { Outcome } from "../ledger/outcome.ts";
import type { BankAccount } from "./account.ts";
import type { AccountAnswer, Asked } from "./account-answer.ts";
import { refused } from "./card-rules.ts";
import { isIban, isSepaCountry } from "./iban.ts";
import { acquirerPart } from "./issuer-part.ts";
import { maskedEnd, maskedIban, recorded } from "./masking.ts";
import type { StoredBankAccount } from "./stored-account.ts";
import { methodOf } from "./virtual-account.ts";

const DIRECT_DEBIT = /^DIRECTDEBIT_/;

/**
 * The merchant's receiving account (specification, "Response body", merchant.bankAccount). Bank code 99999999 is not
 * assigned.
 */
const OF_MERCHANT = { holder: "Sandbox Merchant", number: "DE93999999990000000001", bic: "SANDDE00XXX", country: "DE" };

/** Specification, "Bank account": SEPA direct debit, and the account that pays an online transfer. */
export function answerBankAccount(context: Context, account: BankAccount, sent: Sent, asked: Asked): AccountAnswer {
  const { iban, number, holder = "", brand, bankCode, bic, bankName } = account;
  const country = account.country ?? iban?.slice(0, 2);
  const known: StoredBankAccount = {
    ...{ is: "stored-bank-account", brand, holder },
    ...(iban !== undefined && { iban: maskedIban(iban) }),
    ...(number !== undefined && { number: maskedEnd(number) }),
    ...(bankCode !== undefined && { bankCode }),
    ...(bic !== undefined && { bic }),
    ...(bankName !== undefined && { bankName }),
    ...(country !== undefined && { country }),
    mandate: mandateOf(context, account.mandate),
  };
  const refusal = formatRefusal(account, asked, today(context)) ?? refusalOfBank(known, asked);
  return answerOfBank(context, known, sent, refusal, DIRECT_DEBIT.test(brand) ? known : undefined);
}

/** A debit of a stored account uses the stored mandate unless the request names another. */
export function answerStoredBankAccount(
  context: Context,
  stored: StoredBankAccount,
  sent: Sent,
  asked: Asked,
): AccountAnswer {
  const mandate = {
    id: sent.get("bankAccount.mandate.id") ?? stored.mandate.id,
    dateOfSignature: sent.get("bankAccount.mandate.dateOfSignature") ?? stored.mandate.dateOfSignature,
  };
  const known = { ...stored, mandate };
  const terms = { mandate, dueDate: sent.get("transactionDueDate") };
  return answerOfBank(
    context,
    known,
    sent,
    termsRefusal(terms, asked, today(context)) ?? refusalOfBank(known, asked),
    undefined,
  );
}

function answerOfBank(
  context: Context,
  known: StoredBankAccount,
  sent: Sent,
  refusal: Outcome | undefined,
  stored: StoredBankAccount | undefined,
): AccountAnswer {
  const { is, brand, holder, ...account } = known;
  const told = { ...(holder !== "" && { holder }), ...account };
  const isDebit = DIRECT_DEBIT.test(brand);
  const bankAccount: IssuerPart["bankAccount"] = isDebit ? told : withoutMandate(told);
  return {
    method: isDebit ? "DD" : methodOf(brand),
    refusal,
    parameters: recorded(sent),
    paying: { brand },
    issuer: (outcome, resultCode) => ({
      ...{ paymentBrand: brand, bankAccount },
      ...(isDebit && { merchant: { bankAccount: OF_MERCHANT } }),
      ...acquirerPart(context, outcome, resultCode),
    }),
    stored,
  };
}

function withoutMandate({ mandate, ...told }: NonNullable<IssuerPart["bankAccount"]>): IssuerPart["bankAccount"] {
  return told;
}

/** Format errors found before the bank is asked. */
function formatRefusal(account: BankAccount, asked: Asked, day: string): Outcome | undefined {
  const { brand, iban, bic, country } = account;
  const isDebit = DIRECT_DEBIT.test(brand);
  if (!isDebit && asynchronousMethodOf(brand) === undefined)
    return refused("100.100.501", "paymentBrand is no brand of bank accounts");
  const home = iban?.slice(0, 2) ?? country;
  if (isDebit && home !== undefined && !isSepaCountry(home))
    return refused("100.200.100", "the account's country is not in SEPA");
  if (iban !== undefined && !isIban(iban))
    return refused("100.200.104", "bankAccount.iban has a wrong length or wrong check digits");
  if (iban !== undefined && country !== undefined && country !== home)
    return refused("100.200.100", "bankAccount.country is not that of the IBAN");
  if (bic !== undefined && (!/^[A-Z]{6}/.test(bic) || (iban !== undefined && bic.slice(4, 6) !== home))) {
    return refused("100.200.103", "bankAccount.bic names no bank of the account's country");
  }
  return isDebit ? termsRefusal(account, asked, day) : undefined;
}

/** Mandate, due date and currency rules of a direct debit. */
function termsRefusal(
  { mandate, dueDate }: Pick<BankAccount, "mandate" | "dueDate">,
  { currency }: Asked,
  day: string,
): Outcome | undefined {
  if (currency !== undefined && currency.code !== "EUR")
    return refused("600.200.500", "a SEPA direct debit is made in EUR");
  if ((mandate.dateOfSignature ?? day) > day)
    return refused("100.500.302", "bankAccount.mandate.dateOfSignature is in the future");
  return (dueDate ?? day) < day ? refused("100.500.301", "transactionDueDate is in the past") : undefined;
}

/** Accounts with a meaning here, by their last four characters; every other account pays. */
export const bankAccountEndings: Readonly<Record<string, Outcome>> = {
  "9902": { resultCode: "800.100.202", responseCode: "AC04", because: "account closed" },
  "9903": { resultCode: "800.100.203", responseCode: "AM04", because: "not enough money on the account" },
  "9904": { resultCode: "800.100.172", responseCode: "AC06", because: "account blocked" },
  "9905": { resultCode: "800.100.205", responseCode: "MD01", because: "mandate was discarded" },
  "9908": { resultCode: "800.100.208", responseCode: "AG01", because: "no direct debit from this account" },
};

function refusalOfBank({ iban, number }: StoredBankAccount, { paymentType }: Asked): Outcome | undefined {
  return paymentType === "RI" ? undefined : bankAccountEndings[(iban ?? number ?? "").slice(-4)];
}

/** Without a mandate in the request the gateway creates one: letters and hyphens, as the specification requires. */
function mandateOf(context: Context, { id, dateOfSignature }: BankAccount["mandate"]): StoredBankAccount["mandate"] {
  return { id: id ?? `SANDBOX-${lettersOf(context.random)}`, dateOfSignature: dateOfSignature ?? today(context) };
}

function lettersOf(random: Random): string {
  return Array.from(random.bytes(12), (byte) => String.fromCharCode(0x41 + (byte % 26))).join("");
}

/** yyyy-MM-dd of the sandbox's clock (UTC). */
function today({ clock }: Context): string {
  return isoTime(clock.now()).slice(0, 10);
}
