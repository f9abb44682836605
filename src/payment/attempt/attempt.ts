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
 * - `open`: no definite answer, so it is queried;
 * - `settled`: `answer` is its outcome;
 * - `absent`: not shown during the unknown window, or nobody can pay by its link.
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

/** A booking that this many queries leave `unknown` counts as money: a failed payment reverses it. */
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
  // The answer with the link's address is lost: no customer gets the link, so none can pay by it.
  if (isLinkUntold(attempt) && answer.is !== "link" && !isSettled)
    return standingAs({ ...attempt, answer }, "absent", at);
  const isNews =
    answer.is === "auto-reversed" && (selfReversal(attempt) === undefined || selfReversal(attempt)?.id !== answer.id);
  const rest = isNews ? noted(attempt, { is: "self-reversed", at, id: answer.id }) : attempt;
  if (isSettled) return standingAs({ ...rest, answer }, "settled", at);
  // An answer that is not definite: the gateway may book only now, and queries may show that late. The unknown window
  // begins anew (decision 7).
  if (attempt.standing !== "open") return standingAs({ ...rest, answer }, "open", at);
  return emptySince(rest) === undefined ? { ...rest, answer } : looked({ ...rest, answer }, "blind", at, false);
}

/**
 * The gateway may undo less than a reversal, or the refund in its place, was to undo (000.400.040). The rest stands: no
 * approval.
 */
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

/**
 * Nobody knows how long no process ran before this restart: the time since the last fact does not count as waiting
 * (decision 3).
 */
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

/**
 * 900.100.301: the gateway says that it reversed a booking itself. If it names an id, another booking of the request
 * may stand.
 */
export function isSelfReversed(attempt: Attempt, id: string): boolean {
  const said = selfReversal(attempt);
  return said !== undefined && (said.id === undefined || said.id === id);
}

/**
 * Not done if the gateway reversed it itself, or it was reversed before a query first showed it. A deletion that finds
 * no card is done.
 */
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

/** The gateway may answer several requests with the same partial reversal (000.400.040): each id counts once. */
export function givenBackBy(tries: readonly Attempt[]): number {
  const parts = new Map<string, number>();
  for (const { operation, standing, answer } of tries) {
    if (standing === "settled" && answer?.is === "half-reversed")
      parts.set(answer.id ?? operation.merchantTransactionId, answer.reversed ?? 0);
  }
  return [...parts.values()].reduce((sum, part) => sum + part, 0);
}

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

/** 000.400.030: the gateway tried to reverse the booking itself and does not know whether that worked. */
export function isUnsure({ standing, answer }: Attempt): boolean {
  return standing === "settled" && answer?.is === "half-reversed" && answer.reversed === undefined;
}

export function mayHoldMoney(attempt: Attempt): boolean {
  const { role, standing, answer } = attempt;
  if (isReversalShown(attempt) || answer?.id === undefined) return false;
  if (standing === "settled") return isBooked(answer);
  // The card that an RG stored may outlive 900.100.301: only the answer to the bridge's own deletion (DR) tells, so
  // that is sent.
  const isUncertain = answer.is === "unknown" || (role === "registration" && answer.is === "auto-reversed");
  return standing === "open" && isUncertain && queriesOf(attempt) >= UNCERTAIN_QUERIES;
}

export function isKnown(attempt: Attempt): boolean {
  return attempt.standing === "settled" || attempt.standing === "absent" || isReversalShown(attempt);
}
