import type { GatewayEvent } from "../../../packages/sandbox/gateway/events.ts";
import type { Booking } from "../../../packages/sandbox/gateway/ledger/booking.ts";
import { openSandboxStore, type SandboxStore } from "../../../packages/sandbox/gateway/ledger/store.ts";
import { eventsOf } from "../../../packages/sandbox/gateway/ledger/telling.ts";
import type { OutgoingRequest, OutgoingResult } from "../../../packages/sandbox/gateway/outgoing.ts";
import { createSandboxClock, type SandboxClock } from "../../../packages/sandbox/gateway/sandbox-clock.ts";
import { type Hook, type NewHook, newHookSchema } from "../../../packages/sandbox/gateway/webhooks/records.ts";
import { createWebhooks, type Webhooks } from "../../../packages/sandbox/gateway/webhooks/webhooks.ts";
import { fromHex } from "../../../src/kit/hex.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { openEnvelope } from "../../../src/webhook/envelope.ts";
import { unseal } from "../../../src/webhook/seal.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";
import { ENTITY, NOW } from "./simulated-till.ts";

export const KEY = "000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F";

/** A request that reached the receiver, and when. */
export interface Arrival {
  /** Seconds since the beginning. */
  readonly at: number;
  readonly request: OutgoingRequest;
  /** Decrypted with KEY; a notificationUrl's as it came. */
  readonly notification: unknown;
}

export interface WebhookBench {
  readonly clock: VirtualClock;
  readonly gatewayClock: SandboxClock;
  readonly store: SandboxStore;
  readonly webhooks: Webhooks;
  readonly arrivals: Arrival[];
  /** What the receiver answers from now on. */
  answer(with_: (request: OutgoingRequest, number: number) => OutgoingResult | Promise<OutgoingResult>): void;
  /** A webhook that has passed its test; the arrivals begin after it. */
  hook(asked?: Partial<NewHook>): Promise<Hook>;
  /** Writes a row and tells it, and what else is told of it, in one transaction. */
  book(booking: Booking, ...more: readonly GatewayEvent[]): void;
  /** Ends these webhooks as a killed process would, and begins anew on the same store. */
  restart(): WebhookBench;
}

export const taken: OutgoingResult = { ok: true, status: 200 };
export const refused: OutgoingResult = { ok: true, status: 503 };

let made = 0;

export function bookingOf(change: Partial<Booking> = {}): Booking {
  made += 1;
  const id = made.toString(16).padStart(32, "0");
  return {
    ...{
      id,
      entityId: ENTITY,
      paymentType: "DB",
      amount: 1234,
      requested: 1234,
      currency: "EUR",
      merchantTransactionId: `order-${made}`,
      testMode: "INTERNAL",
    },
    ...{ resultCode: "000.100.110", answeredCode: "000.100.110", receivedAt: NOW, parameters: { paymentType: "DB" } },
    issuer: { paymentBrand: "VISA", card: { bin: "411111", last4Digits: "1111", holder: "Jane Jones" } },
    ...change,
  };
}

export function webhookBench(
  orderly = true,
  store = openSandboxStore(":memory:"),
  clock = createVirtualClock(NOW),
): WebhookBench {
  const gatewayClock = createSandboxClock(clock, { read: () => 0, write: () => undefined });
  const arrivals: Arrival[] = [];
  let answer: Parameters<WebhookBench["answer"]>[0] = () => taken;
  const webhooks = createWebhooks({
    ...{ store, clock: gatewayClock, random: seededRandom(11), orderly },
    rules: {
      declineStatus: 400,
      reverseDebit: "allowed",
      reverseCapture: "allowed",
      severalCaptures: true,
      duplicates: "accept",
    },
    send: async (request) => {
      arrivals.push({ at: (gatewayClock.now() - NOW) / 1000, request, notification: readingOf(request) });
      return answer(request, arrivals.length);
    },
  });
  webhooks.resume();
  return {
    ...{ clock, gatewayClock, store, webhooks, arrivals },
    answer: (with_) => {
      answer = with_;
    },
    async hook(asked = {}) {
      const { id } = webhooks.add(newHookSchema.parse({ url: "https://shop.example/hooks", key: KEY, ...asked }));
      await webhooks.test(id);
      arrivals.splice(0);
      const found = webhooks.list().find(({ hook }) => hook.id === id);
      if (found === undefined) throw new Error("a webhook that was added is listed");
      return found.hook;
    },
    book(booking, ...more) {
      store.atomically(() => {
        store.append(booking);
        for (const event of [...eventsOf(booking, booking.interim !== undefined), ...more]) webhooks.announce(event);
      });
    },
    restart() {
      webhooks.stop();
      gatewayClock.stop();
      return webhookBench(orderly, store, clock);
    },
  };
}

function readingOf({ headers, body }: OutgoingRequest): unknown {
  if (headers["x-authentication-tag"] === undefined) return JSON.parse(body);
  const opened = openEnvelope({ headers, body });
  const plain = opened.ok ? unseal(opened.sealed, fromHex(KEY)) : undefined;
  return plain === undefined ? undefined : JSON.parse(new TextDecoder().decode(plain));
}
