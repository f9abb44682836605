import type { Answer } from "./answer.ts";
import { isBooked, isNoOfOriginal, settles } from "./last-word.ts";
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
  /** The look that first told that it was booked showed that reversal as well: nobody was ever told that it stood. */
  readonly goneWhenSeen: boolean;
  /** The gateway has said that it took it back by itself, after its own time-out (900.100.301): the booking that it named, or, where it named none, whichever there is. */
  readonly selfReversed: { readonly id: string | undefined } | undefined;
  readonly intendedAt: number;
  /** When it came to its standing. */
  readonly since: number;
  /** The same without what went by between two processes, which nobody knows, because the clock may have been set: so long it has stood so for certain (stoodFor). */
  readonly stoodSince: number;
  readonly searches: number;
  readonly searchedAt: number | undefined;
  /** The last search that was answered: what it showed was so. */
  readonly lookedAt: number | undefined;
  /** How long it had stood so then, for certain, milliseconds. */
  readonly lookedAfter: number;
  /** Searches that were answered since it stands so: of those within six hours (LOOK_AT_LEAST_MS) one, whatever they were asked for; and when the last of these was. */
  readonly looks: number;
  readonly countedAt: number | undefined;
  /** The last search that showed it while it was not settled. */
  readonly shownAt: number | undefined;
  /** The first of the empty answers that followed each other without anything else between; what else comes begins the count anew. */
  readonly emptySince: number | undefined;
  /** Empty looks after `absent`, one for each of LATE_LOOKS_MS. */
  readonly lateLooks: number;
  /** The booking showed up only after the payment had been closed without it. */
  readonly late: boolean;
  /** The turn of its last look never came, and is waited for no more (arrived-twice.ts). */
  readonly leftUnlooked: boolean;
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
/** After a restart it is looked at this often besides, so that it is known how long it has stood even where a bridge is switched off every night. */
const LOOK_AT_LEAST_MS = 6 * HOUR;
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
    goneWhenSeen: false,
    selfReversed: undefined,
    intendedAt: at,
    since: at,
    stoodSince: at,
    searches: 0,
    searchedAt: undefined,
    lookedAt: undefined,
    lookedAfter: 0,
    looks: 0,
    countedAt: undefined,
    shownAt: undefined,
    emptySince: undefined,
    lateLooks: 0,
    late: false,
    leftUnlooked: false,
  };
}

/** It has come to that standing now. */
export function standingAs(attempt: Attempt, standing: Attempt["standing"], at: number): Attempt {
  return { ...attempt, standing, since: at, stoodSince: at, lookedAfter: 0, looks: 0, countedAt: undefined };
}

/** A search for it was answered. */
export function afterLook(attempt: Attempt, at: number): Attempt {
  const { looks, countedAt } = attempt;
  const counted = countedAt !== undefined && at - countedAt < LOOK_AT_LEAST_MS ? {} : { looks: looks + 1, countedAt: at };
  return { ...attempt, ...counted, lookedAt: at, lookedAfter: stoodFor(attempt, at) };
}

/** How long it has stood so for certain, milliseconds. */
export function stoodFor({ stoodSince }: Attempt, at: number): number {
  return at - stoodSince;
}

/** When to look at what should have stood so for that long; sooner after a restart (LOOK_AT_LEAST_MS). */
export function lookOnceStood({ since, stoodSince }: Attempt, ms: number, lookedAt: number): number {
  const due = stoodSince + ms;
  return stoodSince > since ? Math.min(due, lookedAt + LOOK_AT_LEAST_MS) : due;
}

export function answered(attempt: Attempt, said: Answer, at: number): Attempt {
  const before = { ...attempt, emptySince: undefined };
  const answer = heldAgainst(attempt, said);
  const isSettled = settles(attempt.role, answer);
  // Whoever does not have a link's address cannot pay it (link.ts).
  if (isLinkUntold(attempt) && answer.is !== "link" && !isSettled) return standingAs({ ...before, answer }, "absent", at);
  const rest = answer.is === "auto-reversed" ? { ...before, selfReversed: { id: answer.id } } : before;
  if (isSettled) return standingAs({ ...rest, answer }, "settled", at);
  return attempt.standing === "open" ? { ...rest, answer } : standingAs({ ...rest, answer }, "open", at);
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

/**
 * After a restart nobody knows whether the request left, and what was not there is counted anew: between two processes a clock may have jumped. `heardAt`: when something last
 * happened before it.
 */
export function interrupted(attempt: Attempt, at: number, heardAt: number): Attempt {
  const resumed = { ...attempt, stoodSince: at - stoodFor(attempt, heardAt) };
  const rest = { ...resumed, emptySince: undefined, searchedAt: undefined };
  if (isLinkUntold(attempt)) return standingAs(rest, "absent", at);
  if (attempt.standing === "intended") return standingAs(rest, "open", at);
  return attempt.standing === "open" ? { ...rest, searches: 0 } : resumed;
}

/** The answer to what is on the wire is waited for no more. */
export function leftOpen(attempt: Attempt, at: number): Attempt {
  return attempt.standing === "intended" ? standingAs(attempt, "open", at) : attempt;
}

/** When to look for it next, or undefined where there is nothing to look for. */
export function nextSearchAt(attempt: Attempt): number | undefined {
  const { again } = RULES[attempt.role];
  if (attempt.takenBack) return undefined;
  if (attempt.standing === "absent") {
    // What is posted again instead needs no late look.
    const isGivenUp = again === "never" || again === "when-not-booked" || isNothingLeft(attempt);
    const look = isGivenUp ? LATE_LOOKS_MS[attempt.lateLooks] : undefined;
    if (look === undefined) return undefined;
    const { searchedAt = 0 } = attempt;
    // One that is not answered, or tells nothing, is asked again; ever more seldom, because nobody waits for it.
    return Math.max(lookOnceStood(attempt, look, searchedAt), searchedAt + Math.max(SEARCH_DELAY_MAX_MS, lookDelayMs(attempt)));
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

/** The gateway has it, and has not decided it yet. */
export function isKeptPending({ standing, answer }: Attempt): boolean {
  return standing === "open" && answer?.is === "pending";
}

/** "There is nothing left to capture", and nothing of ours was found for the whole window: somebody else's doing. */
function isNothingLeft({ role, standing, answer }: Attempt): boolean {
  return role === "own-capture" && standing === "absent" && isNoOfOriginal(role, answer);
}

/** Whether an empty look at that moment was the one that was due. */
export function isLateLook(attempt: Attempt, at: number): boolean {
  return stoodFor(attempt, at) >= (LATE_LOOKS_MS[attempt.lateLooks] ?? Number.POSITIVE_INFINITY);
}

/** Certainly not booked (or taken back by the gateway itself), and not refused for good: it may be posted again. */
export function isRepeatable(attempt: Attempt): boolean {
  const { role, standing, answer, takenBack, goneWhenSeen, selfReversed } = attempt;
  const isNotBooked = standing === "settled" && (answer?.is === "still-pending" || (answer?.is === "not-booked" && answer.why !== "refused"));
  const isLockedOut = standing === "settled" && answer?.is === "not-booked" && answer.lacks === "access";
  switch (RULES[role].again) {
    case "never":
      return false;
    case "when-not-booked":
      return isNotBooked;
    case "when-absent":
      if (isNothingLeft(attempt)) return false;
      // A capture that somebody took back is left to people: it may have been one of them. What a customer is to get back he gets.
      return isNotBooked || isLockedOut || standing === "absent" || (takenBack && (selfReversed !== undefined || (goneWhenSeen && role === "give-back")));
    case "freely":
      return standing === "open" || (standing === "settled" && !isDone(attempt));
  }
}

/** Of this booking the gateway has said that it took it back by itself; of another one under the same name it has not. */
export function isSelfReversed({ selfReversed }: Attempt, id: string): boolean {
  return selfReversed !== undefined && (selfReversed.id === undefined || selfReversed.id === id);
}

/** It went through and the gateway did not take it back by itself, nor anybody else before that was known; or what it was for is so already. */
export function isDone({ role, standing, answer, takenBack, goneWhenSeen, selfReversed }: Attempt): boolean {
  if (standing !== "settled" || goneWhenSeen || (takenBack && selfReversed !== undefined)) return false;
  return answer?.is === "approved" || (answer?.is === "already-reversed" && (role === "deletion" || role === "deregistration"));
}

/** A refund or a void that stands at the gateway: nothing takes it back. */
export function hasGoneThrough(attempt: Attempt): boolean {
  return (attempt.role === "refund" || attempt.role === "void") && !attempt.takenBack && isDone(attempt);
}

/** What tries gave back together that were none of the whole (000.400.040), minor units; one reversal counts once, however many requests it answered. */
export function givenBackBy(tries: readonly Attempt[]): number {
  const parts = new Map<string, number>();
  for (const { operation, standing, answer } of tries) {
    if (standing === "settled" && answer?.is === "half-reversed") parts.set(answer.id ?? operation.merchantTransactionId, answer.reversed ?? 0);
  }
  return [...parts.values()].reduce((sum, part) => sum + part, 0);
}

/** Whether these tries took the whole back: one of them by itself, or several that add up to it. `whole`: minor units, where they are known. */
export function isTakenBackBy(tries: readonly Attempt[], whole: number | undefined): boolean {
  return tries.some(isDone) || (whole !== undefined && whole > 0 && givenBackBy(tries) >= whole);
}

/** A clear no to what was to take money back: nothing came of that try. It need not be the last word. */
export function isRefused({ standing, answer }: Attempt): boolean {
  if (standing !== "settled" || answer === undefined) return false;
  if (answer.is === "not-booked") return answer.why === "refused";
  return answer.is === "not-reversible" || answer.is === "declined" || answer.is === "soft-declined";
}

/** The gateway has said how much it gave back, and that is not the whole (heldAgainst). */
export function isPart({ standing, answer }: Attempt): boolean {
  return standing === "settled" && answer?.is === "half-reversed" && answer.reversed !== undefined;
}

/** The gateway has left it to people whether it was carried out (000.400.030). */
export function isUnsure({ standing, answer }: Attempt): boolean {
  return standing === "settled" && answer?.is === "half-reversed" && answer.reversed === undefined;
}

/** Money (or a stored card) that this attempt may have put on the gateway's ledger and that nothing is known to have taken back. */
export function mayHoldMoney({ role, standing, answer, takenBack, searches }: Attempt): boolean {
  if (takenBack || answer?.id === undefined) return false;
  if (standing === "settled") return isBooked(answer);
  // No query shows that a stored card was taken back (it has no reversal): deleting it once more is what tells.
  const isUncertain = answer.is === "unknown" || (role === "registration" && answer.is === "auto-reversed");
  return standing === "open" && isUncertain && searches >= UNCERTAIN_SEARCHES;
}

/** Nothing is to be learned about it any more (late looks aside). */
export function isKnown({ standing, takenBack }: Attempt): boolean {
  return standing === "settled" || standing === "absent" || takenBack;
}
