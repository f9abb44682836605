import { z } from "zod";
import { accountsOf } from "../../../../src/gateway/parameters/accounts.ts";
import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { acquirerPart, issuerPart, NO_CARD } from "../accounts/issuer-part.ts";
import type { Context } from "../context.ts";
import type { Call } from "../endpoint.ts";
import type { Reply } from "../exchange.ts";
import type { Booking, IssuerPart } from "../ledger/booking.ts";
import { book, ledgerEntry, settledCode, testModeOf } from "../ledger/ledger-entry.ts";
import { magicOutcome } from "../ledger/magic-amounts.ts";
import { type Outcome, outcomeOf } from "../ledger/outcome.ts";
import type { Bend, Prepared } from "../prepared.ts";
import { registrationAt, whyNotUsable } from "../registrations/stored-accounts.ts";
import { prepareTokenPayment } from "../registrations/stored-payments.ts";
import { bareReply, parameterReply, stampOf, throttledReply } from "../replies.ts";
import type { Transition } from "./bank-transitions.ts";
import type { Referenced } from "./booking-tree.ts";
import { answerTo } from "./payment-bodies.ts";
import { duplicateReply, type Money, moneyOf, preparePayment } from "./payments.ts";
import { PRACTICE } from "./referencing-parameters.ts";
import { misfit, type ReferencingRequest, transition } from "./transitions.ts";

/** Default reason of a chargeback. */
const NO_REASON = "000.100.200";

const referencingTypeSchema = z.enum(["PA", "DB", "CP", "RV", "RF", "RB", "CB", "CR", "RC"]);

/** The referenced booking or registration, and its rules. */
interface Target {
  readonly id: string;
  /** The booking, or the registration's latest row. */
  readonly booking: Booking;
  allows(request: ReferencingRequest): Transition;
}

/** POST /v1/payments/{id} with a reference type (gateway facts, 2.1). The parameters are validated before. */
export function prepareReference(context: Context, call: Call): Prepared | Reply {
  const { sent } = call;
  const paymentType = referencingTypeSchema.parse(sent.get("paymentType"));
  const target =
    (paymentType === "RB" ? registrationTarget(context, call) : undefined) ?? bookingTarget(context, call.id());
  if (target === undefined) return bareReply(404, "700.100.100", stampOf(context, sent));
  // A full reversal has no amount (gateway facts, 2.2).
  const money = sent.has("amount") ? moneyOf(sent, context) : undefined;
  return money !== undefined && "is" in money
    ? money
    : prepareReferral(context, call, target, requestOf(target.booking, sent, paymentType, money));
}

function bookingTarget(context: Context, id: string): Target | undefined {
  const booking = context.store.byId(id);
  return (
    booking && {
      id,
      booking,
      allows: (request) => transition(request, referencedOf(context, booking), context.clock.now(), context.rules),
    }
  );
}

/** A rebill may name a stored account in place of a debit. */
function registrationTarget(context: Context, { id, sent }: Call): Target | undefined {
  const registration = registrationAt(context, id(), sent.get("entityId"));
  if (registration === undefined) return undefined;
  const { latest } = registration;
  const allows = (request: ReferencingRequest): Transition => {
    const refusal =
      whyNotUsable(context, registration) ?? misfit({ ...request, currency: undefined }, latest, context.clock.now());
    return refusal === undefined ? { ok: true, amount: request.amount ?? 0 } : { ok: false, resultCode: refusal };
  };
  return { id: registration.id, booking: latest, allows };
}

/**
 * Magic amount of the referenced booking, or the request's own if the issuer is asked again. Operations by banks have
 * no magic.
 */
function magicOf(original: Booking, { paymentType, amount }: ReferencingRequest): Outcome {
  switch (paymentType) {
    case "CP":
    case "RV":
    case "RF":
      return magicOutcome(original.requested ?? 0, { paymentType, of: original.paymentType }) ?? {};
    case "PA":
      return magicOutcome(amount ?? 0, { paymentType }) ?? {};
    case "DB":
    case "RB":
      return magicOutcome(amount ?? 0, { paymentType: "DB" }) ?? {};
    case "CB":
    case "CR":
    case "RC":
      return {};
  }
}

/**
 * POST /v1/payments with referenceUuid. The original's account pays for increments, renewals and requests without an
 * account. The parameters are validated before.
 */
export function prepareAnother(context: Context, call: Call): Prepared | Reply {
  const { sent } = call;
  const value = sent.get("referenceUuid") ?? "";
  const target = bookingTarget(context, value);
  if (target === undefined || target.booking.entityId !== sent.get("entityId")) {
    return parameterReply(
      [{ name: "referenceUuid", value, message: "matches no transaction" }],
      stampOf(context, sent),
    );
  }
  const account = sent.has(PRACTICE) ? undefined : [...accountsOf(sent).keys()][0];
  if (account !== undefined)
    return (account === "token" ? prepareTokenPayment : preparePayment)(context, call, { referencedId: target.id });
  const money = moneyOf(sent, context);
  if ("is" in money) return money;
  return prepareReferral(
    context,
    call,
    target,
    requestOf(target.booking, sent, sent.get("paymentType") === "DB" ? "DB" : "PA", money),
  );
}

function prepareReferral(context: Context, call: Call, target: Target, request: ReferencingRequest): Prepared {
  const { sent } = call;
  const magic = magicOf(target.booking, request);
  const run = (bend: Bend): Reply => {
    const stamp = stampOf(context, sent);
    // Gateway facts, 2.5: a request without amount is no partial operation.
    if (request.amount !== undefined && !context.throttle.admit("back-office", target.id, stamp.now))
      return throttledReply(stamp);
    const duplicate = (): Reply | undefined => (asksTheIssuer(request) ? duplicateReply(context, sent) : undefined);
    return context.store.atomically(() => duplicate() ?? refer(context, call, target, { request, magic, bend }));
  };
  return { is: "prepared", outcome: magic, run };
}

function requestOf(
  original: Booking,
  sent: Sent,
  paymentType: ReferencingRequest["paymentType"],
  money: Money | undefined,
): ReferencingRequest {
  const { minor, currency } = money ?? {};
  const testMode = testModeOf(sent, original);
  return {
    ...{ paymentType, entityId: sent.get("entityId") ?? "", testMode, amount: minor, currency: currency?.code },
    ...{ renews: sent.get(PRACTICE) !== "INCREMENTAL_AUTH", paymentBrand: sent.get("paymentBrand") },
  };
}

interface Referral {
  readonly request: ReferencingRequest;
  readonly magic: Outcome;
  readonly bend: Bend;
}

function refer(
  context: Context,
  { sent, base }: Call,
  { id, booking: original, allows }: Target,
  { request, magic, bend }: Referral,
): Reply {
  const allowed = allows(request);
  const outcome = outcomeOfReference(allowed, reasoned(request, sent, magic), bend);
  const booking = ledgerEntry(context, {
    ...{ sent, paymentType: request.paymentType, outcome, hideMs: bend.hideMs ?? magic.hideMs, referencedId: id },
    testMode: request.testMode,
    ...{
      amount: allowed.ok ? allowed.amount : request.amount,
      requested: request.amount,
      currency: request.currency ?? original.currency,
    },
    ...(original.paymentMethod !== undefined && { paymentMethod: original.paymentMethod }),
    parameters: Object.fromEntries(sent),
    issuer: issuerOf(context, original, request, outcome),
  });
  // The gateway reverses by itself after a time-out only payments that ask the issuer.
  book(context, booking, asksTheIssuer(request) ? outcome : {});
  return answerTo(booking, stampOf(context, sent), context.rules, base);
}

/** Specification, "Chargeback": the reason is the result. */
function reasoned({ paymentType }: ReferencingRequest, sent: Sent, outcome: Outcome): Outcome {
  return paymentType === "CB" ? { resultCode: sent.get("chargebackResultCode") ?? NO_REASON, ...outcome } : outcome;
}

function referencedOf({ store }: Context, booking: Booking): Referenced {
  const { referencedId } = booking;
  const tree = (of: Booking): Referenced => ({
    booking: of,
    children: store.referringTo(of.id),
    grandchildren: store.referringTo,
  });
  const parent = referencedId === undefined ? undefined : store.byId(referencedId);
  return { ...tree(booking), parent: parent && tree(parent) };
}

/** Rules come before faults: a fault may fail an allowed capture but never allows a forbidden one. */
function outcomeOfReference(allowed: Transition, magic: Outcome, bend: Bend): Outcome {
  if (!allowed.ok) return { resultCode: allowed.resultCode };
  return bend.result ? outcomeOf(bend.result.code, bend.result.delayMs) : magic;
}

function asksTheIssuer({ paymentType }: ReferencingRequest): boolean {
  return ["PA", "DB", "RB"].includes(paymentType);
}

/**
 * The issuer is asked only about new money; other follow-ups repeat the brand. Another channel learns nothing of the
 * account.
 */
function issuerOf(
  context: Context,
  { issuer, entityId }: Booking,
  request: ReferencingRequest,
  outcome: Outcome,
): IssuerPart {
  if (request.entityId !== entityId) return {};
  const { paymentBrand, card, bankAccount, virtualAccount } = issuer;
  const brand = paymentBrand === undefined ? {} : { paymentBrand };
  if (!asksTheIssuer(request)) return brand;
  const account = {
    ...brand,
    ...(card && { card }),
    ...(bankAccount && { bankAccount }),
    ...(virtualAccount && { virtualAccount }),
  };
  const code = settledCode(outcome, request.testMode);
  return {
    ...(issuer.pos ? issuerPart(context, outcome, code, NO_CARD) : acquirerPart(context, outcome, code)),
    ...account,
  };
}
