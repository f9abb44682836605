import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { type Html, html } from "../html.ts";
import type { PaymentLink } from "./link.ts";
import type { LinkWords } from "./link-words.ts";

interface Field {
  readonly label: "street1" | "street2" | "houseNumber1" | "houseNumber2" | "city" | "state" | "postcode" | "country";
  /** The browser's autofill name (HTML, "Autofill"); absent: none exists. */
  readonly autocomplete?: string;
}

/** By parameter name, in the order of the page. */
const FIELDS: ReadonlyMap<string, Field> = new Map<string, Field>([
  ["billing.street1", { label: "street1", autocomplete: "address-line1" }],
  ["billing.street2", { label: "street2", autocomplete: "address-line2" }],
  ["billing.houseNumber1", { label: "houseNumber1" }],
  ["billing.houseNumber2", { label: "houseNumber2" }],
  ["billing.city", { label: "city", autocomplete: "address-level2" }],
  ["billing.state", { label: "state", autocomplete: "address-level1" }],
  ["billing.postcode", { label: "postcode", autocomplete: "postal-code" }],
  ["billing.country", { label: "country", autocomplete: "country" }],
]);

/** The page's label of an address field; undefined: no address field. */
export function billingLabel(name: string, words: LinkWords): string | undefined {
  const field = FIELDS.get(name);
  return field && words[field.label];
}

/** Fields that the merchant wants on the page (collectBilling), and the mandatory ones (mandatoryBilling). */
export function billingWanted({ parameters }: Pick<PaymentLink, "parameters">): {
  readonly shown: readonly string[];
  readonly needed: readonly string[];
} {
  const listed = (name: string): readonly string[] => {
    const fields = parameters[name]?.split(",") ?? [];
    return [...FIELDS.keys()].filter(
      (field) => fields.includes("all") || fields.includes(field.slice("billing.".length)),
    );
  };
  const shown = listed("collectBilling");
  return { shown, needed: listed("mandatoryBilling").filter((field) => shown.includes(field)) };
}

/** The address fields of a form, filled with the customer's or the merchant's values. */
export function billingFields(link: PaymentLink, typed: Sent, words: LinkWords): Html {
  const { shown, needed } = billingWanted(link);
  const field = (name: string): Html => {
    const autocomplete = FIELDS.get(name)?.autocomplete;
    const value = typed.get(name) ?? link.parameters[name] ?? "";
    const filledBy = autocomplete !== undefined && html` autocomplete="billing ${autocomplete}"`;
    return html`<label>${billingLabel(name, words)} <input name="${name}" maxlength="100" value="${value}"${filledBy}${needed.includes(name) && html` required`}></label>`;
  };
  return shown.length === 0 ? html`` : html`<fieldset><legend>${words.billing}</legend>${shown.map(field)}</fieldset>`;
}

/** Converts local spelling: the gateway allows no blanks in a postcode and only capitals for a country. */
export function billingAsSent(name: string, value: string): string {
  if (name === "billing.postcode") return value.replaceAll(/[\s-]/g, "");
  return name === "billing.country" ? value.toUpperCase() : value;
}
