import type { Answer, Found, SearchResult } from "./answer.ts";
import { type Attempt, afterLook, answered, isDone, isLateLook, isSelfReversed, isUnsure, mayHoldMoney, standingAs, stoodFor } from "./attempt.ts";
import { isHeardNo, isLookedIntoFirst, isNoOfOriginal } from "./last-word.ts";
import { isReversalUndecided } from "./reversals-shown.ts";
import { RULES } from "./role.ts";

/** The attempt that a search was made for, after what the search said. The window is infinite as long as what is not there may yet come. */
export function searched(attempt: Attempt, result: SearchResult, at: number, unknownWindowMs: number): Attempt {
  if (result.is === "not-asked") return { ...attempt, leftUnlooked: true };
  const rest = { ...attempt, emptySince: undefined };
  // Of what refers to a booking a query tells something only where it shows that booking.
  const isHeld = attempt.standing === "settled" && mayHoldMoney(attempt);
  const isAnswered = result.is === "found" || (result.is === "absent" && attempt.operation.referencedId === undefined && !isHeld);
  const asked = { ...rest, searches: attempt.searches + 1, searchedAt: at };
  const looked = isAnswered ? afterLook(asked, at) : asked;
  const told = result.is === "found" ? shown(looked, result.bookings, at) : undefined;
  if (told !== undefined) return told;
  // An approved booking that no query shows for so long is not going to be told of by one.
  if (attempt.standing === "settled") return { ...looked, leftUnlooked: isHeld && result.is === "absent" && stoodFor(attempt, at) >= LOOKED_FOR_MS };
  // What may be repeated freely is never given up as absent.
  if (RULES[attempt.role].again === "freely") return looked;
  switch (result.is) {
    case "throttled":
    case "no-answer":
      return looked;
    case "absent":
      return missing(attempt, looked, { at, unknownWindowMs, bookings: [] });
    case "found":
      return missing(attempt, looked, { at, unknownWindowMs, bookings: result.bookings });
  }
}

/** A capture or refund is looked for among what refers to its original: where not even the original is seen, nothing was learned about it. */
function isOriginalSeen({ operation: { referencedId } }: Attempt, bookings: readonly Found[]): boolean {
  return referencedId === undefined || bookings.some(({ id }) => id === referencedId);
}

interface Look {
  readonly at: number;
  readonly unknownWindowMs: number;
  readonly bookings: readonly Found[];
}

/** A query may not show for a day what has been booked, a reversal as well; and an hour of slack. */
export const LATEST_SIGHT_MS = 25 * 3_600_000;

/** Nothing that is asked for no other reason than to be sure is asked for longer. */
export const LOOKED_FOR_MS = 72 * 3_600_000;

/** Specification, "Query parameters", limit: a query shows so many where none is named, and tells nothing of the rest. */
export const SHOWN_AT_MOST = 100;

/** "Not there" counts only where nothing else was heard for the whole window in which the gateway may still be at work on it. */
function missing(attempt: Attempt, before: Attempt, { at, unknownWindowMs, bookings }: Look): Attempt {
  const { role, operation, standing, emptySince = at, lateLooks } = attempt;
  const row = shownAs(attempt, bookings);
  // What the gateway says that it took back by itself, and a query shows as if it stood, is not in doubt because of the query.
  const isStanding = row?.answer.is === "approved" && isSelfReversed(attempt, row.id);
  const answer = isStanding ? before.answer : (row?.answer ?? before.answer);
  const looked = answer === undefined ? before : { ...before, answer };
  const isSeen = isOriginalSeen(attempt, bookings);
  // A no because of an original that no query shows is believed all the same.
  if (!isSeen && !isNoOfOriginal(role, answer)) return before;
  if (standing === "absent") return isLateLook(attempt, at) ? { ...looked, lateLooks: lateLooks + 1 } : looked;
  if (bookings.some((one) => mayBeIts(attempt, one))) return before;
  if (unknownWindowMs === Number.POSITIVE_INFINITY || bookings.length >= SHOWN_AT_MOST) return looked;
  const isOver = at - emptySince >= unknownWindowMs;
  if (isStanding) {
    // Taken back once more where that can be (ending.ts), it is gone either way; nothing else may be called standing because its reversal is late.
    const isOut = RULES[role].takenBackBy === undefined ? isReversalLate(attempt, at) : isOver;
    return isOut ? answered(looked, shownAnswer(row), at) : { ...looked, emptySince };
  }
  const isDown = isLookedIntoFirst(role, answer) && operation.link === undefined;
  // "Not available" and an empty query close what is never posted again (gateway-facts 1.3); before a second request there may be the whole window is waited for.
  if (isDown && (isOver || RULES[role].again === "never")) return standingAs(looked, "settled", at);
  return isOver ? standingAs(looked, "absent", at) : { ...looked, emptySince };
}

/** Of several bookings under one id, the one that moves money counts. */
const WEIGHT: readonly Answer["is"][] = ["approved", "half-reversed", "pending", "unknown"];

/** An attempt as bookings show it that a search for it, or for another one, brought along; undefined where they do not, or tell nothing new of it. */
export function shown(attempt: Attempt, bookings: readonly Found[], at: number): Attempt | undefined {
  const booking = shownAs(attempt, bookings);
  if (booking === undefined) return undefined;
  if (isUnsure(attempt)) return booking.answer.is === "half-reversed" ? { ...attempt, shownAt: at } : undefined;
  if (attempt.standing === "settled" && !isOtherwise(attempt, booking.answer)) return undefined;
  if (isNoOfOriginal(attempt.role, booking.answer)) return undefined;
  // The row of a request that met another one, or nobody, says nothing about one that arrived before it, which may show yet.
  if (!isCarriedOut(booking.answer)) return undefined;
  // What the gateway says that it took back by itself may be shown as if it stood until its reversal shows; what was given up, and can be taken back, is believed.
  const isBelieved = attempt.standing === "absent" && (RULES[attempt.role].takenBackBy !== undefined || isReversalLate(attempt, at));
  if (booking.answer.is === "approved" && isSelfReversed(attempt, booking.id) && !isBelieved) return undefined;
  // By a link the customer may try again: a no is no end.
  if (attempt.operation.link !== undefined && !WEIGHT.includes(booking.answer.is) && booking.answer.is !== "auto-reversed") return undefined;
  // Another one than that: what became of the first is the first one's.
  const own = isSelfReversed(attempt, booking.id) ? attempt : { ...attempt, selfReversed: undefined, takenBack: false, goneWhenSeen: false };
  const late = attempt.late || attempt.standing === "absent" || attempt.takenBack;
  const said = isInDoubt(attempt, booking, bookings) ? undecided(booking) : inItsCurrency(attempt, shownAnswer(booking));
  return { ...answered(own, said, at), shownAt: at, late };
}

/** What stands beside a reversal that is not decided is not decided itself. What was given up, and can be taken back, is so in any case. */
function isInDoubt({ standing, role }: Attempt, { id, answer }: Found, bookings: readonly Found[]): boolean {
  const isTakenBackAnyway = standing === "settled" || (standing === "absent" && RULES[role].takenBackBy !== undefined);
  return answer.is === "approved" && !isTakenBackAnyway && isReversalUndecided(bookings, id);
}

function undecided({ id, answer: { resultCode = "", description } }: Found): Answer {
  return { is: "pending", id, resultCode, description: `has a reversal that is not decided (${description})` };
}

/**
 * What was answered with a no, and is shown carried out or on its way after all: that no was said to the second of two arrivals. Of what a payment stands or falls with such a row
 * is one too many (second-booking.ts); nothing else counts what becomes of the rest.
 */
function isOtherwise(attempt: Attempt, shown: Answer): boolean {
  const { role, answer } = attempt;
  const isNo = isHeardNo(answer) || answer?.is === "not-reversible" || answer?.is === "already-reversed" || answer?.is === "still-pending";
  return isNo && !isDone(attempt) && !RULES[role].isBooking && (shown.is === "approved" || shown.is === "pending");
}

/** Its reversal would have shown by now. */
function isReversalLate(attempt: Attempt, at: number): boolean {
  return stoodFor(attempt, at) >= LATEST_SIGHT_MS;
}

/** In another currency than it was asked for nobody knows what it is worth; what a payment stands or falls with is compared as a whole (ending.ts). */
function inItsCurrency({ role, operation }: Attempt, answer: Answer): Answer {
  if (RULES[role].isBooking || answer.is !== "approved") return answer;
  const { id, resultCode, description, currency = operation.currency } = answer;
  const isOther = operation.currency !== undefined && currency !== operation.currency;
  return isOther ? { is: "unknown", id, resultCode, description: `is in ${currency} (${description})` } : answer;
}

/** Of several bookings under its name the one that counts: one that the gateway has not taken back by itself, where there is one. */
function shownAs(attempt: Attempt, bookings: readonly Found[]): Found | undefined {
  const { merchantTransactionId, paymentType } = attempt.operation;
  const all = bookings.filter((booking) => booking.merchantTransactionId === merchantTransactionId && booking.paymentType === paymentType);
  const others = all.filter(({ id, answer }) => WEIGHT.includes(answer.is) && !isSelfReversed(attempt, id));
  const own = others.length > 0 ? others : all;
  return WEIGHT.map((is) => own.find(({ answer }) => answer.is === is)).find((booking) => booking !== undefined) ?? own[0];
}

/**
 * A booking under no name at all may be the one that was asked for, and is not "nothing"; so may one under another name that the gateway has named in its answer by its id. One of
 * another amount, among all that refer to an original, is somebody else's, unless it was named so: of a part (000.400.040), say.
 */
function mayBeIts({ operation, answer: said }: Attempt, { id, merchantTransactionId, paymentType, referencedId, answer }: Found): boolean {
  const isPerhaps = merchantTransactionId === undefined || (merchantTransactionId !== operation.merchantTransactionId && id === said?.id);
  const isAlike = isPerhaps && paymentType === operation.paymentType && referencedId === operation.referencedId;
  if (!isAlike || !WEIGHT.includes(answer.is)) return false;
  return id === said?.id || referencedId === undefined || answer.is !== "approved" || answer.amount === undefined || answer.amount === operation.amount;
}

/** What a query says of a booking is that booking's, also where its answer names no id. */
function shownAnswer({ id, answer }: Found): Answer {
  return { ...answer, id };
}

/** A row is kept of a request too that was taken for one which arrived before it, was throttled, or found no acquirer. */
function isCarriedOut(answer: Answer): boolean {
  return answer.is !== "duplicate" && answer.is !== "throttled" && !(answer.is === "not-booked" && answer.why === "gateway-down");
}
