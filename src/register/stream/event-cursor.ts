import { type Granted, granted } from "../../payment/refusal.ts";
import type { Caller, PaymentChange, Payments } from "../ports.ts";

/** Changes after a cursor that are known to flow, and wait to be let through. */
export interface Stream {
  /** Where it begins. */
  readonly cursor: string;
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
 * Follows the changes after `from`. Does not wait for a long replay to end, so that none of it has to be kept in memory and it can be stopped at any time: what comes before
 * `begin` is a few changes at most.
 */
export async function followFrom({ payments, caller, from, broke }: Source): Promise<Granted<Stream>> {
  let early: PaymentChange[] = [];
  let hear: ((change: PaymentChange) => void) | undefined;
  let stopped = false;

  const following = await payments.follow(caller, from, (change) => {
    if (stopped) return;
    if (hear === undefined) early.push(change);
    else hear(change);
  });
  if (!following.ok) return following;
  const { cursor, stop, told } = following.value;
  told.catch((error: unknown) => {
    if (!stopped) broke(error);
  });
  return granted({
    cursor,
    begin: (listener) => {
      hear = listener;
      const due = early;
      early = [];
      for (const change of due) listener(change);
    },
    stop: () => {
      stopped = true;
      stop();
    },
  });
}
