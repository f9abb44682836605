import { moves, sentAt, UNKNOWN_WINDOW_MS, wasHiddenForTheWindow } from "./books.ts";
import type { Evidence, Row } from "./evidence.ts";
import type { Rule } from "./rule.ts";
import { money } from "./rules.ts";

/** The checkers' arithmetic of a payment and all that follows it. */

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
export const familyRows = ({ family }: Evidence): readonly Row[] => family.flatMap(({ rows }) => rows);

/** What each kind of follow-up books. */
const BOOKS: Readonly<Record<string, string>> = { CAPTURE: "CP", LINKED_REFUND: "RF", INCREMENT: "PA" };

/** What is left of a booking after the reversals among these rows. */
export function leftOf(row: Row, rows: readonly Row[]): number {
  return (
    row.amount -
    sum(
      rows
        .filter(({ type, of, ...other }) => type === "RV" && of === row.id && moves({ type, of, ...other }))
        .map(({ amount }) => amount),
    )
  );
}

/** The bookings of a follow-up that it has not taken back itself. */
export function standingOf({ asked, rows }: Evidence): readonly Row[] {
  return rows.filter((row) => row.type === BOOKS[asked.does] && moves(row) && leftOf(row, rows) > 0);
}

/**
 * An approved capture, refund or increment has exactly one booking of what was told; any other has none, but one that
 * nobody could have seen.
 */
export const followUpIsBooked: Rule = {
  rule: "follow-up-is-booked",
  broken: (evidence) => {
    const { asked, told, decision, final, posts } = evidence;
    const [booking, ...more] = standingOf(evidence);
    if (more.length > 0) return `${more.length + 1} net bookings for one ${asked.does}`;
    if (booking !== undefined && booking.amount > asked.amount)
      return `booked ${money(booking.amount)} for ${money(asked.amount)}`;
    if (decision?.says === "approved") {
      const said = told?.approvedAmount ?? asked.amount;
      return booking?.amount === said
        ? undefined
        : `approved ${money(said)} with ${money(booking?.amount ?? 0)} booked`;
    }
    if (final === undefined || booking === undefined) return undefined;
    if (wasHiddenForTheWindow(booking, posts) && final.at - sentAt(booking, posts) >= UNKNOWN_WINDOW_MS)
      return undefined;
    return `${final.told.outcome} (${final.told.reason ?? "no reason"}) with ${money(booking.amount)} booked by ${booking.type} ${booking.id}`;
  },
};

/**
 * In the end: a capture or increment that was booked late is gone, or given back where it could not be reversed any
 * more; a refund that was booked late is told.
 */
export const lateFollowUpIsHealed: Rule = {
  rule: "late-follow-up-is-healed",
  broken: (evidence) => {
    const { asked, told, rows } = evidence;
    const [booking] = standingOf(evidence);
    if (booking === undefined || told?.decision === "approved") return undefined;
    if (asked.does === "LINKED_REFUND" && told?.lateBooking === true) return undefined;
    const refunds = rows.filter((row) => row.type === "RF" && row.of === booking.id && moves(row));
    if (refunds.reduce((total, { amount }) => total + amount, 0) === booking.amount) return undefined;
    return `${told?.outcome ?? "never accepted"} with ${money(booking.amount)} booked by ${booking.type} ${booking.id}`;
  },
};

/**
 * What the payment that is voided has booked for its money: what it captured where it has, else the booking itself with
 * what has raised it.
 */
function targetsOf({ asked: { of }, family }: Evidence): readonly Row[] {
  const target = family.find(({ asked }) => asked.reference === of);
  const own = (target?.rows ?? []).filter((row) => moves(row) && leftOf(row, target?.rows ?? []) > 0);
  const captures = own.filter(({ type }) => type === "CP");
  if (captures.length > 0) return captures;
  const increments = family.filter(
    ({ asked, decision }) => asked.does === "INCREMENT" && asked.of === of && decision?.says === "approved",
  );
  return [...own.filter(({ type }) => type === "PA" || type === "DB"), ...increments.flatMap(standingOf)];
}

/**
 * A void that is approved leaves nothing of what it voids; a void that failed leaves it, or says that the gateway
 * carried it out long after.
 */
export const voidVoids: Rule = {
  rule: "void-voids",
  broken: (evidence) => {
    const { decision, told, rows } = evidence;
    if (decision?.says === "approved") {
      const left = targetsOf(evidence).find((row) => leftOf(row, familyRows(evidence)) > 0);
      return left && `approved, and ${money(leftOf(left, familyRows(evidence)))} is left of ${left.type} ${left.id}`;
    }
    if (told?.state !== "FINAL" || told.lateBooking) return undefined;
    const reversal = rows.find((row) => row.type === "RV" && moves(row));
    return (
      reversal &&
      `${told.outcome ?? "no outcome"} (${told.reason ?? "no reason"}), and ${money(reversal.amount)} was reversed`
    );
  },
};

/** Never more captured than is reserved, never more given back than was captured. */
export const familyAddsUp: Rule = {
  rule: "family-adds-up",
  broken: (evidence) => {
    const rows = familyRows(evidence);
    const left = (types: readonly string[]): number =>
      sum(rows.filter((row) => types.includes(row.type) && moves(row)).map((row) => leftOf(row, rows)));
    const [reserved, debited, captured, refunded] = [left(["PA"]), left(["DB"]), left(["CP"]), left(["RF"])];
    if (captured > reserved) return `captured ${money(captured)} of ${money(reserved)} reserved`;
    return refunded > captured + debited
      ? `refunded ${money(refunded)} of ${money(captured + debited)} captured`
      : undefined;
  },
};

/** What one payment says that it took from the cardholder. */
function takenAsTold({ asked, told, family }: Evidence): number {
  const isDone = (other: Evidence): boolean => other.told?.decision === "approved" || other.told?.lateBooking === true;
  const isVoided = family.some(
    (other) => other.asked.does === "VOID" && other.asked.of === asked.reference && isDone(other),
  );
  // Nobody tells of it, and everybody knows.
  if (asked.elsewhere === true) return asked.does === "SALE" && !isVoided ? asked.amount : 0;
  if (told?.decision !== "approved") return 0;
  const amount = told.approvedAmount ?? 0;
  switch (asked.does) {
    case "SALE":
      return isVoided || told.capture === "failed" ? 0 : (told.capturedAmount ?? amount);
    case "CAPTURE":
      return isVoided || told.capture === "failed" ? 0 : amount;
    case "LINKED_REFUND":
      return -amount;
    case "PREAUTHORIZATION":
    case "REFUND":
    case "REGISTRATION":
    case "INCREMENT":
    case "VOID":
      return 0;
  }
}

/** In the end the ledger holds what the payments of a family say together. */
export const familyIsAsTold: Rule = {
  rule: "family-is-as-told",
  broken: (evidence) => {
    // A capture that failed is for a person to look at, and so is what shows up late.
    if (evidence.family.some(({ told }) => told?.lateBooking === true || told?.capture === "failed")) return undefined;
    const rows = familyRows(evidence);
    const taken = sum(
      rows.filter((row) => (row.type === "DB" || row.type === "CP") && moves(row)).map((row) => leftOf(row, rows)),
    );
    const refunded = sum(rows.filter((row) => row.type === "RF" && moves(row)).map((row) => leftOf(row, rows)));
    const said = sum(evidence.family.map(takenAsTold));
    return taken - refunded === said
      ? undefined
      : `told ${money(said)} taken, and the ledger says ${money(taken)} less ${money(refunded)}`;
  },
};

/**
 * What a payment has taken, by itself or by its captures; one that came late, and was given back by its own refund, has
 * taken nothing.
 */
export function takenRows({ asked, family, rows }: Evidence): readonly Row[] {
  if (asked.does !== "PREAUTHORIZATION")
    return rows.filter(({ type, ...row }) => (type === "DB" || type === "CP") && moves({ type, ...row }));
  const isGivenBack = (capture: Row, own: readonly Row[]): boolean =>
    own.some((row) => row.type === "RF" && row.of === capture.id && moves(row));
  return family
    .filter((other) => other.asked.does === "CAPTURE")
    .flatMap((other) => standingOf(other).filter((row) => !isGivenBack(row, other.rows)));
}

/** What its refunds gave back of that. */
export function givenBackOf(evidence: Evidence): number {
  const taken = takenRows(evidence).map(({ id }) => id);
  const refunds = evidence.family.filter(({ asked }) => asked.does === "LINKED_REFUND").flatMap(standingOf);
  return sum(refunds.filter(({ of }) => of !== undefined && taken.includes(of)).map(({ amount }) => amount));
}

/** In the end a payment tells what the ledger holds of its captures and refunds. */
export const totalsAreAsBooked: Rule = {
  rule: "totals-are-as-booked",
  broken: (evidence) => {
    const { asked, told } = evidence;
    if (told?.decision !== "approved") return undefined;
    const refunded = givenBackOf(evidence);
    if ((told.refundedAmount ?? 0) !== refunded)
      return `told ${money(told.refundedAmount ?? 0)} refunded with ${money(refunded)} given back`;
    if (asked.does !== "PREAUTHORIZATION") return undefined;
    const rows = familyRows(evidence);
    const captured = sum(takenRows(evidence).map((row) => leftOf(row, rows)));
    return (told.capturedAmount ?? 0) === captured
      ? undefined
      : `told ${money(told.capturedAmount ?? 0)} captured with ${money(captured)} booked`;
  },
};
