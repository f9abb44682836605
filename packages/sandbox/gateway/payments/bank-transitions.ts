import type { Minor } from "../../../../src/kit/money.ts";
import { isIncrement, isLast } from "../ledger/booking.ts";
import { movesMoney } from "../ledger/codes.ts";
import { booked, type Referenced, reservationOf, standing, sum, takenBy } from "./booking-tree.ts";

export type Transition =
  | { readonly ok: true; readonly amount: Minor }
  | { readonly ok: false; readonly resultCode: string };

export function refused(resultCode: string): Transition {
  return { ok: false, resultCode };
}

const TAKES_MONEY: readonly string[] = ["CP", "DB", "RB"];

/**
 * CB: the bank charges a payment back, in full or in part, once for each payment (gateway facts, 1.3 and 2.1; code
 * texts 700.300.500, 700.400.400).
 */
export function chargeback(amount: Minor | undefined, referenced: Referenced): Transition {
  const { booking, children, grandchildren } = referenced;
  if (!TAKES_MONEY.includes(booking.paymentType) || !movesMoney(booking)) return refused("700.400.550");
  const before = booked(children, "CB");
  if (before.some((one) => standing(one, grandchildren(one.id)) > 0)) return refused("700.400.400");
  if (before.length > 0) return refused("700.300.500");
  const { left } = takenBy(referenced);
  return left <= 0 ? refused("700.400.400") : within(amount ?? left, left, booking.amount);
}

/** CR: the bank reverses its chargeback, by itself or after the merchant's proof. */
export function chargebackReversal(amount: Minor | undefined, { booking, children }: Referenced): Transition {
  if (booking.paymentType === "CR" && movesMoney(booking)) return refused("700.400.410");
  if (booking.paymentType !== "CB" || !movesMoney(booking)) return refused("700.400.420");
  const left = standing(booking, children);
  return left <= 0 || booked(children, "CR").some(isLast)
    ? refused("700.400.410")
    : within(amount ?? left, left, booking.amount);
}

/**
 * RC: money arrived. For a reservation it is the payment (prepayment, invoice); for captured money only a note without
 * effect.
 */
export function receipt(amount: Minor | undefined, referenced: Referenced, now: number): Transition {
  const { booking, children } = referenced;
  if (!movesMoney(booking)) return refused("700.400.560");
  if (booking.paymentType === "PA" && !isIncrement(booking)) {
    const { own, left, isUsedUp } = reservationOf(referenced, now);
    return own <= 0 || left <= 0 || isUsedUp
      ? refused("700.300.300")
      : within(amount ?? left, left, Math.max(own, left));
  }
  if (!TAKES_MONEY.includes(booking.paymentType)) return refused("700.400.560");
  const left = takenBy(referenced).taken - sum(booked(children, "RC"));
  return left <= 0 ? refused("700.300.300") : within(amount ?? left, left, booking.amount);
}

/** RB: a new debit of any amount from the account of a booked debit, whatever happened to that debit since. */
export function rebill(amount: Minor | undefined, { booking }: Referenced): Transition {
  if (booking.paymentType !== "DB") return refused("700.100.700");
  if (!movesMoney(booking)) return refused("700.300.200");
  return amount === undefined ? refused("700.100.200") : { ok: true, amount };
}

/** More than the booked amount (700.100.300), or more than is left of it (700.100.200). */
function within(amount: Minor, left: Minor, whole: Minor = left): Transition {
  if (amount > whole) return refused("700.100.300");
  return amount > left ? refused("700.100.200") : { ok: true, amount };
}
