import { dayOf, daysFrom, lastBusinessDay, nextBusinessDay } from "../kit/business-day.ts";
import type { FileRow } from "./file-row.ts";
import type { JournalBooking } from "./journal-booking.ts";

/** Days of trade, UTC, both included: all that was booked on them has to be in the file. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/**
 * The days of trade that a file settles, read from its settlement dates: what is booked on a day is paid out on the next business day. A file whose first payout is on a
 * Monday so begins with the Friday before. Undefined for a file without rows.
 */
export function periodOf(rows: readonly FileRow[]): Period | undefined {
  const dates = rows.map(({ settlement }) => settlement.date).toSorted();
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return { from: nextBusinessDay(lastBusinessDay(first)) === first ? lastBusinessDay(first) : daysFrom(first, -1), to: daysFrom(last, -1) };
}

/** Whether all of it lies in the period. What was on its way when a day ended may be in the file of either day, so that neither has to have it. */
export function isWithin({ from, to }: Period, { intendedAt, knownAt }: Pick<JournalBooking, "intendedAt" | "knownAt">): boolean {
  return knownAt !== undefined && dayOf(intendedAt) >= from && dayOf(knownAt) <= to;
}

/** Booked on a day before the period, so settled by an earlier file. */
export function isBefore({ from }: Period, { knownAt }: Pick<JournalBooking, "knownAt">): boolean {
  return knownAt !== undefined && dayOf(knownAt) < from;
}
