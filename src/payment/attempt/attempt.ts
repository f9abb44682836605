import type { Answer } from "../fact/answer.ts";
import type { Operation } from "../fact/operation.ts";
import { isBooked, settles } from "./heard.ts";
import {
  emptySince,
  isReversalShown,
  isReversedUnseen,
  looked,
  noted,
  type Observation,
  queriesOf,
  selfReversal,
} from "./observation.ts";
import type { Role } from "./role.ts";

/**
 * One gateway operation from intent to known.
 * - `intended`: durable, perhaps on the wire;
 * - `open`: on the wire once, and its outcome is not known;
 * - `settled`: `answer` is its outcome;
 * - `absent`: the gateway showed nothing of it for the whole unknown window.
 */
export interface Attempt {
  readonly operation: Operation;
  readonly role: Role;
  readonly standing: "intended" | "open" | "settled" | "absent";
  readonly answer: Answer | undefined;
  readonly intendedAt: number;
  /** When it came to its standing. */
  readonly since: number;
  readonly observed: readonly Observation[];
}

/**
 * An outcome that the gateway itself calls uncertain is taken as money held after this many queries that said the same.
 */
const UNCERTAIN_QUERIES = 2;

export function intend(operation: Operation, role: Role, at: number): Attempt {
  return { operation, role, standing: "intended", answer: undefined, intendedAt: at, since: at, observed: [] };
}

export function standingAs(attempt: Attempt, standing: Attempt["standing"], at: number): Attempt {
  const next = { ...attempt, standing, since: at };
  return standing === "absent" ? noted(next, { is: "given-up", at }) : next;
}

export function answered(attempt: Attempt, said: Answer, at: number): Attempt {
  const answer = heldAgainst(attempt, said);
  const isSettled = settles(attempt.role, answer);
  // Whoever does not have a link's address cannot pay it (link.ts).
  if (isLinkUntold(attempt) && answer.is !== "link" && !isSettled)
    return standingAs({ ...attempt, answer }, "absent", at);
  const isNews =
    answer.is === "auto-reversed" && (selfReversal(attempt) === undefined || selfReversal(attempt)?.id !== answer.id);
  const rest = isNews ? noted(attempt, { is: "self-reversed", at, id: answer.id }) : attempt;
  if (isSettled) return standingAs({ ...rest, answer }, "settled", at);
  // What is heard begins the count of empty answers anew.
  if (attempt.standing !== "open") return standingAs({ ...rest, answer }, "open", at);
  return emptySince(rest) === undefined ? { ...rest, answer } : looked({ ...rest, answer }, "blind", at, false);
}

/** A reversal or refund of less than was asked for (000.400.040) leaves the rest standing, whatever its code says. */
function heldAgainst({ role, operation }: Attempt, said: Answer): Answer {
  const whole = role === "give-back" ? operation.amount : operation.reverses;
  if (said.is !== "approved" || said.amount === undefined || whole === undefined || said.amount >= whole) return said;
  const { id, resultCode, description, amount: reversed } = said;
  return {
    is: "half-reversed",
    id,
    resultCode,
    description: `gave back less than was to be (${description})`,
    reversed,
  };
}

/** The request for a link, whose address was not heard yet. */
function isLinkUntold({ operation, standing }: Attempt): boolean {
  return operation.link !== undefined && standing === "intended";
}

/**
 * After a restart nobody knows whether the request left, nor how long the bridge was off: its clock may have been set.
 */
export function interrupted(attempt: Attempt, at: number, heardAt: number): Attempt {
  const resumed = noted(attempt, { is: "restart", at, lostMs: at - heardAt });
  if (isLinkUntold(attempt)) return standingAs(resumed, "absent", at);
  return attempt.standing === "intended" ? standingAs(resumed, "open", at) : resumed;
}

/** The answer to what is on the wire is waited for no more. */
export function leftOpen(attempt: Attempt, at: number): Attempt {
  return attempt.standing === "intended" ? standingAs(attempt, "open", at) : attempt;
}

/** The gateway has it, and has not decided it yet. */
export function isKeptPending({ standing, answer }: Attempt): boolean {
  return standing === "open" && answer?.is === "pending";
}

/** Of this booking the gateway has said that it reversed it itself; of another one under the same name it has not. */
export function isSelfReversed(attempt: Attempt, id: string): boolean {
  const said = selfReversal(attempt);
  return said !== undefined && (said.id === undefined || said.id === id);
}

/** It went through, and was not reversed before that was known; or there was nothing left to do. */
export function isDone(attempt: Attempt): boolean {
  const { role, standing, answer } = attempt;
  if (
    standing !== "settled" ||
    isReversedUnseen(attempt) ||
    (isReversalShown(attempt) && selfReversal(attempt) !== undefined)
  )
    return false;
  return (
    answer?.is === "approved" ||
    (answer?.is === "already-reversed" && (role === "deletion" || role === "deregistration"))
  );
}

/** A refund or a void that stands at the gateway: nothing reverses it. */
export function hasGoneThrough(attempt: Attempt): boolean {
  return (attempt.role === "refund" || attempt.role === "void") && !isReversalShown(attempt) && isDone(attempt);
}

/**
 * What tries in part (000.400.040) gave back together, minor units. One reversal counts once, however many requests it
 * answered.
 */
export function givenBackBy(tries: readonly Attempt[]): number {
  const parts = new Map<string, number>();
  for (const { operation, standing, answer } of tries) {
    if (standing === "settled" && answer?.is === "half-reversed")
      parts.set(answer.id ?? operation.merchantTransactionId, answer.reversed ?? 0);
  }
  return [...parts.values()].reduce((sum, part) => sum + part, 0);
}

/** One of these tries reversed the whole, or several add up to it. `whole`: minor units, where they are known. */
export function isTakenBackBy(tries: readonly Attempt[], whole: number | undefined): boolean {
  return tries.some(isDone) || (whole !== undefined && whole > 0 && givenBackBy(tries) >= whole);
}

/** A clear no to what was to take money back: nothing came of that try. */
export function isRefused({ standing, answer }: Attempt): boolean {
  if (standing !== "settled" || answer === undefined) return false;
  if (answer.is === "not-booked") return answer.why === "refused";
  return answer.is === "not-reversible" || answer.is === "declined" || answer.is === "soft-declined";
}

/** The gateway has said how much it gave back, and that is not the whole. */
export function isPart({ standing, answer }: Attempt): boolean {
  return standing === "settled" && answer?.is === "half-reversed" && answer.reversed !== undefined;
}

/** The gateway does not know whether it was carried out (000.400.030). */
export function isUnsure({ standing, answer }: Attempt): boolean {
  return standing === "settled" && answer?.is === "half-reversed" && answer.reversed === undefined;
}

/** Money, or a stored card, that may be on the gateway's ledger and that nothing is known to have reversed. */
export function mayHoldMoney(attempt: Attempt): boolean {
  const { role, standing, answer } = attempt;
  if (isReversalShown(attempt) || answer?.id === undefined) return false;
  if (standing === "settled") return isBooked(answer);
  // No query shows that a stored card was deleted: deleting it once more is what tells.
  const isUncertain = answer.is === "unknown" || (role === "registration" && answer.is === "auto-reversed");
  return standing === "open" && isUncertain && queriesOf(attempt) >= UNCERTAIN_QUERIES;
}

/** Nothing is to be learned about it any more (late looks aside). */
export function isKnown(attempt: Attempt): boolean {
  return attempt.standing === "settled" || attempt.standing === "absent" || isReversalShown(attempt);
}
