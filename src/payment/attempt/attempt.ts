import type { Answer } from "../fact/answer.ts";
import type { Operation } from "../fact/operation.ts";
import { isBooked, settles } from "./definite-answer.ts";
import {
  emptySince,
  isReversalShown,
  isReversedOnFirstSight,
  looked,
  noted,
  type Observation,
  queriesOf,
  selfReversal,
} from "./observation.ts";
import type { Role } from "./retry-by-role.ts";

/**
 * - `intended`: on disk, perhaps sent;
 * - `open`: outcome unknown;
 * - `settled`: `answer` is its outcome;
 * - `absent`: not shown during the unknown window, or a link that nobody can pay.
 */
export interface Attempt {
  readonly operation: Operation;
  readonly role: Role;
  readonly standing: "intended" | "open" | "settled" | "absent";
  readonly answer: Answer | undefined;
  readonly intendedAt: number;
  readonly since: number;
  readonly observed: readonly Observation[];
}

/** After this many queries, a booking of unclear outcome counts as money. */
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
  // Nobody can pay by a link whose address never arrived.
  if (isLinkUntold(attempt) && answer.is !== "link" && !isSettled)
    return standingAs({ ...attempt, answer }, "absent", at);
  const isNews =
    answer.is === "auto-reversed" && (selfReversal(attempt) === undefined || selfReversal(attempt)?.id !== answer.id);
  const rest = isNews ? noted(attempt, { is: "self-reversed", at, id: answer.id }) : attempt;
  if (isSettled) return standingAs({ ...rest, answer }, "settled", at);
  // After an answer the unknown window begins anew (decision 7).
  if (attempt.standing !== "open") return standingAs({ ...rest, answer }, "open", at);
  return emptySince(rest) === undefined ? { ...rest, answer } : looked({ ...rest, answer }, "blind", at, false);
}

/** A reversal, or the refund in its place, of less than was asked (000.400.040) leaves the rest standing. */
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

function isLinkUntold({ operation, standing }: Attempt): boolean {
  return operation.link !== undefined && standing === "intended";
}

/** The time since the last fact (`heardAt`) is not counted (decision 3). */
export function interrupted(attempt: Attempt, at: number, heardAt: number): Attempt {
  const resumed = noted(attempt, { is: "restart", at, lostMs: at - heardAt });
  if (isLinkUntold(attempt)) return standingAs(resumed, "absent", at);
  return attempt.standing === "intended" ? standingAs(resumed, "open", at) : resumed;
}

export function leftOpen(attempt: Attempt, at: number): Attempt {
  return attempt.standing === "intended" ? standingAs(attempt, "open", at) : attempt;
}

export function isKeptPending({ standing, answer }: Attempt): boolean {
  return standing === "open" && answer?.is === "pending";
}

/** 900.100.301. If it names a booking, another one under the request's name may stand. */
export function isSelfReversed(attempt: Attempt, id: string): boolean {
  const said = selfReversal(attempt);
  return said !== undefined && (said.id === undefined || said.id === id);
}

/** Not if reversed when first seen, or by the gateway itself. A deletion that finds no card is done. */
export function isDone(attempt: Attempt): boolean {
  const { role, standing, answer } = attempt;
  if (
    standing !== "settled" ||
    isReversedOnFirstSight(attempt) ||
    (isReversalShown(attempt) && selfReversal(attempt) !== undefined)
  )
    return false;
  return (
    answer?.is === "approved" ||
    (answer?.is === "already-reversed" && (role === "deletion" || role === "deregistration"))
  );
}

export function isRefundOrVoidDone(attempt: Attempt): boolean {
  return (attempt.role === "refund" || attempt.role === "void") && !isReversalShown(attempt) && isDone(attempt);
}

/** In minor units. A partial reversal (000.400.040) counts once, even if it answered several requests. */
export function givenBackBy(tries: readonly Attempt[]): number {
  const parts = new Map<string, number>();
  for (const { operation, standing, answer } of tries) {
    if (standing === "settled" && answer?.is === "half-reversed")
      parts.set(answer.id ?? operation.merchantTransactionId, answer.reversed ?? 0);
  }
  return [...parts.values()].reduce((sum, part) => sum + part, 0);
}

/** `whole`: the booked amount in minor units, if known. */
export function isTakenBackBy(tries: readonly Attempt[], whole: number | undefined): boolean {
  return tries.some(isDone) || (whole !== undefined && whole > 0 && givenBackBy(tries) >= whole);
}

export function isRefused({ standing, answer }: Attempt): boolean {
  if (standing !== "settled" || answer === undefined) return false;
  if (answer.is === "not-booked") return answer.why === "refused";
  return answer.is === "not-reversible" || answer.is === "declined" || answer.is === "soft-declined";
}

export function isPart({ standing, answer }: Attempt): boolean {
  return standing === "settled" && answer?.is === "half-reversed" && answer.reversed !== undefined;
}

/** The gateway does not know whether its reversal worked (000.400.030). */
export function isUnsure({ standing, answer }: Attempt): boolean {
  return standing === "settled" && answer?.is === "half-reversed" && answer.reversed === undefined;
}

/** Money or a stored card may be at the gateway, with an id to undo it by. */
export function mayHoldMoney(attempt: Attempt): boolean {
  const { role, standing, answer } = attempt;
  if (isReversalShown(attempt) || answer?.id === undefined) return false;
  if (standing === "settled") return isBooked(answer);
  // A registration's card may outlive 900.100.301: only the answer to our own deletion tells.
  const isUncertain = answer.is === "unknown" || (role === "registration" && answer.is === "auto-reversed");
  return standing === "open" && isUncertain && queriesOf(attempt) >= UNCERTAIN_QUERIES;
}

export function isKnown(attempt: Attempt): boolean {
  return attempt.standing === "settled" || attempt.standing === "absent" || isReversalShown(attempt);
}
