/** A payment as it was told, as far as its terminal is concerned. */
interface Told {
  readonly reference: string;
  readonly terminal: string;
  readonly state: string;
}

/** States in which a payment has its terminal to itself (contract, section 3). */
const USING: readonly string[] = ["AWAITING_CARD", "AUTHORIZING", "COMPLETING"];
/** Nothing to do with a terminal; and what has no terminal at all says so by an empty name. */
const WITHOUT_CARD: readonly string[] = ["CAPTURE", "VOID", "LINKED_REFUND", "INCREMENT"];

/**
 * Who has which terminal, as one connection tells it: the changes come in the order in which they happened, also those
 * that are told later by cursor.
 */
export interface TerminalUse {
  /** What is wrong with this change, if anything is: somebody else has that terminal (truth 5). */
  hear(change: Told & { readonly type: string }): string | undefined;
}

export function createTerminalUse(): TerminalUse {
  const users = new Map<string, string>();
  return {
    hear: ({ reference, terminal, state, type }) => {
      if (WITHOUT_CARD.includes(type) || terminal === "") return undefined;
      const user = users.get(terminal);
      if (!USING.includes(state)) {
        if (user === reference) users.delete(terminal);
        return undefined;
      }
      users.set(terminal, reference);
      return user === undefined || user === reference
        ? undefined
        : `${terminal} is used by ${reference} (${state}) while ${user} has it`;
    },
  };
}
