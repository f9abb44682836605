import { fromHex } from "../../../../src/kit/hex.ts";
import type { Random } from "../../../../src/kit/random.ts";
import { envelopeOf } from "../../../../src/webhook/envelope.ts";
import { IV_BYTES, seal } from "../../../../src/webhook/seal.ts";
import type { Announce } from "../events.ts";
import { collectionOf } from "../ledger/records.ts";
import type { SandboxStore } from "../ledger/store.ts";
import type { OutgoingRequest, OutgoingResult, Send } from "../outgoing.ts";
import { newId } from "../replies.ts";
import type { SandboxRules } from "../rules.ts";
import type { SandboxClock } from "../sandbox-clock.ts";
import { createDeliveries, isTaken } from "./deliveries.ts";
import { TEST_NOTIFICATION } from "./notification.ts";
import { type Hook, hookSchema, type NewHook, type Target } from "./records.ts";
import { ANSWER_MS, orderly, unruly } from "./schedule.ts";
import { createTeller, notificationUrlOf } from "./teller.ts";

/** The webhooks of the gateway (specification, "Events"; gateway facts, 3). */
export interface Webhooks {
  /** Stores the notifications for all interested webhooks; call inside the event's transaction. */
  readonly announce: Announce;
  add(hook: NewHook): Hook;
  list(): readonly HookState[];
  /** False: no webhook has that id. */
  remove(id: string): boolean;
  /** Sends the test delivery and activates the webhook if accepted; undefined: no webhook has that id. */
  test(id: string): Promise<OutgoingResult | undefined>;
  /** Continues deliveries of an earlier process. */
  resume(): void;
  stop(): void;
}

export interface HookState {
  readonly hook: Hook;
  /** Number of deliveries not accepted yet. */
  readonly waiting: number;
  /** Result of the latest try in this process. */
  readonly last: OutgoingResult | undefined;
}

export interface WebhooksPorts {
  readonly store: SandboxStore;
  readonly clock: SandboxClock;
  readonly random: Random;
  readonly send: Send;
  readonly rules: SandboxRules;
  /** Whether deliveries go out once and in order; otherwise some are repeated or overtaken, as at the gateway. */
  readonly orderly: boolean;
}

/** Parallel deliveries to one receiver if order does not matter. */
const ABREAST = 8;

export function createWebhooks(ports: WebhooksPorts): Webhooks {
  const { store, clock, random, send } = ports;
  const hooks = collectionOf(store, "webhook", hookSchema);
  const last = new Map<string, OutgoingResult>();
  // In memory too, so that payments without webhooks need no store access.
  let known = hooks.all();
  let stopped = false;
  const keep = (hook: Hook): void => {
    hooks.put(hook.id, hook);
    known = hooks.all();
  };
  const deliveries = createDeliveries({
    ...{ store, clock, random, send, fates: ports.orderly ? orderly : unruly(), abreast: ports.orderly ? 1 : ABREAST },
    requestTo: (to, notification) => requestTo(to, known, notification, random),
    tried: (to, result) => void ("hook" in to && last.set(to.hook, result)),
  });

  const teller = createTeller({ ...ports, hooks: () => known, deliveries });
  return {
    announce(event) {
      if (known.length === 0 && notificationUrlOf(event.booking) === undefined) return;
      teller.tell(event);
    },
    add(asked) {
      const hook: Hook = { ...asked, id: newId(random), active: false, createdAt: clock.now() };
      keep(hook);
      return hook;
    },
    list() {
      const waiting = deliveries.waiting();
      return known.map((hook) => ({ hook, waiting: waiting.get(hook.id) ?? 0, last: last.get(hook.id) }));
    },
    remove(id) {
      if (hooks.get(id) === undefined) return false;
      store.atomically(() => {
        hooks.remove(id);
        deliveries.drop({ hook: id });
      });
      known = hooks.all();
      return true;
    },
    async test(id) {
      const hook = hooks.get(id);
      if (hook === undefined) return undefined;
      const result = await send(sealedRequest(hook, TEST_NOTIFICATION, random));
      if (stopped) return result;
      last.set(id, result);
      if (isTaken(result) && hooks.get(id) !== undefined) keep({ ...hook, active: true });
      return result;
    },
    resume() {
      teller.resume();
      deliveries.resume();
    },
    stop() {
      stopped = true;
      deliveries.stop();
    },
  };
}

function requestTo(
  to: Target,
  hooks: readonly Hook[],
  notification: string,
  random: Random,
): OutgoingRequest | undefined {
  if ("url" in to) return post(to.url, { "content-type": "application/json;charset=UTF-8" }, notification);
  const hook = hooks.find(({ id }) => id === to.hook);
  return hook && sealedRequest(hook, notification, random);
}

function sealedRequest({ url, key, wrapper }: Hook, notification: string, random: Random): OutgoingRequest {
  const { headers, body } = envelopeOf(
    seal(Buffer.from(notification, "utf8"), fromHex(key), random.bytes(IV_BYTES)),
    wrapper,
  );
  return post(url, headers, body);
}

function post(url: string, headers: Readonly<Record<string, string>>, body: string): OutgoingRequest {
  return { method: "POST", url, headers, body, timeoutMs: ANSWER_MS };
}
