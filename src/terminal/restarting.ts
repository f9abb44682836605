import { beginAdmission } from "./admitting.ts";
import { restIfRestarting } from "./restart-window.ts";
import type { Core } from "./session-core.ts";

/** Time after an announced restart. A device that still answers then is identified again and returns to service. */
const RESTART_GRACE_MS = 300_000;

/**
 * The device restarts soon by itself (`restart-soon`): running work goes on, but nothing new begins. The last
 * announcement counts.
 */
export function noteRestart(core: Core, announcedMs: number): void {
  const { mood, on, standing } = core;
  const inMs = Math.max(0, announcedMs);
  mood.restart?.stopTimer();
  const stopTimer = on.clock.after(inMs + RESTART_GRACE_MS, () => {
    mood.restart = undefined;
    if (mood.linkUp && mood.admission === undefined && standing.status().state === "offline") beginAdmission(core);
  });
  mood.restart = { atMs: on.clock.monotonic() + inMs, stopTimer };
  on.log.info({ terminal: on.id, inMs }, "terminal starts anew by itself soon");
  restIfRestarting(core);
}
