import { type TracedObject, tracedObjects } from "../emv/traced.ts";
import type { Cancel, Clock } from "../kit/clock.ts";
import { isoTime } from "../kit/clock.ts";
import type { DriverModel, FrameError, TransportKind, WireDirection, WireFrame, WireReader } from "./driver.ts";
import type { LineTap } from "./line-tap.ts";

/** A trace goes off by itself: after so long at the latest, and when nobody has read it for so long, in milliseconds. */
const TRACE_MOST_MS = 900_000;
const UNREAD_MS = 15_000;
/** What waits for its reader. The newest entries on top of it are left out and counted. */
const MOST_ENTRIES = 2_000;
/** Entries of one reading. */
const MOST_READ = 100;

/** One frame of a traced line, or what became of the link. */
export interface TracedFrame {
  readonly time: string;
  readonly direction: WireDirection | "link";
  readonly frame: string;
  readonly objects: readonly TracedObject[];
}

/** One line of a trace that is read bit by bit. `n` rises by one; where one is missing, entries were left out because nobody read them in time. */
export interface TraceEntry extends TracedFrame {
  readonly n: number;
}

/** The traces of one terminal: one that is read bit by bit, and any number that are told of each frame. */
export interface Trace extends LineTap {
  /** From now on, for so long; one that runs begins anew. */
  begin(forMs: number): void;
  /** The entries after that one; undefined where no trace runs. */
  read(after: number): readonly TraceEntry[] | undefined;
  end(): void;
  /** Tells of each frame from now on, for as long as a trace may last. `ended`: the time is over. */
  follow(hear: (frame: TracedFrame) => void, ended: () => void): Followed;
}

export interface Followed {
  /** Epoch milliseconds. */
  readonly until: number;
  readonly stop: Cancel;
}

type Hear = (frame: TracedFrame) => void;

interface TraceOn {
  readonly model: Pick<DriverModel, "wire">;
  readonly transport: TransportKind;
  readonly clock: Clock;
}

/** What goes over a terminal's line, in words, while somebody asks for it: names of frames and objects, and values of a list alone (emv/traced). No key press is ever in it. */
export function createTrace(on: TraceOn): Trace {
  const { clock } = on;
  const { join, ...tap } = createDecoder(on);
  const follow: Trace["follow"] = (hear, ended) => {
    const leave = join(hear);
    const stopTimer = clock.after(TRACE_MOST_MS, () => {
      leave();
      ended();
    });
    const stop = (): void => {
      stopTimer();
      leave();
    };
    return { until: clock.now() + TRACE_MOST_MS, stop };
  };
  return { ...tap, follow, ...createBuffer(clock, join) };
}

const FRAME_ERRORS: Readonly<Record<FrameError, string>> = {
  corrupted: "a frame of the device arrived corrupted",
  repeated: "the device sent its last frame again",
  refused: "the device asked for our last frame again",
  unacknowledged: "the device did not acknowledge our last frame in time",
};

/** The line's frames for whoever has joined; while nobody has, nothing is decoded. `join` gives what leaves again. */
function createDecoder({ model, transport, clock }: TraceOn): LineTap & { join(hear: Hear): Cancel } {
  const hearers = new Set<Hear>();
  const readers: Record<WireDirection, WireReader | undefined> = { sent: undefined, received: undefined };
  const anew = (): void => {
    for (const direction of ["sent", "received"] as const) readers[direction] = model.wire?.(transport, direction);
  };
  const note = (direction: TracedFrame["direction"], { name, objects = [] }: WireFrame): void => {
    const frame = { time: isoTime(clock.now()), direction, frame: name, objects: tracedObjects(objects) };
    for (const hear of [...hearers]) hear(frame);
  };
  const heard = (direction: WireDirection, bytes: Uint8Array): void => {
    if (hearers.size === 0) return;
    const reader = readers[direction];
    if (reader === undefined) {
      note(direction, { name: `${bytes.length} bytes` });
      return;
    }
    const { frames, next } = reader.take(bytes);
    readers[direction] = next;
    for (const frame of frames) note(direction, frame);
  };
  const link = (name: string): void => {
    if (hearers.size > 0) note("link", { name });
  };
  return {
    join: (hear) => {
      // Whoever begins may do so in the middle of a frame, and is told so by the reader.
      if (hearers.size === 0) anew();
      hearers.add(hear);
      return () => void hearers.delete(hear);
    },
    opened: () => {
      anew();
      link("link opened");
    },
    lost: () => link("link lost"),
    frameError: (error) => link(FRAME_ERRORS[error]),
    sent: (bytes) => heard("sent", bytes),
    received: (bytes) => heard("received", bytes),
  };
}

interface Running {
  readonly entries: TraceEntry[];
  readonly stop: Cancel;
  n: number;
  stopUnread: Cancel;
}

/** Keeps entries for a reader that asks for them again and again. */
function createBuffer(clock: Clock, join: (hear: Hear) => Cancel): Pick<Trace, "begin" | "read" | "end"> {
  let running: Running | undefined;
  const end = (): void => {
    running?.stop();
    running?.stopUnread();
    running = undefined;
  };
  const keep = (frame: TracedFrame): void => {
    if (running === undefined) return;
    running.n += 1;
    if (running.entries.length < MOST_ENTRIES) running.entries.push({ n: running.n, ...frame });
  };
  return {
    begin: (forMs) => {
      end();
      const leave = join(keep);
      const stopTimer = clock.after(Math.min(forMs, TRACE_MOST_MS), end);
      const stop = (): void => {
        stopTimer();
        leave();
      };
      running = { entries: [], stop, n: 0, stopUnread: clock.after(UNREAD_MS, end) };
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
  };
}
