import type { Sent } from "../../gateway/parameters/chapter.ts";
import { isDecrypted, WALLETS } from "../../gateway/parameters/wallets.ts";
import { passesLuhn } from "./check-digits.ts";

const GONE = "***";

/** Shorter numbers show too much of themselves by ten digits. */
const LONG_ENOUGH = 13;

/** A card number as replies and ledger show it: its first six and last four digits, of a short one the last two. */
export function maskedCard(number: string): string {
  if (number.length < LONG_ENOUGH) return maskedEnd(number, 2);
  return `${number.slice(0, 6)}${"*".repeat(number.length - 10)}${number.slice(-4)}`;
}

/** Country and check digits of an IBAN, and its last four characters; all the rest of it names the account. */
export function maskedIban(iban: string): string {
  return `${iban.slice(0, 4)}${"*".repeat(Math.max(0, iban.length - 8))}${iban.slice(-4)}`;
}

/** The last characters of a number that has no known form; nothing of one that is hardly longer. */
export function maskedEnd(text: string, shown = 4): string {
  return text.length < shown * 2 ? "*".repeat(text.length) : `${"*".repeat(text.length - shown)}${text.slice(-shown)}`;
}

const gone = (): string => GONE;

const end = (text: string): string => maskedEnd(text);

/** What identifies an account or proves that somebody holds it. */
const MASKS: ReadonlyMap<string, (value: string) => string> = new Map([
  ["card.number", maskedCard],
  ["card.cvv", gone],
  ["bankAccount.iban", maskedIban],
  ["bankAccount.number", end],
  ["tokenAccount.number", end],
  ["tokenAccount.cryptogram", gone],
  ["tokenAccount.dtvc", gone],
  ["giftCard.number", end],
  ["giftCard.pin", gone],
  ["sender.accountNumber", end],
  ["recipient.accountNumber", end],
  ["risk.accountToken", gone],
  ...WALLETS.map((wallet) => [`${wallet}.paymentToken`, gone] as const),
]);

/** The proof that a wallet gives with its card is of use to whoever has the number. */
const PROOF = "threeDSecure.verificationId";

/** The form as an account's answer hands it to the ledger, which masks it: `sealed` stands in place of what was sealed, and a wallet's proof is gone. */
export function recorded(sent: Sent, sealed: Readonly<Record<string, string>> = {}): Record<string, string> {
  const parameters = Object.fromEntries(sent);
  for (const [name, words] of Object.entries(sealed)) if (sent.has(name)) parameters[name] = words;
  if (sent.has(PROOF) && WALLETS.some((wallet) => isDecrypted(sent, wallet))) parameters[PROOF] = GONE;
  return parameters;
}

/** What any row of the ledger goes through: masking what is masked already changes nothing. */
export function masked(parameters: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  let shown = parameters;
  for (const [name, mask] of MASKS) {
    const value = parameters[name];
    if (value !== undefined) shown = { ...shown, [name]: mask(value) };
  }
  return shown;
}

/** Whether a parameter's value must not be sent back or kept as it is. */
export function isSecret(name: string): boolean {
  return MASKS.has(name) || /^(?:pos\.encrypted|pos\.iccDataRequest|card\.|tokenAccount\.|bankAccount\.|giftCard\.)/.test(name);
}

/** Whether a value is a card number by its form, with blanks or hyphens in it or without. */
export function isCardNumber(value: string): boolean {
  const digits = value.replaceAll(/[ -]/g, "");
  return /^[2-6][0-9]{12,18}$/.test(digits) && passesLuhn(digits);
}
