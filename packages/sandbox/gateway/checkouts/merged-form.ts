import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { detectBrand } from "../accounts/brands.ts";
import type { Checkout } from "./checkout.ts";

/**
 * Merges the merchant's parameters and the shopper's entries. The merchant's value wins, so no page can change the
 * price; the merchant sets the payment type by brand. For a new account the shopper's fields win, and the merchant's
 * fill the gaps.
 */
export function mergedForm({ parameters, offered }: Pick<Checkout, "parameters" | "offered">, entered: Sent): Sent {
  const said = Object.entries(parameters).filter(([name]) => !name.startsWith("overridePaymentType["));
  const ofAccount = said.filter(([name]) => belongsTo(name, entered));
  const ofSale = said.filter(([name]) => accountOf(name) === undefined);
  const isStored = entered.has("registrationId");
  const merged = new Map([...(isStored ? [] : ofAccount), ...entered, ...(isStored ? ofAccount : []), ...ofSale]);
  const paymentType = parameters[`overridePaymentType[${brandOf(offered, entered)}]`] ?? parameters["paymentType"];
  if (paymentType !== undefined) merged.set("paymentType", paymentType);
  return merged;
}

/** A stored account's own brand decides the payment type. A brand from the page could turn a debit into a credit. */
function brandOf(offered: Checkout["offered"], entered: Sent): string | undefined {
  const token = entered.get("registrationId");
  if (token !== undefined) return offered.find(({ id }) => id === token)?.brand;
  return entered.get("paymentBrand") ?? detectBrand(entered.get("card.number") ?? "")?.key;
}

/** Account fields that a merchant may know beforehand: card holder, mandate. */
function accountOf(name: string): "card" | "bankAccount" | undefined {
  if (name.startsWith("card.")) return "card";
  return name.startsWith("bankAccount.") || name === "transactionDueDate" ? "bankAccount" : undefined;
}

/**
 * Account fields apply to an account of their kind or a stored one (overrideHolder, "Tokenization rules"), not to other
 * ways to pay.
 */
function belongsTo(name: string, entered: Sent): boolean {
  const account = accountOf(name);
  return (
    account !== undefined &&
    (entered.has("registrationId") || [...entered.keys()].some((other) => accountOf(other) === account))
  );
}
