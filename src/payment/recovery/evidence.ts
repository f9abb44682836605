import { type Attempt, isPart, isRefused, isSelfReversed, isTakenBackBy, isUnsure } from "../attempt/attempt.ts";
import { heardOf, isBooked } from "../attempt/heard.ts";
import {
  emptySince,
  isReversalShown,
  isReversedUnseen,
  selfReversal,
  shownAt,
  stoodFor,
} from "../attempt/observation.ts";
import { RULES } from "../attempt/role.ts";
import type { Answer, Found } from "../fact/answer.ts";
import { DAY_SEEN_MS } from "./schedule.ts";
import type { Age, Booking, Evidence, Undone } from "./table.ts";

/* What answers and queries show of a request, in the words of the table. */

/**
 * Specification, "Query parameters", limit: a query shows so many where none is named, and tells nothing of the rest.
 */
export const SHOWN_AT_MOST = 100;

/** Of several bookings under one name, the one that moves money counts. */
const WEIGHT: readonly Answer["is"][] = ["approved", "half-reversed", "pending", "unknown"];

/** What is known of an attempt without a new query. */
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

/** The same by what a query showed at that moment. */
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

/**
 * Nothing definite was heard or shown of it for a day: an operator is told. What may be sent again is not waited for.
 */
export function isUndecidedForADay(attempt: Attempt, at: number): boolean {
  const isWaitedFor = attempt.role === "void" || RULES[attempt.role].again !== "freely";
  return (
    attempt.standing === "open" && isWaitedFor && !isReversalShown(attempt) && stoodFor(attempt, at) >= DAY_SEEN_MS
  );
}

function silence({ role, answer, operation }: Attempt): Evidence["heard"] {
  const heard = heardOf(role, answer);
  // A link can be paid whatever the gateway said to the request for it.
  if (heard === "unavailable" && operation.link === undefined) return heard;
  return heard === "nothing-left" ? heard : "nothing";
}

function ageOf(soFor: number, unknownWindowMs: number): Age {
  if (soFor >= DAY_SEEN_MS) return "past-a-day";
  return soFor >= unknownWindowMs ? "past-window" : "young";
}

/** A reversal of the attempt's own booking. */
function undoneBefore(attempt: Attempt): Undone {
  if (!isReversalShown(attempt)) return "no";
  if (selfReversal(attempt) !== undefined) return "itself";
  return isReversedUnseen(attempt) ? "unseen" : "whole";
}

/**
 * Of several bookings under its name the one that counts: one that the gateway has not reversed by itself, where there
 * is one.
 */
export function shownAs(attempt: Attempt, bookings: readonly Found[]): Found | undefined {
  const { merchantTransactionId, paymentType } = attempt.operation;
  const all = bookings.filter(
    (booking) => booking.merchantTransactionId === merchantTransactionId && booking.paymentType === paymentType,
  );
  const others = all.filter(({ id, answer }) => WEIGHT.includes(answer.is) && !isSelfReversed(attempt, id));
  const own = others.length > 0 ? others : all;
  return (
    WEIGHT.map((is) => own.find(({ answer }) => answer.is === is)).find((booking) => booking !== undefined) ?? own[0]
  );
}

/** What bookings show of an attempt; `blind` queries prove nothing at all (isOriginalSeen). */
function bookingIn(attempt: Attempt, bookings: readonly Found[], unknownWindowMs: number): Booking {
  const { operation, standing, role } = attempt;
  const row = shownAs(attempt, bookings);
  if (row !== undefined && isCarriedOut(row.answer) && heardOf(role, row.answer) !== "nothing-left") {
    const { id, answer } = row;
    if (answer.is === "approved" && isSelfReversed(attempt, id)) return "doubted";
    // What was given up, and can be reversed, is so in any case.
    const isReversedAnyway = standing === "absent" && RULES[role].takenBackBy !== undefined;
    if (answer.is === "approved" && !isReversedAnyway && standing !== "settled" && isReversalUndecided(bookings, id))
      return "undecided";
    if (isBooked(answer)) return "booked";
    if (["pending", "unknown", "auto-reversed", "link"].includes(answer.is)) return "undecided";
    // By a link the customer may try again: a refusal is no end.
    return operation.link === undefined ? "refused" : "none";
  }
  if (bookings.some((one) => mayBeIts(attempt, one))) return "unproven";
  return unknownWindowMs === Number.POSITIVE_INFINITY || bookings.length >= SHOWN_AT_MOST ? "unproven" : "none";
}

/** A row is kept too of a request that named a duplicate, was throttled, or found no acquirer. */
function isCarriedOut(answer: Answer): boolean {
  return (
    answer.is !== "duplicate" &&
    answer.is !== "throttled" &&
    !(answer.is === "not-booked" && answer.why === "gateway-down")
  );
}

/**
 * A booking without a name, or one that the answer named by its id, may be it. Of another amount it is somebody else's.
 */
function mayBeIts(
  { operation, answer: said }: Attempt,
  { id, merchantTransactionId, paymentType, referencedId, answer }: Found,
): boolean {
  const isPerhaps =
    merchantTransactionId === undefined ||
    (merchantTransactionId !== operation.merchantTransactionId && id === said?.id);
  const isAlike = isPerhaps && paymentType === operation.paymentType && referencedId === operation.referencedId;
  if (!isAlike || !WEIGHT.includes(answer.is)) return false;
  return (
    id === said?.id ||
    referencedId === undefined ||
    answer.is !== "approved" ||
    answer.amount === undefined ||
    answer.amount === operation.amount
  );
}

/** What was done against a booking, and what is known of it. */
export interface Tried {
  readonly tries: readonly Attempt[];
  /** What is to be gone, minor units. */
  readonly whole: number | undefined;
  /** When a query last showed the booking. */
  readonly lookedAt: number;
  readonly unknownWindowMs: number;
  /** A refund takes a refused reversal's place. */
  readonly refund: boolean;
}

/** What reversals have done to a booking. */
export function undoneOf({ tries, whole, lookedAt, unknownWindowMs, refund }: Tried): Undone {
  const last = tries.at(-1);
  if (isTakenBackBy(tries, whole)) return "whole";
  if (last === undefined) return "no";
  const isInPart = tries.some(isPart);
  // A register's void goes on as long as its newest try is not refused.
  const isRefusal = last.role === "void" ? isReversedNoMore(last) : tries.some(isReversedNoMore);
  if (!isRefusal) return isInPart ? "part" : "no";
  // Money goes back a second way only where the first one came to nothing for certain.
  if (refund && mayGoThroughYet(tries, last, lookedAt, unknownWindowMs)) return "undecided";
  return isInPart ? "rest-refused" : "refused";
}

/**
 * The booking is reversed no more. A refusal of the request itself (a token, say) ends a register's void, and tells
 * nothing about the booking.
 */
function isReversedNoMore(attempt: Attempt): boolean {
  return (
    isRefused(attempt) &&
    (attempt.role === "void" || (attempt.role === "reversal" && attempt.answer?.is !== "not-booked"))
  );
}

/**
 * Whether a try may have gone through, or may yet, although another was refused. `lookedAt`: when a query last showed
 * the booking standing.
 */
function mayGoThroughYet(tries: readonly Attempt[], last: Attempt, lookedAt: number, unknownWindowMs: number): boolean {
  if (tries.some((one) => isUndecided(one) && (shownAt(one) ?? -1) >= lookedAt)) return true;
  return tries.some(isUnclear) && stoodFor(last, lookedAt) < unknownWindowMs;
}

/** One that met "already reversed" came to nothing. */
function isUndecided(attempt: Attempt): boolean {
  return isUnsure(attempt) || (attempt.standing === "open" && attempt.answer?.is !== "already-reversed");
}

/** Nothing was heard of it, or the gateway is unsure (000.400.030) or did a part: the rest may follow. */
function isUnclear({ standing, answer }: Attempt): boolean {
  return standing === "open" || answer?.is === "half-reversed";
}

/** A query has shown the booking since that try was answered, or told of the answer itself. */
export function isShownSince(attempt: Attempt, lookedAt: number): boolean {
  return lookedAt > attempt.since || (lookedAt === attempt.since && shownAt(attempt) === attempt.since);
}

/** A booking that may have been reversed. `amount`: minor units, where it is known. */
interface Original {
  readonly id: string;
  readonly amount?: number | undefined;
}

/**
 * `claimed`: the gateway said "already reversed"; `byRefund`: an operator may have given the money back as a refund.
 */
interface Believed {
  readonly claimed: boolean;
  readonly byRefund: boolean;
}

/** Nothing besides what the gateway shows plainly. */
export const AS_SHOWN: Believed = { claimed: false, byRefund: false };

/**
 * Whether bookings show that the original was reversed as a whole. After "already reversed" an unsure reversal
 * (000.400.030) counts too.
 */
export function isTakenBack(bookings: readonly Found[], original: Original, { claimed, byRefund }: Believed): boolean {
  const types = byRefund ? ["RV", "DR", "RF"] : ["RV", "DR"];
  const reversals = bookings.filter(({ id, paymentType, referencedId, answer }) => {
    if (!types.includes(paymentType) || referencedId !== original.id) return false;
    return !isUndone(bookings, id) && (answer.is === "approved" || (claimed && answer.is === "half-reversed"));
  });
  if (reversals.length === 0) return false;
  // One that a query shows twice is one.
  const amounts = [...new Map(reversals.map(({ id, answer }) => [id, amountIn(answer)])).values()];
  const booked =
    amountIn(bookings.find(({ id }) => id === original.id)?.answer) ?? (claimed ? undefined : original.amount);
  // One that names no amount is of the whole.
  return (
    booked === undefined ||
    amounts.includes(undefined) ||
    amounts.reduce<number>((sum, amount = 0) => sum + amount, 0) >= booked
  );
}

/** Whether bookings show that the original was captured, or given back, and that this stands. */
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

/** A reversal that was itself reversed reverses nothing. */
function isUndone(bookings: readonly Found[], reversal: string): boolean {
  return bookings.some(
    ({ paymentType, referencedId, answer }) =>
      paymentType === "RV" && referencedId === reversal && answer.is === "approved",
  );
}

function amountIn(answer: Answer | undefined): number | undefined {
  return answer?.is === "approved" ? answer.amount : undefined;
}
