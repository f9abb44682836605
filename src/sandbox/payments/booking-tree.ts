import type { Minor } from "../../kit/money.ts";
import { type Booking, isIncrement, isLast, isSettled } from "../ledger/booking.ts";
import { movesMoney } from "../ledger/codes.ts";

/** The booking that a request refers to, what refers to that one already, and what refers to those. */
export interface Referenced {
  readonly booking: Booking;
  /** Where the booking is an increment: the reservation that it raised; where it is a receipt or a chargeback: what that is of. */
  readonly parent?: Referenced | undefined;
  readonly children: readonly Booking[];
  readonly grandchildren: (id: string) => readonly Booking[];
}

/** What moved money. */
export function booked(bookings: readonly Booking[], paymentType: Booking["paymentType"]): readonly Booking[] {
  return bookings.filter((booking) => booking.paymentType === paymentType && movesMoney(booking));
}

export function sum(bookings: readonly Booking[]): Minor {
  return bookings.reduce((total, booking) => total + (booking.amount ?? 0), 0);
}

/** What is left of a booking after its reversals. */
export function afterReversals({ booking, children }: Pick<Referenced, "booking" | "children">): Minor {
  return (booking.amount ?? 0) - sum(booked(children, "RV"));
}

export interface Reservation {
  /** What is left of its own amount after reversals, without what raised it. */
  readonly own: Minor;
  /** What may still be captured: its own amount and that of its increments, less reversals, captures and receipts. */
  readonly left: Minor;
  /** Those that stand. */
  readonly captures: readonly Booking[];
  /** What arrived for it without a capture. */
  readonly received: Minor;
  /** A capture said that it was the last one. */
  readonly isUsedUp: boolean;
}

export function reservationOf(referenced: Referenced, now: number): Reservation {
  const { children, grandchildren } = referenced;
  const net = (child: Booking): Minor => afterReversals({ booking: child, children: grandchildren(child.id) });
  const total = (bookings: readonly Booking[]): Minor => bookings.reduce((all, booking) => all + net(booking), 0);
  const captures = booked(children, "CP").filter((child) => net(child) > 0);
  const increments = booked(children, "PA").filter((child) => isIncrement(child) && isSettled(child, now));
  const received = sum(booked(children, "RC"));
  const own = afterReversals(referenced);
  return { own, left: own + total(increments) - total(captures) - received, captures, received, isUsedUp: captures.some(isLast) };
}

export interface Taken {
  /** By the booking itself, less reversals. */
  readonly taken: Minor;
  /** Given back by refunds of it, or of its receipts. */
  readonly refunded: Minor;
  /** What the bank took back and did not give again. */
  readonly chargedBack: Minor;
  /** What may still be given back. */
  readonly left: Minor;
}

/** Of a CP, DB or RB; also of a receipt for a reservation, which is money taken as well. */
export function takenBy(referenced: Referenced): Taken {
  const { children, grandchildren } = referenced;
  const receipts = booked(children, "RC").flatMap((receipt) => booked(grandchildren(receipt.id), "RF"));
  const taken = afterReversals(referenced);
  const refunded = sum(booked(children, "RF")) + sum(receipts);
  const chargedBack = booked(children, "CB").reduce((total, chargeback) => total + standing(chargeback, grandchildren(chargeback.id)), 0);
  return { taken, refunded, chargedBack, left: taken - refunded - chargedBack };
}

/** What is left of a chargeback after its reversals. */
export function standing(chargeback: Booking, children: readonly Booking[]): Minor {
  return (chargeback.amount ?? 0) - sum(booked(children, "CR"));
}
