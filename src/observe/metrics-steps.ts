import type { Figures } from "./figures.ts";

/**
 * How long a step took, by a clock that only goes forward. Every word is one of a list that no register and no card can make longer.
 * - `own`: what the bridge itself took of a payment, from each input until its facts were durable;
 * - `sync`: one commit of the journal, the sync of its witness included; `loop`: how late a timer of the event loop was.
 */
export type Took = { readonly ms: number } & (
  | { readonly of: "card"; readonly entryMode: string }
  | { readonly of: "terminal"; readonly terminal: string }
  | { readonly of: "gateway"; readonly operation: string }
  | { readonly of: "journal" | "sync" | "loop" }
  | { readonly of: "own"; readonly type: string }
  | { readonly of: "payment"; readonly type: string; readonly outcome: string }
);

/** Upper bounds in seconds, close where a shop's own figures lie. */
const BUCKETS = {
  /** People. */
  card: [1, 2, 5, 10, 15, 20, 30, 45, 60, 120, 300, 600],
  /** A completion takes a tenth of a second on a quick device, and some seconds on a slow one. */
  terminal: [0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 30, 60],
  /** A network and an issuer; time limits are 45 s usually and 120 s at most. */
  gateway: [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 45, 90, 120],
  /** Some syncs of a disk: 0.2 ms on a quick one, 20 ms on a memory card. */
  disk: [0.0002, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  /** Some ten appends. */
  own: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  /** A person notices a tenth of a second. */
  loop: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  /** From a stored card to one that is sought in a bag; what is longer waited for a link to be paid, or for an unknown outcome. */
  payment: [1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 300, 600, 1800, 3600],
};

export function stepTimes({ histogram }: Figures): (what: Took) => void {
  const card = histogram("posbridge_card_seconds", "From asking for a card until it was read", ["entry_mode"], BUCKETS.card);
  const terminal = histogram("posbridge_terminal_seconds", "From the issuer's answer until the card's last word", ["terminal"], BUCKETS.terminal);
  const gateway = histogram("posbridge_gateway_seconds", "Gateway requests from sending to answer, or to the time limit", ["operation"], BUCKETS.gateway);
  const journal = histogram("posbridge_journal_append_seconds", "Appends to the journal, from the call until they are durable", [], BUCKETS.disk);
  const sync = histogram("posbridge_journal_sync_seconds", "Commits of the journal to the disk, its witness included", [], BUCKETS.disk);
  const own = histogram("posbridge_payment_own_seconds", "What the bridge itself took of a payment until it was final", ["type"], BUCKETS.own);
  const loop = histogram("posbridge_event_loop_delay_seconds", "How late timers of the event loop were", [], BUCKETS.loop);
  const payment = histogram("posbridge_payment_seconds", "Payments from acceptance to their final state", ["type", "outcome"], BUCKETS.payment);
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
