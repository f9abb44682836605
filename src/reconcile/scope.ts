import type { JournalBooking, JournalMoney } from "./journal-booking.ts";

/** The channel and the currency of a file, if the journal has more. */
export interface Scope {
  readonly entity?: string;
  readonly currency?: string;
}

/** Restricts the journal to the file's scope. A row outside it does not match, and its remark says why. */
export function within(scope: Scope, { bookings, others }: JournalMoney): JournalMoney {
  const judged = bookings.map((booking) => ({ booking, outside: outsideOf(scope, booking) }));
  return {
    bookings: judged.flatMap(({ booking, outside }) => (outside === undefined ? [booking] : [])),
    others: [
      ...others,
      ...judged.flatMap(({ booking, outside }) => (outside === undefined ? [] : [{ ...booking, says: outside }])),
    ],
  };
}

function outsideOf({ entity, currency }: Scope, booking: JournalBooking): string | undefined {
  if (entity !== undefined && booking.entityId !== entity) return `booked, but of entity ${booking.entityId}`;
  return currency !== undefined && booking.currency !== currency ? `booked, but in ${booking.currency}` : undefined;
}
