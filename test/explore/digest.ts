import type { Attempt } from "../../src/payment/attempt/attempt.ts";
import {
  askedAt,
  emptySince,
  isLate,
  isReversalShown,
  isReversedOnFirstSight,
  lookedAt,
  lostSince,
  queriesOf,
  selfReversal,
  shownAt,
  stoodFor,
} from "../../src/payment/attempt/observation.ts";
import type { Payment } from "../../src/payment/state/payment.ts";
import type { Begun, System } from "./system.ts";

/**
 * A state's name, 53 bits. Two states with one name go on alike:
 * - every time is taken relative to now, in whole seconds and up to four days back; the 10 ms between steps vanish in that;
 * - times that decide nothing any more (when it was accepted, updated, concluded) are left out;
 * - where only the order of two times counts (whether a query came after a try), that order is taken and not the times;
 * - counts stand up to where the machine's tables end.
 * Plain objects without times are digested once each, by identity.
 */
export function digestOf(system: System): number {
  reset();
  for (const { payment, begun } of system.parties) {
    ofPayment(payment, system.now);
    for (const one of begun) ofBegun(one, system.now);
  }
  for (const row of system.ledger) {
    text(row.mtid);
    text(row.state);
    text(row.type);
    int(row.amount);
    int(row.givenBack);
    int(
      (row.takenBack ? 1 : 0) +
        (row.irreversible ? 2 : 0) +
        (row.sight === "seen" ? 4 : row.sight === "hidden" ? 32 : 0) +
        (row.card === "none" ? 0 : row.card === "stored" ? 8 : 16),
    );
    int(row.sight === "seen" && row.state !== "limbo" ? -1 : age(system.now, row.at));
    plain(row.says);
  }
  text(system.cardWord);
  int(system.presented);
  for (const id of system.settled) text(`settled ${id}`);
  return (h1 >>> 0) + (h2 & 0x1f_ffff) * 0x1_0000_0000;
}

const HOUR_MS = 3_600_000;

/**
 * Every field of a payment is either digested or known to decide nothing; a new one has to be put here before this
 * compiles.
 */
type Digested =
  | "accepted"
  | "terminal"
  | "leased"
  | "rounds"
  | "ask"
  | "chipFailures"
  | "chipAsked"
  | "card"
  | "chip"
  | "presented"
  | "attempts"
  | "link"
  | "signature"
  | "targets"
  | "reversed"
  | "used"
  | "seconds"
  | "toldOriginal"
  | "followUps"
  | "captureWithdrawnBy"
  | "cancelAskedAt"
  | "interruptedAt"
  | "ending"
  | "resolved"
  | "concluded"
  | "updatedAt";
const isComplete: Exclude<keyof Payment, Digested> extends never ? true : never = true;

function ofPayment(payment: Payment, now: number): void {
  const { terminal, attempts, ending, concluded } = payment;
  text(terminal.at);
  if (terminal.at === "over") plain(terminal.how);
  if (terminal.at === "completing") plain(terminal.issuer);
  const isTimed = terminal.at !== "none" && terminal.at !== "queued" && concluded === undefined && ending === undefined;
  if (isTimed || terminal.at === "holding" || terminal.at === "completing")
    int("since" in terminal ? age(now, terminal.since) : 0);
  const flags = [
    payment.leased,
    payment.toldOriginal,
    payment.cancelAskedAt !== undefined,
    payment.interruptedAt !== undefined,
    concluded !== undefined,
    isComplete,
  ];
  for (const flag of flags) int(flag ? 1 : 0);
  int(payment.rounds);
  int(payment.presented);
  int(payment.chipFailures);
  int(payment.chipAsked);
  plain(payment.ask);
  plain(payment.card);
  plain(payment.chip);
  text(ending === undefined ? "" : `${ending.outcome} ${ending.reason}`);
  if (ending !== undefined && terminal.at !== "over") int(age(now, ending.at));
  text(concluded?.outcome ?? "");
  int(payment.signature === undefined ? 0 : payment.signature.accepted ? 1 : 2);
  text(payment.captureWithdrawnBy ?? "");
  plain(payment.targets);
  for (const id of payment.reversed) text(id);
  for (const id of payment.used) text(`used ${id}`);
  for (const { id, isPending, isTakenBack, shownAt } of payment.seconds)
    text(`second ${id} ${isPending} ${isTakenBack ? "gone" : age(now, shownAt)}`);
  plain(payment.followUps);
  ofResolved(payment, now);
  ofLink(payment, now);
  const { expiresAt } = payment.accepted;
  if (expiresAt !== undefined && (terminal.at === "none" || terminal.at === "queued")) int(age(expiresAt, now));
  for (const attempt of attempts) ofAttempt(attempt, payment, now);
}

/** Of the times only the order counts, and how long it is looked for what came after it. */
function ofResolved({ resolved, attempts, seconds }: Payment, now: number): void {
  if (resolved === undefined) return;
  text(`${resolved.as} ${resolved.gatewayId ?? ""}`);
  int(age(now, resolved.at));
  for (const { since, intendedAt } of attempts) int((since > resolved.at ? 1 : 0) + (intendedAt > resolved.at ? 2 : 0));
  for (const { seenAt } of seconds) int(seenAt > resolved.at ? 1 : 0);
}

function ofLink({ link, accepted, attempts, ending, interruptedAt }: Payment, now: number): void {
  if (link === undefined) return;
  plain(link.sight);
  int(age(now, link.at));
  int(age(now, link.seenAt));
  int(age(now, accepted.link?.until ?? 0));
  int(interruptedAt === undefined ? -1 : age(now, interruptedAt));
  const [first] = attempts;
  const looked = first && lookedAt(first);
  int(looked === undefined ? -1 : age(now, looked));
  int(ending === undefined ? -1 : age(now, ending.at));
}

function ofAttempt(attempt: Attempt, { attempts }: Payment, now: number): void {
  const { operation, standing, answer, since } = attempt;
  const asked = askedAt(attempt);
  const empty = emptySince(attempt);
  const shown = shownAt(attempt);
  const looked = lookedAt(attempt);
  text(operation.paymentType);
  int(operation.amount ?? -1);
  text(operation.referencedId ?? "");
  text(standing);
  plain(answer);
  const flags = [
    isReversalShown(attempt),
    isLate(attempt),
    selfReversal(attempt) !== undefined,
    isReversedOnFirstSight(attempt),
  ];
  for (const flag of flags) int(flag ? 1 : 0);
  // When a clear yes or no came is of no consequence; of everything else it says when the next try is due.
  int(standing === "settled" && (answer?.is === "approved" || answer?.is === "declined") ? 0 : age(now, since));
  int(Math.min(queriesOf(attempt), 5));
  int(asked === undefined ? -1 : age(now, asked));
  int(empty === undefined ? -1 : age(now, empty));
  int(Math.round(lostSince(attempt, since) / 1000));
  const looksPast = looked === undefined ? 0 : stoodFor(attempt, Math.max(looked, since));
  int(AGES_MS.filter((limit) => looksPast >= limit).length);
  int(shown === undefined ? -1 : attempts.filter((other) => (lookedAt(other) ?? 0) > shown).length);
  int(looked === undefined ? -1 : attempts.filter((other) => other.since < looked).length);
}

/** Ages at which a rule says otherwise: the unknown window, a day with its slack, and the late looks. */
const AGES_MS = [1_800_000, HOUR_MS, 24 * HOUR_MS, 25 * HOUR_MS, 72 * HOUR_MS];

function ofBegun({ effect, since, at }: Begun, now: number): void {
  text(effect.do);
  text(at);
  if (effect.do === "search" || effect.do === "wake") int(age(effect.at, now));
  if (effect.do === "search") text(effect.merchantTransactionId);
  if (effect.do === "post") {
    text(effect.operation.merchantTransactionId);
    if (at === "open") int(age(now, since));
  }
}

const FOUR_DAYS_S = 4 * 86_400;

function age(now: number, then: number): number {
  return Math.max(-FOUR_DAYS_S, Math.min(FOUR_DAYS_S, Math.round((now - then) / 1000)));
}

let h1 = 0;
let h2 = 0;

function reset(): void {
  h1 = 0x9e37_79b1;
  h2 = 0x85eb_ca77;
}

function int(value: number): void {
  h1 = Math.imul(h1 ^ value, 0x9e37_79b1);
  h1 ^= h1 >>> 15;
  h2 = Math.imul(h2 ^ (value + 0x7f4a), 0xc2b2_ae35);
  h2 ^= h2 >>> 13;
}

const texts = new Map<string, number>();

function text(value: string): void {
  const known = texts.get(value);
  if (known !== undefined) {
    int(known);
    return;
  }
  const number = codeOf(value);
  texts.set(value, number);
  int(number);
}

/** By content and not by order of appearance, so that a state has the same name in every process. */
function codeOf(value: string): number {
  let code = 0x811c_9dc5;
  for (let at = 0; at < value.length; at += 1) code = Math.imul(code ^ value.charCodeAt(at), 0x0100_0193);
  return code;
}

const plains = new WeakMap<object, number>();

function plain(value: object | undefined): void {
  if (value === undefined) {
    int(-7);
    return;
  }
  const known = plains.get(value) ?? codeOf(JSON.stringify(value));
  plains.set(value, known);
  int(known);
}
