import type { JournalBooking, JournalMoney } from "./journal-booking.ts";

/** What a file is of, where the journal holds more: one channel, one currency. */
export interface Scope {
  readonly entity?: string;
  readonly currency?: string;
}

/** The same money, of which only what is in the scope has to be in the file. A row for anything else is none of this file's, and its remark says why. */
export function within(scope: Scope, { bookings, others }: JournalMoney): JournalMoney {
  const judged = bookings.map((booking) => ({ booking, outside: outsideOf(scope, booking) }));
  return {
    bookings: judged.flatMap(({ booking, outside }) => (outside === undefined ? [booking] : [])),
    others: [...others, ...judged.flatMap(({ booking, outside }) => (outside === undefined ? [] : [{ ...booking, says: outside }]))],
  };
}

function outsideOf({ entity, currency }: Scope, booking: JournalBooking): string | undefined {
  if (entity !== undefined && booking.entityId !== entity) return `booked, but of entity ${booking.entityId}`;
  return currency !== undefined && booking.currency !== currency ? `booked, but in ${booking.currency}` : undefined;
}
