import { type Fact, factSchema, fold } from "../../payment/machine.ts";
import type { Payment } from "../../payment/state.ts";
import type { Journal, StoredFact } from "../ports.ts";

/** A fact that this program does not understand. The chain has shown that it is as it was written, so that a newer program wrote it. */
export class UnreadableFact extends Error {
  constructor(number: number, problem: string) {
    super(`fact ${number} of the journal is not one that this version knows (${problem}): install the newer posbridge that wrote it; nothing was changed`);
    this.name = "UnreadableFact";
  }
}

export function readFact(stored: StoredFact): Fact {
  const parsed = factSchema.safeParse(stored.fact);
  if (parsed.success) return parsed.data;
  throw new UnreadableFact(stored.number, parsed.error.issues[0]?.path.join(".") ?? "unknown form");
}

/** The payment that stored facts tell, with the number of the last of them. */
export function readPayment(stored: readonly StoredFact[]): { readonly payment: Payment; readonly cursor: number } | undefined {
  const payment = fold(stored.map(readFact));
  const cursor = stored.at(-1)?.number;
  return payment === undefined || cursor === undefined ? undefined : { payment, cursor };
}

export async function recall(journal: Pick<Journal, "facts">, id: string): Promise<{ readonly payment: Payment; readonly cursor: number } | undefined> {
  return readPayment(await journal.facts(id));
}
