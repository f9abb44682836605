import { type Granted, granted } from "../../payment/request.ts";
import type { Caller, PaymentChange, Payments } from "../ports.ts";

/** A stream of changes after a cursor, which starts but does not deliver until `begin`. */
export interface Stream {
  /** Cursor of its start. */
  readonly cursor: string;
  /** Delivers the changes so far, oldest first, and from then on every change as it comes. */
  begin(hear: (change: PaymentChange) => void): void;
  stop(): void;
}

/** The register and the cursor to start from. */
export interface Source {
  readonly payments: Payments;
  readonly caller: Caller;
  readonly from: string;
  /** The stream broke after its start: later changes are missing. */
  broke(error: unknown): void;
}

/**
 * Follows the changes after `from`. Does not wait for a long replay, so that it can be stopped and stays out of memory:
 * few changes precede `begin`.
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
