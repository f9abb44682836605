import { type Attempt, isPart, isRefused, isSelfReversed, isTakenBackBy, isUnsure } from "../attempt/attempt.ts";
import { heardOf, isBooked } from "../attempt/definite-answer.ts";
import {
  emptySince,
  isReversalShown,
  isReversedOnFirstSight,
  selfReversal,
  shownAt,
  stoodFor,
} from "../attempt/observation.ts";
import { RULES } from "../attempt/retry-by-role.ts";
import type { Answer, Found } from "../fact/answer.ts";
import type { Age, Booking, Evidence, Undone } from "./decision-table.ts";
import { DAY_SEEN_MS } from "./schedule.ts";

/**
 * A query shows at most this many bookings (specification, `limit`). One that a full list lacks may be cut off:
 * `unproven`.
 */
export const SHOWN_AT_MOST = 100;

/**
 * Of several rows with the request's name the likeliest to hold money counts: a declined one must not hide an approved
 * one.
 */
const LIKELIEST_MONEY_FIRST: readonly Answer["is"][] = ["approved", "half-reversed", "pending", "unknown"];

export function evidenceOf(attempt: Attempt, about: Partial<Evidence> = {}): Evidence {
  const { role, standing, answer } = attempt;
  const isSettled = standing === "settled";
  const heard = isSettled || standing === "absent" ? heardOf(role, answer) : "nothing";
  const booking =
    standing === "absent" || heard === "unavailable" ? "none" : isSettled && isBooked(answer) ? "booked" : "undecided";
  return {
    purpose: RULES[role].purpose,
    wanted: true,
    heard,
    booking,
    undone: undoneBefore(attempt),
    age: isSettled || standing === "absent" ? "past-window" : "young",
    ...about,
  };
}

export function evidenceOfLook(
  attempt: Attempt,
  bookings: readonly Found[],
  at: number,
  unknownWindowMs: number,
): Evidence {
  const booking = bookingIn(attempt, bookings, unknownWindowMs);
  const { role, answer, standing } = attempt;
  const row = booking === "none" ? shownAs(attempt, bookings) : undefined;
  const heard = standing === "settled" ? heardOf(role, answer) : silence({ ...attempt, answer: row?.answer ?? answer });
  const stood = ageOf(stoodFor(attempt, at), unknownWindowMs);
  const isRun = standing !== "absent" && (booking === "none" || (booking === "doubted" && stood !== "past-a-day"));
  const age = isRun
    ? ageOf(at - (emptySince(attempt) ?? at), unknownWindowMs)
    : standing === "absent" && stood === "young"
      ? "past-window"
      : stood;
  return { purpose: RULES[role].purpose, wanted: true, heard, booking, undone: "no", age };
}

export function isUndecidedForADay(attempt: Attempt, at: number): boolean {
  const isWaitedFor = attempt.role === "void" || RULES[attempt.role].again !== "freely";
  return (
    attempt.standing === "open" && isWaitedFor && !isReversalShown(attempt) && stoodFor(attempt, at) >= DAY_SEEN_MS
  );
}

function silence({ role, answer, operation }: Attempt): Evidence["heard"] {
  const heard = heardOf(role, answer);
  if (heard === "unavailable" && operation.link === undefined) return heard;
  return heard === "nothing-left" ? heard : "nothing";
}

function ageOf(soFor: number, unknownWindowMs: number): Age {
  if (soFor >= DAY_SEEN_MS) return "past-a-day";
  return soFor >= unknownWindowMs ? "past-window" : "young";
}

function undoneBefore(attempt: Attempt): Undone {
  if (!isReversalShown(attempt)) return "no";
  if (selfReversal(attempt) !== undefined) return "itself";
  return isReversedOnFirstSight(attempt) ? "unseen" : "whole";
}

/**
 * The request's row. If the gateway claims to have reversed one booking (900.100.301), another that may hold money goes
 * first, or it would be overlooked.
 */
export function shownAs(attempt: Attempt, bookings: readonly Found[]): Found | undefined {
  const { merchantTransactionId, paymentType } = attempt.operation;
  const all = bookings.filter(
    (booking) => booking.merchantTransactionId === merchantTransactionId && booking.paymentType === paymentType,
  );
  const others = all.filter(
    ({ id, answer }) => LIKELIEST_MONEY_FIRST.includes(answer.is) && !isSelfReversed(attempt, id),
  );
  const own = others.length > 0 ? others : all;
  return (
    LIKELIEST_MONEY_FIRST.map((is) => own.find(({ answer }) => answer.is === is)).find(
      (booking) => booking !== undefined,
    ) ?? own[0]
  );
}

function bookingIn(attempt: Attempt, bookings: readonly Found[], unknownWindowMs: number): Booking {
  const { operation, standing, role } = attempt;
  const row = shownAs(attempt, bookings);
  if (row !== undefined && isCarriedOut(row.answer) && heardOf(role, row.answer) !== "nothing-left") {
    const { id, answer } = row;
    if (answer.is === "approved" && isSelfReversed(attempt, id)) return "doubted";
    // A PA, DB or CP that shows up after being given up is reversed anyway: a pending RV need not be awaited.
    const isReversedAnyway = standing === "absent" && RULES[role].takenBackBy !== undefined;
    if (answer.is === "approved" && !isReversedAnyway && standing !== "settled" && isReversalUndecided(bookings, id))
      return "undecided";
    if (isBooked(answer)) return "booked";
    if (["pending", "unknown", "auto-reversed", "link"].includes(answer.is)) return "undecided";
    if (operation.link === undefined) return "refused";
  }
  if (bookings.some((one) => mayBeThisRequest(attempt, one))) return "unproven";
  return unknownWindowMs === Number.POSITIVE_INFINITY || bookings.length >= SHOWN_AT_MOST ? "unproven" : "none";
}

/**
 * A request refused as duplicate, throttled or unavailable leaves a row that is no outcome: the request or its first
 * copy may be booked.
 */
function isCarriedOut(answer: Answer): boolean {
  return (
    answer.is !== "duplicate" &&
    answer.is !== "throttled" &&
    !(answer.is === "not-booked" && answer.why === "gateway-down")
  );
}

/**
 * A row without a name, or with the id that the answer named, may be this request's. A nameless row that refers to an
 * original counts only with the same amount: an original can have several CPs or RFs.
 */
function mayBeThisRequest(
  { operation, answer: said }: Attempt,
  { id, merchantTransactionId, paymentType, referencedId, answer }: Found,
): boolean {
  const isPerhaps =
    merchantTransactionId === undefined ||
    (merchantTransactionId !== operation.merchantTransactionId && id === said?.id);
  const isAlike = isPerhaps && paymentType === operation.paymentType && referencedId === operation.referencedId;
  if (!isAlike || !LIKELIEST_MONEY_FIRST.includes(answer.is)) return false;
  return (
    id === said?.id ||
    referencedId === undefined ||
    answer.is !== "approved" ||
    answer.amount === undefined ||
    answer.amount === operation.amount
  );
}

export interface Tried {
  readonly tries: readonly Attempt[];
  readonly amountToReverse: number | undefined;
  readonly lookedAt: number;
  readonly unknownWindowMs: number;
  /** A refused RV leads to a refund, or to a failed void: both would be wrong if an earlier RV still went through. */
  readonly waitsForEarlierReversal: boolean;
}

export function undoneOf({
  tries,
  amountToReverse,
  lookedAt,
  unknownWindowMs,
  waitsForEarlierReversal,
}: Tried): Undone {
  const last = tries.at(-1);
  if (isTakenBackBy(tries, amountToReverse)) return "whole";
  if (last === undefined) return "no";
  const isInPart = tries.some(isPart);
  const isRefusal = last.role === "void" ? isReversedNoMore(last) : tries.some(isReversedNoMore);
  if (!isRefusal) return isInPart ? "part" : "no";
  if (waitsForEarlierReversal && mayGoThroughYet(tries, last, lookedAt, unknownWindowMs)) return "undecided";
  return isInPart ? "rest-refused" : "refused";
}

/**
 * `not-booked` refuses the RV itself (a bad token, say) and tells nothing about the booking: no refund follows. A void
 * fails by it, as its register can ask again.
 */
function isReversedNoMore(attempt: Attempt): boolean {
  return (
    isRefused(attempt) &&
    (attempt.role === "void" || (attempt.role === "reversal" && attempt.answer?.is !== "not-booked"))
  );
}

/**
 * An RV may still go through if the last answered query (`lookedAt`) shows it undecided, or came within the unknown
 * window of the last try while any RV is unclear.
 */
function mayGoThroughYet(tries: readonly Attempt[], last: Attempt, lookedAt: number, unknownWindowMs: number): boolean {
  if (tries.some((one) => isUndecided(one) && (shownAt(one) ?? -1) >= lookedAt)) return true;
  return tries.some(isUnclear) && stoodFor(last, lookedAt) < unknownWindowMs;
}

function isUndecided(attempt: Attempt): boolean {
  return isUnsure(attempt) || (attempt.standing === "open" && attempt.answer?.is !== "already-reversed");
}

function isUnclear({ standing, answer }: Attempt): boolean {
  return standing === "open" || answer?.is === "half-reversed";
}

export function isShownSince(attempt: Attempt, lookedAt: number): boolean {
  return lookedAt > attempt.since || (lookedAt === attempt.since && shownAt(attempt) === attempt.since);
}

interface Original {
  readonly id: string;
  readonly amount?: number | undefined;
}

/**
 * `claimed`: the gateway said "already reversed": a reversal that it is unsure of (000.400.030) counts too. `byRefund`:
 * so does an RF, which an operator may have made.
 */
interface Believed {
  readonly claimed: boolean;
  readonly byRefund: boolean;
}

export const AS_SHOWN: Believed = { claimed: false, byRefund: false };

export function isTakenBack(bookings: readonly Found[], original: Original, { claimed, byRefund }: Believed): boolean {
  const types = byRefund ? ["RV", "DR", "RF"] : ["RV", "DR"];
  const reversals = bookings.filter(({ id, paymentType, referencedId, answer }) => {
    if (!types.includes(paymentType) || referencedId !== original.id) return false;
    return !isUndone(bookings, id) && (answer.is === "approved" || (claimed && answer.is === "half-reversed"));
  });
  if (reversals.length === 0) return false;
  const amounts = [...new Map(reversals.map(({ id, answer }) => [id, amountIn(answer)])).values()];
  const booked =
    amountIn(bookings.find(({ id }) => id === original.id)?.answer) ?? (claimed ? undefined : original.amount);
  return (
    booked === undefined ||
    amounts.includes(undefined) ||
    amounts.reduce<number>((sum, amount = 0) => sum + amount, 0) >= booked
  );
}

export function isUsed(bookings: readonly Found[], original: string): boolean {
  return bookings.some(
    ({ id, paymentType, referencedId, answer }) =>
      referencedId === original &&
      (paymentType === "CP" || paymentType === "RF") &&
      isBooked(answer) &&
      !isTakenBack(bookings, { id }, AS_SHOWN),
  );
}

const OPEN_REVERSAL: readonly Answer["is"][] = ["pending", "unknown", "half-reversed"];

function isReversalUndecided(bookings: readonly Found[], original: string): boolean {
  return bookings.some(
    ({ paymentType, referencedId, answer }) =>
      (paymentType === "RV" || paymentType === "DR") && referencedId === original && OPEN_REVERSAL.includes(answer.is),
  );
}

function isUndone(bookings: readonly Found[], reversal: string): boolean {
  return bookings.some(
    ({ paymentType, referencedId, answer }) =>
      paymentType === "RV" && referencedId === reversal && answer.is === "approved",
  );
}

function amountIn(answer: Answer | undefined): number | undefined {
  return answer?.is === "approved" ? answer.amount : undefined;
}
