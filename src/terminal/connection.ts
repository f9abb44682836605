import type { Cancel, Clock } from "../kit/clock.ts";
import { within } from "../kit/within.ts";
import { isGone, type Link, type OpenLink } from "./link.ts";
import { messageOf, type SessionLog } from "./session-log.ts";

/** Time limit for closing a link. */
const CLOSE_MS = 1_000;
/** Time from plugging in to the first try: the system sets the group of the device's file meanwhile. */
const SETTLE_MS = 300;

export interface Loss {
  readonly reason: string;
  /** The other side ended it (unplugged, switched off, hung up); otherwise this side did. */
  readonly byPeer: boolean;
}

export interface ConnectionOptions {
  readonly open: OpenLink;
  readonly clock: Clock;
  readonly log: SessionLog;
  /** A new series of pauses between tries, in milliseconds, without end. */
  readonly pauses: () => Generator<number, never>;
  /** Reports plugged-in devices until cancelled. It may be this device, so a pause ends early. Absent: unsupported. */
  readonly plugged?: (told: () => void) => Cancel;
  /** The pause after the driver closed the link for good reason, in milliseconds. */
  readonly longPauseMs: number;
  opened(): void;
  bytes(bytes: Uint8Array): void;
  lost(loss: Loss): void;
  failed(error: unknown): void;
}

/** Keeps one link open: retries for ever, with growing pauses that `steady` resets. */
export interface Connection {
  start(): void;
  /** Bytes for a lost link are dropped: the writer learns of the loss. */
  write(bytes: Uint8Array): void;
  drop(reason: string, again: "soon" | "later"): void;
  steady(): void;
  /** Resolves when the link is closed or CLOSE_MS have passed; no events follow the call. */
  stop(): Promise<void>;
}

interface Held {
  readonly link: Link;
  readonly over: PromiseWithResolvers<void>;
}

interface Line {
  readonly on: ConnectionOptions;
  held: Held | undefined;
  pauses: Generator<number, never>;
  again: "soon" | "later";
  stopped: boolean;
  wake: () => void;
}

export function createConnection(on: ConnectionOptions): Connection {
  const line: Line = { on, held: undefined, pauses: on.pauses(), again: "soon", stopped: false, wake: () => undefined };
  return {
    start: () => void run(line),
    write: (bytes) => write(line, bytes),
    drop: (reason, again) => {
      if (line.held === undefined) return;
      line.again = again;
      letGo(line, line.held, { reason, byPeer: false });
    },
    steady: () => {
      line.pauses = on.pauses();
    },
    stop: async () => {
      const held = line.held;
      line.stopped = true;
      line.held = undefined;
      line.wake();
      held?.over.resolve();
      if (held !== undefined) await close(line, held.link);
    },
  };
}

async function run(line: Line): Promise<void> {
  while (!line.stopped) {
    try {
      const link = await line.on.open();
      if (line.stopped) return await close(line, link);
      await hold(line, link);
    } catch (error) {
      if (!line.stopped) line.on.failed(error);
    }
    if (!line.stopped) await pause(line);
  }
}

async function hold(line: Line, link: Link): Promise<void> {
  const held: Held = { link, over: Promise.withResolvers() };
  line.held = held;
  line.again = "soon";
  line.on.opened();
  void read(line, held);
  await held.over.promise;
  if (!line.stopped) await close(line, link);
}

async function read(line: Line, held: Held): Promise<void> {
  try {
    for await (const bytes of held.link.incoming) {
      if (line.held !== held) return;
      line.on.bytes(bytes);
    }
    letGo(line, held, { reason: "the device closed the connection", byPeer: true });
  } catch (error) {
    letGo(line, held, lossOf(error));
  }
}

function write(line: Line, bytes: Uint8Array): void {
  const held = line.held;
  if (held === undefined) return;
  held.link.write(bytes).catch((error: unknown) => letGo(line, held, lossOf(error)));
}

function lossOf(error: unknown): Loss {
  return { reason: messageOf(error), byPeer: isGone(error) };
}

/** Reports the end of each link exactly once. */
function letGo(line: Line, held: Held, loss: Loss): void {
  if (line.held !== held) return;
  line.held = undefined;
  line.on.lost(loss);
  held.over.resolve();
}

async function close(line: Line, link: Link): Promise<void> {
  try {
    const how = await within(line.on.clock, CLOSE_MS, link.close());
    if (how === "late") line.on.log.warn({ limitMs: CLOSE_MS }, "the link does not close; going on without it");
  } catch (error) {
    line.on.log.warn({ error: messageOf(error) }, "closing the link failed");
  }
}

async function pause(line: Line): Promise<void> {
  const next = line.pauses.next().value;
  const delayMs = line.again === "later" ? Math.max(next, line.on.longPauseMs) : next;
  line.again = "soon";
  const { clock, plugged } = line.on;
  const over = Promise.withResolvers<void>();
  let stopClock = clock.after(delayMs, over.resolve);
  const unwatch = plugged?.(() => {
    stopClock();
    stopClock = clock.after(SETTLE_MS, over.resolve);
    // A device that returns is tried as eagerly as one just lost.
    line.pauses = line.on.pauses();
  });
  line.wake = over.resolve;
  await over.promise;
  stopClock();
  unwatch?.();
}
