import { resultLocation } from "../checkouts/result-location.ts";
import type { Context } from "../context.ts";
import type { Call } from "../endpoint.ts";
import type { Reply } from "../exchange.ts";
import { seeOther } from "../html.ts";
import type { Booking } from "../ledger/booking.ts";
import { isSuccess } from "../ledger/codes.ts";
import { outcomeOf } from "../ledger/outcome.ts";
import { linkReturn } from "../links/link-return.ts";
import type { Bend, Prepared } from "../prepared.ts";
import { bankAnswerOf, outcomeOfAnswer } from "./bank-answers.ts";
import { challenged } from "./challenge.ts";
import { bankPage, challengePage, noPaymentPage, notBroughtPage, overPage } from "./shopper-pages.ts";
import { type Answer, answerFor, isAwaited, isShopperOf, shopperAddress, type Waiting, waitingOf } from "./waiting.ts";

/**
 * A shopper's visit: GET or POST shows the page, POST with `answer` or `code` answers. A mere visit decides nothing.
 */
export function prepareVisit(context: Context, { request, sent, id }: Call): Prepared | Reply {
  const booking = context.store.byId(id());
  if (booking?.redirect === undefined) return noPaymentPage();
  if (!isShopperOf(booking, sent)) return notBroughtPage();
  const said = request.method === "POST" ? sent : new Map<string, string>();
  return {
    is: "prepared",
    outcome: {},
    run: (bend) => context.store.atomically(() => visit(context, id(), said, bend)),
  };
}

export function isAnswer(said: ReadonlyMap<string, string>): boolean {
  return said.has("answer") || said.has("code");
}

/** Reads the booking again inside the transaction that decides. */
function visit(context: Context, id: string, said: ReadonlyMap<string, string>, bend: Bend): Reply {
  const booking = context.store.byId(id);
  const waiting = waitingOf(context).get(id);
  if (booking === undefined) return noPaymentPage();
  // A second answer changes nothing and leads to the result of the first.
  if (waiting === undefined || !isAwaited(booking, context.clock.now()))
    return isAnswer(said) ? goOn(context, booking) : over(context, booking);
  switch (waiting.is) {
    case "bank":
      return atBank(context, booking, waiting, said, bend);
    case "challenge":
      return atChallenge(context, booking, waiting, said, bend);
  }
}

function atBank(
  context: Context,
  booking: Booking,
  waiting: Waiting,
  said: ReadonlyMap<string, string>,
  bend: Bend,
): Reply {
  const answer = bankAnswerOf(said.get("answer"));
  if (answer === undefined) return bankPage({ booking, waiting });
  const outcome = outcomeOfAnswer(answer, waiting);
  return outcome === undefined ? goOn(context, booking) : answered(context, booking, waiting, outcome, bend);
}

function atChallenge(
  context: Context,
  booking: Booking,
  waiting: Waiting,
  said: ReadonlyMap<string, string>,
  bend: Bend,
): Reply {
  const result = challenged(waiting, said);
  switch (result.is) {
    case "unanswered":
      return challengePage({ booking, waiting });
    case "wrong": {
      const once = { ...waiting, triesLeft: result.triesLeft };
      waitingOf(context).put(booking.id, once);
      // Redirect to an address of its own: reloading the page must not cost another try.
      return seeOther(shopperAddress(booking, context.clock.now()), () => challengePage({ booking, waiting: once }));
    }
    case "over":
      return answered(context, booking, waiting, result.answer, bend);
  }
}

/** A fault replaces the result of the shopper's answer. */
function answered(context: Context, booking: Booking, { ifYes }: Waiting, own: Answer, { result }: Bend): Reply {
  const forced = result && outcomeOf(result.code, result.delayMs);
  const resultCode = forced?.resultCode ?? ifYes.resultCode;
  const issuer = isSuccess(resultCode) ? { issuer: ifYes.issuer } : {};
  answerFor(context, booking, forced ? { resultCode, ...issuer, interim: forced.interim } : own);
  return goOn(context, context.store.byId(booking.id) ?? booking);
}

/** Leads to the shop or to a page with the result. */
function goOn(context: Context, booking: Booking): Reply {
  return seeOther(backOf(context, booking), () => over(context, booking));
}

function over(context: Context, booking: Booking): Reply {
  return overPage(booking, context.clock.now(), backOf(context, booking));
}

function backOf(context: Context, booking: Booking): string | undefined {
  return linkReturn(context, booking, context.clock.now()) ?? resultLocation(booking);
}
