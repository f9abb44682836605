import { type Fact, factSchema, fold } from "../../payment/machine.ts";
import type { Payment } from "../../payment/state.ts";
import type { Journal, StoredFact } from "../ports.ts";

/** A fact unknown to this program. The chain is intact, so a newer program wrote it. */
export class UnreadableFact extends Error {
  constructor(number: number, problem: string) {
    super(
      `fact ${number} of the journal is not one that this version knows (${problem}): install the newer posbridge that wrote it; nothing was changed`,
    );
    this.name = "UnreadableFact";
  }
}

export function readFact(stored: StoredFact): Fact {
  const parsed = factSchema.safeParse(stored.fact);
  if (parsed.success) return parsed.data;
  throw new UnreadableFact(stored.number, parsed.error.issues[0]?.path.join(".") ?? "unknown form");
}

/** The payment folded from its facts, with the number of the last one. */
export function readPayment(
  stored: readonly StoredFact[],
): { readonly payment: Payment; readonly cursor: number } | undefined {
  const payment = fold(stored.map(readFact));
  const cursor = stored.at(-1)?.number;
  return payment === undefined || cursor === undefined ? undefined : { payment, cursor };
}

export async function recall(
  journal: Pick<Journal, "facts">,
  id: string,
): Promise<{ readonly payment: Payment; readonly cursor: number } | undefined> {
  return readPayment(await journal.facts(id));
}
