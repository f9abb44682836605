import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import type { StoredAccount } from "../accounts/stored-account.ts";
import type { Context } from "../context.ts";
import type { Call } from "../endpoint.ts";
import type { Reply } from "../exchange.ts";
import { book, ledgerEntry } from "../ledger/ledger-entry.ts";
import { answerTo } from "../payments/payment-bodies.ts";
import { duplicateReply, type Money, moneyOf, type Paid, pay, preparePayment, type Way } from "../payments/payments.ts";
import type { Bend, Prepared } from "../prepared.ts";
import { bareReply, parameterReply, stampOf, throttledReply } from "../replies.ts";
import { agreementProblems } from "./agreements.ts";
import { chargeable, NO_SUCH_REGISTRATION, type Registration, registrationAt } from "./stored-accounts.ts";

/**
 * POST /v1/registrations/{id}/payments (gateway facts, 0): PA, DB or CD with a stored account. The parameters are
 * validated before.
 */
export function prepareStoredPayment(
  context: Context,
  call: Pick<Call, "sent" | "base">,
  id: string,
  way: Way = {},
): Prepared | Reply {
  const { sent, base } = call;
  const registration = registrationAt(context, id, sent.get("entityId"));
  if (registration === undefined) return bareReply(404, NO_SUCH_REGISTRATION, stampOf(context, sent));
  const problems = agreementProblems(context, sent, registration);
  if (problems.length > 0) return parameterReply(problems, stampOf(context, sent));
  const money = moneyOf(sent, context);
  if ("is" in money) return money;
  const account = chargeable(context, registration);
  if (typeof account !== "string")
    return throttled(
      context,
      call,
      id,
      preparePayment(context, call, { ...way, stored: { id, account: withHolder(account, sent) } }),
    );
  const run = (): Reply => {
    const paid = refuse(context, sent, { registration, money, resultCode: account, way });
    return paid.is === "refused" ? paid.reply : answerTo(paid.booking, stampOf(context, sent), context.rules, base);
  };
  return throttled(context, call, id, { is: "prepared", outcome: {}, run });
}

/** Gateway facts, 2.5. */
function throttled(
  context: Context,
  { sent }: Pick<Call, "sent">,
  id: string,
  prepared: Prepared | Reply,
): Prepared | Reply {
  if (prepared.is === "reply") return prepared;
  const run = (bend: Bend): Reply => {
    const stamp = stampOf(context, sent);
    return context.throttle.admit("token-payment", id, stamp.now) ? prepared.run(bend) : throttledReply(stamp);
  };
  return { ...prepared, run };
}

/** POST /v1/payments with a token reference in place of an account (specification, "Endpoints"). */
export function prepareTokenPayment(context: Context, { sent, base }: Call, way: Way = {}): Prepared | Reply {
  const others = new Map([...sent].filter(([name]) => name !== "registrationId"));
  return prepareStoredPayment(context, { sent: others, base }, sent.get("registrationId") ?? "", way);
}

/** Same for payments without a request of their own: a job's, or a shopper's one-click payment. */
export function payByRegistration(
  context: Context,
  sent: Sent,
  registration: Registration,
  way: Way,
  bend: Bend = NOTHING_BENT,
): Paid {
  const account = chargeable(context, registration);
  if (typeof account !== "string")
    return pay(context, sent, {
      bend,
      way: { ...way, stored: { id: registration.id, account: withHolder(account, sent) } },
    });
  const money = moneyOf(sent, context);
  return "is" in money
    ? { is: "refused", reply: money }
    : refuse(context, sent, { registration, money, resultCode: account, way });
}

const NOTHING_BENT: Bend = { result: undefined, hideMs: undefined };

/** Specification, "Holder override": for this payment only, and only if no holder was stored. */
function withHolder(account: StoredAccount, sent: Sent): StoredAccount {
  const holder = sent.get("overrideHolder") === "true" ? sent.get("card.holder") : undefined;
  return holder !== undefined && account.is === "stored-card" && account.holder === undefined
    ? { ...account, holder }
    : account;
}

interface Refused {
  readonly registration: Registration;
  readonly money: Money;
  readonly resultCode: string;
  readonly way: Way;
}

/** Books the failed attempt even if the account is gone or never existed. */
function refuse(context: Context, sent: Sent, { registration, money, resultCode, way }: Refused): Paid {
  return context.store.atomically(() => {
    const duplicate = duplicateReply(context, sent);
    if (duplicate !== undefined) return { is: "refused", reply: duplicate };
    const { paymentBrand } = registration.latest.issuer;
    const booking = ledgerEntry(context, {
      ...{
        sent,
        paymentType: typeOf(sent),
        outcome: { resultCode },
        hideMs: undefined,
        amount: money.minor,
        currency: money.currency.code,
      },
      ...{
        chargedRegistrationId: registration.id,
        parameters: withoutCard(sent),
        issuer: { ...(paymentBrand !== undefined && { paymentBrand }) },
      },
      ...(way.referencedId !== undefined && { referencedId: way.referencedId }),
      ...(way.checkoutId !== undefined && { checkoutId: way.checkoutId }),
    });
    book(context, booking, {});
    return { is: "booked", booking };
  });
}

function typeOf(sent: Sent): "PA" | "DB" | "CD" {
  const paymentType = sent.get("paymentType");
  return paymentType === "DB" || paymentType === "CD" ? paymentType : "PA";
}

/** The security code is never stored. */
function withoutCard(sent: Sent): Record<string, string> {
  return Object.fromEntries([...sent].filter(([name]) => !name.startsWith("card.")));
}
