import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { cardBrandOf } from "../accounts/brands.ts";
import { type AsynchronousMethod, asynchronousMethods } from "../asynchronous/methods.ts";
import { cartTable, moneyText } from "../asynchronous/sale-summary.ts";
import type { Reply } from "../exchange.ts";
import { type Html, html, isSafeAddress, type Page, pageReply } from "../html.ts";
import { billingFields } from "./billing-address.ts";
import { type LinkState, linkPath, type PaymentLink } from "./link.ts";
import { filled, type LinkLanguage, linkLanguage } from "./link-language.ts";
import type { LinkWords } from "./link-words.ts";

/** A sentence for the customer; its parameter is in the markup, for programs that pay by the link. */
export interface Line {
  readonly text: string;
  readonly parameter?: string;
}

/** The reason for showing the form again. */
export interface Retry {
  readonly status: number;
  readonly lines: readonly Line[];
  /** The customer's input; only name and address are filled in again. */
  readonly typed?: Sent;
}

/** Where the customer can go: to a payment under way, and to the shop. */
export interface Ways {
  readonly goOn?: string | undefined;
  readonly back?: string | undefined;
}

/** The page of a link: a form, or the reason why there is none. */
export function linkPage(link: PaymentLink, state: LinkState, { goOn, back }: Ways, retry?: Retry): Reply {
  const { words, page } = languageOf(link);
  const reply = (title: keyof LinkWords, more: Pick<Page, "body" | "status" | "leadsAway">): Reply =>
    pageReply({ ...more, title: said(link, title), language: page });
  switch (state.status) {
    case "CREATED":
    case "OPENED":
      return reply("payTo", {
        ...{ status: retry?.status ?? 200, leadsAway: true },
        body: html`${summary(link)}${retry && problems(retry.lines)}${forms(link, retry?.typed ?? new Map())}${terms(link)}`,
      });
    case "PENDING":
      return reply("underWay", {
        body: html`${summary(link)}<p>${words.undecided}</p>
${goOn !== undefined && html`<p><a class="button" href="${goOn}">${words.goOn}</a></p><p>${words.cancelFirst}</p>`}`,
      });
    case "PAID":
      return reply("paidTo", { body: html`${summary(link)}<p>${words.usedUp}</p>${toShop(link, back)}` });
    case "EXPIRED":
      return reply("expired", {
        status: 410,
        body: html`<p>${said(link, "askAgain")}</p>${toShop(link, link.parameters["shopperResultUrl"])}`,
      });
  }
}

export function languageOf({ parameters }: PaymentLink): LinkLanguage {
  return linkLanguage(parameters["locale"]);
}

/** A text of the page with the merchant's name filled in. */
export function said(link: PaymentLink, text: keyof LinkWords, fields: Readonly<Record<string, string>> = {}): string {
  const { words } = languageOf(link);
  return filled(words[text], { merchant: link.parameters["merchant.name"] ?? words.shop, ...fields });
}

export function noLinkPage(): Reply {
  return pageReply({
    status: 404,
    title: "There is no such link",
    body: html`<p>Check the address, or scan the code once more.</p>`,
  });
}

function amountOf({ parameters }: PaymentLink): string {
  return moneyText(parameters["amount"], parameters["currency"]);
}

function summary(link: PaymentLink): Html {
  const { parameters } = link;
  const reference = parameters["merchantInvoiceId"] ?? parameters["merchantTransactionId"];
  return html`<p class="amount">${amountOf(link)}</p>
${reference !== undefined && html`<p>${said(link, "reference", { reference })}</p>`}${cartTable(parameters, languageOf(link).words)}`;
}

function problems(lines: readonly Line[]): Html {
  const line = ({ text, parameter }: Line): Html =>
    html`<p${parameter !== undefined && html` data-parameter="${parameter}"`}>${text}</p>`;
  return html`<div class="problem" role="alert">${lines.map(line)}</div>`;
}

/**
 * A card form and some brands with pages of their own; with paymentBrand only that brand. No form can take a wallet's
 * token.
 */
function forms(link: PaymentLink, typed: Sent): Html {
  const brand = link.parameters["paymentBrand"];
  const offered = asynchronousMethods.filter((method) =>
    brand === undefined ? OFFERED.includes(method.brand) : method.brand === brand,
  );
  const takesCard = brand === undefined || cardBrandOf(brand) !== undefined;
  if (brand === BANK_BRAND) return bankForm(link, typed);
  if (!takesCard && offered.length === 0) return html`<p>${said(link, "notHere", { brand })}</p>`;
  const { words } = languageOf(link);
  // One form with one address for all ways to pay; its first button pays by card.
  return html`${takesCard && html`<h2>${words.byCard}</h2>`}
<form method="post" action="${linkPath(link.id)}" autocomplete="on">
${takesCard && cardFields(link, typed)}
${billingFields(link, typed, words)}
${takesCard && payButton(link)}
${offered.length > 0 && brandButtons(offered, words)}
</form>`;
}

function cardFields(link: PaymentLink, typed: Sent): Html {
  const { words, page } = languageOf(link);
  const { cardNumber, cardHolder, cvv } = page.labels;
  return html`<label>${cardNumber} <input name="card.number" inputmode="numeric" autocomplete="cc-number" required maxlength="40" placeholder="4200 0000 0000 0000"></label>
<label>${cardHolder} <input name="card.holder" autocomplete="cc-name" maxlength="128" value="${typed.get("card.holder")}"></label>
<div class="row">
<label>${words.expiryMonth} <input name="card.expiryMonth" inputmode="numeric" autocomplete="cc-exp-month" required pattern="0[1-9]|1[0-2]" title="01-12" placeholder="01" maxlength="2"></label>
<label>${words.expiryYear} <input name="card.expiryYear" inputmode="numeric" autocomplete="cc-exp-year" required pattern="20[0-9][0-9]" title="20xx" placeholder="2030" maxlength="4"></label>
</div>
<label>${cvv} <input name="card.cvv" inputmode="numeric" autocomplete="cc-csc" pattern="[0-9]{3,4}" title="000-9999" maxlength="4"></label>`;
}

function payButton(link: PaymentLink): Html {
  return html`<button class="main">${said(link, "pay", { amount: amountOf(link) })}</button>`;
}

/** The brand whose bank account is typed into this page. */
const BANK_BRAND = "DIRECTDEBIT_SEPA";

function bankForm(link: PaymentLink, typed: Sent): Html {
  const { words, page } = languageOf(link);
  const { accountHolder, accountIban } = page.labels;
  return html`<h2>${words.byBank}</h2>
<form method="post" action="${linkPath(link.id)}"><input type="hidden" name="paymentBrand" value="${BANK_BRAND}">
<label>${accountHolder} <input name="bankAccount.holder" autocomplete="name" required maxlength="128" value="${typed.get("bankAccount.holder")}"></label>
<label>${accountIban} <input name="bankAccount.iban" autocomplete="off" required maxlength="40"></label>
${billingFields(link, typed, words)}
${payButton(link)}
</form>`;
}

/** Some brands with pages of their own; a program may post any of them. */
const OFFERED: readonly string[] = ["PAYPAL", "IDEAL", "SOFORTUEBERWEISUNG"];

/** These brands need no card, so the browser must not require one. The gateway reports missing address fields. */
function brandButtons(offered: readonly AsynchronousMethod[], words: LinkWords): Html {
  return html`<h2>${words.otherwise}</h2>
${offered.map(({ brand, title }) => html`<button name="paymentBrand" value="${brand}" formnovalidate>${title}</button>`)}`;
}

function terms(link: PaymentLink): Html {
  const { words } = languageOf(link);
  const to = (name: string, text: string): Html => {
    const address = link.parameters[name];
    return address === undefined || !isSafeAddress(address)
      ? html``
      : html`<p><a href="${address}" rel="noreferrer">${text}</a></p>`;
  };
  return html`${to("termsAndConditionsUrl", words.terms)}${to("privacyPolicyUrl", words.privacy)}`;
}

function toShop(link: PaymentLink, address: string | undefined): Html {
  if (address === undefined || !isSafeAddress(address)) return html``;
  return html`<p><a class="button" href="${address}" rel="noreferrer">${languageOf(link).words.back}</a></p>`;
}
