import { execFile } from "node:child_process";
import type { Cancel } from "../kit/clock.ts";
import { systemClock } from "../kit/system-clock.ts";
import type { Log } from "../observe/log.ts";
import { type Notice, startWatchdog, statusText, watchdogLimit } from "../service/watchdog.ts";

/** The service manager that started this process, as far as it wants to be told anything. */
export interface ManagerTold {
  /** The bridge serves, be it only the page of a first start. From now on the watchdog is fed as long as `reasons` answers: why no payment can be taken. */
  ready(reasons: () => Promise<readonly string[]>, log: Pick<Log, "error">): Promise<void>;
  /** Tells it of the time in which the configuration is read anew. */
  reloading<T>(reload: () => Promise<T>): Promise<T>;
  stopping(): void;
}

/** One word takes a few milliseconds; one that hangs is given up. */
const TELL_MS = 10_000;

/** Tells systemd by its own program, systemd-notify: Node has no datagram socket of the local machine. The unit allows it by NotifyAccess=all. */
export function managerTold(env: Readonly<Record<string, string | undefined>>): ManagerTold {
  if (env["NOTIFY_SOCKET"] === undefined) return { ready: async () => undefined, reloading: (reload) => reload(), stopping: () => undefined };
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

/** One word after the other. The first that fails is told, and the next one only after a success. */
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
    execFile("systemd-notify", words, { timeout: TELL_MS }, (error) => resolve(error?.message.trim().replaceAll(/\s*\n\s*/g, "; ")));
  });
}
