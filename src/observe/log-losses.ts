import type { Clock } from "../kit/clock.ts";

/** Interval of the reports about a log that keeps failing, in milliseconds. */
const AGAIN_MS = 300_000;

/** Losses of a log that works again. */
export interface Loss {
  /** Lines since the last report. */
  readonly lost: number;
  /** Lines since the process began. */
  readonly lostInAll: number;
  readonly problem: string;
}

export interface Losses {
  lose(problem: string): void;
  total(): number;
  /** The log accepts lines. */
  regain(): void;
  whenRegained(say: (loss: Loss) => void): void;
}

/** Counts lost lines and reports them: at once, but not for every line, and in the log as soon as it works again. */
export function createLosses({
  clock,
  tell,
}: {
  readonly clock: Clock;
  readonly tell: (line: string) => void;
}): Losses {
  let total = 0;
  let untold = 0;
  let last = "";
  let saidAt = Number.NEGATIVE_INFINITY;
  let sayRegained: (loss: Loss) => void = () => undefined;
  return {
    total: () => total,
    lose: (problem) => {
      total += 1;
      untold += 1;
      last = problem;
      const now = clock.monotonic();
      if (now - saidAt < AGAIN_MS) return;
      saidAt = now;
      tell(
        `posbridge: the log ${problem}; lines are lost until it is mended (${total} so far), and the bridge goes on`,
      );
    },
    regain: () => {
      if (untold === 0) return;
      const loss: Loss = { lost: untold, lostInAll: total, problem: last };
      untold = 0;
      sayRegained(loss);
    },
    whenRegained: (say) => {
      sayRegained = say;
    },
  };
}
