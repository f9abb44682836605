import type { Violation } from "./checker.ts";
import { type Counts, KILL } from "./misfortunes.ts";
import { type Entry, isAccepted } from "./record.ts";
import type { Progress, ShopResult } from "./run.ts";

export interface Summary {
  readonly payments: number;
  readonly kills: number;
  readonly seed: number;
  readonly seconds: number;
  readonly shops: number;
  readonly counts: Counts;
  readonly connections: number;
  readonly endings: ShopResult["endings"];
  readonly entries: readonly Entry[];
  readonly parts: ShopResult["parts"];
  readonly words: ShopResult["words"];
  readonly violations: readonly Violation[];
  /** Where the data folders are kept; undefined where they are not. */
  readonly folder: string | undefined;
}

/** What is done to processes, but for the kills; what registers and customers do is counted beside it. */
function isFault(name: string): boolean {
  return name !== KILL && !name.startsWith("cancellation ") && !name.startsWith("phone ");
}

function lastLine({ payments, kills, counts, violations, seed, seconds }: Summary): string {
  const faults = [...counts].reduce((total, [name, times]) => total + (isFault(name) ? times : 0), 0);
  return `chaos: ${payments} payments, ${kills} kills, ${faults} faults, ${violations.length} violations (seed ${seed}, ${Math.round(seconds)} s)`;
}

export function reportLines(summary: Summary): readonly string[] {
  const { endings, counts, violations, folder, connections, entries, seconds, payments, shops } = summary;
  const kinds = [...new Set(endings.map(({ kind }) => kind))];
  const ended = kinds.flatMap((kind) => {
    const own = endings.filter((one) => one.kind === kind);
    const why = own.filter(({ reason }) => reason !== "").map(({ ending, reason }) => `${ending} ${reason}`);
    return [
      `${kind}: ${tally(own.map(({ ending }) => ending))}`,
      ...(why.length === 0 ? [] : [`  of these: ${tally(why)}`]),
    ];
  });
  return [
    ...violations.flatMap((violation) => violationLines(violation)),
    ...ended,
    ...["bridge", "gateway", "terminal", "card", "red"].flatMap((at) => faultLine(counts, at)),
    `registers: ${connections} connections, told ${entries.reduce((total, { tellings }) => total + tellings.length, 0)} times, ${countsOf(counts, "cancellation ") ?? "no cancellations"}`,
    `customers by link: ${countsOf(counts, "phone ") ?? "none"}`,
    `done in part by the gateway: ${tally(summary.parts) || "nothing"}; its operator's words: ${tally(summary.words.map(({ as }) => as)) || "none"}`,
    `pace: ${((payments * 60) / seconds).toFixed(0)} payments a minute in ${shops} shops`,
    ...(folder === undefined ? [] : [`data folders and logs are kept in ${folder}`]),
    lastLine(summary),
  ];
}

function faultLine(counts: Counts, at: string): readonly string[] {
  const own = [...counts]
    .filter(([name]) => isFault(name) && name.startsWith(`${at} `))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return own.length === 0 ? [] : [`faults, ${own.map(([name, times]) => `${name} ${times}`).join(", ")}`];
}

function countsOf(counts: Counts, of: string): string | undefined {
  const own = [...counts].filter(([name]) => name.startsWith(of)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return own.length === 0 ? undefined : own.map(([name, times]) => `${name} ${times}`).join(", ");
}

export function jsonReport(summary: Summary): object {
  const { payments, kills, counts, violations, seed, seconds, shops, endings, parts, words, folder } = summary;
  return {
    summary: lastLine(summary),
    payments,
    kills,
    seed,
    seconds,
    shops,
    done: Object.fromEntries(counts),
    endings,
    parts,
    words,
    violations,
    ...(folder !== undefined && { folder }),
  };
}

export function progressLine({ entries, counts, open }: Progress, payments: number, seconds: number): string {
  const healing = [...open.values()];
  const left = healing.reduce((total, count) => total + count, 0);
  const end = healing.length === 0 ? "" : `, healing: ${left} open in ${healing.length} shops`;
  return `chaos: ${entries.filter(isAccepted).length} of ${payments} payments, ${counts.get(KILL) ?? 0} kills, ${Math.round(seconds)} s${end}`;
}

/** The payment as the journal has it, and every row of the ledger that is its own. */
function violationLines({ about, problem, payment, rows }: Violation): readonly string[] {
  return [
    `VIOLATION ${about}: ${problem}`,
    ...(payment === undefined ? [] : [`  journal: ${JSON.stringify(payment)}`]),
    ...rows.map(
      ({ receivedAt, paymentType, id, amount, currency, resultCode, referencedId, merchantTransactionId }) =>
        `  ledger: ${receivedAt} ${paymentType} ${id} ${amount ?? ""} ${currency ?? ""} ${resultCode} refers to ${referencedId ?? "nothing"}, made by ${merchantTransactionId ?? "the gateway, or by hand"}`,
    ),
  ];
}

function tally(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, times]) => `${name} ${times}`)
    .join(", ");
}
