import { currencyOf } from "../../kit/money.ts";
import { type Html, html } from "../html.ts";
import { minorOf } from "../parameters.ts";

/** An amount of a request as a customer reads it in his language: "12,00\u00a0EUR" in German; as it was sent where it cannot be read. */
export function moneyText(amount = "", currencyCode = "", language = "en"): string {
  const currency = currencyOf(currencyCode);
  const minor = currency && minorOf(amount, currency);
  if (currency === undefined || minor === undefined) return `${amount} ${currencyCode}`;
  const { decimals } = currency;
  const style = {
    style: "currency",
    currency: currencyCode,
    currencyDisplay: "code",
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  } as const;
  return new Intl.NumberFormat(language, style).format(minor / 10 ** decimals);
}

interface Line {
  readonly name: string;
  readonly quantity: string;
  readonly price: string;
}

/** What stands above the columns, and before the number of an item without a name. */
export interface CartWords {
  readonly item: string;
  readonly count: string;
  readonly price: string;
}

const ENGLISH: CartWords = { item: "Item", count: "Count", price: "Price" };

/** What is paid for (specification, "Cart items"), in the order of its index; nothing where no item is named. */
export function cartTable(parameters: Readonly<Record<string, string>>, words: CartWords = ENGLISH, language = "en"): Html {
  const lines = cartLines(parameters, words, language);
  if (lines.length === 0) return html``;
  return html`<div class="scroll"><table><thead><tr><th scope="col">${words.item}</th><th scope="col">${words.count}</th><th scope="col" class="money">${words.price}</th></tr></thead>
<tbody>${lines.map(({ name, quantity, price }) => html`<tr><td>${name}</td><td>${quantity}</td><td class="money">${price}</td></tr>`)}</tbody></table></div>`;
}

function cartLines(parameters: Readonly<Record<string, string>>, words: CartWords, language: string): readonly Line[] {
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
        price: price === undefined ? "" : moneyText(price, currency, language),
      };
    });
}
