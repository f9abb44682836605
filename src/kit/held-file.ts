import { type Clock, sleep } from "./clock.ts";
import type { Platform } from "./platform.ts";

/** Blocks the whole process. */
export type Pause = (ms: number) => void;

export interface HoldPorts {
  readonly platform: Platform;
  readonly pause: Pause;
}

/** One second in all: a virus scanner or an indexer keeps a fresh file open for some milliseconds. */
const PAUSES_MS = [10, 20, 40, 80, 150, 300, 400];
/** Errors of MoveFileEx and CreateFile if another handle holds the file: access denied, or a sharing violation. */
const HELD = ["EPERM", "EACCES", "EBUSY"];

/**
 * Repeats a step for a second on Windows while another program holds the file. On Unix these errors mean missing
 * permission and are thrown at once.
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

/** `whileHeld` without blocking the process. */
export async function whileHeldLater<T>(
  { platform, clock }: { readonly platform: Platform; readonly clock: Clock },
  step: () => Promise<T>,
): Promise<T> {
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
