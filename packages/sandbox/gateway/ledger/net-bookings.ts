import type { Minor } from "../../../../src/kit/money.ts";
import { type Booking, isIncrement, isLast, isSettled } from "./booking.ts";
import { books, movesMoney, reservesDespiteDecline } from "./codes.ts";

/**
 * Remaining amounts of one PA, DB, RB or CD after all follow-ups; an increment belongs to its PA. Minor units of
 * `currency`.
 */
export interface NetBooking {
  readonly id: string;
  readonly paymentType: "PA" | "DB" | "RB" | "CD";
  readonly merchantTransactionId: string | undefined;
  readonly currency: string;
  /** Reserved by the PA and its increments, neither captured nor released. */
  readonly held: Minor;
  /** Captured, or received without capture (RC of a PA); refunds are not subtracted. */
  readonly captured: Minor;
  /** Paid out by a CD. */
  readonly credited: Minor;
  /** Refunded by RF. */
  readonly refunded: Minor;
  /** Charged back (CB) and not reversed (CR). */
  readonly chargedBack: Minor;
  /** Reserved although the answer was a decline (800.100.192, 800.400.110). */
  readonly reservedDespiteDecline: Minor;
}

/**
 * One entry for every PA, DB, RB and CD that moved money, even if nothing is left. Rows unsettled at `at` (sandbox
 * clock) are ignored; default: all settled.
 */
export function netBookings(ledger: readonly Booking[], at = Number.POSITIVE_INFINITY): readonly NetBooking[] {
  const children = new Map<string, Booking[]>();
  for (const booking of ledger) {
    if (booking.referencedId === undefined || !movesMoney(booking) || !isSettled(booking, at)) continue;
    const siblings = children.get(booking.referencedId);
    if (siblings) siblings.push(booking);
    else children.set(booking.referencedId, [booking]);
  }
  const of = (id: string, paymentType: string): readonly Booking[] =>
    (children.get(id) ?? []).filter((child) => child.paymentType === paymentType);
  return ledger.flatMap((booking) => (isSettled(booking, at) ? net(booking, of) : []));
}

type ChildrenOf = (id: string, paymentType: string) => readonly Booking[];

function net(booking: Booking, of: ChildrenOf): readonly NetBooking[] {
  const { id, paymentType, merchantTransactionId, amount, currency } = booking;
  if (amount === undefined || currency === undefined) return [];
  const left = remaining(booking, of);
  const nothing = {
    id,
    merchantTransactionId,
    currency,
    held: 0,
    captured: 0,
    credited: 0,
    refunded: 0,
    chargedBack: 0,
    reservedDespiteDecline: 0,
  };
  const isReserved = reservesDespiteDecline(booking.resultCode);
  switch (paymentType) {
    case "PA":
      if (isIncrement(booking)) return [];
      if (isReserved) return [{ ...nothing, paymentType, reservedDespiteDecline: left }];
      return books(booking.resultCode) ? [{ ...nothing, paymentType, ...reservation(booking, of) }] : [];
    case "DB":
    case "RB":
      if (isReserved) return [{ ...nothing, paymentType, reservedDespiteDecline: left }];
      return books(booking.resultCode)
        ? [{ ...nothing, paymentType, captured: left, ...givenBack([booking], of) }]
        : [];
    case "CD":
      return books(booking.resultCode) ? [{ ...nothing, paymentType, credited: left }] : [];
    case "CP":
    case "RV":
    case "RF":
    case "RC":
    case "CB":
    case "CR":
    case "RG":
    case "DR":
    case "RR":
    case "RI":
    case "3D":
    case "SD":
    case "RS":
    case "DS":
      return [];
  }
}

function reservation(
  booking: Booking,
  of: ChildrenOf,
): Pick<NetBooking, "held" | "captured" | "refunded" | "chargedBack"> {
  const captures = of(booking.id, "CP");
  const receipts = of(booking.id, "RC");
  const increments = of(booking.id, "PA").filter(isIncrement);
  const total = (bookings: readonly Booking[]): Minor => bookings.reduce((all, one) => all + remaining(one, of), 0);
  const captured = total(captures) + sum(receipts);
  const held = isUsedUp(captures, of) ? 0 : Math.max(0, remaining(booking, of) + total(increments) - captured);
  return { held, captured, ...givenBack([...captures, ...receipts], of) };
}

/** A refund may also refer to the receipt. */
function givenBack(taken: readonly Booking[], of: ChildrenOf): Pick<NetBooking, "refunded" | "chargedBack"> {
  const all = [...taken, ...taken.flatMap(({ id }) => of(id, "RC"))];
  const refunded = all.reduce((total, { id }) => total + sum(of(id, "RF")), 0);
  const chargebacks = taken.flatMap(({ id }) => of(id, "CB"));
  return {
    refunded,
    chargedBack: chargebacks.reduce(
      (total, chargeback) => total + (chargeback.amount ?? 0) - sum(of(chargeback.id, "CR")),
      0,
    ),
  };
}

/** A standing capture was marked as the last: the gateway releases the rest. */
function isUsedUp(captures: readonly Booking[], of: ChildrenOf): boolean {
  return captures.some((capture) => isLast(capture) && remaining(capture, of) > 0);
}

function remaining(booking: Booking, of: ChildrenOf): Minor {
  return (booking.amount ?? 0) - sum(of(booking.id, "RV"));
}

function sum(bookings: readonly Booking[]): Minor {
  return bookings.reduce((total, booking) => total + (booking.amount ?? 0), 0);
}
