import { type Granted, granted } from "../../payment/request.ts";
import type { Caller, PaymentChange, PaymentKey, Payments } from "../ports.ts";
import type { Ran } from "../rpc/call-result.ts";
import { followFrom, type Stream } from "./event-cursor.ts";
import { type Hold, openChannel } from "./notification-queue.ts";
import { openOwnStream } from "./own-events.ts";

/**
 * Payment changes for one socket: those it started; after `subscribe` all that its session may read. Changes wait while
 * a call that may cause them has no reply, so that a reply always precedes its effects.
 */
export interface Feed {
  /** Holds changes of the payment until `release`. */
  hold(key: PaymentKey): Hold;
  /** `hold` for a payment about to be started: once this resolves, none of its changes can be missed. */
  holdStart(reference: string): Promise<Granted<Hold>>;
  /** The reply names the stream's starting cursor; the stream starts after the reply. Only once a socket. */
  subscribe(after: string | undefined): Promise<Ran<{ cursor: string }>>;
  stop(): void;
}

export interface FeedPorts {
  readonly payments: Payments;
  readonly caller: Caller;
  tell(change: PaymentChange): void;
  /** The stream broke and changes are missing. The socket must close, so that the register resumes by cursor. */
  broke(error: unknown): void;
}

/** A lock that is granted in order of request; resolves with its release function. */
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
      // The newest cursor would skip changes that the own stream has not delivered yet.
      const told = own.pause();
      const from = after ?? told ?? (await payments.cursor());
      const following = await followFrom({ payments, caller, from, broke });
      if (!following.ok) return following;
      begun = true;
      all = following.value;
      if (stopped) all.stop();
      return {
        ok: true,
        value: { cursor: following.value.cursor },
        replied: () => changeOver(following.value, from, unlock),
      };
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
  refusal: {
    code: "not-allowed",
    message: "this socket is subscribed already: open another one to start at another cursor",
    advice: "fix-request",
  },
};
