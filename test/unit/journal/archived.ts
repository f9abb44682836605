import type { Json, StoredFact } from "../../../src/engine/ports.ts";
import type { Archived, ArchiveOrder } from "../../../src/journal/archiver.ts";
import type { OpenJournal } from "../../../src/journal/sqlite-journal.ts";
import { AT, paymentRow } from "./payment-row.ts";

const LATER = "2027-06-01T00:00:00.000Z";

/** Everything that is old goes, at once. */
export const everything: ArchiveOrder = {
  before: LATER,
  mayGo: () => true,
  isInUse: () => false,
  pause: async () => true,
};

export const paymentOf = (n: number): string => paymentRow(n).payment;

/** A fact by which the gateway knows the payment, and one of its answers. */
const factsNumbered = (n: number, text = ""): readonly Json[] => [
  { fact: "attempt-intended", operation: { merchantTransactionId: `name-${n}`, sequenceNumber: n }, text },
  { fact: "attempt-answered", answer: { id: `booking-${n}` }, text: 'Ä\u2028\ud800 \\ "' },
];

/** Closed payments of four facts each, of which two at a time were under way together. */
export async function sellClosed(
  journal: Pick<OpenJournal, "append">,
  from: number,
  to: number,
  text = "",
): Promise<void> {
  const appends = [];
  for (let n = from; n < to; n += 2) {
    const both = [n, n + 1].filter((one) => one < to);
    for (const one of both)
      appends.push(
        journal.append([{ fact: "accepted", channel: { entityId: `entity-${one % 3}` } }], AT, paymentRow(one)),
      );
    for (const one of both) appends.push(journal.append(factsNumbered(one, text), AT, paymentRow(one)));
    for (const one of both)
      appends.push(
        journal.append(
          [{ fact: "concluded" }],
          AT,
          paymentRow(one, { open: false, state: "FINAL", outcome: "APPROVED" }),
        ),
      );
  }
  await Promise.all(appends);
}

interface Everything {
  readonly facts: Readonly<Record<string, readonly StoredFact[]>>;
  readonly names: readonly (string | undefined)[];
  readonly bookings: readonly (readonly string[])[];
  readonly channels: readonly object[];
  readonly last: number;
  readonly sequence: number;
}

/** What a journal says of payments 1 to `to`. */
export async function everythingIn(
  journal: Pick<
    OpenJournal,
    "facts" | "byMerchantTransactionId" | "byGatewayId" | "channels" | "lastNumber" | "lastSequenceNumber"
  >,
  to: number,
): Promise<Everything> {
  const numbers = Array.from({ length: to }, (_, n) => n + 1);
  const facts: Record<string, readonly StoredFact[]> = {};
  for (const n of numbers) facts[paymentOf(n)] = await journal.facts(paymentOf(n));
  return {
    facts,
    names: await Promise.all(numbers.map((n) => journal.byMerchantTransactionId(`name-${n}`))),
    bookings: await Promise.all(numbers.map((n) => journal.byGatewayId(`booking-${n}`))),
    channels: await journal.channels(),
    last: await journal.lastNumber(),
    sequence: await journal.lastSequenceNumber(),
  };
}

export const none: Archived = { payments: 0, segments: 0, pages: 0 };
