import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import type { Context } from "../context.ts";
import type { Reply } from "../exchange.ts";
import type { Booking } from "../ledger/booking.ts";
import { isSuccess } from "../ledger/codes.ts";
import { book, ledgerEntry } from "../ledger/ledger-entry.ts";
import { outcomeOf } from "../ledger/outcome.ts";
import { duplicateReply, type Money } from "../payments/payments.ts";
import type { Bend, Prepared } from "../prepared.ts";
import { stampOf } from "../replies.ts";
import { runSchedules } from "./runs.ts";
import type { Plan } from "./schedule.ts";
import { scheduleReply } from "./schedule-bodies.ts";

interface Row {
  readonly paymentType: "SD" | "RS" | "DS";
  /** The registration for an SD; the changed or ended SD or RS otherwise. */
  readonly referencedId: string;
  readonly paymentBrand: string | undefined;
  readonly money: Money | undefined;
  /** Result code of the refusal; undefined: accepted unless a fault decides otherwise. */
  readonly refusal: string | undefined;
}

/**
 * Handles a request about a schedule: `row` for the ledger, `plan` for the change to the plans if the request succeeds.
 */
export function prepareRow(
  context: Context,
  sent: Sent,
  work: { readonly row: () => Row; readonly plan: (booking: Booking) => Plan | undefined },
): Prepared {
  const run = (bend: Bend): Reply => {
    const { reply, changed } = context.store.atomically(() => {
      const duplicate = duplicateReply(context, sent);
      if (duplicate !== undefined) return { reply: duplicate, changed: undefined };
      const booking = rowOf(context, sent, work.row(), bend);
      const plan = isSuccess(booking.resultCode) && booking.interim === undefined ? work.plan(booking) : undefined;
      book(context, booking, {});
      return { reply: scheduleReply(booking, plan, stampOf(context, sent), context.rules), changed: plan };
    });
    runSchedules(context, changed);
    return reply;
  };
  return { is: "prepared", outcome: {}, run };
}

function rowOf(
  context: Context,
  sent: Sent,
  { paymentType, referencedId, paymentBrand, money, refusal }: Row,
  bend: Bend,
): Booking {
  const forced = bend.result ? outcomeOf(bend.result.code, bend.result.delayMs) : {};
  return ledgerEntry(context, {
    ...{
      sent,
      paymentType,
      referencedId,
      outcome: refusal === undefined ? forced : { resultCode: refusal },
      hideMs: bend.hideMs,
    },
    ...{ amount: money?.minor, currency: money?.currency.code, parameters: Object.fromEntries(sent) },
    issuer: { ...(paymentBrand !== undefined && { paymentBrand }) },
  });
}
