import type { Check } from "../checks/check.ts";
import type { Findings } from "../checks/findings.ts";
import { judge } from "../checks/judge.ts";
import type { Cancel, Clock } from "../kit/clock.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import { diskOf, writeProblemOf } from "./findings.ts";

const LOOK_EVERY_MS = 60_000;
/** What lasts is told again that often. */
const FAIL_AGAIN_MS = 300_000;
const WARN_AGAIN_MS = 3_600_000;

/** What is wrong now, by check and state, and when people were last told: on the clock that only goes forward. */
type DiskTold = ReadonlyMap<string, number>;

interface Due {
  readonly due: readonly Check[];
  /** Nothing is wrong any more. */
  readonly isWell: boolean;
  readonly told: DiskTold;
}

/** The checks of which people are to be told now. */
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

/** Tells of a disk that keeps payments from being taken, or soon will, also while nobody sells. Ends with the function it returns. */
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

/** The journal is written to, because only that shows a disk that went read-only. */
export async function lookAtStorage(dataDir: string, journal: { probe(): Promise<void> }): Promise<DiskSeen> {
  const writeProblem = await writeProblemOf(journal);
  const problem = writeProblem !== undefined && { journal: { writeProblem, bytes: undefined, facts: 0, rolledBack: false } };
  return { disk: diskOf(dataDir), ...problem };
}
