import type { Minor } from "../../../../src/kit/money.ts";
import { type Booking, isIncrement, isLast, isSettled } from "../ledger/booking.ts";
import { books, movesMoney, reservesDespiteDecline } from "../ledger/codes.ts";
import { chargeback, chargebackReversal, rebill, receipt, refused, type Transition } from "./bank-transitions.ts";
import { afterReversals, booked, type Referenced, reservationOf, takenBy } from "./booking-tree.ts";

/** Differences between this gateway's channels (gateway facts, 2.1 and 9). */
export interface ChannelRules {
  /** Whether RV may refer to a DB, or the code that refuses it. */
  readonly reverseDebit: "allowed" | "700.400.530" | "700.300.700";
  /** Same for RV on a CP. */
  readonly reverseCapture: "allowed" | "700.400.530" | "700.300.700";
  /** If false, one capture, even a partial one, uses up the reservation. */
  readonly severalCaptures: boolean;
}

export interface ReferencingRequest {
  /** PA raises or renews the referenced reservation; DB renews it. */
  readonly paymentType: "PA" | "DB" | "CP" | "RV" | "RF" | "RB" | "CB" | "CR" | "RC";
  /** Whether a PA renews the authorization (REAUTHORIZATION, or a plain link) or raises it. */
  readonly renews?: boolean;
  readonly entityId: string;
  readonly testMode: "INTERNAL" | "EXTERNAL";
  /** Minor units; absent: the whole remaining amount. */
  readonly amount: Minor | undefined;
  readonly currency: string | undefined;
  readonly paymentBrand: string | undefined;
}

/** An uncaptured reservation lapses after seven days. A CP, DB or RB can be reversed for one day, until the cut-off. */
const RESERVATION_MS = 7 * 24 * 60 * 60 * 1000;
const CUT_OFF_MS = 24 * 60 * 60 * 1000;

/**
 * Decides which follow-ups are allowed and the amounts they move (gateway facts, 1.3 and 2.1; the code texts are the
 * rules).
 */
export function transition(
  request: ReferencingRequest,
  referenced: Referenced,
  now: number,
  rules: ChannelRules,
): Transition {
  const { amount } = request;
  const mismatch = misfit(request, referenced.booking, now);
  if (mismatch !== undefined) return refused(mismatch);
  switch (request.paymentType) {
    case "PA":
      return request.renews ? renewal(request, referenced) : increment(request, referenced, now);
    case "DB":
      return renewal(request, referenced);
    case "CP":
      return capture(request, referenced, now, rules);
    case "RV":
      return reversal(request, referenced, now, rules);
    case "RF":
      return refund(request, referenced);
    case "RB":
      return rebill(amount, referenced);
    case "CB":
      return chargeback(amount, referenced);
    case "CR":
      return chargebackReversal(amount, referenced);
    case "RC":
      return receipt(amount, referenced, now);
  }
}

/** Compares channel, mode, currency and brand, and refuses unsettled bookings. Undefined: they fit. */
export function misfit(request: ReferencingRequest, booking: Booking, now: number): string | undefined {
  const { currency, paymentBrand } = request;
  if (request.entityId !== booking.entityId) return "700.400.700";
  if (request.testMode !== booking.testMode) return "700.100.600";
  if (!isSettled(booking, now)) return "700.400.570";
  if (currency !== undefined && booking.currency !== undefined && currency !== booking.currency) return "700.100.500";
  const brand = booking.issuer.paymentBrand;
  return paymentBrand !== undefined && brand !== undefined && paymentBrand !== brand ? "700.100.400" : undefined;
}

function capture(request: ReferencingRequest, referenced: Referenced, now: number, rules: ChannelRules): Transition {
  const { booking } = referenced;
  if (booking.paymentType !== "PA" || isIncrement(booking) || !books(booking.resultCode)) return refused("700.400.510");
  if (now - booking.receivedAt >= RESERVATION_MS) return refused("700.300.400");
  const { own, left, captures, received, isUsedUp } = reservationOf(referenced, now);
  if (own <= 0 || left <= 0) return refused(captures.length > 0 || received > 0 ? "700.300.300" : "700.400.100");
  if (isUsedUp || captures.length >= mostCaptures(booking, rules)) return refused("700.400.100");
  const amount = request.amount ?? left;
  return amount > left ? refused("700.400.100") : { ok: true, amount };
}

/**
 * Incremental authorization (specification, "Card on file" and referenceUuid): allowed while the reservation stands and
 * part of it can be captured.
 */
function increment({ amount }: ReferencingRequest, referenced: Referenced, now: number): Transition {
  const { booking } = referenced;
  if (booking.paymentType !== "PA" || isIncrement(booking)) return refused("700.100.700");
  if (!books(booking.resultCode)) return refused("700.300.200");
  if (now - booking.receivedAt >= RESERVATION_MS) return refused("700.500.002");
  const { own, left, isUsedUp } = reservationOf(referenced, now);
  return own <= 0 || left <= 0 || isUsedUp || amount === undefined ? refused("700.300.300") : { ok: true, amount };
}

/** Specification, "Basic payment parameters": numberOfCaptures, 1 to 98. */
function mostCaptures(booking: Booking, rules: ChannelRules): number {
  const { numberOfCaptures = Number.POSITIVE_INFINITY } = booking.parameters;
  return rules.severalCaptures ? Number(numberOfCaptures) : 1;
}

/**
 * Specification, "Card on file": a new authorization for the same sale (REAUTHORIZATION), even if the old one lapsed or
 * was reversed. It stands alone.
 */
function renewal({ amount }: ReferencingRequest, { booking }: Referenced): Transition {
  if (booking.paymentType !== "PA" || isIncrement(booking)) return refused("700.100.700");
  if (!books(booking.resultCode)) return refused("700.300.200");
  return amount === undefined ? refused("700.100.200") : { ok: true, amount };
}

function reversal(request: ReferencingRequest, referenced: Referenced, now: number, rules: ChannelRules): Transition {
  const { booking, children, parent } = referenced;
  const { paymentType } = booking;
  if (paymentType !== "PA" && paymentType !== "DB" && paymentType !== "RB" && paymentType !== "CP")
    return refused("700.400.530");
  if (!books(booking.resultCode) && !reservesDespiteDecline(booking.resultCode)) return refused("700.400.530");
  if ((paymentType === "DB" || paymentType === "RB") && rules.reverseDebit !== "allowed")
    return refused(rules.reverseDebit);
  if (paymentType === "CP" && rules.reverseCapture !== "allowed") return refused(rules.reverseCapture);
  const left = afterReversals(referenced);
  if (left <= 0) return refused("700.300.300");
  if (takenBy(referenced).chargedBack > 0) return refused("700.300.600");
  if (now - booking.receivedAt >= (paymentType === "PA" ? RESERVATION_MS : CUT_OFF_MS)) return refused("700.300.700");
  if (reservationOf(referenced, now).captures.length > 0 || booked(children, "RC").length > 0)
    return refused("700.300.300");
  if (takenBy(referenced).refunded > 0) return refused("700.400.300");
  const amount = request.amount ?? left;
  if (amount > left || booked(children, "RV").some(isLast)) return refused("700.400.300");
  // An increment that was captured already cannot be reversed.
  return parent !== undefined && isIncrement(booking) && amount > reservationOf(parent, now).left
    ? refused("700.300.300")
    : { ok: true, amount };
}

const REFUNDABLE: readonly string[] = ["CP", "DB", "RB", "RC"];

function refund({ amount }: ReferencingRequest, referenced: Referenced): Transition {
  const { booking, parent } = referenced;
  if (!REFUNDABLE.includes(booking.paymentType) || !movesMoney(booking)) return refused("700.400.520");
  // A receipt's money belongs to its payment; for a reservation the receipt itself is the payment.
  const payment =
    booking.paymentType === "RC" && parent !== undefined && parent.booking.paymentType !== "PA" ? parent : referenced;
  const paid = takenBy(payment);
  if (paid.chargedBack > 0) return refused("700.300.600");
  const left = Math.min(paid.left, takenBy(referenced).left);
  const asked = amount ?? left;
  const isOver = [payment, referenced].some(({ children }) => booked(children, "RF").some(isLast));
  return left <= 0 || asked > left || isOver ? refused("700.400.200") : { ok: true, amount: asked };
}
