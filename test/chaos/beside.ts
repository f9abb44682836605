import { CallRefused } from "../../src/client/errors.ts";
import { startResultSchema } from "../../src/register/rpc/schemas.ts";
import { aside, decided, request, type Send, started } from "./asking.ts";
import { type Counts, count } from "./misfortunes.ts";
import type { Conduct, Moment } from "./plan.ts";
import { type Entry, newEntry } from "./record.ts";
import type { Register } from "./register.ts";

/** What a register does besides waiting for a payment. */

/** Whatever is to happen in a payment's life, by the moment. */
export interface Happening {
  readonly at: Moment;
  readonly run: () => Promise<void>;
}

interface Beside {
  readonly register: Register;
  readonly entries: Pick<Entry[], "push">;
  readonly counts: Counts;
  /** How long a cashier stays with a payment that is not decided. */
  readonly patienceMs: number;
}

/** `step`: which payment of the customer's it is. */
export function conductOn(
  on: Beside,
  { repeats, anew, rush, cancel, away }: Conduct,
  entry: Entry,
  step: number,
  send: Send,
): readonly Happening[] {
  const { register, counts } = on;
  const isSaleAtTerminal = entry.kind === "SALE" && entry.by === "card";
  const isCancelled = cancel !== undefined && (cancel.only ?? step) === step;
  return [
    ...repeats.map((at) => ({ at, run: () => aside(register, entry, send) })),
    ...(anew === undefined || !isSaleAtTerminal ? [] : [{ at: anew, run: () => begunAnew(on, entry) }]),
    ...(rush === undefined || !isSaleAtTerminal ? [] : [{ at: rush, run: () => rushed(on, entry) }]),
    ...(isCancelled ? [{ at: cancel, run: () => cancelled(register, entry, counts) }] : []),
    ...(away === undefined ? [] : [{ at: away, run: async () => register.away(away.forMs) }]),
  ];
}

/**
 * A second payment for the order of one that may be undecided: to be refused as long as that is so. What is taken all
 * the same is called off again.
 */
async function begunAnew({ register, entries }: Beside, first: Entry): Promise<void> {
  const { terminal, currency, amount } = first;
  const reference = `${first.reference}-anew`;
  const params = {
    reference,
    type: "SALE",
    terminal,
    currency,
    merchantInvoiceId: reference,
    order: first.reference,
    queue: true,
  };
  const entry = newEntry({ ...first, reference });
  register.follow(entry);
  try {
    const { value, connection } = await register.ask((client) =>
      client.call("payment.start", { ...params, ...(amount !== undefined && { amount }) }, startResultSchema),
    );
    entries.push(entry);
    started(register, entry, connection, value);
    const { value: other } = await register.ask((client) => client.get({ reference: first.reference }));
    if (other.decision === undefined) entry.besideUndecided = first.reference;
    await register.ask((client) => client.cancel({ reference }));
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error;
  }
}

/** The next customer's sale on the same terminal, started before the first one is through. */
async function rushed({ register, entries, patienceMs }: Beside, first: Entry): Promise<void> {
  const { terminal, currency, amount } = first;
  const reference = `${first.reference}-next`;
  const entry = newEntry({ ...first, reference });
  entries.push(entry);
  register.follow(entry);
  const params = { reference, type: "SALE", terminal, currency, merchantInvoiceId: reference, queue: true };
  const accepted = await request(
    register,
    entry,
    (client) => client.call("payment.start", { ...params, ...(amount !== undefined && { amount }) }, startResultSchema),
    false,
  );
  if (accepted) await decided(register, entry, patienceMs);
}

async function cancelled(register: Register, entry: Entry, counts: Counts): Promise<void> {
  try {
    const { value, connection } = await register.ask((client) => client.cancel({ reference: entry.reference }));
    entry.cancellations.push(value.cancellation);
    register.note(entry, "cancel", connection, value.payment);
    count(counts, `cancellation ${value.cancellation}`);
  } catch (error) {
    // A payment that was never accepted cannot be cancelled either, and a bridge that stops takes nothing.
    if (!(error instanceof CallRefused)) throw error;
  }
}
