import type { JournalPayment } from "./journal.ts";
import type { Entry, Telling } from "./record.ts";

/**
 * Refusals that may come at any time, also for a payment that was accepted long ago: the bridge is about to go, or the
 * register asks too often.
 */
const AT_ANY_TIME: readonly string[] = ["shutting-down", "too-many-requests"];
/** And those of a terminal that is in use or not there, after which a cashier asks again. */
const AGAIN: readonly string[] = [...AT_ANY_TIME, "terminal-busy", "terminal-offline", "terminal-out-of-service"];
/** A start that was sent this long after the acceptance must find it, however the two clocks are read. */
const SLACK_MS = 50;

/**
 * What a register was told of a payment against each other and against the journal: what was told once must stay so.
 */
export function toldProblems(entry: Entry, payment: JournalPayment): readonly string[] {
  const { tellings, created, cancellations, missing } = entry;
  const problems: string[] = [];
  const ids = distinct([payment.id, ...tellings.map(({ id }) => id)]);
  if (ids.length > 1) problems.push(`has several ids: ${ids.join(", ")}`);
  if (created > 1) problems.push(`was created ${created} times, as its register was told`);
  problems.push(...changed("decision", [...tellings.map(({ decision }) => decision), payment.decision]));
  problems.push(...changed("outcome", [...tellings.map(({ outcome }) => outcome), payment.outcome]));
  if (tellings.some(({ state }) => state === "FINAL") && payment.state !== "FINAL")
    problems.push(`was told to be FINAL, and is ${payment.state}`);
  if (entry.besideUndecided !== undefined)
    problems.push(`was taken although ${entry.besideUndecided} of the same order was not decided`);
  if (missing > 0) problems.push("was accepted, and then not found");
  if (cancellations.includes("accepted") && payment.decision === "approved")
    problems.push("was approved although its cancellation had been accepted");
  problems.push(...refusedTooLate(entry, payment), ...outOfOrder(tellings), ...neverHeard(entry, payment));
  return problems;
}

/**
 * Every start of a run is one that a bridge takes, sooner or later; what refers to another payment may be refused by
 * the rules.
 */
export function refusedForGood({ kind, refusals }: Entry): readonly string[] {
  if (kind === "CAPTURE" || kind === "VOID" || kind === "LINKED_REFUND" || kind === "INCREMENT") return [];
  return distinct(
    refusals
      .filter(({ code }) => !AGAIN.includes(code))
      .map(({ code, message }) => `was refused for good (${code}: ${message})`),
  );
}

function changed(what: string, values: readonly (string | undefined)[]): readonly string[] {
  const said = distinct(values.filter((value) => value !== undefined));
  return said.length > 1 ? [`its ${what} changed: ${said.join(", ")}`] : [];
}

/**
 * The same start, sent again, gives the same payment for ever: nothing else may be answered to it once it was accepted.
 */
function refusedTooLate({ refusals }: Entry, { createdAt }: JournalPayment): readonly string[] {
  const accepted = Date.parse(createdAt) + SLACK_MS;
  const late = refusals.filter(({ code, sentAt }) => sentAt > accepted && !AT_ANY_TIME.includes(code));
  return distinct(late.map(({ code, message }) => `was refused (${code}: ${message}) after it had been accepted`));
}

/**
 * A payment's notifications come in the order of its states: behind FINAL nothing else comes on the same connection.
 */
function outOfOrder(tellings: readonly Telling[]): readonly string[] {
  const done = new Set<number>();
  for (const { via, connection, state } of tellings) {
    if (via !== "change") continue;
    if (state === "FINAL") done.add(connection);
    else if (done.has(connection)) return [`was told to be ${state} after FINAL on the same connection`];
  }
  return [];
}

/** A register that comes back by its cursor misses nothing. */
function neverHeard({ tellings }: Entry, { state }: JournalPayment): readonly string[] {
  const heard = tellings.some((telling) => telling.via === "change" && telling.state === "FINAL");
  return state === "FINAL" && !heard
    ? ["is FINAL, and its register, which follows by cursor, was never notified of it"]
    : [];
}

function distinct<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)];
}
