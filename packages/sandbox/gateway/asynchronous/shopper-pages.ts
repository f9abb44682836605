import { amountText, currencyOf } from "../../../../src/kit/money.ts";
import type { Reply } from "../exchange.ts";
import { type Html, html, isSafeAddress, pageReply } from "../html.ts";
import { type Booking, resultCodeAt } from "../ledger/booking.ts";
import { books, isPending } from "../ledger/codes.ts";
import { textOf } from "../ledger/result-texts.ts";
import { LATER_DAYS } from "./bank-answers.ts";
import { RIGHT_CODE } from "./challenge.ts";
import { asynchronousMethodOf } from "./methods.ts";
import { cartTable } from "./sale-summary.ts";
import { CODE_TRIES, type Waiting } from "./waiting.ts";

interface Shown {
  readonly booking: Booking;
  readonly waiting: Waiting;
}

/** The page of an asynchronous brand, where the shopper confirms or refuses. */
export function bankPage({ booking, waiting }: Shown): Reply {
  const method = asynchronousMethodOf(waiting.brand);
  const isVoucher = method?.kind === "voucher";
  const days = `${LATER_DAYS} days`;
  const money = moneyOf(booking);
  return pageReply({
    ...{ title: `${method?.title ?? waiting.brand}: confirm your payment`, leadsAway: true },
    body: html`${summary(booking)}<p>${method?.asks}</p>
<form method="post" action="${booking.redirect?.path}">${brought(booking)}
<button class="main" name="answer" value="yes">Yes, pay ${money}${isVoucher && ` at a counter (it arrives in ${days})`}</button>
<button name="answer" value="no">My bank refuses</button>
<button name="answer" value="no-funds">Not enough money in the account</button>
<button name="answer" value="cancel">Cancel</button>
<fieldset><legend>Decided later: pending until then</legend>
<button name="answer" value="later-yes">The money arrives in ${days}</button>
<button name="answer" value="later-no">The bank refuses in ${days}</button></fieldset>
<button name="answer" value="leave">Go back without an answer</button></form>
<p>Without an answer this payment lapses by itself.</p>`,
  });
}

/** The 3D Secure challenge: the holder types the code that his bank sent. */
export function challengePage({ booking, waiting }: Shown): Reply {
  const { last4Digits } = booking.issuer.card ?? {};
  const wasWrong = waiting.triesLeft < CODE_TRIES;
  const tries = waiting.triesLeft === 1 ? "one more try" : `${waiting.triesLeft} more tries`;
  return pageReply({
    ...{ title: "Your bank asks for a code", leadsAway: true, framed: true },
    body: html`${summary(booking)}<p>We sent a code to your phone to make sure that it is you who pays${typeof last4Digits === "string" && html` with the card ending in ${last4Digits}`}.
In this sandbox it is <strong>${RIGHT_CODE}</strong>; anything else is wrong.</p>
${wasWrong && html`<p class="problem" role="alert" id="problem">That code is wrong. You have ${tries}.</p>`}
<form method="post" action="${booking.redirect?.path}" autocomplete="off">${brought(booking)}
<label>Code <input name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="12" required autofocus${wasWrong && html` aria-invalid="true" aria-describedby="problem"`}></label>
<button class="main">Confirm</button><button name="answer" value="cancel" formnovalidate>Cancel</button></form>`,
  });
}

/**
 * Shown if no return address is known, and for a payment decided before. A link's payment returns to the link's page at
 * this gateway.
 */
export function overPage(booking: Booking, now: number, back: string | undefined): Reply {
  const code = resultCodeAt(booking, now);
  const title = books(code) ? "Paid" : isPending(code) ? "Not decided yet" : "Not paid";
  return pageReply({
    title,
    body: html`${summary(booking)}<p>${textOf(code)} (${code})</p>${
      back === undefined || !isSafeAddress(back)
        ? html`<p>You can close this page.</p>`
        : html`<p><a class="button" href="${back}" rel="noreferrer">${back.startsWith("/") ? "Back to the payment page" : "Back to the shop"}</a></p>`
    }`,
  });
}

export function noPaymentPage(): Reply {
  return pageReply({
    status: 404,
    title: "There is no such payment",
    body: html`<p>Go back to the shop and begin again.</p>`,
  });
}

/** Addressed to integrators: a real page would fail for the same reason. */
export function notBroughtPage(): Reply {
  return pageReply({
    ...{ status: 403, title: "Something is missing" },
    body: html`<p>The shop has to send every entry of <code>redirect.parameters</code> along with the shopper to <code>redirect.url</code>: by POST as a form, or by GET in the address.
This visit came without them, or with others.</p>`,
  });
}

function summary(booking: Booking): Html {
  const { parameters, merchantTransactionId } = booking;
  const name = parameters["merchant.name"] ?? parameters["descriptor"];
  return html`<p class="amount">${moneyOf(booking)}</p>
<dl>${name !== undefined && html`<dt>To</dt><dd>${name}</dd>`}${merchantTransactionId !== undefined && html`<dt>Reference</dt><dd>${merchantTransactionId}</dd>`}</dl>
${cartTable(parameters)}`;
}

function moneyOf({ requested, amount, currency = "" }: Booking): string {
  const known = currencyOf(currency);
  const minor = requested ?? amount;
  return minor === undefined || known === undefined
    ? "No money: your account is stored"
    : amountText({ amount: minor, decimals: known.decimals, currencyCode: currency });
}

/** The parameters of the redirect travel on with the answer. */
function brought({ redirect }: Booking): Html {
  return html`${redirect?.parameters.map(({ name, value }) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}
