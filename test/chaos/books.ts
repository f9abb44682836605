import { z } from "zod";

/** A row of the gateway's ledger as an outsider reads it (contract, section 4). */
const rowSchema = z.object({
  id: z.string(),
  entityId: z.string(),
  paymentType: z.string(),
  amount: z.string().optional(),
  currency: z.string().optional(),
  merchantTransactionId: z.string().optional(),
  referencedId: z.string().optional(),
  /** The stored card that paid. */
  chargedRegistrationId: z.string().optional(),
  resultCode: z.string(),
  receivedAt: z.string(),
  parameters: z.record(z.string(), z.string()),
});
export type Row = z.output<typeof rowSchema>;

export const ledgerSchema = z.object({ bookings: z.array(rowSchema) });

/**
 * The gateway's published patterns for "successfully processed" and "to be reviewed", and 000.400.030: approved, and
 * its own reversal failed. Written down here once more,
 * so that a mistake in the bridge's or the sandbox's tables is seen.
 */
const MOVED = /^(000\.000\.|000\.100\.1|000\.[36]|000\.400\.[1][12]0|000\.400\.0[^3]|000\.400\.100|000\.400\.030)/;
/** Declined, and the issuer keeps the amount reserved all the same. */
const KEPT_DESPITE_DECLINE: readonly string[] = ["800.100.192", "800.400.110"];

export function moved({ resultCode }: Pick<Row, "resultCode">): boolean {
  return MOVED.test(resultCode);
}

/** The gateway's own reversal failed, so that the money is held: that is no approval. */
export function isInDoubt({ resultCode }: Row): boolean {
  return resultCode === "000.400.030";
}

/** Processed, and the amounts differ: what a reversal of the rest may follow. */
export function isInPart({ resultCode }: Row): boolean {
  return resultCode === "000.400.040";
}

export function isKeptDespiteDecline({ resultCode }: Row): boolean {
  return KEPT_DESPITE_DECLINE.includes(resultCode);
}

/** In the currency's smallest unit; every amount here is in euro. */
export function cents(amount: string | undefined): number {
  return amount === undefined ? 0 : Math.round(Number(amount) * 100);
}

/** What is left of a booking after all that takes it back: in cents, or 1 and 0 where bookings have no amount. */
export interface Net {
  readonly row: Row;
  readonly left: number;
}

/**
 * The bookings of these types that moved money, each with what is left of it. Only rows among `rows` count; those that
 * take back must have moved something too.
 */
export function netOf(rows: readonly Row[], by: readonly string[], takenBackBy: readonly string[]): readonly Net[] {
  const effective = rows.filter(moved);
  return effective
    .filter(({ paymentType }) => by.includes(paymentType))
    .map((row) => {
      const back = effective.filter(
        ({ referencedId, paymentType }) => referencedId === row.id && takenBackBy.includes(paymentType),
      );
      if (row.amount === undefined) return { row, left: back.length > 0 ? 0 : 1 };
      return { row, left: cents(row.amount) - back.reduce((total, one) => total + cents(one.amount), 0) };
    });
}

/**
 * Whose rows these are: by the merchantTransactionIds that the journal gives for each payment, and what the gateway did
 * by itself by what it refers to.
 */
export function rowsByOwner(
  rows: readonly Row[],
  owners: ReadonlyMap<string, string>,
): { readonly owned: ReadonlyMap<string, readonly Row[]>; readonly strange: readonly Row[] } {
  const ownerOfRow = new Map<string, string>();
  const owned = new Map<string, Row[]>();
  const strange: Row[] = [];
  for (const row of rows) {
    const { merchantTransactionId, referencedId = "" } = row;
    const owner =
      merchantTransactionId === undefined ? ownerOfRow.get(referencedId) : owners.get(merchantTransactionId);
    if (owner === undefined) {
      strange.push(row);
      continue;
    }
    ownerOfRow.set(row.id, owner);
    owned.set(owner, [...(owned.get(owner) ?? []), row]);
  }
  return { owned, strange };
}
