import { type Booking, decided } from "../../packages/sandbox/gateway/ledger/booking.ts";
import type { SandboxStore } from "../../packages/sandbox/gateway/ledger/store.ts";

/**
 * The sandbox's memory as plain lists and maps: a world keeps no ledger over its end, and reads it far more often than
 * SQL would allow.
 */
export function createLedgerStore(on: {
  /** What a booking becomes before it is kept; `siblings` refer to the same original. */
  readonly bend: (booking: Booking, siblings: readonly Booking[]) => Booking;
  /** A booking was kept for good; once more, as it then stands, where somebody has decided it. */
  readonly kept: (booking: Booking) => void;
}): SandboxStore {
  const bookings: Booking[] = [];
  const byId = new Map<string, Booking>();
  const byRequest = new Map<string, Booking[]>();
  const byReference = new Map<string, Booking[]>();
  const remembered = new Map<string, string>();
  const records = new Map<string, Map<string, string>>();
  const decisions = new Set<string>();
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
  const put = (kind: string, id: string, json: string | undefined): void => {
    const own = records.get(kind) ?? new Map<string, string>();
    records.set(kind, own);
    const before = own.get(id);
    // What was forgotten and comes back by the undoing stands at the end of its list: nobody here asks for the order.
    undo?.push(() => void (before === undefined ? own.delete(id) : own.set(id, before)));
    if (json === undefined) own.delete(id);
    else own.set(id, json);
  };
  /** In place of what stood there, wherever it is listed. */
  const replace = (before: Booking, after: Booking): void => {
    byId.set(after.id, after);
    for (const known of [
      bookings,
      byRequest.get(after.merchantTransactionId ?? ""),
      byReference.get(after.referencedId ?? ""),
    ]) {
      const at = known?.indexOf(before) ?? -1;
      if (at >= 0) known?.splice(at, 1, after);
    }
  };
  return {
    atomically: (run) => {
      if (undo !== undefined) return run();
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
    decide: (id, decision) => {
      const before = byId.get(id);
      if (before === undefined || decisions.has(id)) return false;
      const after = decided(before, decision);
      decisions.add(id);
      replace(before, after);
      fresh.push(after);
      undo?.push(() => {
        decisions.delete(id);
        replace(after, before);
      });
      if (undo === undefined) commit();
      return true;
    },
    record: (kind, id) => records.get(kind)?.get(id),
    records: (kind) => [...(records.get(kind)?.values() ?? [])],
    keep: put,
    forget: (kind, id) => put(kind, id, undefined),
    byId: (id) => byId.get(id),
    byMerchantTransactionId: (merchantTransactionId) => byRequest.get(merchantTransactionId) ?? [],
    referringTo: (id) => byReference.get(id) ?? [],
    chargesOf: (registration) => bookings.filter(({ chargedRegistrationId }) => chargedRegistrationId === registration),
    byRegistration: (id) => {
      const own = byId.get(id);
      return own?.paymentType === "RG" ? own : bookings.find(({ registrationId }) => registrationId === id);
    },
    all: () => bookings,
    remembered: (key) => remembered.get(key),
    remember: (key, record) => {
      const before = remembered.get(key);
      undo?.push(() => (before === undefined ? void remembered.delete(key) : void remembered.set(key, before)));
      remembered.set(key, record);
    },
    close: () => undefined,
  };
}
