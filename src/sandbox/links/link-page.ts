import type { Sent } from "../../gateway/parameters/chapter.ts";
import { cardBrandOf } from "../accounts/brands.ts";
import { type AsynchronousMethod, asynchronousMethods } from "../asynchronous/methods.ts";
import { cartTable, moneyText } from "../asynchronous/sale-summary.ts";
import type { Reply } from "../exchange.ts";
import { type Html, html, isSafeAddress, pageReply } from "../html.ts";
import { billingFields } from "./billing-address.ts";
import { type LinkState, linkPath, type PaymentLink } from "./link.ts";

/** Why a customer is shown the form once more. */
export interface Retry {
  readonly status: number;
  readonly lines: readonly string[];
  /** What he typed; his name and address stand in the form again, and nothing else of it. */
  readonly typed?: Sent;
}

/** Where its customer can go from the page: to where a payment that is under way waits for him, and to the shop. */
export interface Ways {
  readonly goOn?: string | undefined;
  readonly back?: string | undefined;
}

/** What the page behind a link shows: a form, or why there is none any more. */
export function linkPage(link: PaymentLink, state: LinkState, { goOn, back }: Ways, retry?: Retry): Reply {
  const { parameters } = link;
  const merchant = merchantOf(link);
  switch (state.status) {
    case "CREATED":
    case "OPENED":
      return pageReply({
        ...{ status: retry?.status ?? 200, title: `Pay ${merchant}`, leadsAway: true },
        body: html`${summary(link)}${retry && problems(retry.lines)}${forms(link, retry?.typed ?? new Map())}${terms(link)}`,
      });
    case "PENDING":
      return pageReply({
        title: `Your payment to ${merchant} is under way`,
        body: html`${summary(link)}<p>It is not decided yet. Open this page again to see how it went; do not pay a second time.</p>
${goOn !== undefined && html`<p><a class="button" href="${goOn}">Go on and confirm it</a></p><p>To pay in another way, cancel it there first.</p>`}`,
      });
    case "PAID":
      return pageReply({ title: `Paid to ${merchant}`, body: html`${summary(link)}<p>Thank you. This link is used up.</p>${toShop(back)}` });
    case "EXPIRED":
      return pageReply({
        status: 410,
        title: "This link has expired",
        body: html`<p>Nothing was paid. Ask ${merchant} for a new one.</p>${toShop(parameters["shopperResultUrl"])}`,
      });
  }
}

/** How the page speaks of whoever is paid. */
export function merchantOf({ parameters }: PaymentLink): string {
  return parameters["merchant.name"] ?? "the merchant";
}

export function noLinkPage(): Reply {
  return pageReply({ status: 404, title: "There is no such link", body: html`<p>Check the address, or scan the code once more.</p>` });
}

function summary({ parameters }: PaymentLink): Html {
  const reference = parameters["merchantInvoiceId"] ?? parameters["merchantTransactionId"];
  return html`<p class="amount">${moneyText(parameters["amount"], parameters["currency"])}</p>
${reference !== undefined && html`<p>Reference ${reference}</p>`}${cartTable(parameters)}`;
}

function problems(lines: readonly string[]): Html {
  return html`<div class="problem" role="alert">${lines.map((line) => html`<p>${line}</p>`)}</div>`;
}

/** A card, and some brands that have a page of their own; a merchant who names the brand leaves no choice. A wallet's token no form can take. */
function forms(link: PaymentLink, typed: Sent): Html {
  const brand = link.parameters["paymentBrand"];
  const offered = asynchronousMethods.filter((method) => (brand === undefined ? OFFERED.includes(method.brand) : method.brand === brand));
  const takesCard = brand === undefined || cardBrandOf(brand) !== undefined;
  if (brand === BANK_BRAND) return bankForm(link, typed);
  if (!takesCard && offered.length === 0) return html`<p>Nobody can pay by ${brand} on this page. Ask ${merchantOf(link)} for another one.</p>`;
  return html`${takesCard && cardForm(link, typed)}${offered.length > 0 && brandForm(link, offered, typed)}`;
}

function cardForm(link: PaymentLink, typed: Sent): Html {
  return html`<h2>Pay by card</h2>
<form method="post" action="${linkPath(link.id)}" autocomplete="on">
<label>Card number <input name="card.number" inputmode="numeric" autocomplete="cc-number" required maxlength="40" placeholder="4200 0000 0000 0000"></label>
<label>Name on card <input name="card.holder" autocomplete="cc-name" maxlength="128" value="${typed.get("card.holder")}"></label>
<div class="row">
<label>Expiry month <input name="card.expiryMonth" inputmode="numeric" autocomplete="cc-exp-month" required pattern="0[1-9]|1[0-2]" title="Two digits, 01 to 12" placeholder="MM" maxlength="2"></label>
<label>Expiry year <input name="card.expiryYear" inputmode="numeric" autocomplete="cc-exp-year" required pattern="20[0-9][0-9]" title="Four digits" placeholder="YYYY" maxlength="4"></label>
</div>
<label>Security code <input name="card.cvv" inputmode="numeric" autocomplete="cc-csc" pattern="[0-9]{3,4}" title="Three or four digits" maxlength="4"></label>
${billingFields(link, typed)}
<button class="main">Pay ${moneyText(link.parameters["amount"], link.parameters["currency"])}</button>
</form>`;
}

/** The brand whose account is typed in here and is no card. */
const BANK_BRAND = "DIRECTDEBIT_SEPA";

function bankForm(link: PaymentLink, typed: Sent): Html {
  return html`<h2>Pay from your bank account</h2>
<form method="post" action="${linkPath(link.id)}"><input type="hidden" name="paymentBrand" value="${BANK_BRAND}">
<label>Account holder <input name="bankAccount.holder" autocomplete="name" required maxlength="128" value="${typed.get("bankAccount.holder")}"></label>
<label>IBAN <input name="bankAccount.iban" autocomplete="off" required maxlength="40"></label>
${billingFields(link, typed)}
<button class="main">Pay ${moneyText(link.parameters["amount"], link.parameters["currency"])}</button>
</form>`;
}

/** A few of the brands that have a page of their own; a program may post any of them. */
const OFFERED: readonly string[] = ["PAYPAL", "IDEAL", "SOFORTUEBERWEISUNG"];

function brandForm(link: PaymentLink, offered: readonly AsynchronousMethod[], typed: Sent): Html {
  return html`<h2>Pay with</h2>
<form method="post" action="${linkPath(link.id)}">${billingFields(link, typed)}${offered.map(({ brand, title }) => html`<button name="paymentBrand" value="${brand}">${title}</button>`)}</form>`;
}

function terms({ parameters }: PaymentLink): Html {
  const link = (name: string, text: string): Html => {
    const address = parameters[name];
    return address === undefined || !isSafeAddress(address) ? html`` : html`<p><a href="${address}" rel="noreferrer">${text}</a></p>`;
  };
  return html`${link("termsAndConditionsUrl", "Terms and conditions")}${link("privacyPolicyUrl", "Privacy")}`;
}

function toShop(address: string | undefined): Html {
  return address === undefined || !isSafeAddress(address) ? html`` : html`<p><a class="button" href="${address}" rel="noreferrer">Back to the shop</a></p>`;
}
