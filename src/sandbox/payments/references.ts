import { z } from "zod";
import type { Sent } from "../../gateway/parameters/chapter.ts";
import type { Context } from "../context.ts";
import type { Reply } from "../exchange.ts";
import { issuerPart, NO_CARD } from "../issuing/issuer-part.ts";
import type { Booking, IssuerPart } from "../ledger/booking.ts";
import { book, ledgerEntry, settledCode, testModeOf } from "../ledger/ledger-entry.ts";
import { magicOutcome } from "../ledger/magic-amounts.ts";
import { type Outcome, outcomeOf } from "../ledger/outcome.ts";
import type { Bend, Prepared } from "../prepared.ts";
import { bareReply, parameterReply, stampOf } from "../replies.ts";
import { answerTo } from "./payment-bodies.ts";
import { duplicateReply, type Money, moneyOf } from "./payments.ts";
import { type Referenced, type ReferencingRequest, type Transition, transition } from "./transitions.ts";

const referencingTypeSchema = z.enum(["CP", "RV", "RF"]);

/** POST /v1/payments/{id} with CP, RV or RF. The parameters were found in order before. */
export function prepareReference(context: Context, sent: Sent, id: string): Prepared | Reply {
  const original = context.store.byId(id);
  if (original === undefined) return bareReply(404, "700.100.100", stampOf(context, sent));
  // A full reversal names no amount (gateway facts, 2.2).
  const money = sent.has("amount") ? moneyOf(sent, context) : undefined;
  if (money !== undefined && "is" in money) return money;
  const request = requestOf(sent, referencingTypeSchema.parse(sent.get("paymentType")), money);
  const outcome = magicOutcome(original.requested ?? 0, { paymentType: request.paymentType, of: original.paymentType }) ?? {};
  return { is: "prepared", outcome, run: (bend) => context.store.atomically(() => refer(context, sent, original, request, outcome, bend)) };
}

/** POST /v1/payments with a PA that raises another one: no card is there, the gateway takes that of the original. The parameters were found in order before. */
export function prepareIncrement(context: Context, sent: Sent): Prepared | Reply {
  const value = sent.get("referenceUuid") ?? "";
  const original = context.store.byId(value);
  if (original === undefined || original.entityId !== sent.get("entityId")) {
    return parameterReply([{ name: "referenceUuid", value, message: "matches no transaction" }], stampOf(context, sent));
  }
  const money = moneyOf(sent, context);
  if ("is" in money) return money;
  const outcome = magicOutcome(money.minor, { paymentType: "PA" }) ?? {};
  const run = (bend: Bend): Reply =>
    context.store.atomically(() => duplicateReply(context, sent) ?? refer(context, sent, original, requestOf(sent, "PA", money), outcome, bend));
  return { is: "prepared", outcome, run };
}

function requestOf(sent: Sent, paymentType: ReferencingRequest["paymentType"], money: Money | undefined): ReferencingRequest {
  const { minor, currency } = money ?? {};
  return { paymentType, entityId: sent.get("entityId") ?? "", testMode: testModeOf(sent), amount: minor, currency: currency?.code };
}

function refer(context: Context, sent: Sent, original: Booking, request: ReferencingRequest, magic: Outcome, bend: Bend): Reply {
  const allowed = transition(request, referencedOf(context, original), context.clock.now(), context.rules);
  const outcome = outcomeOfReference(allowed, magic, bend);
  const booking = ledgerEntry(context, {
    ...{ sent, paymentType: request.paymentType, outcome, hideMs: bend.hideMs ?? magic.hideMs, referencedId: original.id },
    ...{ amount: allowed.ok ? allowed.amount : request.amount, requested: request.amount, currency: request.currency ?? original.currency },
    parameters: Object.fromEntries(sent),
    issuer: issuerOf(context, original, request, outcome),
  });
  // Only an increment is a sale of its own, for which the gateway's time-out can end in a reversal by the gateway.
  book(context, booking, request.paymentType === "PA" ? outcome : {});
  return answerTo(booking, stampOf(context, sent), context.rules);
}

function referencedOf({ store }: Context, booking: Booking): Referenced {
  const original = booking.paymentType === "PA" && booking.referencedId !== undefined ? store.byId(booking.referencedId) : undefined;
  const tree = { children: store.referringTo(booking.id), grandchildren: store.referringTo };
  return { booking, ...tree, raises: original && { booking: original, children: store.referringTo(original.id), grandchildren: store.referringTo } };
}

/** The rules come first: a fault can spoil a capture that is allowed, and never makes one that is not. */
function outcomeOfReference(allowed: Transition, magic: Outcome, bend: Bend): Outcome {
  if (!allowed.ok) return { resultCode: allowed.resultCode };
  return bend.result ? outcomeOf(bend.result.code, bend.result.delayMs) : magic;
}

/** The issuer is asked about an increment alone; what refers to a booking tells its brand. */
function issuerOf(context: Context, { issuer: { paymentBrand, card } }: Booking, { paymentType, testMode }: ReferencingRequest, outcome: Outcome): IssuerPart {
  const brand = paymentBrand === undefined ? {} : { paymentBrand };
  return paymentType === "PA" ? { ...issuerPart(context, outcome, settledCode(outcome, testMode), NO_CARD), ...brand, ...(card && { card }) } : brand;
}
