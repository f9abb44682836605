import type { Clock } from "../kit/clock.ts";

/** How long nothing more is said of a log that goes on failing, in milliseconds. */
const AGAIN_MS = 300_000;

/** What was lost of a log that can be written again. */
export interface Loss {
  /** Lines since the last time that this could be said. */
  readonly lost: number;
  /** Lines since the process began. */
  readonly lostInAll: number;
  readonly problem: string;
}

export interface Losses {
  lose(problem: string): void;
  total(): number;
  /** The log takes lines. */
  regain(): void;
  whenRegained(say: (loss: Loss) => void): void;
}

/** Counts the lines that were lost, and sees that people hear of it: at once, but not at every line, and in the log itself as soon as it takes lines again. */
export function createLosses({ clock, tell }: { readonly clock: Clock; readonly tell: (line: string) => void }): Losses {
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
      tell(`posbridge: the log ${problem}; lines are lost until it is mended (${total} so far), and the bridge goes on`);
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
