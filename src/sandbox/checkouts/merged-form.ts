import type { Sent } from "../../gateway/parameters/chapter.ts";
import { detectBrand } from "../accounts/brands.ts";
import type { Checkout } from "./checkout.ts";

/**
 * The form that is paid, or stored: what the merchant's server said of it and what the shopper entered. Of what both said the merchant's word counts, so that no page can
 * change the price; the type is the one that the merchant chose for the shopper's brand. A new account alone is the shopper's: the merchant adds to it what he left open.
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

/** A stored account has its own brand, whatever the page calls it: the type hangs on it, and a page that named another could turn a debit into a credit. */
function brandOf(offered: Checkout["offered"], entered: Sent): string | undefined {
  const token = entered.get("registrationId");
  if (token !== undefined) return offered.find(({ id }) => id === token)?.brand;
  return entered.get("paymentBrand") ?? detectBrand(entered.get("card.number") ?? "")?.key;
}

/** What a merchant may know of an account beforehand: a card's holder, a mandate. */
function accountOf(name: string): "card" | "bankAccount" | undefined {
  if (name.startsWith("card.")) return "card";
  return name.startsWith("bankAccount.") || name === "transactionDueDate" ? "bankAccount" : undefined;
}

/** It goes with an account of its kind, or with a stored one (overrideHolder, "Tokenization rules"); a shopper who chose another way to pay has no use for it. */
function belongsTo(name: string, entered: Sent): boolean {
  const account = accountOf(name);
  return account !== undefined && (entered.has("registrationId") || [...entered.keys()].some((other) => accountOf(other) === account));
}
