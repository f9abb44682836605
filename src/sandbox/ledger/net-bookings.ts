import type { Minor } from "../../kit/money.ts";
import { type Booking, isIncrement, isLast, isSettled } from "./booking.ts";
import { books, reservesDespiteDecline } from "./codes.ts";

/** What is left of one PA, DB or CD after everything that refers to it; an increment belongs to the PA that it raised. Amounts in minor units of `currency`. */
export interface NetBooking {
  readonly id: string;
  readonly paymentType: "PA" | "DB" | "CD";
  readonly merchantTransactionId: string | undefined;
  readonly currency: string;
  /** Reserved, by the PA and its increments, and neither captured nor given back. */
  readonly held: Minor;
  /** Taken from the cardholder; refunds are not subtracted. */
  readonly captured: Minor;
  /** Paid out by a CD. */
  readonly credited: Minor;
  /** Given back by RF. */
  readonly refunded: Minor;
  /** Reserved although the answer was a decline (800.100.192, 800.400.110). */
  readonly reservedDespiteDecline: Minor;
}

/**
 * The ledger after reversals, one entry for each PA, DB and CD that ever moved money, also where nothing is left of it. Pure: a checker hands in the rows.
 * `at` is a time of the sandbox's clock; what is not settled by then has not moved money yet. Without it everything counts as settled.
 */
export function netBookings(ledger: readonly Booking[], at = Number.POSITIVE_INFINITY): readonly NetBooking[] {
  const children = new Map<string, Booking[]>();
  for (const booking of ledger) {
    if (booking.referencedId === undefined || !books(booking.resultCode) || !isSettled(booking, at)) continue;
    const siblings = children.get(booking.referencedId);
    if (siblings) siblings.push(booking);
    else children.set(booking.referencedId, [booking]);
  }
  const of = (id: string, paymentType: string): readonly Booking[] => (children.get(id) ?? []).filter((child) => child.paymentType === paymentType);
  return ledger.flatMap((booking) => (isSettled(booking, at) ? net(booking, of) : []));
}

type ChildrenOf = (id: string, paymentType: string) => readonly Booking[];

function net(booking: Booking, of: ChildrenOf): readonly NetBooking[] {
  const { id, paymentType, merchantTransactionId, amount, currency } = booking;
  if (amount === undefined || currency === undefined) return [];
  const left = amount - sum(of(id, "RV"));
  const nothing = { id, merchantTransactionId, currency, held: 0, captured: 0, credited: 0, refunded: 0, reservedDespiteDecline: 0 };
  switch (paymentType) {
    case "PA": {
      if (isIncrement(booking)) return [];
      if (reservesDespiteDecline(booking.resultCode)) return [{ ...nothing, paymentType, reservedDespiteDecline: left }];
      if (!books(booking.resultCode)) return [];
      const captures = of(id, "CP");
      const raised = of(id, "PA").reduce((total, increment) => total + remaining(increment, of), 0);
      const captured = captures.reduce((total, capture) => total + remaining(capture, of), 0);
      const refunded = captures.reduce((total, capture) => total + sum(of(capture.id, "RF")), 0);
      return [{ ...nothing, paymentType, held: isUsedUp(captures, of) ? 0 : Math.max(0, left + raised - captured), captured, refunded }];
    }
    case "DB":
      if (reservesDespiteDecline(booking.resultCode)) return [{ ...nothing, paymentType, reservedDespiteDecline: left }];
      return books(booking.resultCode) ? [{ ...nothing, paymentType, captured: left, refunded: sum(of(id, "RF")) }] : [];
    case "CD":
      return books(booking.resultCode) ? [{ ...nothing, paymentType, credited: left }] : [];
    case "CP":
    case "RV":
    case "RF":
    case "RG":
    case "DR":
      return [];
  }
}

/** A capture that stands said that it was the last one: the gateway lets go of the rest. */
function isUsedUp(captures: readonly Booking[], of: ChildrenOf): boolean {
  return captures.some((capture) => isLast(capture) && remaining(capture, of) > 0);
}

function remaining(booking: Booking, of: ChildrenOf): Minor {
  return (booking.amount ?? 0) - sum(of(booking.id, "RV"));
}

function sum(bookings: readonly Booking[]): Minor {
  return bookings.reduce((total, booking) => total + (booking.amount ?? 0), 0);
}
