import type { Clock } from "../kit/clock.ts";
import { type Envelope, openEnvelope } from "./envelope.ts";
import { type Notification, readNotification } from "./notification.ts";
import { unseal } from "./seal.ts";

/** By what names a payment may be one of ours: the gateway's ids, and the name that the bridge gave its request. */
export interface Hint {
  readonly gatewayIds: readonly string[];
  readonly merchantTransactionId?: string;
}

/** What became of a delivery; the label of a figure. */
export type Reception = "hinted" | "not-ours" | "ignored" | "repeated" | "test" | "unreadable" | "malformed" | "forged" | "too-many";

export interface ReceiverPorts {
  readonly clock: Clock;
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** Has the payment that goes by one of these names looked up at the gateway soon; false where none does. */
  readonly hint: (hint: Hint) => boolean;
  readonly log: ReceiverLog;
  readonly counted: (reception: Reception) => void;
}

export interface ReceiverLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** The answer to a delivery. The gateway repeats what is not answered with 2xx (gateway facts, 3), so that only what may be mended here is refused. */
export interface Answer {
  readonly status: 200 | 400 | 429;
  readonly words: string;
}

export interface Receiver {
  receive(envelope: Envelope): Answer;
}

/** The gateway sends bursts of some 30 a second; what is above this comes again a minute later. */
const PER_SECOND = 50;
/** How many deliveries are known again; a repeat of an older one costs a query and no more. */
const KNOWN_MAX = 10_000;
const REFUSALS_TOLD_EVERY_MS = 60_000;

/**
 * Hears the gateway's notifications. What they say is never believed: who has the key could say anything. All that comes of one is that the payment it speaks of is looked
 * up at the gateway sooner than it would have been, and the query's answer counts.
 */
export function createReceiver(ports: ReceiverPorts): Receiver {
  const { key, hint, log, counted } = ports;
  const admit = rateOf(ports.clock);
  const isNew = firstTime();
  const refusals = quietly(ports);

  const heard = (notification: Notification): Reception => {
    const { type, payload } = notification;
    const { id, merchantTransactionId, referencedId, result, timestamp } = payload;
    if (type === "test") return "test";
    if (type !== "PAYMENT") return "ignored";
    if (!isNew(JSON.stringify([id, result?.code, timestamp]))) return "repeated";
    const gatewayIds = [id, referencedId].filter((one) => one !== undefined);
    return hint({ gatewayIds, ...(merchantTransactionId !== undefined && { merchantTransactionId }) }) ? "hinted" : "not-ours";
  };
  const refuse = (reception: Reception, status: 400 | 429, words: string): Answer => {
    counted(reception);
    refusals(words);
    return { status, words };
  };
  return {
    receive(envelope) {
      const opened = openEnvelope(envelope);
      if (!opened.ok) return refuse("malformed", 400, opened.problem);
      const plain = unseal(opened.sealed, key);
      if (plain === undefined) return refuse("forged", 400, "not encrypted with the key of this webhook: compare webhooks.keyFile with the gateway's setting");
      // Only here: whoever has no key must not be able to have the gateway's own deliveries refused.
      if (!admit()) return refuse("too-many", 429, "too many at once: send it again later");
      const notification = readNotification(plain);
      const reception = notification === undefined ? "unreadable" : heard(notification);
      counted(reception);
      if (notification === undefined) log.warn({}, "a webhook held no notification that can be read; it was taken and dropped");
      else log.info({ type: notification.type, id: notification.payload.id, code: notification.payload.result?.code, reception }, "webhook");
      return { status: 200, words: reception };
    },
  };
}

/** A bucket that fills with time: as many at once as in a second. */
function rateOf(clock: Clock): () => boolean {
  let left = PER_SECOND;
  let since = clock.monotonic();
  return () => {
    const now = clock.monotonic();
    left = Math.min(PER_SECOND, left + ((now - since) * PER_SECOND) / 1000);
    since = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}

/** Gateway facts, 3: the same id, code and timestamp are the same notification. */
function firstTime(): (name: string) => boolean {
  const known = new Set<string>();
  return (name) => {
    if (known.has(name)) return false;
    known.add(name);
    const [oldest] = known;
    if (known.size > KNOWN_MAX && oldest !== undefined) known.delete(oldest);
    return true;
  };
}

/** Anybody may send garbage: the log tells it at once, and then how often in each minute. */
function quietly({ clock, log }: ReceiverPorts): (words: string) => void {
  let told: number | undefined;
  let since = 0;
  return (words) => {
    since += 1;
    const now = clock.monotonic();
    if (told !== undefined && now - told < REFUSALS_TOLD_EVERY_MS) return;
    log.warn({ refused: since, last: words }, "webhooks were refused");
    told = now;
    since = 0;
  };
}
