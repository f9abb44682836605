import { z } from "zod";
import type { Sent } from "../gateway/parameters/chapter.ts";
import type { Booking } from "./booking.ts";
import { isSuccess } from "./codes.ts";
import type { Context } from "./context.ts";
import type { Reply } from "./exchange.ts";
import { magicOutcome } from "./magic-amounts.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { answerTo } from "./payment-bodies.ts";
import { moneyOf, successCode } from "./payments.ts";
import type { Bend, Prepared } from "./prepared.ts";
import { bareReply, newId } from "./replies.ts";
import { type ReferencingRequest, type Transition, transition } from "./transitions.ts";

const referencingTypeSchema = z.enum(["CP", "RV", "RF"]);

/** POST /v1/payments/{id} with CP, RV or RF. The parameters were found in order before. */
export function prepareReference(context: Context, sent: Sent, id: string): Prepared | Reply {
  const stamp = { now: context.clock.now(), random: context.random, entityId: sent.get("entityId") };
  const original = context.store.byId(id);
  if (original === undefined) return bareReply(404, "700.100.100", stamp);
  // A full reversal names no amount (gateway facts, 2.2).
  const money = sent.has("amount") ? moneyOf(sent, context) : undefined;
  if (money !== undefined && "is" in money) return money;
  const request: ReferencingRequest = {
    paymentType: referencingTypeSchema.parse(sent.get("paymentType")),
    entityId: sent.get("entityId") ?? "",
    testMode: sent.get("testMode") === "EXTERNAL" ? "EXTERNAL" : "INTERNAL",
    amount: money?.minor,
    currency: money?.currency.code,
  };
  const outcome = magicOutcome(original.requested ?? 0, request.paymentType) ?? {};
  return { is: "prepared", outcome, run: (bend) => refer(context, sent, original, request, outcome, bend) };
}

function refer(context: Context, sent: Sent, original: Booking, request: ReferencingRequest, magic: Outcome, bend: Bend): Reply {
  const { clock, random, rules, store } = context;
  const stamp = { now: clock.now(), random, entityId: request.entityId };
  return store.atomically(() => {
    const referenced = { booking: original, children: store.referringTo(original.id), grandchildren: store.referringTo };
    const allowed = transition(request, referenced, clock.now(), rules);
    const outcome = outcomeOfReference(allowed, magic, bend);
    const booking = bookingOf(context, sent, original, request, allowed, outcome, bend.hideMs ?? magic.hideMs);
    store.append(booking);
    return answerTo(booking, stamp, rules);
  });
}

/** The rules come first: a fault can spoil a capture that is allowed, and never makes one that is not. */
function outcomeOfReference(allowed: Transition, magic: Outcome, bend: Bend): Outcome {
  const forced = bend.result && outcomeOf(bend.result.code, bend.result.delayMs);
  if (allowed.ok) return forced ?? magic;
  return forced?.resultCode !== undefined && !isSuccess(forced.resultCode) ? forced : { resultCode: allowed.resultCode };
}

function bookingOf(
  context: Context,
  sent: Sent,
  original: Booking,
  request: ReferencingRequest,
  allowed: Transition,
  outcome: Outcome,
  hideMs: number | undefined,
): Booking {
  const now = context.clock.now();
  const resultCode = outcome.resultCode ?? successCode(request.testMode);
  const amount = allowed.ok ? allowed.amount : request.amount;
  const currency = request.currency ?? original.currency;
  const merchantTransactionId = sent.get("merchantTransactionId");
  const { paymentBrand } = original.issuer;
  return {
    id: newId(context.random),
    entityId: request.entityId,
    paymentType: request.paymentType,
    ...(amount !== undefined && { amount, requested: request.amount ?? amount }),
    ...(currency !== undefined && { currency }),
    ...(merchantTransactionId !== undefined && { merchantTransactionId }),
    referencedId: original.id,
    testMode: request.testMode,
    resultCode,
    answeredCode: outcome.answeredCode ?? outcome.interim?.resultCode ?? resultCode,
    ...(outcome.interim && { interim: { resultCode: outcome.interim.resultCode, until: now + outcome.interim.forMs } }),
    ...(hideMs !== undefined && { hiddenUntil: now + hideMs }),
    receivedAt: now,
    parameters: Object.fromEntries(sent),
    issuer: { ...(paymentBrand !== undefined && { paymentBrand }) },
  };
}
