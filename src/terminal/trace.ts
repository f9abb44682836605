import { type TracedObject, tracedObjects } from "../emv/traced.ts";
import type { Cancel, Clock } from "../kit/clock.ts";
import { isoTime } from "../kit/clock.ts";
import type { DriverModel, TransportKind, WireDirection, WireFrame, WireReader } from "./driver.ts";
import type { LineTap } from "./line-tap.ts";

/** A trace goes off by itself: after so long at the latest, and when nobody has read it for so long, in milliseconds. */
const TRACE_MOST_MS = 900_000;
const UNREAD_MS = 15_000;
/** What waits for its reader. The newest entries on top of it are left out and counted. */
const MOST_ENTRIES = 2_000;
/** Entries of one reading. */
const MOST_READ = 100;

/** One line of a trace. `n` rises by one; where one is missing, entries were left out because nobody read them in time. */
export interface TraceEntry {
  readonly n: number;
  readonly time: string;
  readonly direction: WireDirection | "link";
  readonly frame: string;
  readonly objects: readonly TracedObject[];
}

/** The traces of one terminal: one at a time. */
export interface Trace extends LineTap {
  /** From now on, for so long; one that runs begins anew. */
  begin(forMs: number): void;
  /** The entries after that one; undefined where no trace runs. */
  read(after: number): readonly TraceEntry[] | undefined;
  end(): void;
}

interface Running {
  readonly readers: Record<WireDirection, WireReader | undefined>;
  readonly entries: TraceEntry[];
  readonly stopTimer: Cancel;
  n: number;
  stopUnread: Cancel;
}

/** What goes over a terminal's line, in words, while somebody asks for it: names of frames and objects, and values of a list alone (emv/traced). No key press is ever in it. */
export function createTrace(on: { readonly model: DriverModel; readonly transport: TransportKind; readonly clock: Clock }): Trace {
  const { model, transport, clock } = on;
  let running: Running | undefined;
  const readerOf = (direction: WireDirection): WireReader | undefined => model.wire?.(transport, direction);
  const end = (): void => {
    running?.stopTimer();
    running?.stopUnread();
    running = undefined;
  };
  const note = (direction: TraceEntry["direction"], { name, objects = [] }: WireFrame): void => {
    if (running === undefined) return;
    running.n += 1;
    if (running.entries.length >= MOST_ENTRIES) return;
    running.entries.push({ n: running.n, time: isoTime(clock.now()), direction, frame: name, objects: tracedObjects(objects) });
  };
  const heard = (direction: WireDirection, bytes: Uint8Array): void => {
    if (running === undefined) return;
    const reader = running.readers[direction];
    if (reader === undefined) {
      note(direction, { name: `${bytes.length} bytes` });
      return;
    }
    const { frames, next } = reader.take(bytes);
    running.readers[direction] = next;
    for (const frame of frames) note(direction, frame);
  };
  const anew = (): void => {
    if (running !== undefined) Object.assign(running.readers, { sent: readerOf("sent"), received: readerOf("received") });
  };
  return {
    begin: (forMs) => {
      end();
      const readers = { sent: readerOf("sent"), received: readerOf("received") };
      const stopTimer = clock.after(Math.min(forMs, TRACE_MOST_MS), end);
      running = { readers, entries: [], stopTimer, n: 0, stopUnread: clock.after(UNREAD_MS, end) };
    },
    read: (after) => {
      if (running === undefined) return undefined;
      running.stopUnread();
      running.stopUnread = clock.after(UNREAD_MS, end);
      const { entries } = running;
      while (entries[0] !== undefined && entries[0].n <= after) entries.shift();
      return entries.slice(0, MOST_READ);
    },
    end,
    opened: () => {
      anew();
      note("link", { name: "link opened" });
    },
    lost: () => note("link", { name: "link lost" }),
    sent: (bytes) => heard("sent", bytes),
    received: (bytes) => heard("received", bytes),
  };
}
