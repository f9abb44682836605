/**
 * Assigns terminals to payments. A lease ends when the device is idle, not when the payment is final; waiting payments
 * follow in order.
 */
export interface Leases {
  holder(terminal: string): string | undefined;
  waiting(terminal: string): number;
  /** Leases the terminal or queues. `granted` is called at once, or at this payment's turn. */
  ask(terminal: string, payment: string, granted: () => void): "granted" | "queued";
  /** Returns the terminal, or leaves the queue. */
  giveBack(terminal: string, payment: string): void;
  /** Grants no more leases; existing ones stay. */
  close(): void;
  isClosed(): boolean;
}

interface Place {
  readonly payment: string;
  readonly granted: () => void;
}

export function createLeases(): Leases {
  const lines = new Map<string, Place[]>();
  let closed = false;
  const lineOf = (terminal: string): Place[] => {
    const line = lines.get(terminal) ?? [];
    lines.set(terminal, line);
    return line;
  };
  return {
    holder: (terminal) => lines.get(terminal)?.[0]?.payment,
    waiting: (terminal) => Math.max(0, (lines.get(terminal)?.length ?? 0) - 1),
    ask: (terminal, payment, granted) => {
      const line = lineOf(terminal);
      const at = line.findIndex((place) => place.payment === payment);
      if (at >= 0) line[at] = { payment, granted };
      else line.push({ payment, granted });
      if (closed || line[0]?.payment !== payment) return "queued";
      granted();
      return "granted";
    },
    giveBack: (terminal, payment) => {
      const line = lineOf(terminal);
      const at = line.findIndex((place) => place.payment === payment);
      if (at < 0) return;
      line.splice(at, 1);
      if (at === 0 && !closed) line[0]?.granted();
    },
    close: () => {
      closed = true;
    },
    isClosed: () => closed,
  };
}
