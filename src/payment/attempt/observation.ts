/**
 * Query results, oldest first; equal ones in a row are one entry. `blind`: proves nothing; `none`: not shown;
 * `unclear`: some row may be the request's; `shown`: its own row; `given-up`: believed absent; `reversed`: a reversal
 * is shown; `unseen`: before any query showed it standing; `self-reversed`: by the gateway (900.100.301).
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

/**
 * `asked` is false if the query was made for another attempt: it must not lengthen the pauses between this attempt's
 * own queries.
 */
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

export function withoutReversals<T extends Observed>(attempt: T): T {
  return { ...attempt, observed: attempt.observed.filter(({ is }) => is !== "reversed" && is !== "self-reversed") };
}

function looksOf({ observed }: Observed): readonly Look[] {
  return observed.filter((one) => "times" in one);
}

/**
 * An open attempt is queried in short intervals again after a restart, to be decided soon: queries before it do not
 * count.
 */
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

export function emptySince({ observed }: Observed): number | undefined {
  const last = observed.at(-1);
  return last?.is === "none" ? last.from : undefined;
}

export function isReversalShown({ observed }: Observed): boolean {
  return observed.some(({ is }) => is === "reversed");
}

export function isReversedOnFirstSight({ observed }: Observed): boolean {
  return observed.some((one) => one.is === "reversed" && one.unseen);
}

export function selfReversal({ observed }: Observed): { readonly id: string | undefined } | undefined {
  return observed.findLast((one) => one.is === "self-reversed");
}

/**
 * A query showed the booking after it was given up as absent, or after the request's other booking was reversed. A
 * failed payment then has a `lateBooking`.
 */
export function isLate({ observed }: Observed): boolean {
  const given = observed.findIndex(({ is }) => is === "given-up");
  return given >= 0 && observed.slice(given).some(({ is }) => is === "shown");
}

/**
 * Leaves out the time between two processes: nobody knows how long that was, because the clock may have been set
 * (decision 3).
 */
export function stoodFor(attempt: Observed, at: number, from: number = attempt.since): number {
  return at - from - lostSince(attempt, from, at);
}

export function lostSince({ observed }: Observed, from: number, to: number = Number.POSITIVE_INFINITY): number {
  return observed.reduce(
    (sum, one) => sum + (one.is === "restart" && one.at > from && one.at <= to ? one.lostMs : 0),
    0,
  );
}

export function isRestartedSince({ observed }: Observed, from: number): boolean {
  return observed.some((one) => one.is === "restart" && one.at > from);
}
