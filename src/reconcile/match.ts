import { addsUp, type Difference, differencesOf } from "./difference.ts";
import type { FileRow } from "./file-row.ts";
import type { JournalAttempt, JournalBooking, JournalMoney } from "./journal-booking.ts";
import { moneyText } from "./money-text.ts";
import { isBefore, isWithin, type Period } from "./period.ts";

export interface Pair {
  readonly row: FileRow;
  readonly booking: JournalBooking;
}

/**
 * File and journal laid beside each other. Every row is in exactly one of `matched`, `differing`, `missingHere`, `chargebacks` and `fees`; the last two are information: the
 * journal knows nothing of either.
 */
export interface Reconciliation {
  readonly period: Period;
  readonly matched: readonly Pair[];
  readonly differing: readonly (Pair & { readonly differences: readonly Difference[] })[];
  /** Settled by the gateway, and the journal has no such booking (left); and chargebacks and fees that are wrong by themselves. */
  readonly missingHere: readonly { readonly row: FileRow; readonly note: string }[];
  /** Booked in the period as far as the journal knows, and not in the file. */
  readonly missingThere: readonly JournalBooking[];
  /** CHARGEBACK and CHARGEBACK REVERSAL, with the booking where it is one of this journal. */
  readonly chargebacks: readonly { readonly row: FileRow; readonly booking?: JournalBooking }[];
  readonly fees: readonly FileRow[];
}

/** Rows are found by the gateway's id first, and by merchantTransactionId where that finds nothing. In whichever order the rows come, the answer is the same. */
export function match(rows: readonly FileRow[], { bookings, others }: JournalMoney, period: Period): Reconciliation {
  const inOrder = rows.toSorted((a, b) => a.line - b.line);
  const objections = objectionsTo(inOrder);
  const sorted = inOrder.filter((row) => !objections.has(row));
  const of = finder(bookings, others);
  const note = annotator(others);
  const pairs: (Pair & { readonly differences: readonly Difference[] })[] = [];
  const strangers: FileRow[] = [];
  for (const row of sorted.filter(({ recordType }) => recordType === "SETTLED")) {
    const booking = of(row);
    if (booking === undefined) strangers.push(row);
    else pairs.push({ row, booking, differences: differencesOf(row, booking) });
  }
  // Of several rows for one booking the one that fits best is its own.
  const best = new Map<JournalBooking, (typeof pairs)[number]>();
  for (const pair of pairs) {
    const other = best.get(pair.booking);
    if (other === undefined || pair.differences.length < other.differences.length) best.set(pair.booking, pair);
  }
  const isBest = (pair: (typeof pairs)[number]): boolean => best.get(pair.booking) === pair;
  const own = pairs.filter(isBest);
  const again = pairs.filter((pair) => !isBest(pair)).map(({ row, booking }) => ({ row, note: `a second row for ${nameOf(booking)}` }));
  const wrong = [...objections].map(([row, objection]) => ({ row, note: objection }));
  return {
    period,
    matched: own.filter(({ differences }) => differences.length === 0).map(({ row, booking }) => ({ row, booking })),
    differing: own.filter(({ differences }) => differences.length > 0),
    missingHere: [...strangers.map((row) => ({ row, note: note(row) })), ...again, ...wrong].toSorted((a, b) => a.row.line - b.row.line),
    missingThere: missingThere(bookings, new Set(best.keys()), period),
    chargebacks: sorted
      .filter(({ recordType }) => recordType === "CHARGEBACK" || recordType === "CHARGEBACK REVERSAL")
      .map((row) => {
        const booking = of(row);
        return { row, ...(booking && { booking }) };
      }),
    fees: sorted.filter(({ recordType }) => recordType === "FEE"),
  };
}

/** An id that the journal knows as another request's is that request's, whatever name stands beside it. */
function finder(bookings: readonly JournalBooking[], others: readonly JournalAttempt[]): (row: FileRow) => JournalBooking | undefined {
  const byId = new Map(bookings.map((booking) => [booking.gatewayId, booking]));
  const byName = new Map(bookings.map((booking) => [booking.merchantTransactionId, booking]));
  const known = new Set(others.map(({ gatewayId }) => gatewayId));
  return ({ gatewayId, merchantTransactionId }) => {
    const own = byId.get(gatewayId ?? "");
    if (own !== undefined || merchantTransactionId === undefined) return own;
    return gatewayId !== undefined && known.has(gatewayId) ? undefined : byName.get(merchantTransactionId);
  };
}

/**
 * What the file should have and has not. A booking that was taken back may be left out of the file together with its reversal, so either has to be there only where the other
 * is; the reversal also where its booking was settled before.
 */
function missingThere(bookings: readonly JournalBooking[], shown: ReadonlySet<JournalBooking>, period: Period): readonly JournalBooking[] {
  const byId = new Map(bookings.map((booking) => [booking.gatewayId, booking]));
  const reversals = new Map(bookings.flatMap((booking) => (booking.reverses === undefined ? [] : [[booking.reverses, booking] as const])));
  const isDue = (booking: JournalBooking): boolean => {
    if (!isWithin(period, booking)) return false;
    if (booking.reverses !== undefined) {
      const original = byId.get(booking.reverses);
      return original !== undefined && (shown.has(original) || isBefore(period, original));
    }
    const reversal = reversals.get(booking.gatewayId);
    return booking.reversed !== true || (reversal !== undefined && shown.has(reversal));
  };
  return bookings.filter((booking) => !shown.has(booking) && isDue(booking)).toSorted(byTime);
}

function byTime(a: JournalBooking, b: JournalBooking): number {
  return a.intendedAt - b.intendedAt || (a.gatewayId < b.gatewayId ? -1 : 1);
}

/** What is wrong with chargebacks and fees by themselves, since nothing in the journal could tell. */
function objectionsTo(inOrder: readonly FileRow[]): ReadonlyMap<FileRow, string> {
  const lines = new Map<string, number>();
  const objections = new Map<FileRow, string>();
  for (const row of inOrder.filter(({ recordType }) => recordType !== "SETTLED")) {
    const { line, amount, settlement, ...rest } = row;
    const content = JSON.stringify({ amount, settlement, ...rest });
    const first = lines.get(content);
    lines.set(content, first ?? line);
    // Without an id of their own two that are alike may both be right.
    const isRepeated = first !== undefined && (row.settlementId !== undefined || row.chargebackId !== undefined);
    const [gross, fee, paid] = [amount.minor, settlement.fee, settlement.amount.minor].map((minor) => moneyText(minor, amount.currency));
    if (isRepeated) objections.set(row, `repeats line ${first}`);
    else if (!addsUp(row)) objections.set(row, `its settlement amount ${paid} is not its amount ${gross} and the fee ${fee}`);
  }
  return objections;
}

/** What the journal says of a request that it does not count as booked; looked up by id, and by name where that finds nothing. */
function annotator(others: readonly JournalAttempt[]): (row: FileRow) => string {
  const byId = new Map(others.map((one) => [one.gatewayId, one]));
  const byName = new Map(others.map((one) => [one.merchantTransactionId, one]));
  return ({ gatewayId, merchantTransactionId }) => {
    const other = (gatewayId && byId.get(gatewayId)) || (merchantTransactionId && byName.get(merchantTransactionId)) || undefined;
    return other === undefined ? "the journal knows nothing of it" : `the journal has ${nameOf(other)} as ${other.says}`;
  };
}

function nameOf({ register, reference }: Pick<JournalBooking, "register" | "reference">): string {
  return `reference ${reference} of register ${register}`;
}
