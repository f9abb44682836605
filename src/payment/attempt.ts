import type { Answer, Found, SearchResult } from "./answer.ts";
import type { Operation } from "./operation.ts";
import { type Role, RULES } from "./role.ts";

/**
 * One gateway operation from intent to known.
 * - `intended`: durable, perhaps on the wire;
 * - `open`: on the wire once, and what became of it is not known;
 * - `settled`: `answer` says what became of it;
 * - `absent`: the gateway knew nothing of it for the whole unknown window.
 */
export interface Attempt {
  readonly operation: Operation;
  readonly role: Role;
  readonly standing: "intended" | "open" | "settled" | "absent";
  readonly answer: Answer | undefined;
  /** A linked query showed a reversal of this booking, ours or the gateway's own. */
  readonly takenBack: boolean;
  /** The gateway has said that it took it back by itself, after its own time-out (900.100.301). */
  readonly selfReversed: boolean;
  readonly intendedAt: number;
  /** When it came to its standing. */
  readonly since: number;
  readonly searches: number;
  readonly searchedAt: number | undefined;
  /** The last search that was answered: what it showed was so. */
  readonly lookedAt: number | undefined;
  /** The first of the empty answers that followed each other without anything else between; what else comes begins the count anew. */
  readonly emptySince: number | undefined;
  /** Empty looks after `absent`, one for each of LATE_LOOKS_MS. */
  readonly lateLooks: number;
  /** The booking showed up only after the payment had been closed without it. */
  readonly late: boolean;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The gateway answers two queries a minute, to all terminals together (gateway-facts 2.5): at once, after 30 s, then ever more seldom, and after some two hours hourly. */
const SEARCH_DELAYS_MS = [0, 30 * SECOND, MINUTE, 2 * MINUTE, 4 * MINUTE] as const;
const SEARCH_DELAY_MAX_MS = 5 * MINUTE;
const PATIENT_SEARCHES = 30;
/** "Not there" is looked at again this long after it was called final (contract, truth 4). */
const LATE_LOOKS_MS = [HOUR, 24 * HOUR, 72 * HOUR] as const;
const REPEAT_DELAYS_MS = [5 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE] as const;
const REPEAT_DELAY_MAX_MS = HOUR;
/** After a throttle (gateway-facts 1.3). */
const THROTTLED_MS = 30 * SECOND;
/** An outcome that the gateway itself calls uncertain is taken as money held after this many queries that said the same. */
const UNCERTAIN_SEARCHES = 2;

export function intend(operation: Operation, role: Role, at: number): Attempt {
  return {
    operation,
    role,
    standing: "intended",
    answer: undefined,
    takenBack: false,
    selfReversed: false,
    intendedAt: at,
    since: at,
    searches: 0,
    searchedAt: undefined,
    lookedAt: undefined,
    emptySince: undefined,
    lateLooks: 0,
    late: false,
  };
}

/** An answer settles an attempt, or leaves it open: what must be searched for is everything that is neither a clear yes nor a clear no. */
function settles(role: Role, answer: Answer): boolean {
  switch (answer.is) {
    case "approved":
    case "declined":
    case "soft-declined":
    case "not-reversible":
    case "still-pending":
      return true;
    case "not-booked":
      // "The system is not available" is believed once a query knows nothing of it (gateway-facts 1.3).
      return answer.why !== "gateway-down";
    case "half-reversed":
      // Without an id there is nothing to reverse yet: a query has to find it.
      return answer.id !== undefined;
    case "already-reversed":
      // Of a registration it says that the gateway has none of that id any more, of a register's capture or refund that there is nothing left of it; of a reversal it is
      // believed once a query shows it (take-back.ts, void.ts).
      return role === "deletion" || role === "deregistration" || role === "capture" || role === "refund";
    // A link that was made moves no money.
    case "link":
    case "auto-reversed":
    case "duplicate":
    case "pending":
    case "throttled":
    case "unknown":
      return false;
  }
}

export function answered(attempt: Attempt, said: Answer, at: number): Attempt {
  const before = { ...attempt, emptySince: undefined };
  const answer = heldAgainst(attempt, said);
  // Whoever does not have a link's address cannot pay it (link.ts).
  if (isLinkUntold(attempt) && answer.is !== "link" && !settles(attempt.role, answer)) return { ...before, standing: "absent", answer, since: at };
  const rest = answer.is === "auto-reversed" ? { ...before, selfReversed: true } : before;
  if (settles(attempt.role, answer)) return { ...rest, standing: "settled", answer, since: at };
  return { ...rest, standing: "open", answer, since: attempt.standing === "open" ? attempt.since : at };
}

/** A reversal, or a refund in its place, of less than was to be (000.400.040 names the amount) leaves the rest standing: it is half of one, whatever its code says. */
function heldAgainst({ role, operation }: Attempt, said: Answer): Answer {
  const whole = role === "give-back" ? operation.amount : operation.reverses;
  if (said.is !== "approved" || said.amount === undefined || whole === undefined || said.amount >= whole) return said;
  const { id, resultCode, description, amount: reversed } = said;
  return { is: "half-reversed", id, resultCode, description: `gave back less than was to be (${description})`, reversed };
}

/** The request for a link, whose address was not heard yet. */
function isLinkUntold({ operation, standing }: Attempt): boolean {
  return operation.link !== undefined && standing === "intended";
}

/** After a restart nobody knows whether the request left, and what was not there is counted anew: between two processes a clock may have jumped. */
export function interrupted(attempt: Attempt, at: number): Attempt {
  const rest = { ...attempt, emptySince: undefined, searchedAt: undefined };
  if (isLinkUntold(attempt)) return { ...rest, standing: "absent", since: at };
  if (attempt.standing === "intended") return { ...rest, standing: "open", since: at };
  return attempt.standing === "open" ? { ...rest, searches: 0 } : attempt;
}

/** The attempt that a search was made for, after what the search said. The window is infinite as long as what is not there may yet come. */
export function searched(attempt: Attempt, result: SearchResult, at: number, unknownWindowMs: number): Attempt {
  const rest = { ...attempt, emptySince: undefined };
  // Of what refers to a booking a query tells something only where it shows that booking.
  const isAnswered = result.is === "found" || (result.is === "absent" && attempt.operation.referencedId === undefined && attempt.standing !== "settled");
  const looked = { ...rest, searches: attempt.searches + 1, searchedAt: at, lookedAt: isAnswered ? at : attempt.lookedAt };
  if (attempt.standing === "settled") return attempt.role === "void" && result.is === "found" ? { ...looked, emptySince: attempt.emptySince ?? at } : looked;
  // What may be repeated freely is never given up as absent.
  if (RULES[attempt.role].again === "freely") {
    if (result.is !== "found") return looked;
    return shown(looked, result.bookings, at) ?? { ...looked, emptySince: attempt.emptySince ?? at };
  }
  switch (result.is) {
    case "throttled":
    case "no-answer":
      return attempt.standing === "absent" ? { ...rest, searchedAt: at } : looked;
    case "absent":
      return isOriginalSeen(attempt, []) ? missing(attempt, looked, at, unknownWindowMs) : looked;
    case "found": {
      const told = shown(looked, result.bookings, at);
      if (told !== undefined || !isOriginalSeen(attempt, result.bookings)) return told ?? looked;
      const { answer } = shownAs(attempt, result.bookings) ?? looked;
      return missing(attempt, { ...looked, ...(answer && { answer }) }, at, unknownWindowMs);
    }
  }
}

/** A capture or refund is looked for among what refers to its original: where not even the original is seen, nothing was learned about it. */
function isOriginalSeen({ operation: { referencedId } }: Attempt, bookings: readonly Found[]): boolean {
  return referencedId === undefined || bookings.some(({ id }) => id === referencedId);
}

/** "Not there" counts only where nothing else was heard for the whole window in which the gateway may still be at work on it. */
function missing(attempt: Attempt, looked: Attempt, at: number, unknownWindowMs: number): Attempt {
  const { role, operation, standing, emptySince = at, lateLooks } = attempt;
  if (standing === "absent") return { ...looked, lateLooks: lateLooks + 1 };
  if (unknownWindowMs === Number.POSITIVE_INFINITY) return looked;
  const isDown = looked.answer?.is === "not-booked" && operation.link === undefined;
  const isOver = at - emptySince >= unknownWindowMs;
  // "Not available" and an empty query close what is never posted again (gateway-facts 1.3); before a second request there may be the whole window is waited for.
  if (isDown && (isOver || RULES[role].again === "never")) return { ...looked, standing: "settled", since: at };
  return isOver ? { ...looked, standing: "absent", since: at } : { ...looked, emptySince };
}

/** Of several bookings under one id, the one that moves money counts. */
const WEIGHT: readonly Answer["is"][] = ["approved", "half-reversed", "pending", "unknown"];

/** An attempt that is not settled, as bookings show it that a search for another one brought along; undefined where they do not. */
export function shown(attempt: Attempt, bookings: readonly Found[], at: number): Attempt | undefined {
  if (attempt.standing === "settled") return undefined;
  const booking = shownAs(attempt, bookings);
  // "There is nothing left to capture": an earlier capture of ours may show yet; where none does for the whole window, people have to look.
  if (booking === undefined || (attempt.role === "own-capture" && booking.answer.is === "already-reversed")) return undefined;
  // The row of a request that arrived twice says nothing about the first one, which may show yet.
  if (booking.answer.is === "duplicate" && booking.answer.purchase === undefined) return undefined;
  // By a link the customer may try again: a no is no end.
  if (attempt.operation.link !== undefined && !WEIGHT.includes(booking.answer.is) && booking.answer.is !== "auto-reversed") return undefined;
  return { ...answered(attempt, inItsCurrency(attempt, shownAnswer(booking)), at), late: attempt.late || attempt.standing === "absent" };
}

/** In another currency than it was asked for nobody knows what it is worth; what a payment stands or falls with is compared as a whole (ending.ts). */
function inItsCurrency({ role, operation }: Attempt, answer: Answer): Answer {
  if (RULES[role].isBooking || answer.is !== "approved" || answer.currency === undefined || answer.currency === operation.currency) return answer;
  if (operation.currency === undefined) return answer;
  const { id, resultCode, description } = answer;
  return { is: "unknown", id, resultCode, description: `is in ${answer.currency} (${description})` };
}

/** Of several bookings under its name the one that counts. */
function shownAs({ operation: { merchantTransactionId, paymentType } }: Attempt, bookings: readonly Found[]): Found | undefined {
  const own = bookings.filter((booking) => booking.merchantTransactionId === merchantTransactionId && booking.paymentType === paymentType);
  return WEIGHT.map((is) => own.find(({ answer }) => answer.is === is)).find((booking) => booking !== undefined) ?? own[0];
}

/**
 * What a query says of a booking is that booking's, also where its answer names no id. A row that the gateway keeps of a request it did not carry out (its acquirer was not
 * available; it took it for a purchase made twice; it was throttled) is the last word: nothing was booked under it.
 */
function shownAnswer({ id, answer }: Found): Answer {
  const isCarriedOut = answer.is !== "not-booked" && answer.is !== "duplicate" && answer.is !== "throttled";
  if (isCarriedOut || (answer.is === "not-booked" && answer.why === "refused")) return { ...answer, id };
  return { is: "not-booked", why: "not-sent", id, resultCode: answer.resultCode, description: answer.description };
}

/** When to look for it next, or undefined where there is nothing to look for. */
export function nextSearchAt(attempt: Attempt): number | undefined {
  const { again } = RULES[attempt.role];
  if (attempt.takenBack) return undefined;
  if (attempt.standing === "absent") {
    // What is posted again instead needs no late look; "nothing left", and nothing of ours shown, does.
    const isGivenUp = again === "never" || again === "when-not-booked" || attempt.answer?.is === "already-reversed";
    const look = isGivenUp ? LATE_LOOKS_MS[attempt.lateLooks] : undefined;
    if (look === undefined) return undefined;
    return Math.max(attempt.since + look, (attempt.searchedAt ?? 0) + SEARCH_DELAY_MAX_MS);
  }
  if (attempt.standing !== "open" || again === "freely") return undefined;
  // What showed up after the payment was closed keeps nobody waiting.
  const delay = attempt.late ? HOUR : searchDelayMs(attempt.searches);
  return (attempt.searchedAt ?? attempt.since) + delay;
}

/** How long after the last query the next one for the same thing is asked: not sooner than the gateway answers it (gateway-facts 2.5), then ever more seldom. */
export function lookDelayMs({ searches }: Attempt): number {
  return searchDelayMs(Math.max(1, searches));
}

function searchDelayMs(searches: number): number {
  return SEARCH_DELAYS_MS[searches] ?? (searches < PATIENT_SEARCHES ? SEARCH_DELAY_MAX_MS : HOUR);
}

/** When the next try of an operation should follow the `tries` before, of which `last` is the newest. */
export function repeatAt(last: Attempt, tries: number): number {
  const delay = REPEAT_DELAYS_MS[tries - 1] ?? REPEAT_DELAY_MAX_MS;
  return last.since + (last.answer?.is === "throttled" ? Math.max(delay, THROTTLED_MS) : delay);
}

/** Certainly not booked (or taken back by the gateway itself), and not refused for good: it may be posted again. */
export function isRepeatable(attempt: Attempt): boolean {
  const { role, standing, answer, takenBack, selfReversed } = attempt;
  const isNotBooked = standing === "settled" && (answer?.is === "still-pending" || (answer?.is === "not-booked" && answer.why !== "refused"));
  switch (RULES[role].again) {
    case "never":
      return false;
    case "when-not-booked":
      return isNotBooked;
    case "when-absent":
      // "There is nothing left to capture", and nothing of ours is found: somebody else's doing.
      if (standing === "absent" && answer?.is === "already-reversed") return false;
      return isNotBooked || standing === "absent" || (takenBack && selfReversed);
    case "freely":
      return standing === "open" || (standing === "settled" && !isDone(attempt));
  }
}

/** It went through and the gateway did not take it back by itself, or what it was for is so already. */
export function isDone({ role, standing, answer, takenBack, selfReversed }: Attempt): boolean {
  if (standing !== "settled" || (takenBack && selfReversed)) return false;
  return answer?.is === "approved" || (answer?.is === "already-reversed" && (role === "deletion" || role === "deregistration"));
}

/** A clear no to what was to take money back: nothing came of that try. It need not be the last word. */
export function isRefused({ standing, answer }: Attempt): boolean {
  if (standing !== "settled" || answer === undefined) return false;
  if (answer.is === "not-booked") return answer.why === "refused";
  return answer.is === "not-reversible" || answer.is === "declined" || answer.is === "soft-declined";
}

/** Money (or a stored card) that this attempt may have put on the gateway's ledger and that nothing is known to have taken back. */
export function mayHoldMoney({ role, standing, answer, takenBack, searches }: Attempt): boolean {
  if (takenBack || answer?.id === undefined) return false;
  if (standing === "settled") return answer.is === "approved" || answer.is === "half-reversed";
  // No query shows that a stored card was taken back (it has no reversal): deleting it once more is what tells.
  const isUncertain = answer.is === "unknown" || (role === "registration" && answer.is === "auto-reversed");
  return standing === "open" && isUncertain && searches >= UNCERTAIN_SEARCHES;
}

/** Nothing is to be learned about it any more (late looks aside). */
export function isKnown({ standing, takenBack }: Attempt): boolean {
  return standing === "settled" || standing === "absent" || takenBack;
}
