import { type Granted, granted } from "../../payment/refusal.ts";
import type { Caller, PaymentChange, PaymentKey, Payments } from "../ports.ts";
import type { Ran } from "../rpc/call-result.ts";
import { followFrom, type Stream } from "./event-cursor.ts";
import { type Hold, openChannel } from "./notification-queue.ts";
import { openOwnStream } from "./own-events.ts";

/**
 * What one socket is told of payments. Until `subscribe` that is payments this socket started, after it everything its session may read. Changes of a payment are held back
 * while a call that may cause them has no reply yet, so that a reply always comes before what it caused.
 */
export interface Feed {
  /** Holds changes of the payment until `release`. */
  hold(key: PaymentKey): Hold;
  /** The same for a payment about to be started: once this resolves, none of its changes can be missed. */
  holdStart(reference: string): Promise<Granted<Hold>>;
  /** The reply names the cursor where the stream begins; the stream itself starts with the reply. Only once a socket. */
  subscribe(after: string | undefined): Promise<Ran<{ cursor: string }>>;
  stop(): void;
}

export interface FeedPorts {
  readonly payments: Payments;
  readonly caller: Caller;
  tell(change: PaymentChange): void;
  /** The stream broke and what follows is missing: the socket has to be closed, so that the register resumes by cursor. */
  broke(error: unknown): void;
}

/** One at a time, in the order of asking: resolves with what lets the next one in. */
function openLock(): () => Promise<() => void> {
  let last: Promise<void> = Promise.resolve();
  return async () => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await before;
    return resolve;
  };
}

export function openFeed({ payments, caller, tell, broke }: FeedPorts): Feed {
  const channel = openChannel(caller, tell);
  const own = openOwnStream({ payments, caller, broke }, channel.hear);
  const lock = openLock();
  let all: Stream | undefined;
  let stopped = false;

  const holdStart = async (reference: string): Promise<Granted<Hold>> => {
    const held = channel.hold({ reference });
    const unlock = await lock();
    let kept = false;
    try {
      const following = all === undefined ? await own.ensure() : granted(undefined);
      kept = following.ok;
      return following.ok ? granted(held) : following;
    } finally {
      if (!kept) held.release(false);
      unlock();
    }
  };

  const subscribe = async (after: string | undefined): Promise<Ran<{ cursor: string }>> => {
    const unlock = await lock();
    let begun = false;
    try {
      if (all !== undefined) return alreadySubscribed;
      // Not simply the newest cursor: the own stream may be some changes behind it, and those would be missed.
      const told = own.pause();
      const from = after ?? told ?? (await payments.cursor());
      const following = await followFrom({ payments, caller, from, broke });
      if (!following.ok) return following;
      begun = true;
      all = following.value;
      if (stopped) all.stop();
      return { ok: true, value: { cursor: following.value.cursor }, replied: () => changeOver(following.value, from, unlock) };
    } finally {
      if (!begun) {
        own.resume();
        unlock();
      }
    }
  };
  const changeOver = (stream: Stream, from: string, unlock: () => void): void => {
    own.endAt(from);
    channel.widen();
    stream.begin(channel.hear);
    unlock();
  };

  const stop = (): void => {
    stopped = true;
    channel.close();
    own.stop();
    all?.stop();
  };
  return { hold: channel.hold, holdStart, subscribe, stop };
}

const alreadySubscribed: Ran<never> = {
  ok: false,
  refusal: { code: "not-allowed", message: "this socket is subscribed already: open another one to start at another cursor", advice: "fix-request" },
};
