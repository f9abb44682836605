import type { Check } from "../checks/check.ts";
import type { Findings } from "../checks/findings.ts";
import { judge } from "../checks/judge.ts";
import type { Cancel, Clock } from "../kit/clock.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import { diskOf, writeProblemOf } from "./findings.ts";

const LOOK_EVERY_MS = 60_000;
/** Intervals of repeated reports about lasting problems. */
const FAIL_AGAIN_MS = 300_000;
const WARN_AGAIN_MS = 3_600_000;

/** Current problems by check and state, with the time of their last report, on the monotonic clock. */
type DiskTold = ReadonlyMap<string, number>;

interface Due {
  readonly due: readonly Check[];
  /** The last problem is solved. */
  readonly isWell: boolean;
  readonly told: DiskTold;
}

/** Problems to report now. */
function diskDue(checks: readonly Check[], now: number, told: DiskTold): Due {
  const wrong = checks.filter(({ state }) => state !== "ok");
  const keyOf = ({ name, state }: Check): string => `${name} ${state}`;
  const isDue = (check: Check): boolean => {
    const again = check.state === "fail" ? FAIL_AGAIN_MS : WARN_AGAIN_MS;
    return now - (told.get(keyOf(check)) ?? Number.NEGATIVE_INFINITY) >= again;
  };
  const next = wrong.map((check) => [keyOf(check), isDue(check) ? now : (told.get(keyOf(check)) ?? now)] as const);
  return { due: wrong.filter(isDue), isWell: wrong.length === 0 && told.size > 0, told: new Map(next) };
}

interface DiskWatchPorts {
  readonly clock: Clock;
  readonly log: Pick<Log, "error" | "warn" | "info">;
  readonly metrics: Pick<Metrics, "alarmRaised">;
  look(): Promise<DiskSeen>;
}

type DiskSeen = Pick<Findings, "disk"> & Partial<Pick<Findings, "journal">>;

/** Reports a disk that prevents payments, or soon will, even while nobody sells. Ends with the returned function. */
export function watchDisk({ clock, log, metrics, look }: DiskWatchPorts): Cancel {
  let told: DiskTold = new Map();
  let isOver = false;
  let next: Cancel = () => undefined;
  const tell = ({ state, text: problem, fix: mend }: Check): void => {
    if (state === "fail") {
      metrics.alarmRaised();
      log.error({ alarm: true, problem, mend }, "the data folder's disk has no room, or takes no writes");
    } else log.warn({ problem, mend }, "the data folder's disk is filling up, or cannot be looked at");
  };
  const run = async (): Promise<void> => {
    const seen = judge(await look());
    if (isOver) return;
    const { due, isWell, told: after } = diskDue(seen, clock.monotonic(), told);
    told = after;
    for (const check of due) tell(check);
    if (isWell) log.info({}, "the data folder's disk is well again");
    next = clock.after(LOOK_EVERY_MS, () => void run());
  };
  void run();
  return () => {
    isOver = true;
    next();
  };
}

/** Writes to the journal, because only a write reveals a read-only disk. */
export async function lookAtStorage(dataDir: string, journal: { probe(): Promise<void> }): Promise<DiskSeen> {
  const writeProblem = await writeProblemOf(journal);
  const problem = writeProblem !== undefined && {
    journal: { writeProblem, bytes: undefined, facts: 0, rolledBack: false },
  };
  return { disk: diskOf(dataDir), ...problem };
}
