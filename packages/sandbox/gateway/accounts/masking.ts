import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { isDecrypted, WALLETS } from "../../../../src/gateway/parameters/wallets.ts";
import { passesLuhn } from "./check-digits.ts";

const GONE = "***";

/** Ten visible digits would show too much of a shorter number. */
const LONG_ENOUGH = 13;

/** A card number in replies and in the ledger: first six and last four digits; of a short number only the last two. */
export function maskedCard(number: string): string {
  if (number.length < LONG_ENOUGH) return maskedEnd(number, 2);
  return `${number.slice(0, 6)}${"*".repeat(number.length - 10)}${number.slice(-4)}`;
}

/** Shows country, check digits and the last four characters; the rest identifies the account. */
export function maskedIban(iban: string): string {
  return `${iban.slice(0, 4)}${"*".repeat(Math.max(0, iban.length - 8))}${iban.slice(-4)}`;
}

/** Shows the last characters; nothing of a number shorter than twice that. */
export function maskedEnd(text: string, shown = 4): string {
  return text.length < shown * 2 ? "*".repeat(text.length) : `${"*".repeat(text.length - shown)}${text.slice(-shown)}`;
}

const gone = (): string => GONE;

const end = (text: string): string => maskedEnd(text);

/** Parameters that identify an account or prove its possession. */
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

/** A wallet's proof is usable by anybody who has the number. */
const PROOF = "threeDSecure.verificationId";

/** The form for the ledger, which masks it. `sealed` replaces the sealed fields; a wallet's proof is removed. */
export function recorded(sent: Sent, sealed: Readonly<Record<string, string>> = {}): Record<string, string> {
  const parameters = Object.fromEntries(sent);
  for (const [name, words] of Object.entries(sealed)) if (sent.has(name)) parameters[name] = words;
  if (sent.has(PROOF) && WALLETS.some((wallet) => isDecrypted(sent, wallet))) parameters[PROOF] = GONE;
  return parameters;
}

/** Applied to every ledger row; masking twice changes nothing. */
export function masked(parameters: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  let shown = parameters;
  for (const [name, mask] of MASKS) {
    const value = parameters[name];
    if (value !== undefined) shown = { ...shown, [name]: mask(value) };
  }
  return shown;
}

/** Whether the parameter's value must neither be echoed nor stored. */
export function isSecret(name: string): boolean {
  return (
    MASKS.has(name) ||
    /^(?:pos\.encrypted|pos\.iccDataRequest|card\.|tokenAccount\.|bankAccount\.|giftCard\.)/.test(name)
  );
}

/** Whether the value looks like a card number, with or without blanks and hyphens. */
export function isCardNumber(value: string): boolean {
  const digits = value.replaceAll(/[ -]/g, "");
  return /^[2-6][0-9]{12,18}$/.test(digits) && passesLuhn(digits);
}
