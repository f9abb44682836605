import { type TracedObject, tracedObjects } from "../emv/traced.ts";
import type { Cancel, Clock } from "../kit/clock.ts";
import { isoTime } from "../kit/clock.ts";
import type { DriverModel, FrameError, TransportKind, WireDirection, WireFrame, WireReader } from "./driver.ts";
import type { LineTap } from "./line-tap.ts";

/** Limits in milliseconds, after which a trace ends by itself: its whole time, and the time without a reader. */
const TRACE_MOST_MS = 900_000;
const UNREAD_MS = 15_000;
/** Limit of unread entries. Newer ones are dropped, but counted. */
const MOST_ENTRIES = 2_000;
/** Entries of one reading. */
const MOST_READ = 100;

/** One frame of a traced line, or an event of its link. */
export interface TracedFrame {
  readonly time: string;
  readonly direction: WireDirection | "link";
  readonly frame: string;
  readonly objects: readonly TracedObject[];
}

/**
 * One entry of a trace that is polled. `n` rises by one; a gap means that entries were dropped because nobody read them
 * in time.
 */
export interface TraceEntry extends TracedFrame {
  readonly n: number;
}

/** The traces of one terminal: one that is polled, and any number of followers. */
export interface Trace extends LineTap {
  /** Begins for that time; a running trace starts again. */
  begin(forMs: number): void;
  /** The entries after that one; undefined: no trace is running. */
  read(after: number): readonly TraceEntry[] | undefined;
  end(): void;
  /** Reports each frame from now on, up to a trace's time limit. `ended`: the time is over. */
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

/**
 * The frames of a terminal's line while somebody traces it: names of frames and objects, and values of listed tags
 * (emv/traced). Key presses never appear.
 */
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

/**
 * Decodes the line for its followers; without followers nothing is decoded. `join` returns the function for leaving.
 */
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
      // Decoding may start inside a frame; the reader reports that.
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

/** Keeps entries for a reader that polls. */
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
