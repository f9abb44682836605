import type { Caller, PaymentChange, PaymentKey } from "../ports.ts";

export interface Hold {
  /** `started`: from now on this socket gets the payment's changes. */
  release(started: boolean): void;
}

/**
 * Filters and orders the changes for one socket: only the wanted ones, and none before the reply to the call that
 * caused it.
 */
export interface Channel {
  /** Delivers a change, or keeps it until the reply that it waits for. */
  hear(change: PaymentChange): void;
  hold(key: PaymentKey): Hold;
  /** Delivers every change from now on. */
  widen(): void;
  close(): void;
}

export function openChannel(caller: Caller, tell: (change: PaymentChange) => void): Channel {
  const holds = new Set<PaymentKey>();
  const started = new Set<string>();
  let waiting: PaymentChange[] = [];
  let wide = false;
  let closed = false;

  const isHeld = ({ payment }: PaymentChange): boolean =>
    [...holds].some((key) =>
      "id" in key ? key.id === payment.id : key.reference === payment.reference && payment.register === caller.register,
    );
  const isWanted = ({ payment }: PaymentChange): boolean =>
    wide || (payment.register === caller.register && started.has(payment.reference));
  // A change behind a held one waits too. Its higher cursor would otherwise let a resuming register miss the held
  // change.
  const hear = (change: PaymentChange): void => {
    if (closed) return;
    if (waiting.length > 0 || isHeld(change)) waiting.push(change);
    else if (isWanted(change)) tell(change);
  };
  const hold = (key: PaymentKey): Hold => {
    const own = { ...key };
    holds.add(own);
    const release = (begun: boolean): void => {
      holds.delete(own);
      if (begun && "reference" in own) started.add(own.reference);
      const due = waiting;
      waiting = [];
      due.forEach(hear);
    };
    return { release };
  };
  const widen = (): void => {
    wide = true;
  };
  const close = (): void => {
    closed = true;
  };
  return { hear, hold, widen, close };
}
