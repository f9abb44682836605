import { type Currency, currencyOf, formatAmount, type Minor, parseAmount } from "../../kit/money.ts";
import type { StartRequest } from "../../payment/request.ts";
import type { Ran } from "../rpc/call-result.ts";
import { refuse } from "../rpc/method.ts";

export interface StartMoney {
  readonly currency: string;
  readonly amount: Minor;
  readonly tip?: Minor;
}

interface Given {
  readonly type: StartRequest["type"];
  readonly currency: string;
  readonly amount?: string | undefined;
  readonly tip?: string | undefined;
}

/**
 * Parses the money of a start (contract, section 3: a decimal string with the currency's own number of decimals, never
 * a float). A REGISTRATION has none.
 */
export function readMoney({ type, currency: code, amount: text, tip: tipText }: Given): Ran<StartMoney> {
  const currency = currencyOf(code);
  if (currency === undefined) {
    return refuse(
      "unsupported",
      "this bridge takes the currencies of ISO 4217 without or with two decimals, by their letters: none with three, and no funds or metals",
      "fix-request",
      "currency",
    );
  }
  if (type === "REGISTRATION") {
    if (text !== undefined)
      return refuse("invalid-amount", "a REGISTRATION takes no money: leave amount out", "fix-request", "amount");
    return { ok: true, value: { currency: currency.code, amount: 0 } };
  }
  if (text === undefined) return { ok: false, invalid: { path: "amount", message: "is missing" } };
  const amount = parseAmount(text, currency);
  if (amount === undefined) return notAnAmount("amount", currency);
  if (amount === 0)
    return refuse(
      "invalid-amount",
      `amount must be more than ${formatAmount(0, currency)} ${currency.code}`,
      "fix-request",
      "amount",
    );
  if (tipText === undefined) return { ok: true, value: { currency: currency.code, amount } };
  const tip = parseAmount(tipText, currency);
  if (tip === undefined) return notAnAmount("tip", currency);
  if (tip > amount)
    return refuse("invalid-amount", "tip is part of amount and cannot be more than it", "fix-request", "tip");
  return { ok: true, value: { currency: currency.code, amount, tip } };
}

function notAnAmount(field: "amount" | "tip", currency: Currency): Ran<never> {
  const decimals = currency.decimals === 0 ? "no decimals" : `${currency.decimals} decimals`;
  const message = `${field} in ${currency.code} is a decimal string with ${decimals} and at most 10 digits before them, such as "${formatAmount(1234, currency)}"`;
  return refuse("invalid-amount", message, "fix-request", field);
}
