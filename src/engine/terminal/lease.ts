/** Who has which terminal. A lease is given back when the device is idle, not when the payment is final; those who wait come in order. */
export interface Leases {
  /** Payment that holds the terminal now. */
  holder(terminal: string): string | undefined;
  waiting(terminal: string): number;
  /** Takes the terminal, or a place in its queue. `granted` is called at once, or when it is this payment's turn. */
  ask(terminal: string, payment: string, granted: () => void): "granted" | "queued";
  /** Gives the terminal back, or the place in the queue. */
  giveBack(terminal: string, payment: string): void;
  /** Nobody is granted anything any more; who has a terminal keeps it. */
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
