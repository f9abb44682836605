import type { Booking } from "../../src/sandbox/ledger/booking.ts";
import type { SandboxStore } from "../../src/sandbox/ledger/store.ts";

/** The sandbox's memory as plain lists and maps: a world keeps no ledger over its end, and reads it far more often than SQL would allow. */
export function createLedgerStore(on: {
  /** What a booking becomes before it is kept; `siblings` refer to the same original. */
  readonly bend: (booking: Booking, siblings: readonly Booking[]) => Booking;
  /** A booking was kept for good. */
  readonly kept: (booking: Booking) => void;
}): SandboxStore {
  const bookings: Booking[] = [];
  const byId = new Map<string, Booking>();
  const byRequest = new Map<string, Booking[]>();
  const byReference = new Map<string, Booking[]>();
  const records = new Map<string, string>();
  /** What the open transaction has written, and how to take it back. */
  let undo: (() => void)[] | undefined;
  let fresh: Booking[] = [];

  const list = (lists: Map<string, Booking[]>, key: string | undefined, booking: Booking): void => {
    if (key === undefined) return;
    const known = lists.get(key);
    if (known === undefined) lists.set(key, [booking]);
    else known.push(booking);
    undo?.push(() => void lists.get(key)?.pop());
  };
  const commit = (): void => {
    for (const booking of fresh.splice(0)) on.kept(booking);
  };
  return {
    atomically: (run) => {
      undo = [];
      try {
        const result = run();
        undo = undefined;
        commit();
        return result;
      } catch (cause) {
        for (const take of (undo ?? []).reverse()) take();
        undo = undefined;
        fresh = [];
        throw cause;
      }
    },
    append: (asked) => {
      const booking = on.bend(asked, byReference.get(asked.referencedId ?? "") ?? []);
      if (byId.has(booking.id)) throw new RangeError(`the ledger holds ${booking.id} already`);
      bookings.push(booking);
      byId.set(booking.id, booking);
      fresh.push(booking);
      undo?.push(() => {
        bookings.pop();
        byId.delete(booking.id);
      });
      list(byRequest, booking.merchantTransactionId, booking);
      list(byReference, booking.referencedId, booking);
      if (undo === undefined) commit();
    },
    byId: (id) => byId.get(id),
    byMerchantTransactionId: (merchantTransactionId) => byRequest.get(merchantTransactionId) ?? [],
    referringTo: (id) => byReference.get(id) ?? [],
    byRegistration: (id) => {
      const own = byId.get(id);
      return own?.paymentType === "RG" ? own : bookings.find(({ registrationId }) => registrationId === id);
    },
    all: () => bookings,
    remembered: (key) => records.get(key),
    remember: (key, record) => {
      const before = records.get(key);
      undo?.push(() => (before === undefined ? void records.delete(key) : void records.set(key, before)));
      records.set(key, record);
    },
    close: () => undefined,
  };
}
