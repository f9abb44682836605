import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import type { Clock } from "../kit/clock.ts";
import { SimulatorProblem } from "./simulator-problem.ts";

/** The device's side of a gadget, while it is plugged in. */
export interface GadgetFile {
  write(bytes: Uint8Array): void;
  close(): void;
}

export interface GadgetFileEvents {
  bytes(bytes: Uint8Array): void;
  /** The host is gone: the file is closed then and of no more use. */
  hangUp(): void;
}

export type GadgetKind = "hid" | "serial";

/**
 * How often the file is looked at. Node can wait for a character device only by blocking one of its four threads, and its streams for terminals open the file a second
 * time and never close it, for which the kernel waits before it lets a gadget go.
 */
const LOOK_MS = 4;
const READ_BYTES = 4096;

/** Opens /dev/hidgN, of which each read and each write is one report, or /dev/ttyGSN, which is set raw. Throws a SimulatorProblem where that cannot be done. */
export function openGadgetFile(path: string, kind: GadgetKind, on: { readonly clock: Clock; readonly events: GadgetFileEvents }): GadgetFile {
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
    for (let count = tried(() => readSync(file, buffer)); count !== undefined; count = isOpen ? tried(() => readSync(file, buffer)) : undefined) {
      // A line whose host has gone reads as if it had ended.
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
      // ESHUTDOWN, EIO and the like: the host, or the whole gadget, is gone.
      close();
      events.hangUp();
      return;
    }
    clock.after(LOOK_MS, look);
  };
  clock.after(LOOK_MS, look);
  return { write: (bytes) => void waiting.push(bytes), close };
}

/** undefined: not now, try again. */
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
  // By its path: handed down to stty, the file would be set to blocking, and every look at it would stand still until the host speaks.
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
