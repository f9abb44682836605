import { beginAdmission } from "./admitting.ts";
import { restIfRestarting } from "./resting.ts";
import type { Core } from "./session-core.ts";

/** A device that said it would start anew, and still answers this long after the time it named, is asked again who it is and taken back. */
const RESTART_GRACE_MS = 300_000;

/** The device starts anew by itself soon (`restart-soon`): what is under way on it goes on, but nothing new begins. The last announcement counts. */
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
