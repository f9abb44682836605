import { lookedForWith } from "./arrived-twice.ts";
import { type Attempt, hasGoneThrough, lookDelayMs, mayHoldMoney } from "./attempt.ts";
import { isBooked } from "./last-word.ts";
import type { Payment } from "./payment.ts";
import { isOrphanLeftAfterWord } from "./registration.ts";
import { RULES } from "./role.ts";
import { isSecondGone, isSecondHeld } from "./second-take-back.ts";
import { isReversed } from "./take-back.ts";

/** What was not decided when a payment was closed is looked at this long after it: the gateway may decide it yet, either way. */
const LOOKS_MS = [30_000, 300_000, 3_600_000, 86_400_000, 259_200_000] as const;
const LOOKS_FOR_MS = Math.max(...LOOKS_MS);

/**
 * What had not been decided when the payment was closed has been booked since, and stands: by a person's word (where he had named a booking, under another id than that one), or
 * as a void that was refused. What can be taken back is; the rest is for people, who have not said a word about it yet.
 */
export function isBookedAfterClosing(payment: Payment): boolean {
  const closedAt = closedAtOf(payment);
  if (closedAt === undefined) return false;
  return payment.attempts.some((attempt) => {
    if (attempt.since <= closedAt || !isNews(payment, attempt)) return false;
    // What the bridge gives back because of such news is none; what was on its way when the word was said is.
    return attempt.role === "give-back" ? attempt.intendedAt <= closedAt : !(RULES[attempt.role].isBooking && isReversed(payment));
  });
}

/** The same whatever was said or done about it since, and although it was taken back: what the register is told for good. */
export function wasBookedAfterEnd({ ending, concluded, attempts }: Payment): boolean {
  if (ending === undefined || concluded === undefined) return false;
  return attempts.some((attempt) => isMeant(attempt) && attempt.since > concluded.at && isBooked(attempt.answer));
}

/** Since when nothing more is expected of what is not decided. */
function closedAtOf({ accepted, resolved, ending, concluded }: Payment): number | undefined {
  return resolved?.at ?? (accepted.type === "VOID" && ending !== undefined ? concluded?.at : undefined);
}

/** A person has closed it, and nothing that he cannot have known has shown up since. */
export function isClosedByPerson(payment: Payment): boolean {
  const { resolved } = payment;
  return resolved !== undefined && !isBookedAfterClosing(payment) && !isSecondHeld(payment) && !isOrphanLeftAfterWord(payment);
}

function isNews({ resolved }: Payment, attempt: Attempt): boolean {
  const isNamed = resolved?.as === "approved" && attempt.answer?.id === resolved.gatewayId;
  return isMeant(attempt) && attempt.standing === "settled" && mayHoldMoney(attempt) && !isNamed;
}

/** Reversals and deletions are what a person's word leaves no need of. */
function isMeant({ role }: Attempt): boolean {
  return RULES[role].isBooking || role === "own-capture" || role === "give-back" || role === "void";
}

/**
 * When to look for what had not been decided when the payment was closed; undefined where every look has had its answer, or there was none by the last. One query tells of all
 * tries, so that it is asked for the newest of them.
 */
export function closedSearchAt(payment: Payment, attempt: Attempt): number | undefined {
  const closedAt = closedAtOf(payment);
  if (closedAt === undefined || attemptToLookFor(payment) !== attempt) return undefined;
  const { lookedAt = 0, searchedAt } = attempt;
  if (searchedAt !== undefined && searchedAt >= closedAt + LOOKS_FOR_MS) return undefined;
  const due = LOOKS_MS.map((after) => closedAt + after).find((at) => at > lookedAt);
  return due === undefined || searchedAt === undefined || searchedAt < due ? due : searchedAt + lookDelayMs(attempt);
}

function isUndecided({ attempts }: Payment, attempt: Attempt): boolean {
  const { standing, takenBack, operation } = attempt;
  // Once one try has taken a booking back, the others have nothing left to take.
  const isDoneByOther = attempts.some((one) => hasGoneThrough(one) && one.operation.referencedId === operation.referencedId);
  return isMeant(attempt) && !takenBack && !isDoneByOther && (standing === "open" || standing === "absent");
}

function attemptToLookFor(payment: Payment): Attempt | undefined {
  const second = payment.seconds.find((one) => one.isPending && !isSecondGone(payment, one));
  return payment.attempts.findLast((one) => isUndecided(payment, one)) ?? (second && lookedForWith(payment, second.request));
}
