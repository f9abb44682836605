import type { Fact } from "../../payment/machine.ts";

/** The numbers of the requests to the gateway, by which an acquirer tells those of a terminal apart (gateway-facts 4.2): one series for the whole bridge. */
export interface Sequence {
  /** Goes on behind this number, the highest in the journal. */
  goOnAfter(last: number): void;
  /** No fact has it. */
  next(): number;
  /** Facts that are about to be written: the numbers in them are gone, also where the write fails. */
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
