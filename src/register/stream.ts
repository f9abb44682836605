import { type Granted, granted } from "../payment/refusal.ts";
import type { Caller, PaymentChange, Payments } from "./ports.ts";

/** Changes after a cursor that are known to flow, and wait to be let through. */
export interface Stream {
  /** Hands over what came so far, oldest first, and from then on every change as it comes. */
  begin(hear: (change: PaymentChange) => void): void;
  stop(): void;
}

/** Whose changes, and from where. */
export interface Source {
  readonly payments: Payments;
  readonly caller: Caller;
  readonly from: string;
  /** The stream broke after it had begun: what follows is missing. */
  broke(error: unknown): void;
}

/**
 * Follows the changes after `from`. Resolves with the first of them and does not wait for a long replay to end, so that none of it has to be kept in memory:
 * what comes before `begin` is a few changes at most.
 */
export function followFrom({ payments, caller, from, broke }: Source): Promise<Granted<Stream>> {
  const { promise, resolve, reject } = Promise.withResolvers<Granted<Stream>>();
  let early: PaymentChange[] = [];
  let hear: ((change: PaymentChange) => void) | undefined;
  let stopFollowing: (() => void) | undefined;
  let stopped = false;
  let flowing = false;

  const stream: Stream = {
    begin: (listener) => {
      hear = listener;
      const due = early;
      early = [];
      for (const change of due) listener(change);
    },
    stop: () => {
      stopped = true;
      stopFollowing?.();
    },
  };
  const changed = (change: PaymentChange): void => {
    if (stopped) return;
    if (hear === undefined) early.push(change);
    else hear(change);
    flowing = true;
    resolve(granted(stream));
  };
  payments.follow(caller, from, changed).then(
    (following) => {
      if (!following.ok) {
        if (flowing) broke(new Error(following.refusal.message));
        else resolve(following);
        return;
      }
      stopFollowing = following.value.stop;
      if (stopped) stopFollowing();
      resolve(granted(stream));
    },
    (error: unknown) => (flowing ? broke(error) : reject(error)),
  );
  return promise;
}
