import type { Random } from "../../../../src/kit/random.ts";
import type { GatewayEvent } from "../events.ts";
import { type Booking, isSettled } from "../ledger/booking.ts";
import { collectionOf } from "../ledger/records.ts";
import type { SandboxStore } from "../ledger/store.ts";
import { eventsOf } from "../ledger/telling.ts";
import type { SandboxRules } from "../rules.ts";
import type { SandboxClock } from "../sandbox-clock.ts";
import { addressOf } from "./address.ts";
import type { Deliveries } from "./deliveries.ts";
import { notificationOf, statusOf } from "./notification.ts";
import { type Hook, type Pending, pendingSchema } from "./records.ts";

/** Notifies the receivers of an event, again when a pending booking settles. */
export interface Teller {
  tell(event: GatewayEvent): void;
  /** Continues waiting for pending bookings of an earlier process. */
  resume(): void;
}

export interface TellerPorts {
  readonly store: SandboxStore;
  readonly clock: SandboxClock;
  readonly random: Random;
  readonly rules: SandboxRules;
  readonly hooks: () => readonly Hook[];
  readonly deliveries: Deliveries;
}

export function createTeller({ store, clock, random, rules, hooks, deliveries }: TellerPorts): Teller {
  const pending = collectionOf(store, "webhook-pending", pendingSchema);

  const tell = (event: GatewayEvent): void => {
    const { booking } = event;
    const now = clock.now();
    const stamp = { now, random, entityId: booking.entityId };
    // Bookings hidden from queries are announced once visible.
    const due = Math.max(now, booking.hiddenUntil ?? 0);
    for (const { id, active, events, fields } of hooks()) {
      if (active && events.includes(event.type))
        deliveries.put({ hook: id }, notificationOf(event, fields, stamp, rules), due);
    }
    const url = isUpdate(event, now) ? addressOf(notificationUrlOf(booking) ?? "") : undefined;
    if (url !== undefined) deliveries.put({ url }, statusOf(booking, stamp, rules), due);
    if (!isSettled(booking, now)) wait(event);
  };
  const wait = ({ type, booking: { id, interim } }: GatewayEvent): void => {
    if (interim === undefined) return;
    const before = pending.get(id);
    const isKnown = before?.until === interim.until;
    const waits: Pending = {
      booking: id,
      until: interim.until,
      types: [...new Set([...(isKnown ? before.types : []), type])],
    };
    pending.put(id, waits);
    if (!isKnown) watch(waits);
  };
  const watch = (waits: Pending): void => void clock.at(waits.until, () => store.atomically(() => lapsed(waits)));
  /** Announces a booking that settled by itself; a decision before was announced on its own. */
  const lapsed = ({ booking: id, until }: Pending): void => {
    const waits = pending.get(id);
    if (waits?.until !== until) return;
    pending.remove(id);
    const booking = store.byId(id);
    if (booking?.interim?.until === until) for (const event of settledEvents(booking, waits.types)) tell(event);
  };
  return { tell, resume: () => pending.all().forEach(watch) };
}

/** Specification, "Asynchronous payments", notificationUrl; deprecated. */
export function notificationUrlOf({ parameters }: Booking): string | undefined {
  return parameters["notificationUrl"];
}

/** Specification, "Other callbacks": only bookings that were pending before. */
function isUpdate({ type, booking }: GatewayEvent, now: number): boolean {
  return type === "PAYMENT" && booking.interim !== undefined && isSettled(booking, now);
}

/** The row's events, plus event types announced while it was pending. */
function settledEvents(booking: Booking, before: Pending["types"]): readonly GatewayEvent[] {
  const own = eventsOf(booking, false);
  const more = (["SCHEDULE", "RISK"] as const).filter(
    (type) => before.includes(type) && own.every((event) => event.type !== type),
  );
  return [...own, ...more.map((type) => ({ type, booking }))];
}
