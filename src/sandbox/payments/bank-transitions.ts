import type { Minor } from "../../kit/money.ts";
import { isIncrement, isLast } from "../ledger/booking.ts";
import { movesMoney } from "../ledger/codes.ts";
import { booked, type Referenced, reservationOf, standing, sum, takenBy } from "./booking-tree.ts";

export type Transition = { readonly ok: true; readonly amount: Minor } | { readonly ok: false; readonly resultCode: string };

export function refused(resultCode: string): Transition {
  return { ok: false, resultCode };
}

const TAKES_MONEY: readonly string[] = ["CP", "DB", "RB"];

/** CB: the bank takes back what its customer paid, whole or in part, once for each payment (gateway facts, 1.3 and 2.1; code texts 700.300.500, 700.400.400). */
export function chargeback(amount: Minor | undefined, referenced: Referenced): Transition {
  const { booking, children, grandchildren } = referenced;
  if (!TAKES_MONEY.includes(booking.paymentType) || !movesMoney(booking)) return refused("700.400.550");
  const before = booked(children, "CB");
  if (before.some((one) => standing(one, grandchildren(one.id)) > 0)) return refused("700.400.400");
  if (before.length > 0) return refused("700.300.500");
  const { left } = takenBy(referenced);
  return left <= 0 ? refused("700.400.400") : within(amount ?? left, left, booking.amount);
}

/** CR: the bank gives again what it took back, by itself or because the merchant showed that the payment was right. */
export function chargebackReversal(amount: Minor | undefined, { booking, children }: Referenced): Transition {
  if (booking.paymentType === "CR" && movesMoney(booking)) return refused("700.400.410");
  if (booking.paymentType !== "CB" || !movesMoney(booking)) return refused("700.400.420");
  const left = standing(booking, children);
  return left <= 0 || booked(children, "CR").some(isLast) ? refused("700.400.410") : within(amount ?? left, left, booking.amount);
}

/** RC: the money arrived. For a reservation that is a payment by itself (prepayment, invoice); for what took money already it is a note that no money moves by. */
export function receipt(amount: Minor | undefined, referenced: Referenced, now: number): Transition {
  const { booking, children } = referenced;
  if (!movesMoney(booking)) return refused("700.400.560");
  if (booking.paymentType === "PA" && !isIncrement(booking)) {
    const { own, left, isUsedUp } = reservationOf(referenced, now);
    return own <= 0 || left <= 0 || isUsedUp ? refused("700.300.300") : within(amount ?? left, left, Math.max(own, left));
  }
  if (!TAKES_MONEY.includes(booking.paymentType)) return refused("700.400.560");
  const left = takenBy(referenced).taken - sum(booked(children, "RC"));
  return left <= 0 ? refused("700.300.300") : within(amount ?? left, left, booking.amount);
}

/** RB: money again, of any amount, from the account of a debit that was booked. What became of that debit since does not matter. */
export function rebill(amount: Minor | undefined, { booking }: Referenced): Transition {
  if (booking.paymentType !== "DB") return refused("700.100.700");
  if (!movesMoney(booking)) return refused("700.300.200");
  return amount === undefined ? refused("700.100.200") : { ok: true, amount };
}

/** More than the booking ever was, or more than is left of it (code texts 700.100.300 and 700.100.200). */
function within(amount: Minor, left: Minor, whole: Minor = left): Transition {
  if (amount > whole) return refused("700.100.300");
  return amount > left ? refused("700.100.200") : { ok: true, amount };
}
