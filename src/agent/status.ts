import type { ControlHandlers } from "../control/methods.ts";
import { isoTime } from "../kit/clock.ts";
import type { RecentLines } from "../observe/recent-lines.ts";

interface StatusOn {
  readonly version: string;
  readonly bridge: string;
  readonly pid: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly recent: RecentLines;
  ready(): Promise<readonly string[]>;
}

/** Lines searched in memory for the newest error. */
const LINES = 1_000;

/** The bridge's status with the reasons of /readyz, for a command of this machine. */
export function statusHandler({
  version,
  bridge,
  pid,
  startedAt,
  recent,
  ready,
}: StatusOn): ControlHandlers["bridge.status"] {
  return async () => {
    const reasons = await ready();
    const error = recent.page({ limit: LINES }).lines.findLast(({ level }) => level === "error");
    const lastError = error && { at: error.at, text: error.text };
    return {
      ok: true,
      value: {
        bridge,
        version,
        pid,
        startedAt: isoTime(startedAt),
        ready: reasons.length === 0,
        reasons,
        ...(lastError && { lastError }),
      },
    };
  };
}
