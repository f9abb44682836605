import type { Figures } from "./figures.ts";

/**
 * Duration of a step, by the monotonic clock. Every label has a fixed list of values.
 * - `own`: the bridge's own share of a payment, from each input until its facts are durable
 * - `sync`: one commit of the journal with its witness; `loop`: a timer's delay
 */
export type Took = { readonly ms: number } & (
  | { readonly of: "card"; readonly entryMode: string }
  | { readonly of: "terminal"; readonly terminal: string }
  | { readonly of: "gateway"; readonly operation: string }
  | { readonly of: "journal" | "sync" | "loop" }
  | { readonly of: "own"; readonly type: string }
  | { readonly of: "payment"; readonly type: string; readonly outcome: string }
);

/** Upper bounds in seconds, dense where typical shops lie. */
const BUCKETS = {
  /** Depends on people. */
  card: [1, 2, 5, 10, 15, 20, 30, 45, 60, 120, 300, 600],
  /** A completion takes a tenth of a second on a fast device, and some seconds on a slow one. */
  terminal: [0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 30, 60],
  /** Network and issuer; the time limit is 45 s by default and 120 s at most. */
  gateway: [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 45, 90, 120],
  /** A few syncs of a disk: 0.2 ms on a fast one, 20 ms on a memory card. */
  disk: [0.0002, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  /** About ten appends. */
  own: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  /** A person notices a tenth of a second. */
  loop: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  /** From a stored card to one searched in a bag. Longer times: a link to be paid, or an unknown outcome. */
  payment: [1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 300, 600, 1800, 3600],
};

export function stepTimes({ histogram }: Figures): (what: Took) => void {
  const card = histogram(
    "posbridge_card_seconds",
    "From asking for a card until it was read",
    ["entry_mode"],
    BUCKETS.card,
  );
  const terminal = histogram(
    "posbridge_terminal_seconds",
    "From the issuer's answer until the card's last word",
    ["terminal"],
    BUCKETS.terminal,
  );
  const gateway = histogram(
    "posbridge_gateway_seconds",
    "Gateway requests from sending to answer, or to the time limit",
    ["operation"],
    BUCKETS.gateway,
  );
  const journal = histogram(
    "posbridge_journal_append_seconds",
    "Appends to the journal, from the call until they are durable",
    [],
    BUCKETS.disk,
  );
  const sync = histogram(
    "posbridge_journal_sync_seconds",
    "Commits of the journal to the disk, its witness included",
    [],
    BUCKETS.disk,
  );
  const own = histogram(
    "posbridge_payment_own_seconds",
    "What the bridge itself took of a payment until it was final",
    ["type"],
    BUCKETS.own,
  );
  const loop = histogram(
    "posbridge_event_loop_delay_seconds",
    "How late timers of the event loop were",
    [],
    BUCKETS.loop,
  );
  const payment = histogram(
    "posbridge_payment_seconds",
    "Payments from acceptance to their final state",
    ["type", "outcome"],
    BUCKETS.payment,
  );
  return (what) => {
    const seconds = what.ms / 1000;
    switch (what.of) {
      case "card":
        return card({ entry_mode: what.entryMode }, seconds);
      case "terminal":
        return terminal({ terminal: what.terminal }, seconds);
      case "gateway":
        return gateway({ operation: what.operation }, seconds);
      case "journal":
        return journal({}, seconds);
      case "sync":
        return sync({}, seconds);
      case "own":
        return own({ type: what.type }, seconds);
      case "loop":
        return loop({}, seconds);
      case "payment":
        return payment({ type: what.type, outcome: what.outcome }, seconds);
    }
  };
}
