/**
 * What queries showed of one request, oldest first. The same result again lengthens its run.
 * - `blind`: no answer, or one that proves nothing; - `none`: not there; - `unclear`: something there that may be it; - `shown`: its own row;
 * - `restart`: time went by unseen between two processes; - `given-up`: called absent; - `reversed`, `self-reversed`: a
 * reversal is shown, or the gateway names its own.
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

/** The part of an attempt that its observations need. */
export interface Observed {
  readonly standing: "intended" | "open" | "settled" | "absent";
  readonly since: number;
  readonly observed: readonly Observation[];
}

/** With one more look. `asked`: false where another attempt's query brought it along. */
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

/** Another booking than the reversed one counts now. */
export function withoutReversals<T extends Observed>(attempt: T): T {
  return { ...attempt, observed: attempt.observed.filter(({ is }) => is !== "reversed" && is !== "self-reversed") };
}

function looksOf({ observed }: Observed): readonly Look[] {
  return observed.filter((one) => "times" in one);
}

/** As long as an attempt is open, its queries are counted from the last restart. */
function queriesIn(attempt: Observed): readonly Look[] {
  const from = attempt.standing === "open" ? attempt.observed.findLastIndex(({ is }) => is === "restart") + 1 : 0;
  return looksOf({ ...attempt, observed: attempt.observed.slice(from) }).filter(({ times }) => times > 0);
}

/** How many queries were asked for it. */
export function queriesOf(attempt: Observed): number {
  return queriesIn(attempt).reduce((sum, { times }) => sum + times, 0);
}

export function askedAt(attempt: Observed): number | undefined {
  return queriesIn(attempt).at(-1)?.to;
}

/** When a query for it was last answered. */
export function lookedAt(attempt: Observed): number | undefined {
  return looksOf(attempt).findLast(({ is, times }) => is !== "blind" && times > 0)?.to;
}

/** When a query last showed it undecided, or decided it. */
export function shownAt(attempt: Observed): number | undefined {
  return looksOf(attempt).findLast(({ is }) => is === "shown")?.to;
}

/** Since when every answer was empty. Anything else in between begins the count anew. */
export function emptySince({ observed }: Observed): number | undefined {
  const last = observed.at(-1);
  return last?.is === "none" ? last.from : undefined;
}

/** A query showed a reversal of this booking, ours or another. */
export function isReversalShown({ observed }: Observed): boolean {
  return observed.some(({ is }) => is === "reversed");
}

/** The first look at the booking showed its reversal as well: nobody was told that it stood. */
export function isReversedUnseen({ observed }: Observed): boolean {
  return observed.some((one) => one.is === "reversed" && one.unseen);
}

/** The gateway said that it reversed the booking itself (900.100.301): the one that it named, or whichever there is. */
export function selfReversal({ observed }: Observed): { readonly id: string | undefined } | undefined {
  return observed.findLast((one) => one.is === "self-reversed");
}

/** It showed up only after the payment had been closed without it. */
export function isLate({ observed }: Observed): boolean {
  const given = observed.findIndex(({ is }) => is === "given-up");
  return given >= 0 && observed.slice(given).some(({ is }) => is === "shown");
}

/** How long it has stood as it does, or has gone by since `from`, in running processes alone, milliseconds. */
export function stoodFor(attempt: Observed, at: number, from: number = attempt.since): number {
  return at - from - lostSince(attempt, from, at);
}

/** Time between two processes since then, which nobody knows: the clock may have been set. */
export function lostSince({ observed }: Observed, from: number, to: number = Number.POSITIVE_INFINITY): number {
  return observed.reduce(
    (sum, one) => sum + (one.is === "restart" && one.at > from && one.at <= to ? one.lostMs : 0),
    0,
  );
}

export function isRestartedSince({ observed }: Observed, from: number): boolean {
  return observed.some((one) => one.is === "restart" && one.at > from);
}
