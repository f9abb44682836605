import { z } from "zod";

/** A row of the sandbox's ledger (docs/sandbox.md, "Calls for tests"), as far as the tests look at it. */
export const ledgerSchema = z.object({
  bookings: z.array(
    z.object({
      id: z.string(),
      paymentType: z.enum(["PA", "DB", "CD", "CP", "RV", "RF"]),
      amount: z.string().optional(),
      merchantTransactionId: z.string().optional(),
      referencedId: z.string().optional(),
      resultCode: z.string(),
      parameters: z.record(z.string(), z.string()),
    }),
  ),
});
export type LedgerRow = z.output<typeof ledgerSchema>["bookings"][number];

/** What rows of the ledger come to: how often money was moved, and what is left of it. */
export interface Books {
  readonly PA: number;
  readonly CP: number;
  readonly RV: number;
  readonly others: number;
  /** Reserved, and neither captured nor given back. */
  readonly held: string;
  /** Taken from the cardholder. */
  readonly captured: string;
}

/** One reservation, one capture, nothing else: what an approved sale leaves behind. */
export const soldFor = (amount: string): Books => ({ PA: 1, CP: 1, RV: 0, others: 0, held: "0.00", captured: amount });
/** Never booked at all. */
export const nothingBooked: Books = { PA: 0, CP: 0, RV: 0, others: 0, held: "0.00", captured: "0.00" };
/** Booked once, and taken back. */
export const takenBack: Books = { ...nothingBooked, PA: 1, RV: 1 };

/** The gateway's published pattern for "successfully processed"; written here once more, so that a mistake of the sandbox's own is seen. */
const MOVED_MONEY = /^(000\.000\.|000\.100\.1|000\.[36]|000\.400\.[1][12]0)/;

export function booksOf(rows: readonly LedgerRow[]): Books {
  const moved = rows.filter(({ resultCode }) => MOVED_MONEY.test(resultCode));
  const of = (paymentType: LedgerRow["paymentType"], id?: string): readonly LedgerRow[] =>
    moved.filter((row) => row.paymentType === paymentType && (id === undefined || row.referencedId === id));
  const captures = of("CP").map((capture) => cents([capture]) - cents(of("RV", capture.id)) - cents(of("RF", capture.id)));
  const captured = captures.reduce((total, one) => total + one, 0) + cents(of("DB"));
  const reserved = of("PA").reduce((total, booking) => total + cents([booking]) - cents(of("RV", booking.id)) - cents(of("CP", booking.id)), 0);
  const others = of("DB").length + of("CD").length + of("RF").length;
  return { PA: of("PA").length, CP: of("CP").length, RV: of("RV").length, others, held: money(reserved), captured: money(captured) };
}

function cents(rows: readonly LedgerRow[]): number {
  return rows.reduce((total, { amount = "0" }) => total + Math.round(Number(amount) * 100), 0);
}

const money = (minor: number): string => (minor / 100).toFixed(2);
