import type { Journal, PaymentRow } from "../../../src/engine/ports.ts";

export const AT = "2026-02-03T04:05:06.789Z";

/** The row of payment number `n`, born `n` milliseconds into the day. */
export function paymentRow(n: number, changes: Partial<PaymentRow> = {}): PaymentRow {
  return {
    payment: `pay_${String(n).padStart(24, "0")}`,
    register: "till-1",
    reference: `sale ${n}`,
    terminal: "terminal-1",
    order: null,
    type: "SALE",
    currency: "EUR",
    amount: 1234,
    state: "CREATED",
    outcome: null,
    open: true,
    createdAt: new Date(Date.UTC(2026, 1, 3) + n).toISOString(),
    ...changes,
  };
}

/** The row of that payment as the journal has it. */
export async function rowIn(
  journal: Pick<Journal, "byReferenceOfAny">,
  { payment, reference }: PaymentRow,
): Promise<PaymentRow | undefined> {
  return (await journal.byReferenceOfAny(reference)).find((row) => row.payment === payment);
}

/**
 * What append number `n` of a process that only appends consists of: one fact or several, small or large, told by the
 * number alone.
 */
export function factsOfAppend(
  n: number,
): readonly { readonly fact: string; readonly n: number; readonly part: number; readonly text: string }[] {
  return Array.from({ length: 1 + (n % 3) }, (_, part) => ({
    fact: "queued",
    n,
    part,
    text: "x".repeat((n * 7 + part) % 900),
  }));
}
