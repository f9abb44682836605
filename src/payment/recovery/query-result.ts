import { type Attempt, answered, isSelfReversed, isUnsure, mayHoldMoney, standingAs } from "../attempt/attempt.ts";
import { isReversalShown, isReversedOnFirstSight, looked, noted, withoutReversals } from "../attempt/observation.ts";
import { RULES } from "../attempt/retry-by-role.ts";
import type { Answer, Found, SearchResult } from "../fact/answer.ts";
import { actionFor, type Evidence } from "./decision-table.ts";
import { evidenceOf, evidenceOfLook, isTakenBack, shownAs } from "./evidence.ts";

interface Look {
  readonly bookings: readonly Found[];
  readonly isFound: boolean;
  readonly at: number;
  readonly unknownWindowMs: number;
  readonly asked: boolean;
}

export function searched(attempt: Attempt, result: SearchResult, at: number, unknownWindowMs: number): Attempt {
  switch (result.is) {
    case "throttled":
    case "no-answer":
      return looked(attempt, "blind", at);
    case "not-asked":
      return attempt;
    case "absent":
      return afterLook(attempt, { bookings: [], isFound: false, at, unknownWindowMs, asked: true });
    case "found":
      return afterLook(attempt, { bookings: result.bookings, isFound: true, at, unknownWindowMs, asked: true });
  }
}

/**
 * A query for one request need not show all others: only a request's own queries prove its absence, hence the infinite
 * window.
 */
export function broughtAlong(attempt: Attempt, bookings: readonly Found[], at: number): Attempt {
  return afterLook(attempt, { bookings, isFound: true, at, unknownWindowMs: Number.POSITIVE_INFINITY, asked: false });
}

function afterLook(attempt: Attempt, look: Look): Attempt {
  const evidence = evidenceOfLook(attempt, look.bookings, look.at, look.unknownWindowMs);
  const action = actionFor(evidence);
  const row = shownAs(attempt, look.bookings);
  if (attempt.standing === "settled")
    return afterSettled(attempt, look, action === "adopt" ? row : undefined, evidence);
  switch (evidence.booking) {
    case "booked":
    case "refused":
    case "undecided":
      return row === undefined ? attempt : adopted(attempt, row, look, evidence);
    case "doubted":
      if (row !== undefined && action === "adopt") return adopted(attempt, row, look, evidence);
      return look.asked ? looked(attempt, "none", look.at) : attempt;
    case "none":
    case "unproven":
    case "different":
      return look.asked ? missing(attempt, look, evidence, row) : attempt;
  }
}

/**
 * A query can show a refused RV, or a sale's refused CP, as carried out: adopted, it is neither repeated nor left to an
 * operator.
 */
function afterSettled(attempt: Attempt, look: Look, row: Found | undefined, { heard }: Evidence): Attempt {
  const { at, asked, isFound, bookings } = look;
  if (isUnsure(attempt) && shownAs(attempt, bookings)?.answer.is === "half-reversed")
    return looked(attempt, "shown", at, asked);
  const isOtherwise = heard === "refused" || heard === "unsent" || heard === "unavailable";
  if (row?.answer.is === "approved" && isOtherwise && !RULES[attempt.role].isBooking)
    return adopted(attempt, row, look, undefined);
  if (!asked) return attempt;
  // An empty result is wrong if the original or the booking is known to stand: it must not count as an answered query.
  const isProof = isFound || (attempt.operation.referencedId === undefined && !mayHoldMoney(attempt));
  return looked(attempt, isProof ? "unclear" : "blind", at);
}

function missing(attempt: Attempt, { at, bookings }: Look, evidence: Evidence, row: Found | undefined): Attempt {
  const { heard, booking } = evidence;
  const { referencedId } = attempt.operation;
  // A result without the original of a CP, RV or RF may lack the follow-up as well: it proves nothing (decision 7).
  const isOriginalSeen = referencedId === undefined || bookings.some(({ id }) => id === referencedId);
  if (!isOriginalSeen && heard !== "nothing-left") return looked(attempt, "blind", at);
  if (booking !== "none") return looked(attempt, "unclear", at);
  const next = looked(row === undefined ? attempt : { ...attempt, answer: row.answer }, "none", at);
  const isOver = actionFor(evidence) !== "wait";
  if (attempt.standing === "absent" || !isOver || RULES[attempt.role].again === "freely") return next;
  return standingAs(next, heard === "unavailable" ? "settled" : "absent", at);
}

function adopted(attempt: Attempt, row: Found, { at, asked }: Look, evidence: Evidence | undefined): Attempt {
  const own = isSelfReversed(attempt, row.id) ? attempt : withoutReversals(attempt);
  const next = isReversalShown(attempt) ? noted(own, { is: "given-up", at }) : own;
  const isBesideOpenReversal = row.answer.is === "approved" && evidence?.booking === "undecided";
  const said = isBesideOpenReversal ? undecided(row) : inItsCurrency(attempt, { ...row.answer, id: row.id });
  return looked(answered(next, said, at), "shown", at, asked);
}

function undecided({ id, answer: { resultCode = "", description } }: Found): Answer {
  return { is: "pending", id, resultCode, description: `has a reversal that is not decided (${description})` };
}

/**
 * A CP, RV or RF in another currency becomes `unknown`: its amount cannot be compared. `approvalEnding` checks the
 * payment's own booking.
 */
function inItsCurrency({ role, operation }: Attempt, answer: Answer): Answer {
  if (RULES[role].isBooking || answer.is !== "approved") return answer;
  const { id, resultCode, description, currency = operation.currency } = answer;
  const isOther = operation.currency !== undefined && currency !== operation.currency;
  return isOther ? { is: "unknown", id, resultCode, description: `is in ${currency} (${description})` } : answer;
}

export function reversed(
  before: Attempt,
  attempt: Attempt,
  bookings: readonly Found[],
  at: number,
  { claimed, byRefund }: { readonly claimed: boolean; readonly byRefund: boolean },
): Attempt {
  const { answer, operation, role, standing } = attempt;
  if (answer?.id === undefined) return attempt;
  const believed = { claimed, byRefund: byRefund && RULES[role].isBooking };
  if (!isTakenBack(bookings, { id: answer.id, amount: operation.amount }, believed)) return attempt;
  const unseen = standing === "settled" && (before.standing === "intended" || before.standing === "open");
  const isNews = !isReversalShown(attempt) || (unseen && !isReversedOnFirstSight(attempt));
  return isNews ? noted(attempt, { is: "reversed", at, unseen }) : attempt;
}

export function isRepeatable(attempt: Attempt): boolean {
  if (attempt.standing === "intended") return false;
  return actionFor(evidenceOf(attempt)) === "post-again";
}
