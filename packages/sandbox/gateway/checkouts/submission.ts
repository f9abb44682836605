import { z } from "zod";
import type { ParameterProblem, Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { chaptersOf } from "../../../../src/gateway/parameters/endpoints.ts";
import { parameterProblems } from "../../../../src/gateway/parameters/problems.ts";
import type { Context } from "../context.ts";
import type { Call } from "../endpoint.ts";
import type { Reply } from "../exchange.ts";
import { type Booking, isSettled, resultCodeAt } from "../ledger/booking.ts";
import { books } from "../ledger/codes.ts";
import { settle } from "../ledger/ledger-entry.ts";
import { magicOutcome } from "../ledger/magic-amounts.ts";
import { moneyOf, type Paid } from "../payments/payments.ts";
import type { Bend, Prepared } from "../prepared.ts";
import { NO_SUCH_REGISTRATION } from "../registrations/stored-accounts.ts";
import { bareReply } from "../replies.ts";
import {
  type Checkout,
  type CheckoutKind,
  checkoutsOf,
  noSession,
  openCheckout,
  stampOfCheckout,
  tellingTry,
} from "./checkout.ts";
import { mergedForm } from "./merged-form.ts";
import { setReminder } from "./reminder.ts";
import { noSessionPage, onward } from "./shopper-replies.ts";
import { bookTry } from "./shopper-try.ts";

/** Specification, "Endpoints": the hosted form's fields. Amount and type come from the merchant. */
export function submissionProblems(sent: Sent): readonly ParameterProblem[] {
  const problems = parameterProblems(sent, chaptersOf.checkoutSubmission);
  // Browser data for 3D Secure requires no name; the shopper's name may be in the merchant's part.
  const onlyBrowser = [...sent.keys()].every(
    (name) => !name.startsWith("customer.") || name.startsWith("customer.browser."),
  );
  return problems.filter(
    ({ name, value }) => !(onlyBrowser && value === "" && ["customer.givenName", "customer.surname"].includes(name)),
  );
}

const CANCELLED = "100.396.101";

/** POST /v1/checkouts/{id}/payment and /registration, by the shopper's browser. */
export function prepareSubmission(context: Context, call: Call, kind: CheckoutKind): Prepared | Reply {
  const id = call.id();
  const checkout = openCheckout(context, id);
  if (checkout === undefined || checkout.kind !== kind) return noSessionPage(call, noSession(context, id));
  if (isForeignToken(checkout, call.sent))
    return bareReply(context.rules.declineStatus, NO_SUCH_REGISTRATION, stampOfCheckout(context, id));
  const sent = mergedForm(checkout, call.sent);
  return {
    is: "prepared",
    outcome: magicOf(context, sent),
    run: (bend) => context.store.atomically(() => submit(context, call, sent, bend)),
  };
}

/** Only tokens passed by the merchant's server may be charged. */
function isForeignToken({ offered }: Checkout, sent: Sent): boolean {
  const id = sent.get("registrationId");
  return id !== undefined && !offered.some((token) => token.id === id);
}

function magicOf(context: Context, sent: Sent): Prepared["outcome"] {
  const money = sent.has("amount") ? moneyOf(sent, context) : undefined;
  const paymentType = sent.get("paymentType");
  if (money === undefined || "is" in money || paymentType === undefined) return {};
  return (
    magicOutcome(money.minor, { paymentType: paymentType === "DB" || paymentType === "CD" ? paymentType : "PA" }) ?? {}
  );
}

/**
 * A repeated submission pays nothing again: if the checkout is paid or its outcome pending, the shopper goes on to that
 * result.
 */
function submit(context: Context, call: Call, sent: Sent, bend: Bend): Reply {
  const id = call.id();
  const checkout = openCheckout(context, id);
  if (checkout === undefined) return noSessionPage(call, noSession(context, id));
  cancelOpenTry(context, checkout);
  const before = tellingTry(context, checkout);
  if (before !== undefined && isDone(context, before)) return onward(context, call, checkout, before);
  const done = bookTry(context, checkout, sent, bend);
  const tried = afterTry(checkout, sent, done);
  checkoutsOf(context).put(id, tried);
  if (checkout.submitted === undefined) setReminder(context, tried);
  return onward(context, call, tried, done.is === "booked" ? done.booking : done.reply);
}

/** Money was booked or may still be, also if the gateway could not reverse its own booking (000.400.030). */
function isDone(context: Context, booking: Booking): boolean {
  const now = context.clock.now();
  return !isSettled(booking, now) || books(resultCodeAt(booking, now));
}

/** A shopper who returns from a bank's page and submits again has given up on the bank; both must not be paid. */
function cancelOpenTry(context: Context, { tries }: Checkout): void {
  const last = context.store.byId(tries.at(-1) ?? "");
  if (last?.redirect !== undefined && !isSettled(last, context.clock.now())) settle(context, last, CANCELLED);
}

const refusalSchema = z.looseObject({ result: z.looseObject({ code: z.string() }) });

function afterTry(checkout: Checkout, sent: Sent, done: Paid): Checkout {
  const { refusedWith: _refusedWith, isHeardOf: _isHeardOf, ...rest } = checkout;
  const shopperResultUrl = sent.get("shopperResultUrl");
  const submitted = { ...(shopperResultUrl !== undefined && { shopperResultUrl }) };
  if (done.is === "booked") return { ...rest, submitted, tries: [...checkout.tries, done.booking.id] };
  return { ...rest, submitted, refusedWith: refusalSchema.parse(JSON.parse(done.reply.body)).result.code };
}
