import { type Clock, sleep } from "./clock.ts";
import type { Platform } from "./platform.ts";

/** Waits without letting anything else of this process run. */
export type Pause = (ms: number) => void;

export interface HoldPorts {
  readonly platform: Platform;
  readonly pause: Pause;
}

/** Together a second: a virus scanner or an indexer has a fresh file open for some milliseconds. */
const PAUSES_MS = [10, 20, 40, 80, 150, 300, 400];
/** MoveFileEx and CreateFile on a file that another handle holds: access denied, or a sharing violation. */
const HELD = ["EPERM", "EACCES", "EBUSY"];

/**
 * Runs a step on a file, and on Windows repeats it for a second while another program holds the file. Unix lets a held file be replaced: there
 * the same errors mean missing permission, and are thrown at once.
 */
export function whileHeld<T>({ platform, pause }: HoldPorts, step: () => T): T {
  for (const ms of platform === "windows" ? PAUSES_MS : []) {
    try {
      return step();
    } catch (cause) {
      if (!isHeld(cause)) throw cause;
      pause(ms);
    }
  }
  return step();
}

/** The same for a step that lets other things run. */
export async function whileHeldLater<T>({ platform, clock }: { readonly platform: Platform; readonly clock: Clock }, step: () => Promise<T>): Promise<T> {
  for (const ms of platform === "windows" ? PAUSES_MS : []) {
    try {
      return await step();
    } catch (cause) {
      if (!isHeld(cause)) throw cause;
      await sleep(clock, ms);
    }
  }
  return step();
}

function isHeld(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && HELD.some((code) => code === thrown.code);
}
