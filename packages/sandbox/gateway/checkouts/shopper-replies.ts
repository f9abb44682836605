import { shopperAddress } from "../asynchronous/waiting.ts";
import type { Context } from "../context.ts";
import type { Call } from "../endpoint.ts";
import type { Reply } from "../exchange.ts";
import { html, isSafeAddress, pageReply, seeOther } from "../html.ts";
import { type Booking, resultCodeAt } from "../ledger/booking.ts";
import { isPending, isSuccess } from "../ledger/codes.ts";
import { textOf } from "../ledger/result-texts.ts";
import { answerTo } from "../payments/payment-bodies.ts";
import { type Checkout, checkoutsOf, noSession, stampOfCheckout, tellingTry } from "./checkout.ts";
import { resultAddress, resultLocation } from "./result-location.ts";

/** Browsers ask for HTML; programs ask for JSON or nothing in particular. */
function wantsPage({ request }: Pick<Call, "request">): boolean {
  return (request.headers["accept"] ?? "").includes("text/html");
}

/**
 * Sends browsers to the bank's page, else shopperResultUrl, else this gateway's page; the merchant's server reads the
 * status. Programs get the result, with that address in `location`.
 */
export function onward(context: Context, call: Call, checkout: Checkout, outcome: Booking | Reply): Reply {
  const wanted =
    "is" in outcome ? refusedLocation(checkout) : (bankAddress(context, call, outcome) ?? resultLocation(outcome));
  const location =
    wanted !== undefined && isSafeAddress(wanted) ? wanted : `${call.base}/v1/checkouts/${checkout.id}/result`;
  if (wantsPage(call)) return seeOther(location, () => noSessionPage(call, noSession(context, checkout.id)));
  const told =
    "is" in outcome ? outcome : answerTo(outcome, stampOfCheckout(context, checkout.id), context.rules, call.base);
  return { ...told, headers: { ...told.headers, location } };
}

function bankAddress({ clock }: Context, { base }: Call, booking: Booking): string | undefined {
  const path = shopperAddress(booking, clock.now());
  return path === undefined ? undefined : `${base}${path}`;
}

function refusedLocation({ id, kind, submitted }: Checkout): string | undefined {
  const url = submitted?.shopperResultUrl;
  return url === undefined ? undefined : resultAddress(url, id, `/v1/checkouts/${id}/${kind}`);
}

/** GET /v1/checkouts/{id}/result: for a shopper without shopperResultUrl. Does not count as the merchant's reading. */
export function prepareResultPage(context: Context, call: Call): Reply {
  const id = call.id();
  const checkout = checkoutsOf(context).get(id);
  if (checkout?.submitted === undefined) return noSessionPage(call, noSession(context, id));
  const booking = tellingTry(context, checkout);
  const code = booking === undefined ? (checkout.refusedWith ?? "") : resultCodeAt(booking, context.clock.now());
  const title = isSuccess(code) ? "Thank you" : isPending(code) ? "Not finished yet" : "That did not work";
  return pageReply({
    title,
    body: html`<p>${textOf(code)} (${code})</p><p>This checkout has no shopperResultUrl to go back to.</p>`,
  });
}

/** No session: people get a page, programs the plain reply. */
export function noSessionPage(call: Pick<Call, "request">, reply: Reply): Reply {
  if (!wantsPage(call)) return reply;
  const body = html`<p>This payment page is not valid any more. Please go back to the shop and begin the payment again.</p>`;
  return pageReply({ status: reply.status, title: "Payment page expired", body });
}
