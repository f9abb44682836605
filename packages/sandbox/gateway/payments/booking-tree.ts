import type { Minor } from "../../../../src/kit/money.ts";
import { type Booking, isIncrement, isLast, isSettled } from "../ledger/booking.ts";
import { movesMoney } from "../ledger/codes.ts";

/** A referenced booking with its follow-ups and theirs. */
export interface Referenced {
  readonly booking: Booking;
  /** For an increment the reservation it raised; for a receipt or chargeback its booking. */
  readonly parent?: Referenced | undefined;
  readonly children: readonly Booking[];
  readonly grandchildren: (id: string) => readonly Booking[];
}

/** Only bookings that moved money. */
export function booked(bookings: readonly Booking[], paymentType: Booking["paymentType"]): readonly Booking[] {
  return bookings.filter((booking) => booking.paymentType === paymentType && movesMoney(booking));
}

export function sum(bookings: readonly Booking[]): Minor {
  return bookings.reduce((total, booking) => total + (booking.amount ?? 0), 0);
}

/** Remaining amount of a booking after its reversals. */
export function afterReversals({ booking, children }: Pick<Referenced, "booking" | "children">): Minor {
  return (booking.amount ?? 0) - sum(booked(children, "RV"));
}

export interface Reservation {
  /** Remaining own amount after reversals, without increments. */
  readonly own: Minor;
  /** Amount that may still be captured: own amount and increments, less reversals, captures and receipts. */
  readonly left: Minor;
  /** Captures that were not reversed. */
  readonly captures: readonly Booking[];
  /** Amount received without a capture. */
  readonly received: Minor;
  /** A capture was marked as the last. */
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
  return {
    own,
    left: own + total(increments) - total(captures) - received,
    captures,
    received,
    isUsedUp: captures.some(isLast),
  };
}

export interface Taken {
  /** Taken by the booking itself, less reversals. */
  readonly taken: Minor;
  /** Refunded, including refunds of its receipts. */
  readonly refunded: Minor;
  /** Charged back and not reversed. */
  readonly chargedBack: Minor;
  /** Amount that may still be refunded. */
  readonly left: Minor;
}

/** For a CP, DB or RB; also for a receipt of a reservation, which takes money too. */
export function takenBy(referenced: Referenced): Taken {
  const { children, grandchildren } = referenced;
  const receipts = booked(children, "RC").flatMap((receipt) => booked(grandchildren(receipt.id), "RF"));
  const taken = afterReversals(referenced);
  const refunded = sum(booked(children, "RF")) + sum(receipts);
  const chargedBack = booked(children, "CB").reduce(
    (total, chargeback) => total + standing(chargeback, grandchildren(chargeback.id)),
    0,
  );
  return { taken, refunded, chargedBack, left: taken - refunded - chargedBack };
}

/** Remaining amount of a chargeback after its reversals. */
export function standing(chargeback: Booking, children: readonly Booking[]): Minor {
  return (chargeback.amount ?? 0) - sum(booked(children, "CR"));
}
