import type { Clock } from "../kit/clock.ts";
import { type Envelope, openEnvelope } from "./envelope.ts";
import { type Notification, readNotification } from "./notification.ts";
import { unseal } from "./seal.ts";

/** Names by which a payment may be found: the gateway's ids, and the bridge's name of the request. */
export interface Hint {
  readonly gatewayIds: readonly string[];
  readonly merchantTransactionId?: string;
}

/** The result of a delivery; a label of the figure. */
export type Reception =
  | "hinted"
  | "not-ours"
  | "ignored"
  | "repeated"
  | "test"
  | "unreadable"
  | "malformed"
  | "forged"
  | "too-many";

export interface ReceiverPorts {
  readonly clock: Clock;
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** Schedules an early query of the payment with one of these names; false: there is none. */
  readonly hint: (hint: Hint) => boolean;
  readonly log: ReceiverLog;
  readonly counted: (reception: Reception) => void;
}

export interface ReceiverLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/**
 * The answer to a delivery. The gateway repeats a delivery without a 2xx (gateway-facts 3), so only errors that can be
 * fixed here are refused.
 */
export interface Answer {
  readonly status: 200 | 400 | 429;
  readonly words: string;
}

export interface Receiver {
  receive(envelope: Envelope): Answer;
}

/** The gateway sends bursts of some 30 a second; it repeats refused ones a minute later. */
const PER_SECOND = 50;
/** Remembered deliveries; a repetition of an older one only costs a query. */
const KNOWN_MAX = 10_000;
const REFUSALS_TOLD_EVERY_MS = 60_000;

/**
 * Receives the gateway's notifications. Any holder of the key could write them, so a notification only brings the query
 * of its payment forward; the query's answer counts.
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
    return hint({ gatewayIds, ...(merchantTransactionId !== undefined && { merchantTransactionId }) })
      ? "hinted"
      : "not-ours";
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
      if (plain === undefined)
        return refuse(
          "forged",
          400,
          "not encrypted with the key of this webhook: compare webhooks.keyFile with the gateway's setting",
        );
      // After the decryption: strangers without the key must not cause the gateway's own deliveries to be refused.
      if (!admit()) return refuse("too-many", 429, "too many at once: send it again later");
      const notification = readNotification(plain);
      const reception = notification === undefined ? "unreadable" : heard(notification);
      counted(reception);
      if (notification === undefined)
        log.warn({}, "a webhook held no notification that can be read; it was taken and dropped");
      else
        log.info(
          { type: notification.type, id: notification.payload.id, code: notification.payload.result?.code, reception },
          "webhook",
        );
      return { status: 200, words: reception };
    },
  };
}

/** A bucket that refills with time, up to one second's number. */
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

/** gateway-facts 3: the same id, code and timestamp are the same notification. */
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

/** Anybody may send garbage: the first refusal is logged at once, later ones as a number a minute. */
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
