import { amountText, currencyOf } from "../../../../src/kit/money.ts";
import { type Html, html } from "../html.ts";
import { minorOf } from "../parameters.ts";

/** A request's amount for customers, "12.00 EUR"; unchanged if it cannot be parsed. */
export function moneyText(amount = "", currencyCode = ""): string {
  const currency = currencyOf(currencyCode);
  const minor = currency && minorOf(amount, currency);
  return currency === undefined || minor === undefined
    ? `${amount} ${currencyCode}`
    : amountText({ amount: minor, decimals: currency.decimals, currencyCode });
}

interface Line {
  readonly name: string;
  readonly quantity: string;
  readonly price: string;
}

/** Column titles; `item` also names an item without a name, with its number. */
export interface CartWords {
  readonly item: string;
  readonly count: string;
  readonly price: string;
}

const ENGLISH: CartWords = { item: "Item", count: "Count", price: "Price" };

/** Cart items (specification, "Cart items") in the order of their index; empty without items. */
export function cartTable(parameters: Readonly<Record<string, string>>, words: CartWords = ENGLISH): Html {
  const lines = cartLines(parameters, words);
  if (lines.length === 0) return html``;
  return html`<div class="scroll"><table><thead><tr><th scope="col">${words.item}</th><th scope="col">${words.count}</th><th scope="col" class="money">${words.price}</th></tr></thead>
<tbody>${lines.map(({ name, quantity, price }) => html`<tr><td>${name}</td><td>${quantity}</td><td class="money">${price}</td></tr>`)}</tbody></table></div>`;
}

function cartLines(parameters: Readonly<Record<string, string>>, words: CartWords): readonly Line[] {
  const indexes = new Set(
    Object.keys(parameters)
      .flatMap((name) => /^cart\.items\[([0-9]+)\]/.exec(name)?.[1] ?? [])
      .map(Number),
  );
  return [...indexes]
    .toSorted((a, b) => a - b)
    .map((index) => {
      const item = (field: string): string | undefined => parameters[`cart.items[${index}].${field}`];
      const price = item("totalAmount") ?? item("price");
      const currency = item("currency") ?? parameters["currency"];
      return {
        name: item("name") ?? item("description") ?? item("merchantItemId") ?? `${words.item} ${index + 1}`,
        quantity: item("quantity") ?? "1",
        price: price === undefined ? "" : moneyText(price, currency),
      };
    });
}
