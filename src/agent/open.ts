import type { Gateway } from "../engine/ports.ts";
import type { Mailbox } from "../engine/shell/mailbox.ts";
import { isoTime } from "../kit/clock.ts";
import { type OpenFor, type OpenPayment, openPayment } from "../observe/open-payment.ts";
import type { Channel } from "../payment/exchange.ts";
import { isOverExceptLateQueries, owed } from "../payment/machine.ts";
import {
  isBookedAfterClosing,
  isCapturedTwice,
  isOrphanLeft,
  mayBePaidTwice,
  openFrom,
  type Payment,
  secondStanding,
} from "../payment/state.ts";
import { viewOf } from "../payment/view.ts";

/**
 * The open payment that raises an alarm if it lasts; undefined: nothing is owed. A link counts as open from when it was
 * paid, or should have been.
 */
export function openOf(payment: Payment): OpenPayment | undefined {
  if (isOverExceptLateQueries(payment)) return undefined;
  return openPayment({
    ...viewOf(payment, undefined, "listed"),
    createdAt: isoTime(openFrom(payment)),
    secondBooking: secondStanding(payment),
    bookedAfterClosing: isBookedAfterClosing(payment),
    cardLeft: isOrphanLeft(payment),
    capturedTwice: isCapturedTwice(payment),
  });
}

/** Open payments, and each one's own clock. */
interface Payments {
  active(): readonly Payment[];
  find(id: string): Pick<Mailbox, "now"> | undefined;
}

/** Open payments with their age. A payment at an unreachable gateway gets a fix of its own. */
export function openNow({ active, find }: Payments, gateway: Pick<Gateway, "reaches">): readonly OpenFor[] {
  return active().flatMap((payment) => {
    const open = openOf(payment);
    const { id, channel } = payment.accepted;
    const now = find(id)?.now();
    if (open === undefined || now === undefined) return [];
    const mend = gateway.reaches(channel) ? open.mend : elsewhereMend(channel);
    return [{ ...open, mend, openMs: Math.max(0, now - Date.parse(open.since)) }];
  });
}

/** The fix for a payment that was started with another gateway. */
export function elsewhereMend({ gateway = "" }: Channel): string {
  const named = `it was begun with the gateway at ${gateway}, and the configuration names another one`;
  return `${named}: where that is the same gateway, add the address to gateway.formerBaseUrls; else put it back until this is closed, or look there and say what became of it: posbridge resolve`;
}

/**
 * Delay of each late query that is due, in milliseconds. By the payment's own clock, so that setting the wall clock
 * back hides none.
 */
export function looksWaiting({ active, find }: Payments): readonly number[] {
  return active().flatMap((payment) => {
    const now = find(payment.accepted.id)?.now();
    return now === undefined || payment.concluded === undefined
      ? []
      : owed(payment).flatMap((one) => (one.do === "search" && one.at <= now ? [now - one.at] : []));
  });
}

/** The entry of `payments list --open`; undefined: not listed. Without `mend`, nothing is owed. */
export function listedOpen(
  payment: Payment,
): (Pick<OpenPayment, "owed"> & Partial<Pick<OpenPayment, "mend">>) | undefined {
  const open = openOf(payment);
  if (open !== undefined) return { owed: open.owed, mend: open.mend };
  if (isOverExceptLateQueries(payment)) return undefined;
  return {
    owed: mayBePaidTwice(payment)
      ? "nothing; it is looked once more whether the customer paid twice"
      : "nothing; late bookings are looked for until three days have passed",
  };
}
