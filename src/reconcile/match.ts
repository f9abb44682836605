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
 * The file compared with the journal. Every row is in exactly one of `matched`, `differing`, `missingHere`,
 * `chargebacks` and `fees`; the journal knows no chargebacks or fees.
 */
export interface Reconciliation {
  readonly period: Period;
  readonly matched: readonly Pair[];
  readonly differing: readonly (Pair & { readonly differences: readonly Difference[] })[];
  /** Settled rows without such a booking in the journal; and invalid chargebacks and fees. */
  readonly missingHere: readonly { readonly row: FileRow; readonly note: string }[];
  /** Booked in the period according to the journal, but missing in the file. */
  readonly missingThere: readonly JournalBooking[];
  /** CHARGEBACK and CHARGEBACK REVERSAL, with their booking if this journal has it. */
  readonly chargebacks: readonly { readonly row: FileRow; readonly booking?: JournalBooking }[];
  readonly fees: readonly FileRow[];
}

/**
 * Matches rows by the gateway's id first, then by merchantTransactionId. The result does not depend on the order of
 * rows.
 */
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
  // If a booking has several rows, the one that fits best is its own.
  const best = new Map<JournalBooking, (typeof pairs)[number]>();
  for (const pair of pairs) {
    const other = best.get(pair.booking);
    if (other === undefined || pair.differences.length < other.differences.length) best.set(pair.booking, pair);
  }
  const isBest = (pair: (typeof pairs)[number]): boolean => best.get(pair.booking) === pair;
  const own = pairs.filter(isBest);
  const again = pairs
    .filter((pair) => !isBest(pair))
    .map(({ row, booking }) => ({ row, note: `a second row for ${nameOf(booking)}` }));
  const wrong = [...objections].map(([row, objection]) => ({ row, note: objection }));
  return {
    period,
    matched: own.filter(({ differences }) => differences.length === 0).map(({ row, booking }) => ({ row, booking })),
    differing: own.filter(({ differences }) => differences.length > 0),
    missingHere: [...strangers.map((row) => ({ row, note: note(row) })), ...again, ...wrong].toSorted(
      (a, b) => a.row.line - b.row.line,
    ),
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

/** An id that the journal assigns to another request decides, whatever name the row has. */
function finder(
  bookings: readonly JournalBooking[],
  others: readonly JournalAttempt[],
): (row: FileRow) => JournalBooking | undefined {
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
 * Bookings missing in the file. The file may omit a reversed booking together with its reversal: either is required
 * only with the other. The reversal is also required if its booking was settled before.
 */
function missingThere(
  bookings: readonly JournalBooking[],
  shown: ReadonlySet<JournalBooking>,
  period: Period,
): readonly JournalBooking[] {
  const byId = new Map(bookings.map((booking) => [booking.gatewayId, booking]));
  const reversals = new Map(
    bookings.flatMap((booking) => (booking.reverses === undefined ? [] : [[booking.reverses, booking] as const])),
  );
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

/** Problems inside chargebacks and fees, which the journal cannot check. */
function objectionsTo(inOrder: readonly FileRow[]): ReadonlyMap<FileRow, string> {
  const lines = new Map<string, number>();
  const objections = new Map<FileRow, string>();
  for (const row of inOrder.filter(({ recordType }) => recordType !== "SETTLED")) {
    const { line, amount, settlement, ...rest } = row;
    const content = JSON.stringify({ amount, settlement, ...rest });
    const first = lines.get(content);
    lines.set(content, first ?? line);
    // Without ids, two equal rows may both be right.
    const isRepeated = first !== undefined && (row.settlementId !== undefined || row.chargebackId !== undefined);
    const [gross, fee, paid] = [amount.minor, settlement.fee, settlement.amount.minor].map((minor) =>
      moneyText(minor, amount.currency),
    );
    if (isRepeated) objections.set(row, `repeats line ${first}`);
    else if (!addsUp(row))
      objections.set(row, `its settlement amount ${paid} is not its amount ${gross} and the fee ${fee}`);
  }
  return objections;
}

/** The journal's view of a request without a booking; found by id, else by name. */
function annotator(others: readonly JournalAttempt[]): (row: FileRow) => string {
  const byId = new Map(others.map((one) => [one.gatewayId, one]));
  const byName = new Map(others.map((one) => [one.merchantTransactionId, one]));
  return ({ gatewayId, merchantTransactionId }) => {
    const other =
      (gatewayId && byId.get(gatewayId)) || (merchantTransactionId && byName.get(merchantTransactionId)) || undefined;
    return other === undefined
      ? "the journal knows nothing of it"
      : `the journal has ${nameOf(other)} as ${other.says}`;
  };
}

function nameOf({ register, reference }: Pick<JournalBooking, "register" | "reference">): string {
  return `reference ${reference} of register ${register}`;
}
