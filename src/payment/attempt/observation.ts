/**
 * Query results, oldest first. A repeat extends the last entry.
 * `blind`: proves nothing; `none`: not shown; `unclear`: some row may match; `shown`: its own row; `given-up`: declared
 * absent; `reversed`: `unseen` if no query showed it standing; `self-reversed`: 900.100.301.
 */
export type Observation =
  | {
      readonly is: "blind" | "none" | "unclear" | "shown";
      readonly from: number;
      readonly to: number;
      readonly times: number;
    }
  | { readonly is: "restart"; readonly at: number; readonly lostMs: number }
  | { readonly is: "given-up"; readonly at: number }
  | { readonly is: "reversed"; readonly at: number; readonly unseen: boolean }
  | { readonly is: "self-reversed"; readonly at: number; readonly id: string | undefined };

type Look = Extract<Observation, { readonly times: number }>;

export interface Observed {
  readonly standing: "intended" | "open" | "settled" | "absent";
  readonly since: number;
  readonly observed: readonly Observation[];
}

/** `asked`: false if the query was for another attempt: such queries do not slow down its own. */
export function looked<T extends Observed>(attempt: T, is: Look["is"], at: number, asked = true): T {
  const times = asked ? 1 : 0;
  const last = attempt.observed.at(-1);
  const isSame = last?.is === is && "times" in last && last.times > 0 === asked;
  const run: Observation = isSame ? { ...last, to: at, times: last.times + times } : { is, from: at, to: at, times };
  return { ...attempt, observed: [...(isSame ? attempt.observed.slice(0, -1) : attempt.observed), run] };
}

export function noted<T extends Observed>(attempt: T, one: Exclude<Observation, Look>): T {
  return { ...attempt, observed: [...attempt.observed, one] };
}

/** Forgets reversals: they belong to another booking than the one shown now. */
export function withoutReversals<T extends Observed>(attempt: T): T {
  return { ...attempt, observed: attempt.observed.filter(({ is }) => is !== "reversed" && is !== "self-reversed") };
}

function looksOf({ observed }: Observed): readonly Look[] {
  return observed.filter((one) => "times" in one);
}

/** After a restart an open attempt is queried fast again. */
function queriesIn(attempt: Observed): readonly Look[] {
  const from = attempt.standing === "open" ? attempt.observed.findLastIndex(({ is }) => is === "restart") + 1 : 0;
  return looksOf({ ...attempt, observed: attempt.observed.slice(from) }).filter(({ times }) => times > 0);
}

export function queriesOf(attempt: Observed): number {
  return queriesIn(attempt).reduce((sum, { times }) => sum + times, 0);
}

export function askedAt(attempt: Observed): number | undefined {
  return queriesIn(attempt).at(-1)?.to;
}

export function lookedAt(attempt: Observed): number | undefined {
  return looksOf(attempt).findLast(({ is, times }) => is !== "blind" && times > 0)?.to;
}

export function shownAt(attempt: Observed): number | undefined {
  return looksOf(attempt).findLast(({ is }) => is === "shown")?.to;
}

/** Begin of the present run of empty query results, for the unknown window. */
export function emptySince({ observed }: Observed): number | undefined {
  const last = observed.at(-1);
  return last?.is === "none" ? last.from : undefined;
}

/** Queries showed the booking reversed, no matter by whom. */
export function isReversalShown({ observed }: Observed): boolean {
  return observed.some(({ is }) => is === "reversed");
}

export function isReversedOnFirstSight({ observed }: Observed): boolean {
  return observed.some((one) => one.is === "reversed" && one.unseen);
}

/** 900.100.301. Without an `id` it holds for any booking of the request. */
export function selfReversal({ observed }: Observed): { readonly id: string | undefined } | undefined {
  return observed.findLast((one) => one.is === "self-reversed");
}

/** Shown after it was declared absent, or after another booking of the request was reversed. */
export function isLate({ observed }: Observed): boolean {
  const given = observed.findIndex(({ is }) => is === "given-up");
  return given >= 0 && observed.slice(given).some(({ is }) => is === "shown");
}

/** Milliseconds since `from` during which a process ran (decision 3). */
export function stoodFor(attempt: Observed, at: number, from: number = attempt.since): number {
  return at - from - lostSince(attempt, from, at);
}

/** Milliseconds between processes, of all restarts in that time. */
export function lostSince({ observed }: Observed, from: number, to: number = Number.POSITIVE_INFINITY): number {
  return observed.reduce(
    (sum, one) => sum + (one.is === "restart" && one.at > from && one.at <= to ? one.lostMs : 0),
    0,
  );
}

export function isRestartedSince({ observed }: Observed, from: number): boolean {
  return observed.some((one) => one.is === "restart" && one.at > from);
}
