import type { Sent } from "../../gateway/parameters/chapter.ts";
import { type Html, html } from "../html.ts";
import type { PaymentLink } from "./link.ts";
import type { LinkWords } from "./words/link-words.ts";

interface Field {
  readonly label: "street1" | "street2" | "houseNumber1" | "houseNumber2" | "city" | "state" | "postcode" | "country";
  /** What a browser fills in (HTML, "Autofill"); absent where it knows no such part of an address. */
  readonly autocomplete?: string;
}

/** By the parameter's name; in the order of the page. */
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

/** What the page calls a part of the address; undefined: it is none. */
export function billingLabel(name: string, words: LinkWords): string | undefined {
  const field = FIELDS.get(name);
  return field && words[field.label];
}

/** The parameters that the merchant wants on the page (collectBilling), and those that may not be left out (mandatoryBilling). */
export function billingWanted({ parameters }: Pick<PaymentLink, "parameters">): { readonly shown: readonly string[]; readonly needed: readonly string[] } {
  const listed = (name: string): readonly string[] => {
    const fields = parameters[name]?.split(",") ?? [];
    return [...FIELDS.keys()].filter((field) => fields.includes("all") || fields.includes(field.slice("billing.".length)));
  };
  const shown = listed("collectBilling");
  return { shown, needed: listed("mandatoryBilling").filter((field) => shown.includes(field)) };
}

/** The part of a form that asks for it, filled with what was typed before or what the merchant said. */
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

/** As it is written where the customer lives: the gateway's own format knows no blanks in a postcode, and capitals alone for a country. */
export function billingAsSent(name: string, value: string): string {
  if (name === "billing.postcode") return value.replaceAll(/[\s-]/g, "");
  return name === "billing.country" ? value.toUpperCase() : value;
}
