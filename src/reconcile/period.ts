import { dayOf, daysFrom, lastBusinessDay, nextBusinessDay } from "../kit/business-day.ts";
import type { FileRow } from "./file-row.ts";
import type { JournalBooking } from "./journal-booking.ts";

/** Days of trade, UTC, both included: all their bookings must be in the file. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/**
 * The days of trade of a file, from its settlement dates: bookings are paid out on the next business day, so a Monday's
 * payout includes Friday. Undefined: no rows.
 */
export function periodOf(rows: readonly FileRow[]): Period | undefined {
  const dates = rows.map(({ settlement }) => settlement.date).toSorted();
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return {
    from: nextBusinessDay(lastBusinessDay(first)) === first ? lastBusinessDay(first) : daysFrom(first, -1),
    to: daysFrom(last, -1),
  };
}

/**
 * Tells whether the whole booking lies in the period. A booking across midnight may be in either day's file, so neither
 * must have it.
 */
export function isWithin(
  { from, to }: Period,
  { intendedAt, knownAt }: Pick<JournalBooking, "intendedAt" | "knownAt">,
): boolean {
  return knownAt !== undefined && dayOf(intendedAt) >= from && dayOf(knownAt) <= to;
}

/** Booked before the period, so settled by an earlier file. */
export function isBefore({ from }: Period, { knownAt }: Pick<JournalBooking, "knownAt">): boolean {
  return knownAt !== undefined && dayOf(knownAt) < from;
}
