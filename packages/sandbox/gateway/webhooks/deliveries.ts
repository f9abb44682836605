import type { Random } from "../../../../src/kit/random.ts";
import { collectionOf, type RecordStore } from "../ledger/records.ts";
import type { SandboxStore } from "../ledger/store.ts";
import type { OutgoingRequest, OutgoingResult, Send } from "../outgoing.ts";
import { newId } from "../replies.ts";
import type { SandboxClock } from "../sandbox-clock.ts";
import { type Delivery, deliverySchema, type Target } from "./records.ts";
import { type Fates, nextTry } from "./schedule.ts";

/** Notifications not accepted yet. They are records of the store, so they survive the process. */
export interface Deliveries {
  /**
   * Call inside the transaction of the event. Sent after its commit, not before `due` (epoch milliseconds of the
   * sandbox's clock).
   */
  put(to: Target, notification: string, due: number): void;
  /** Continues deliveries of an earlier process. */
  resume(): void;
  /** Number of open deliveries, by webhook id or address. */
  waiting(): ReadonlyMap<string, number>;
  /** Deletes all deliveries to that target. */
  drop(to: Target): void;
  /** Stops sending and ignores open answers; the next process repeats those deliveries. */
  stop(): void;
}

export interface DeliveriesPorts {
  readonly store: RecordStore & Pick<SandboxStore, "atomically">;
  readonly clock: SandboxClock;
  readonly random: Random;
  readonly send: Send;
  readonly fates: Fates;
  /** Maximum number of parallel deliveries to one receiver. */
  readonly abreast: number;
  /** The request for a target; undefined: the target no longer exists. */
  readonly requestTo: (to: Target, notification: string) => OutgoingRequest | undefined;
  readonly tried: (to: Target, result: OutgoingResult) => void;
}

/** Any 2xx (gateway facts, 3). */
export function isTaken(result: OutgoingResult): boolean {
  return result.ok && result.status >= 200 && result.status < 300;
}

export function createDeliveries(ports: DeliveriesPorts): Deliveries {
  const { clock, random, send, fates, abreast, requestTo, tried } = ports;
  const records = collectionOf(ports.store, "webhook-delivery", deliverySchema);
  let stopped = false;

  const schedule = ({ id, to, due }: Delivery): void =>
    void clock.at(due, () => line.join(nameOf(to), () => attempt(id)));
  const attempt = async (id: string): Promise<void> => {
    // A transaction that was rolled back leaves no record.
    const delivery = stopped ? undefined : records.get(id);
    if (delivery === undefined) return;
    const request = requestTo(delivery.to, delivery.notification);
    if (request === undefined) return records.remove(id);
    const result = await send(request);
    if (stopped) return;
    tried(delivery.to, result);
    const failed = { ...delivery, tries: delivery.tries + 1 };
    const due = isTaken(result) ? undefined : nextTry(failed);
    if (due === undefined || records.get(id) === undefined) return records.remove(id);
    const again = { ...failed, due };
    records.put(id, again);
    schedule(again);
  };
  const line = lines(abreast);
  return {
    put(to, notification, due) {
      for (const later of fates.next()) {
        const delivery: Delivery = {
          id: newId(random),
          to,
          notification,
          first: due + later,
          due: due + later,
          tries: 0,
        };
        records.put(delivery.id, delivery);
        schedule(delivery);
      }
    },
    resume() {
      const now = clock.now();
      // Missed tries are not repeated all at once: the next try is now, and later ones keep their usual distance.
      ports.store.atomically(() => {
        for (const delivery of records.all().toSorted((a, b) => a.due - b.due)) {
          const next = { ...delivery, due: Math.max(delivery.due, now) };
          if (next.due !== delivery.due) records.put(next.id, next);
          schedule(next);
        }
      });
    },
    waiting() {
      const counts = new Map<string, number>();
      for (const { to } of records.all()) counts.set(nameOf(to), (counts.get(nameOf(to)) ?? 0) + 1);
      return counts;
    },
    drop(to) {
      for (const delivery of records.all()) if (nameOf(delivery.to) === nameOf(to)) records.remove(delivery.id);
    },
    stop() {
      stopped = true;
    },
  };
}

/** A queue for each receiver, with that many deliveries in parallel. */
function lines(abreast: number): { join(receiver: string, run: () => Promise<void>): void } {
  const all = new Map<string, { readonly waiting: (() => Promise<void>)[]; underWay: number }>();
  const serve = (receiver: string): void => {
    const line = all.get(receiver);
    if (line === undefined || line.underWay >= abreast) return;
    const run = line.waiting.shift();
    if (run === undefined) {
      if (line.underWay === 0) all.delete(receiver);
      return;
    }
    line.underWay += 1;
    void run().then(() => {
      line.underWay -= 1;
      serve(receiver);
    });
  };
  return {
    join(receiver, run) {
      const line = all.get(receiver) ?? { waiting: [], underWay: 0 };
      all.set(receiver, line);
      line.waiting.push(run);
      serve(receiver);
    },
  };
}

function nameOf(to: Target): string {
  return "hook" in to ? to.hook : to.url;
}
