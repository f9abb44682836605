import type { Fact } from "../../payment/machine.ts";

/**
 * Sequence numbers of gateway requests: an acquirer distinguishes a terminal's requests by them (gateway-facts 4.2).
 * One series for the whole bridge.
 */
export interface Sequence {
  /** Continues after this number, the highest in the journal. */
  goOnAfter(last: number): void;
  /** A number that no fact has yet. */
  next(): number;
  /** Marks the numbers in these facts as used, even if their write fails. */
  use(facts: readonly Fact[]): void;
}

export function createSequence(): Sequence {
  let next = 1;
  return {
    goOnAfter: (last) => {
      next = last + 1;
    },
    next: () => next,
    use: (facts) => {
      for (const fact of facts) {
        if (fact.fact === "attempt-intended") next = Math.max(next, (fact.operation.sequenceNumber ?? 0) + 1);
      }
    },
  };
}
