import type { Minor } from "../../kit/money.ts";
import { type Booking, isIncrement, isLast, isSettled } from "../ledger/booking.ts";
import { books, reservesDespiteDecline } from "../ledger/codes.ts";

/** What differs between the channels of this gateway (gateway facts, 2.1 and 9). */
export interface ChannelRules {
  /** Whether RV may refer to a DB, and which code refuses it where not. */
  readonly reverseDebit: "allowed" | "700.400.530" | "700.300.700";
  /** The same for RV on a CP. */
  readonly reverseCapture: "allowed" | "700.400.530" | "700.300.700";
  /** Where false, one capture, even a partial one, uses the reservation up. */
  readonly severalCaptures: boolean;
}

export interface ReferencingRequest {
  /** PA raises the reservation it refers to. */
  readonly paymentType: "PA" | "CP" | "RV" | "RF";
  readonly entityId: string;
  readonly testMode: "INTERNAL" | "EXTERNAL";
  /** Minor units; RV without one takes back all that is left. */
  readonly amount: Minor | undefined;
  readonly currency: string | undefined;
}

/** The booking that a request refers to, what refers to that one already, and what refers to those. */
export interface Referenced {
  readonly booking: Booking;
  /** Where the booking is an increment: the reservation that it raised. */
  readonly raises?: Referenced | undefined;
  readonly children: readonly Booking[];
  readonly grandchildren: (id: string) => readonly Booking[];
}

export type Transition = { readonly ok: true; readonly amount: Minor } | { readonly ok: false; readonly resultCode: string };

/** An uncaptured reservation lapses after seven days; a CP or DB can be taken back until the cut-off, a day later. */
const RESERVATION_MS = 7 * 24 * 60 * 60 * 1000;
const CUT_OFF_MS = 24 * 60 * 60 * 1000;

/** Which referencing requests are allowed, and how much they move (gateway facts, 1.3 and 2.1; the code texts are the rules). */
export function transition(request: ReferencingRequest, referenced: Referenced, now: number, rules: ChannelRules): Transition {
  const mismatch = misfit(request, referenced.booking, now);
  if (mismatch !== undefined) return refused(mismatch);
  switch (request.paymentType) {
    case "PA":
      return increment(request, referenced, now);
    case "CP":
      return capture(request, referenced, now, rules);
    case "RV":
      return reversal(request, referenced, now, rules);
    case "RF":
      return refund(request, referenced);
  }
}

function misfit(request: ReferencingRequest, booking: Booking, now: number): string | undefined {
  if (request.entityId !== booking.entityId) return "700.400.700";
  if (request.testMode !== booking.testMode) return "700.100.600";
  if (!isSettled(booking, now)) return "700.400.570";
  if (request.currency !== undefined && booking.currency !== undefined && request.currency !== booking.currency) return "700.100.500";
  return undefined;
}

function capture(request: ReferencingRequest, referenced: Referenced, now: number, rules: ChannelRules): Transition {
  const { booking } = referenced;
  if (booking.paymentType !== "PA" || isIncrement(booking) || !books(booking.resultCode)) return refused("700.400.510");
  if (now - booking.receivedAt >= RESERVATION_MS) return refused("700.300.400");
  const { own, left, captures, isUsedUp } = reservationOf(referenced, now);
  if (own <= 0 || left <= 0) return refused(captures.length > 0 ? "700.300.300" : "700.400.100");
  if (isUsedUp || captures.length >= mostCaptures(booking, rules)) return refused("700.400.100");
  const amount = request.amount ?? left;
  return amount > left ? refused("700.400.100") : { ok: true, amount };
}

interface Reservation {
  /** What is left of its own amount after reversals, without what raised it. */
  readonly own: Minor;
  /** What may still be captured: its own amount and that of its increments, less reversals and captures. */
  readonly left: Minor;
  /** Those that stand. */
  readonly captures: readonly Booking[];
  /** A capture said that it was the last one. */
  readonly isUsedUp: boolean;
}

function reservationOf({ booking, children, grandchildren }: Referenced, now: number): Reservation {
  const captures = booked(children, "CP").filter((child) => net(child, grandchildren) > 0);
  const increments = booked(children, "PA").filter((child) => isSettled(child, now));
  const own = (booking.amount ?? 0) - sum(booked(children, "RV"));
  const left = own + sumOfNets(increments, grandchildren) - sumOfNets(captures, grandchildren);
  return { own, left, captures, isUsedUp: captures.some(isLast) };
}

/** An incremental authorization (specification, "Card on file" and referenceUuid): as long as the reservation stands and something of it can still be captured. */
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

function reversal(request: ReferencingRequest, { booking, children, grandchildren, raises }: Referenced, now: number, rules: ChannelRules): Transition {
  const { paymentType } = booking;
  if (paymentType !== "PA" && paymentType !== "DB" && paymentType !== "CP") return refused("700.400.530");
  if (!books(booking.resultCode) && !reservesDespiteDecline(booking.resultCode)) return refused("700.400.530");
  if (paymentType === "DB" && rules.reverseDebit !== "allowed") return refused(rules.reverseDebit);
  if (paymentType === "CP" && rules.reverseCapture !== "allowed") return refused(rules.reverseCapture);
  const left = (booking.amount ?? 0) - sum(booked(children, "RV"));
  if (left <= 0) return refused("700.300.300");
  if (now - booking.receivedAt >= (paymentType === "PA" ? RESERVATION_MS : CUT_OFF_MS)) return refused("700.300.700");
  if (booked(children, "RF").length > 0) return refused("700.400.300");
  const captured = sumOfNets(booked(children, "CP"), grandchildren);
  if (captured > 0) return refused("700.300.300");
  const amount = request.amount ?? left;
  if (amount > left) return refused("700.400.300");
  // What an increment added may be captured already: then there is nothing of it to take back.
  return raises !== undefined && amount > reservationOf(raises, now).left ? refused("700.300.300") : { ok: true, amount };
}

function refund(request: ReferencingRequest, { booking, children }: Referenced): Transition {
  const { paymentType } = booking;
  if ((paymentType !== "CP" && paymentType !== "DB") || !books(booking.resultCode)) return refused("700.400.520");
  const left = (booking.amount ?? 0) - sum(booked(children, "RV")) - sum(booked(children, "RF"));
  const amount = request.amount ?? left;
  return left <= 0 || amount > left ? refused("700.400.200") : { ok: true, amount };
}

function booked(children: readonly Booking[], paymentType: string): readonly Booking[] {
  return children.filter((child) => child.paymentType === paymentType && books(child.resultCode));
}

function net(child: Booking, grandchildren: Referenced["grandchildren"]): Minor {
  return (child.amount ?? 0) - sum(booked(grandchildren(child.id), "RV"));
}

function sumOfNets(bookings: readonly Booking[], grandchildren: Referenced["grandchildren"]): Minor {
  return bookings.reduce((total, booking) => total + net(booking, grandchildren), 0);
}

function sum(bookings: readonly Booking[]): Minor {
  return bookings.reduce((total, booking) => total + (booking.amount ?? 0), 0);
}

function refused(resultCode: string): Transition {
  return { ok: false, resultCode };
}
