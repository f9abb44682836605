import type { ParameterProblem, Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { chaptersOf } from "../../../../src/gateway/parameters/endpoints.ts";
import { parameterProblems } from "../../../../src/gateway/parameters/problems.ts";
import type { Context } from "../context.ts";
import type { Call } from "../endpoint.ts";
import { jsonReply, type Reply } from "../exchange.ts";
import { type Booking, resultCodeAt } from "../ledger/booking.ts";
import { isSuccess } from "../ledger/codes.ts";
import { distinct, missing } from "../parameters.ts";
import { readingOf, registrationReply } from "../payments/payment-bodies.ts";
import { isVisible } from "../payments/reads.ts";
import type { Bend, Prepared } from "../prepared.ts";
import { bareReply, closingFields, resultOf, type Stamp, throttledReply } from "../replies.ts";
import {
  type Checkout,
  type CheckoutKind,
  checkoutsOf,
  noSession,
  openCheckout,
  stampOfCheckout,
  tellingTry,
} from "./checkout.ts";

const NOT_SUBMITTED = "000.200.100";
const STILL_OPEN = "000.200.000";

export function statusProblems(sent: Sent): readonly ParameterProblem[] {
  return distinct([...parameterProblems(sent, chaptersOf.read), ...missing(sent, "entityId")]);
}

/**
 * GET /v1/checkouts/{id}/payment and /registration. Reading a success ends the session; after a decline the shopper may
 * try again (gateway facts, 2.6).
 */
export function prepareStatus(context: Context, call: Call, kind: CheckoutKind): Prepared {
  return {
    is: "prepared",
    outcome: {},
    run: (bend) => context.store.atomically(() => read(context, call, kind, bend)),
  };
}

function read(context: Context, { sent, id: idOf }: Call, kind: CheckoutKind, bend: Bend): Reply {
  const id = idOf();
  const stamp = stampOfCheckout(context, id);
  const entityId = sent.get("entityId") ?? "";
  // Limited by entity, so no entity uses up another's requests.
  if (!context.throttle.admit("checkout-status", `${id} ${entityId}`, stamp.now)) return throttledReply(stamp);
  const checkout = openCheckout(context, id);
  if (checkout === undefined || checkout.kind !== kind || checkout.entityId !== entityId) return noSession(context, id);
  if (bend.result) return bareReply(context.rules.declineStatus, bend.result.code, stamp);
  if (checkout.submitted === undefined) return openReply(id, NOT_SUBMITTED, stamp);
  const booking = tellingTry(context, checkout);
  const isHidden = booking !== undefined && !isVisible(booking, { entityId, now: stamp.now });
  const isOver = booking !== undefined && !isHidden && isSuccess(resultCodeAt(booking, stamp.now));
  checkoutsOf(context).put(id, { ...checkout, isHeardOf: true, ...(isOver && { isOver }) });
  return isHidden ? openReply(id, STILL_OPEN, stamp) : told(context, checkout, booking, stamp);
}

function told({ rules }: Context, { kind, refusedWith }: Checkout, booking: Booking | undefined, stamp: Stamp): Reply {
  if (booking === undefined) return bareReply(rules.declineStatus, refusedWith ?? STILL_OPEN, stamp);
  return kind === "registration"
    ? registrationReply(booking, booking.id, stamp, rules)
    : readingOf(booking, stamp, rules);
}

function openReply(id: string, code: string, stamp: Stamp): Reply {
  return jsonReply(200, { id, result: resultOf(code), ...closingFields(stamp) });
}
