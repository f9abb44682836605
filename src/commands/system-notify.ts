import { execFile } from "node:child_process";
import type { Cancel } from "../kit/clock.ts";
import { systemClock } from "../kit/system-clock.ts";
import type { Log } from "../observe/log.ts";
import { type Notice, startWatchdog, statusText, watchdogLimit } from "../service/watchdog.ts";

/** Messages to the service manager of this process, if it wants any. */
export interface ManagerTold {
  /**
   * The bridge serves, even if only the setup page. From now on the watchdog is fed while `reasons` answers; it returns
   * why payments are impossible.
   */
  ready(reasons: () => Promise<readonly string[]>, log: Pick<Log, "error">): Promise<void>;
  /** Reports the start and end of a reload. */
  reloading<T>(reload: () => Promise<T>): Promise<T>;
  stopping(): void;
}

/** A message takes a few milliseconds; one that hangs is given up. */
const TELL_MS = 10_000;

/**
 * Messages for systemd go through its program systemd-notify, because Node has no local datagram sockets. The unit
 * allows that by NotifyAccess=all.
 */
export function managerTold(env: Readonly<Record<string, string | undefined>>): ManagerTold {
  if (env["NOTIFY_SOCKET"] === undefined)
    return { ready: async () => undefined, reloading: (reload) => reload(), stopping: () => undefined };
  let log: Pick<Log, "error"> | undefined;
  let stopFeeding: Cancel = () => undefined;
  const tell = teller((fields, message) => log?.error(fields, message));
  return {
    ready: async (reasons, given) => {
      log = given;
      tell({ READY: "1", STATUS: statusText(await reasons()) });
      stopFeeding();
      const limitMs = watchdogLimit(env, process.pid);
      if (limitMs !== undefined) stopFeeding = startWatchdog({ clock: systemClock, limitMs, ready: reasons, tell });
    },
    reloading: async (reload) => {
      tell({ RELOADING: "1" });
      try {
        return await reload();
      } finally {
        tell({ READY: "1" });
      }
    },
    stopping: () => tell({ STOPPING: "1", STATUS: "stopping: running payments end or are parked" }),
  };
}

/** Sends messages in order. Logs a first failure, and the next one only after a success. */
function teller(error: Log["error"]): (notice: Notice) => void {
  let last = Promise.resolve();
  let isFailing = false;
  return (notice) => {
    last = last.then(async () => {
      const problem = await notify(notice);
      if (problem !== undefined && !isFailing)
        error(
          { problem, mend: "install systemd's own programs, or take Type=notify and WatchdogSec out of the unit" },
          "systemd cannot be told how the bridge is, and may end it",
        );
      isFailing = problem !== undefined;
    });
  };
}

function notify(notice: Notice): Promise<string | undefined> {
  const words = Object.entries(notice).map(([name, value]) => `${name}=${value}`);
  return new Promise((resolve) => {
    execFile("systemd-notify", words, { timeout: TELL_MS }, (error) =>
      resolve(error?.message.trim().replaceAll(/\s*\n\s*/g, "; ")),
    );
  });
}
