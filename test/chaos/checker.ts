import { z } from "zod";
import { outcomes, type PaymentView, states } from "../../src/payment/view-schema.ts";
import { type LedgerRow, rowsNamed } from "../scenarios/ledger.ts";
import { contradictions } from "../scenarios/truths.ts";
import { type Entry, isAccepted, type Telling } from "./record.ts";

const journaled = {
  id: z.string(),
  reference: z.string(),
  register: z.string(),
  state: z.enum(states),
  outcome: z.enum(outcomes).optional(),
};
/** A line of `posbridge payments export`, as far as the checker looks at it. */
export const exportedSchema = z.object({
  ...journaled,
  decision: z.enum(["approved", "not-approved"]).optional(),
  capture: z.string().optional(),
  reason: z.object({ code: z.string() }).optional(),
  voidedBy: z.string().optional(),
  createdAt: z.iso.datetime(),
});
export type Exported = z.infer<typeof exportedSchema>;
/** `posbridge payments list --json`. */
export const pageSchema = z.object({ payments: z.array(z.object(journaled)), next: z.string().optional() });
export type Listed = z.infer<typeof pageSchema>["payments"][number];

/** All that an outsider can see of a shop once everything is healed. */
export interface Evidence {
  readonly entries: readonly Entry[];
  /** What the registers list as their payments. */
  readonly payments: readonly PaymentView[];
  readonly journal: readonly Exported[];
  readonly listed: readonly Listed[];
  readonly rows: readonly LedgerRow[];
}

/** Compares ledger, journal and what the registers were told; each violation in one line. */
export function check({ entries, payments, journal, listed, rows }: Evidence): readonly string[] {
  const sent = new Map(entries.map((entry) => [keyOf(entry), entry] as const));
  const exported = new Map(journal.map((payment) => [keyOf(payment), payment] as const));
  return [
    ...contradictions(payments, rows, []),
    ...payments.flatMap((payment) => toldTooSoon(payment, sent.get(keyOf(payment)), rows)),
    ...journal
      .filter((payment) => !sent.has(keyOf(payment)))
      .map(({ reference }) => `${reference} is in the journal, and no register asked for it`),
    ...entries.flatMap((entry) =>
      problemsOf(entry, exported.get(keyOf(entry))).map((problem) => `${entry.kind} ${entry.reference} ${problem}`),
    ),
    ...differences("payments list", journal, listed),
    ...differences("what its registers list", journal, payments),
  ];
}

const keyOf = ({ register, reference }: Pick<Entry, "register" | "reference">): string => `${register} ${reference}`;

function problemsOf(entry: Entry, payment: Exported | undefined): readonly string[] {
  if (payment !== undefined) return [...standing(payment), ...toldProblems(entry, payment)];
  if (isAccepted(entry)) return ["was accepted, and is missing from the journal"];
  const { kind, refusals } = entry;
  const last = refusals.at(-1)?.code ?? "no reply";
  // A bridge takes every start sooner or later; what refers to another payment may be refused by its rules.
  const isStart = kind === "SALE" || kind === "PREAUTHORIZATION";
  return isStart && !COME_AGAIN.includes(last) ? [`was never accepted: ${last}`] : [];
}

/** Nothing is left of a payment when its register is told that it ended without an approval, but for a late booking. */
function toldTooSoon(payment: PaymentView, entry: Entry | undefined, rows: readonly LedgerRow[]): readonly string[] {
  const ended = entry?.tellings.find(({ state }) => state === "FINAL");
  if (ended === undefined || payment.decision !== "not-approved" || payment.lateBooking === true) return [];
  const names = new Set(payment.gateway?.attempts.map(({ merchantTransactionId }) => merchantTransactionId));
  const then = rowsNamed(names, rows, []).filter(({ receivedAt }) => Date.parse(receivedAt) <= ended.at);
  return contradictions([payment], then, []).map((problem) => `when its register was told the end: ${problem}`);
}

/** Once everything is healed nothing is open any more, and no gateway of this run refuses a capture. */
function standing({ state, outcome, capture, voidedBy }: Exported): readonly string[] {
  if (state !== "FINAL" || outcome === undefined) return [`is still ${state} after everything was healed`];
  return capture === undefined || capture === "captured" || voidedBy !== undefined
    ? []
    : [`has its capture ${capture} after everything was healed`];
}

/** Refusals that may come at any time, also for a payment that was accepted long ago. */
const AT_ANY_TIME: readonly string[] = ["shutting-down", "too-many-requests"];
/** Refusals after which a cashier asks again. */
export const COME_AGAIN: readonly string[] = [
  ...AT_ANY_TIME,
  ...["terminal-busy", "terminal-offline", "terminal-out-of-service"],
];
/** A start that was sent this long after the acceptance must find it, however the two clocks are read. */
const SLACK_MS = 50;

/** What was told once stays so, over every kill and every cut connection. */
function toldProblems(entry: Entry, payment: Exported): readonly string[] {
  const { tellings, created, cancelled, missing, refusals } = entry;
  const accepted = Date.parse(payment.createdAt) + SLACK_MS;
  const late = refusals.filter(({ code, sentAt }) => sentAt > accepted && !AT_ANY_TIME.includes(code));
  const heardEnd = tellings.some(({ via, state }) => via === "change" && state === "FINAL");
  return [
    ...(["id", "decision", "outcome"] as const).flatMap((what) => changed(what, [...tellings, payment])),
    ...(created > 1 ? [`was created ${created} times, as its register was told`] : []),
    ...(missing > 0 ? ["was accepted, and then not found"] : []),
    ...(cancelled && payment.decision === "approved" ? ["was approved although its cancellation was accepted"] : []),
    ...late.map(({ code }) => `was refused (${code}) after it had been accepted`),
    ...outOfOrder(tellings),
    ...(payment.state === "FINAL" && !heardEnd ? ["is FINAL, and its register never heard so by its cursor"] : []),
  ];
}

function changed(
  what: "id" | "decision" | "outcome",
  told: readonly Pick<Telling, "id" | "decision" | "outcome">[],
): readonly string[] {
  const said = [...new Set(told.flatMap((one) => one[what] ?? []))];
  return said.length > 1 ? [`was told more than one ${what}: ${said.join(", ")}`] : [];
}

/** Behind FINAL nothing else comes on the same connection. */
function outOfOrder(tellings: readonly Telling[]): readonly string[] {
  const done = new Set<number>();
  for (const { via, connection, state } of tellings) {
    if (via !== "change") continue;
    if (state === "FINAL") done.add(connection);
    else if (done.has(connection)) return [`was told to be ${state} after FINAL on the same connection`];
  }
  return [];
}

/** Each way of reading the journal shows the same payments. */
function differences(
  where: string,
  journal: readonly Exported[],
  shown: readonly Pick<Listed, "id" | "reference" | "state" | "outcome">[],
): readonly string[] {
  const text = ({ id, reference, state, outcome }: Pick<Listed, "id" | "reference" | "state" | "outcome">): string =>
    `${reference} ${id} ${state} ${outcome}`;
  const exported = new Set(journal.map(text));
  const listed = new Set(shown.map(text));
  return [
    ...[...exported].filter((one) => !listed.has(one)).map((one) => `the export has ${one}, and ${where} has not`),
    ...[...listed].filter((one) => !exported.has(one)).map((one) => `${where} has ${one}, and the export has not`),
    ...(exported.size === journal.length ? [] : ["the export has a payment twice"]),
  ];
}
