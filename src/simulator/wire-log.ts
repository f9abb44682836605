import { type TracedObject, tracedObjects } from "../emv/traced.ts";
import { isoTime } from "../kit/clock.ts";
import type { DriverModel, WireDirection, WireFrame, WireReader } from "../terminal/driver.ts";
import type { LineEvents, LineKind } from "./simulated-terminal.ts";

/**
 * One frame of the line in words; `sent` by the host, `received` from the terminal. Key presses are omitted; values
 * appear only as far as a trace may show them.
 */
export interface WireEntry {
  readonly n: number;
  readonly at: string;
  readonly direction: WireDirection | "link";
  readonly name: string;
  readonly objects: readonly TracedObject[];
}

/** Recent entries for new viewers. */
const MOST_ENTRIES = 200;

export interface WireLog {
  /** Oldest first. */
  entries(): readonly WireEntry[];
  /** Receives each new entry; returns the function that unsubscribes. */
  onEntry(listener: (entry: WireEntry) => void): () => void;
  readonly events: LineEvents;
}

/** The line in its driver's words; without them, the lengths of messages. */
export function createWireLog(wire: DriverModel["wire"], now: () => number): WireLog {
  const entries: WireEntry[] = [];
  const listeners = new Set<(entry: WireEntry) => void>();
  let readers: Record<WireDirection, WireReader | undefined> = { sent: undefined, received: undefined };
  let last = 0;

  const note = (direction: WireEntry["direction"], { name, objects = [] }: WireFrame): void => {
    last += 1;
    const entry: WireEntry = { n: last, at: isoTime(now()), direction, name, objects: tracedObjects(objects) };
    entries.push(entry);
    if (entries.length > MOST_ENTRIES) entries.shift();
    for (const listener of listeners) listener(entry);
  };
  const heard = (direction: WireDirection, bytes: Uint8Array): void => {
    const reader = readers[direction];
    if (reader === undefined) {
      note(direction, { name: `${bytes.length} bytes` });
      return;
    }
    const { frames, next } = reader.take(bytes);
    readers[direction] = next;
    for (const frame of frames) note(direction, frame);
  };
  const opened = (line: LineKind): void => {
    readers = { sent: wire?.(line, "sent"), received: wire?.(line, "received") };
    note("link", { name: "link opened" });
  };
  return {
    entries: () => [...entries],
    onEntry: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    events: {
      opened,
      lost: () => note("link", { name: "link lost" }),
      sent: (bytes) => heard("sent", bytes),
      received: (bytes) => heard("received", bytes),
    },
  };
}
