import type { Sent } from "../../gateway/parameters/chapter.ts";
import { type Html, html } from "../html.ts";
import type { PaymentLink } from "./link.ts";

interface Field {
  readonly label: string;
  /** What a browser fills in (HTML, "Autofill"); absent where it knows no such part of an address. */
  readonly autocomplete?: string;
}

/** By the parameter's name; in the order of the page. */
const FIELDS: ReadonlyMap<string, Field> = new Map([
  ["billing.street1", { label: "Street", autocomplete: "address-line1" }],
  ["billing.street2", { label: "Street, second line", autocomplete: "address-line2" }],
  ["billing.houseNumber1", { label: "House number" }],
  ["billing.houseNumber2", { label: "House number, addition" }],
  ["billing.city", { label: "City", autocomplete: "address-level2" }],
  ["billing.state", { label: "State", autocomplete: "address-level1" }],
  ["billing.postcode", { label: "Postcode", autocomplete: "postal-code" }],
  ["billing.country", { label: "Country (two letters)", autocomplete: "country" }],
]);

/** What the page calls a part of the address; undefined: it is none. */
export function billingLabel(name: string): string | undefined {
  return FIELDS.get(name)?.label;
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
export function billingFields(link: PaymentLink, typed: Sent): Html {
  const { shown, needed } = billingWanted(link);
  const field = (name: string): Html => {
    const { label, autocomplete } = FIELDS.get(name) ?? {};
    const value = typed.get(name) ?? link.parameters[name] ?? "";
    const filledBy = autocomplete !== undefined && html` autocomplete="billing ${autocomplete}"`;
    return html`<label>${label} <input name="${name}" maxlength="100" value="${value}"${filledBy}${needed.includes(name) && html` required`}></label>`;
  };
  return shown.length === 0 ? html`` : html`<fieldset><legend>Billing address</legend>${shown.map(field)}</fieldset>`;
}

/** As it is written where the customer lives: the gateway's own format knows no blanks in a postcode, and capitals alone for a country. */
export function billingAsSent(name: string, value: string): string {
  if (name === "billing.postcode") return value.replaceAll(/[\s-]/g, "");
  return name === "billing.country" ? value.toUpperCase() : value;
}
