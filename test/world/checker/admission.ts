import { moves } from "./books.ts";
import type { Asked, Evidence, Post, Row } from "./evidence.ts";
import { familyRows, givenBackOf, leftOf, standingOf, sum, takenRows } from "./follow-ups.ts";
import { money } from "./rules.ts";

/**
 * The checkers' own arithmetic of what may follow a payment, held against what the bridge accepts, refuses, and tells
 * the gateway of it.
 */

/** Money of a family as it stands on the ledger. */
interface Standing {
  readonly reserved: number;
  readonly captured: number;
  /** The gateway was told that no more comes after one of the captures. */
  readonly isCapturedLast: boolean;
}

function standingOfFamily(evidence: Evidence): Standing {
  const rows = familyRows(evidence);
  const ofType = (type: string): readonly Row[] =>
    rows.filter((row) => row.type === type && moves(row) && leftOf(row, rows) > 0);
  const left = (some: readonly Row[]): number => sum(some.map((row) => leftOf(row, rows)));
  const last = evidence.family.flatMap(({ posts }) =>
    posts.filter(({ isLast }) => isLast).map(({ request }) => request),
  );
  const captures = ofType("CP");
  return {
    reserved: left(ofType("PA")),
    captured: left(captures),
    isCapturedLast: captures.some(({ request }) => last.includes(request)),
  };
}

/** What of the payment that this one follows may still be captured, or given back. */
function mostOf(evidence: Evidence, target: Evidence): number {
  const { reserved, captured } = standingOfFamily(evidence);
  return evidence.asked.does === "CAPTURE"
    ? reserved - captured
    : sum(takenRows(target).map((row) => leftOf(row, familyRows(evidence)))) - givenBackOf(target);
}

const targetOf = ({ asked, family }: Evidence): Evidence | undefined =>
  family.find((other) => other.asked.reference === asked.of);

/**
 * Why a follow-up should not have been accepted: the bridge knows what is left of its own bookings, whatever a gateway
 * may refuse or let through. What was booked of one that
 * is not approved it need not know.
 */
export function admittedTooMuch(evidence: Evidence, oneCapture: boolean): string | undefined {
  const { asked, family } = evidence;
  const target = targetOf(evidence);
  if (
    target === undefined ||
    family.some((other) => other.decision?.says !== "approved" && standingOf(other).length > 0)
  )
    return undefined;
  const isUsedUp = oneCapture && standingOfFamily(evidence).captured > 0;
  if (isUsedUp && (asked.does === "CAPTURE" || asked.does === "INCREMENT"))
    return `a ${asked.does} was accepted after the one capture that there may be`;
  if (asked.does !== "CAPTURE" && asked.does !== "LINKED_REFUND") return undefined;
  const most = mostOf(evidence, target);
  return asked.amount > most
    ? `a ${asked.does} of ${money(asked.amount)} was accepted, and ${money(most)} is left`
    : undefined;
}

/** Refusals that say that a request can never be right. */
const FOR_GOOD: readonly string[] = ["not-allowed", "invalid-amount"];

/**
 * Why a follow-up should not have been refused for good: a register that believes it goes without its money, or its
 * customer does. Judged where the whole family stands on the
 * ledger as it was told and nobody else has had a hand in it: else the bridge may know better.
 */
export function refusedForNothing(evidence: Evidence, code: string, oneCapture: boolean): string | undefined {
  const { asked } = evidence;
  const target = targetOf(evidence);
  if (!FOR_GOOD.includes(code) || target === undefined || !isPlain(evidence) || !isNamed(asked, target))
    return undefined;
  const fits = mayFollow(evidence, target, oneCapture);
  return fits
    ? `a ${asked.does} of ${money(asked.amount)} was refused with ${code}, and nothing is in its way`
    : undefined;
}

function mayFollow(evidence: Evidence, target: Evidence, oneCapture: boolean): boolean {
  const { does, amount } = evidence.asked;
  const { reserved, captured, isCapturedLast } = standingOfFamily(evidence);
  const isUsedUp = isCapturedLast || (oneCapture && captured > 0);
  switch (does) {
    case "CAPTURE":
      return !isUsedUp && amount <= mostOf(evidence, target);
    case "LINKED_REFUND":
      return amount <= mostOf(evidence, target);
    case "INCREMENT":
      return !isUsedUp && reserved > captured;
    case "VOID":
      return isVoidable(evidence, target, captured);
    case "SALE":
    case "PREAUTHORIZATION":
    case "REFUND":
    case "REGISTRATION":
      return false;
  }
}

/**
 * Of a sale or a capture what it took is voided, as long as nothing of it was given back; of a reservation and what
 * raised it only what nobody has captured.
 */
function isVoidable(evidence: Evidence, target: Evidence, captured: number): boolean {
  const { does } = target.asked;
  const isTaking = does === "SALE" || does === "CAPTURE";
  if (!isTaking && captured > 0) return false;
  const own = isTaking ? takenRows(target) : target.rows.filter(moves);
  return givenBackOf(target) === 0 && own.some((row) => leftOf(row, familyRows(evidence)) > 0);
}

/** By an id of the gateway that is the payment's, if it is named so. */
function isNamed({ ofBooking }: Asked, { rows }: Evidence): boolean {
  return ofBooking === undefined || rows.some(({ id }) => id === ofBooking);
}

/**
 * Everybody else of the family came to its end, what it was told is what the ledger holds of it, and every booking was
 * asked for by the bridge.
 */
function isPlain(evidence: Evidence): boolean {
  return evidence.family.every((other) => other === evidence || isUntouched(other) || isAsTold(other));
}

function isUntouched({ acceptedAt, posts, rows, asked: { elsewhere } }: Evidence): boolean {
  return elsewhere !== true && acceptedAt === undefined && posts.length === 0 && rows.length === 0;
}

function isAsTold({ final, told, rows, asked: { does, amount } }: Evidence): boolean {
  if (
    final === undefined ||
    told === undefined ||
    told.lateBooking ||
    rows.some(({ request }) => request === undefined || !told.attempts.includes(request))
  )
    return false;
  const moved = rows.filter(moves);
  if (told.decision !== "approved") return moved.length === 0;
  if (does === "VOID") return true;
  const own = moved.filter(({ type }) => type !== "CP" || does !== "SALE");
  const captures =
    does === "SALE" && own.some(({ type }) => type === "PA") ? moved.filter(({ type }) => type === "CP") : own;
  const isWhole = (some: readonly Row[]): boolean =>
    some.length === 1 && some[0]?.amount === (told.approvedAmount ?? amount);
  return isWhole(own) && isWhole(captures) && told.capture !== "failed" && told.capture !== "pending";
}

/**
 * A capture that is the last one says so to the gateway. Not judged: a second try, and a capture beside an untold booking.
 */
export function lastIsSaid(evidence: Evidence, post: Post, oneCapture: boolean): string | undefined {
  const target = targetOf(evidence);
  if (
    evidence.asked.does !== "CAPTURE" ||
    target === undefined ||
    evidence.posts.some((other) => other !== post) ||
    !isPlain(evidence)
  )
    return undefined;
  const isLast = oneCapture || evidence.asked.amount === mostOf(evidence, target);
  if (isLast === (post.isLast === true)) return undefined;
  return isLast
    ? "the last capture that there may be, and the gateway was not told so"
    : "the gateway was told that no capture follows, and one may";
}
