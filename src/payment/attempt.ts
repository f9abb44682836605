import type { Answer, Found, SearchResult } from "./answer.ts";
import type { GatewayPaymentType, Operation } from "./operation.ts";

/**
 * One gateway operation from intent to known.
 * - `intended`: durable, perhaps on the wire;
 * - `open`: on the wire once, and what became of it is not known;
 * - `settled`: `answer` says what became of it;
 * - `absent`: the gateway knew nothing of it for the whole unknown window.
 */
export interface Attempt {
  readonly operation: Operation;
  readonly standing: "intended" | "open" | "settled" | "absent";
  readonly answer?: Answer;
  /** A linked query showed a reversal of this booking, ours or the gateway's own. */
  readonly takenBack: boolean;
  readonly intendedAt: number;
  /** When it became open, settled or absent last. */
  readonly since: number;
  readonly searches: number;
  readonly searchedAt?: number;
  /** Empty looks after `absent`, one for each of LATE_LOOKS_MS. */
  readonly lateLooks: number;
  /** The booking showed up only after the payment had been closed without it. */
  readonly late: boolean;
}

interface Rule {
  /** May it be posted again? Never: a second one would be a second booking, and the gateway has no idempotency key (gateway-facts 2.3). */
  readonly again: "never" | "when-absent" | "freely";
  /** What takes a booking back that should not stand, where anything does. */
  readonly takenBackBy: GatewayPaymentType | undefined;
  /** After silence a booking that a query shows is taken as the answer, also when nobody waits for it any more. */
  readonly adoptedLate: boolean;
}

/** What may be posted again or taken back: the money rules of this bridge on one screen. */
export const RULES: Readonly<Record<GatewayPaymentType, Rule>> = {
  PA: { again: "never", takenBackBy: "RV", adoptedLate: false },
  DB: { again: "never", takenBackBy: "RV", adoptedLate: false },
  CD: { again: "never", takenBackBy: undefined, adoptedLate: true },
  CP: { again: "when-absent", takenBackBy: "RF", adoptedLate: true },
  RF: { again: "when-absent", takenBackBy: undefined, adoptedLate: true },
  RV: { again: "freely", takenBackBy: undefined, adoptedLate: true },
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The gateway answers two queries a minute (gateway-facts 2.5): at once, after 30 s, then ever more seldom. */
const SEARCH_DELAYS_MS = [0, 30 * SECOND, MINUTE, 2 * MINUTE, 4 * MINUTE] as const;
const SEARCH_DELAY_MAX_MS = 5 * MINUTE;
/** "Not there" is looked at again this long after it was called final (contract, truth 4). */
const LATE_LOOKS_MS = [HOUR, 24 * HOUR, 72 * HOUR] as const;
const REPEAT_DELAYS_MS = [5 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE] as const;
const REPEAT_DELAY_MAX_MS = 15 * MINUTE;

export function intend(operation: Operation, at: number): Attempt {
  return { operation, standing: "intended", takenBack: false, intendedAt: at, since: at, searches: 0, lateLooks: 0, late: false };
}

/** An answer settles an attempt, or leaves it open: what must be searched for is everything that is neither a clear yes nor a clear no. */
function settles(answer: Answer): boolean {
  switch (answer.is) {
    case "approved":
    case "declined":
    case "soft-declined":
    case "not-booked":
    case "not-reversible":
    case "half-reversed":
    case "still-pending":
      return true;
    case "already-reversed":
    case "auto-reversed":
    case "duplicate":
    case "pending":
    case "throttled":
    case "unknown":
      return false;
  }
}

export function answered(attempt: Attempt, answer: Answer, at: number): Attempt {
  if (settles(answer)) return { ...attempt, standing: "settled", answer, since: at };
  return { ...attempt, standing: "open", answer, since: attempt.standing === "open" ? attempt.since : at };
}

/** After a restart nobody knows whether the request left. */
export function interrupted(attempt: Attempt, at: number): Attempt {
  return attempt.standing === "intended" ? { ...attempt, standing: "open", since: at } : attempt;
}

/** The attempt that a search was made for, after what the search said. */
export function searched(attempt: Attempt, result: SearchResult, at: number, unknownWindowMs: number): Attempt {
  const looked = { ...attempt, searches: attempt.searches + 1, searchedAt: at };
  if (attempt.standing === "settled") return looked;
  switch (result.is) {
    case "throttled":
    case "no-answer":
      return attempt.standing === "absent" ? { ...attempt, searchedAt: at } : looked;
    case "absent":
      // A capture is looked for among what refers to its original: where not even the original is seen, nothing was learned about the capture.
      return attempt.operation.referencedId === undefined ? missing(attempt, looked, at, unknownWindowMs) : looked;
    case "found":
      return shown(looked, result.bookings, at) ?? missing(attempt, looked, at, unknownWindowMs);
  }
}

/** "Not there" counts only past the whole window in which the gateway may still be at work on it. */
function missing(attempt: Attempt, looked: Attempt, at: number, unknownWindowMs: number): Attempt {
  if (attempt.standing === "absent") return { ...looked, lateLooks: attempt.lateLooks + 1 };
  return at - attempt.since >= unknownWindowMs ? { ...looked, standing: "absent", since: at } : looked;
}

/** An attempt that is not settled, as bookings show it that a search for another one brought along; undefined where they do not. */
export function shown(attempt: Attempt, bookings: readonly Found[], at: number): Attempt | undefined {
  const own = bookings.find((booking) => booking.merchantTransactionId === attempt.operation.merchantTransactionId);
  if (own === undefined || attempt.standing === "settled") return undefined;
  return { ...answered(attempt, own.answer, at), late: attempt.standing === "absent" };
}

/**
 * Whether bookings show that the original was taken back. Where the gateway has answered one of our reversals with "already reversed", a reversal whose own outcome the
 * gateway is unsure of (000.400.030) is believed too.
 */
export function isTakenBack(bookings: readonly Found[], original: string, claimed: boolean): boolean {
  return bookings.some(({ paymentType, referencedId, answer }) => {
    if (paymentType !== "RV" || referencedId !== original) return false;
    return answer.is === "approved" || (claimed && answer.is === "half-reversed");
  });
}

/** When to look for it next, or undefined where there is nothing to look for. */
export function nextSearchAt(attempt: Attempt): number | undefined {
  if (attempt.standing === "absent") {
    const look = RULES[attempt.operation.paymentType].again === "never" ? LATE_LOOKS_MS[attempt.lateLooks] : undefined;
    if (look === undefined) return undefined;
    return Math.max(attempt.since + look, (attempt.searchedAt ?? 0) + SEARCH_DELAY_MAX_MS);
  }
  if (attempt.standing !== "open" || RULES[attempt.operation.paymentType].again === "freely") return undefined;
  const delay = SEARCH_DELAYS_MS[attempt.searches] ?? SEARCH_DELAY_MAX_MS;
  return (attempt.searchedAt ?? attempt.since) + delay;
}

/** When the `tries`-th try of an operation that may be repeated should follow the one before. */
export function repeatAt(last: Attempt, tries: number): number {
  return last.since + (REPEAT_DELAYS_MS[tries - 1] ?? REPEAT_DELAY_MAX_MS);
}

/** Money that this attempt may have put on the gateway's ledger and that nothing has taken back yet. */
export function mayHoldMoney(attempt: Attempt): boolean {
  if (attempt.takenBack) return false;
  return attempt.standing === "settled" && (attempt.answer?.is === "approved" || attempt.answer?.is === "half-reversed");
}

/** Nothing is to be learned about it any more (late looks aside). */
export function isKnown(attempt: Attempt): boolean {
  return attempt.standing === "settled" || attempt.standing === "absent";
}
