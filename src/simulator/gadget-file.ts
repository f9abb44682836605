import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import type { Clock } from "../kit/clock.ts";
import { SimulatorProblem } from "./simulator-problem.ts";

/** The device's side of a USB gadget while plugged in. */
export interface GadgetFile {
  write(bytes: Uint8Array): void;
  close(): void;
}

export interface GadgetFileEvents {
  bytes(bytes: Uint8Array): void;
  /** The host is gone; the file is closed and unusable. */
  hangUp(): void;
}

export type GadgetKind = "hid" | "serial";

/**
 * Polling interval. A blocking read would hold one of Node's four threads. Node's terminal streams leave a second file
 * open, and the kernel then cannot remove the gadget.
 */
const LOOK_MS = 4;
const READ_BYTES = 4096;

/**
 * Opens /dev/hidgN, with one report for each read or write, or /dev/ttyGSN, set to raw mode. Throws a SimulatorProblem
 * on failure.
 */
export function openGadgetFile(
  path: string,
  kind: GadgetKind,
  on: { readonly clock: Clock; readonly events: GadgetFileEvents },
): GadgetFile {
  const { clock, events } = on;
  const file = opened(path, kind);
  const buffer = new Uint8Array(READ_BYTES);
  const waiting: Uint8Array[] = [];
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  const read = (): void => {
    for (
      let count = tried(() => readSync(file, buffer));
      count !== undefined;
      count = isOpen ? tried(() => readSync(file, buffer)) : undefined
    ) {
      // A line without host reads as ended.
      if (count === 0) throw new Error("hung up");
      events.bytes(buffer.slice(0, count));
    }
  };
  const write = (): void => {
    for (let [next] = waiting; next !== undefined && isOpen; [next] = waiting) {
      const bytes = next;
      const count = tried(() => writeSync(file, bytes));
      if (count === undefined) return;
      waiting.shift();
      if (count < bytes.length) waiting.unshift(bytes.subarray(count));
    }
  };
  const look = (): void => {
    if (!isOpen) return;
    try {
      read();
      write();
    } catch {
      // ESHUTDOWN, EIO and the like: host or gadget is gone.
      close();
      events.hangUp();
      return;
    }
    clock.after(LOOK_MS, look);
  };
  clock.after(LOOK_MS, look);
  return { write: (bytes) => void waiting.push(bytes), close };
}

/** Undefined: not now, try again. */
function tried(call: () => number): number | undefined {
  try {
    return call();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EAGAIN") return undefined;
    throw error;
  }
}

function opened(path: string, kind: GadgetKind): number {
  const file = openedFile(path);
  // By path: stty would set an inherited file to blocking mode, and every poll would then wait for the host.
  if (kind === "hid" || spawnSync("stty", ["-F", path, "raw", "-echo"]).status === 0) return file;
  closeSync(file);
  throw new SimulatorProblem(`stty could not set ${path} to raw mode: install it (coreutils)`);
}

function openedFile(path: string): number {
  try {
    return openSync(path, constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SimulatorProblem(`${path} cannot be opened (${why}): set up the gadget and bind it to a controller`);
  }
}
