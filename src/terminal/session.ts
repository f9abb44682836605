import type { Command } from "../card/command.ts";
import { backoff } from "../kit/backoff.ts";
import type { Random } from "../kit/random.ts";
import { within } from "../kit/within.ts";
import { abandonAdmission, beginAdmission, testTerminal } from "./admitting.ts";
import { createAnnouncer } from "./announcer.ts";
import { createCommandBook } from "./command-book.ts";
import { type Connection, createConnection, type Loss } from "./connection.ts";
import { createDriverRunner, type DriverRunner } from "./driver-runner.ts";
import { createKsnWatch } from "./ksn-watch.ts";
import { isGone } from "./link.ts";
import { forgetRestart } from "./restart-window.ts";
import { route } from "./routing.ts";
import { bookOwn, endAll, feedCommand, sendOutside } from "./sending.ts";
import type { Core, Mood, SessionEvent, SessionOptions, TerminalTest } from "./session-core.ts";
import { messageOf } from "./session-log.ts";
import type { TerminalStatus } from "./status.ts";
import { createStanding } from "./status-keeper.ts";

/**
 * Pauses before a link is opened again: half a second at first (a device needs at least 50 ms: Miura, PROTOCOL.md,
 * Transport), half a minute at most.
 */
const RECONNECT = { firstMs: 500, factor: 2, maxMs: 30_000, jitter: 0.25 } as const;
/** Time for the device to go idle when its session stops. */
const FAREWELL_MS = 2_000;

/** One terminal: its link, its running driver, and their visible state. */
export interface Session {
  readonly id: string;
  /** Add listeners before. */
  start(): void;
  status(): TerminalStatus;
  /**
   * Numbers the command and returns. It ends with exactly one notice of that number (card, no-card, finished,
   * cancelled, done, ready or fault), never in this turn.
   */
  send(command: Command): number;
  listen(listener: (event: SessionEvent) => void): void;
  test(): Promise<TerminalTest>;
  /** Sends the device to idle and closes the link. Always resolves, after some three seconds at the latest. */
  stop(): Promise<void>;
}

export function createSession(on: SessionOptions): Session {
  const announcer = createAnnouncer<SessionEvent>(on.log);
  const standing = createStanding(on, (status) => announcer.announce({ on: "status", status }));
  const book = createCommandBook();
  const parts = { on, announcer, standing, book, ksn: createKsnWatch(on.environment), mood: startingMood(on) };
  const runner: DriverRunner = createDriverRunner({
    model: on.model,
    begin: () => ({ transport: on.transport, options: on.options, now: on.localTime(), seed: number32(on.random) }),
    clock: on.clock,
    hands: {
      write: (bytes) => {
        on.tap.sent(bytes);
        core.connection.write(bytes);
      },
      notice: (notice) => route(core, notice),
      frameError: on.tap.frameError,
      link: (what) =>
        core.connection.drop(
          "the terminal did not answer as it should; connecting anew",
          what === "close" ? "later" : "soon",
        ),
      crashed: (error) => crashed(core, error),
    },
  });
  const connection: Connection = createConnection({
    open: on.open,
    clock: on.clock,
    log: on.log,
    pauses: () => backoff(RECONNECT, () => number32(on.random) / 2 ** 32),
    longPauseMs: RECONNECT.maxMs,
    ...(on.plugged && { plugged: on.plugged }),
    opened: () => opened(core),
    bytes: (bytes) => {
      on.tap.received(bytes);
      core.runner.feed({ on: "bytes", bytes });
    },
    lost: (loss) => lost(core, loss),
    failed: (error) => failed(core, error),
  });
  const core: Core = { ...parts, runner, connection };
  let stopping: Promise<void> | undefined;
  return {
    id: on.id,
    start: () => {
      runner.start();
      connection.start();
    },
    status: standing.status,
    send: (command) => sendOutside(core, command),
    listen: announcer.listen,
    test: () => testTerminal(core),
    stop: () => {
      stopping ??= stop(core);
      return stopping;
    },
  };
}

function startingMood(on: SessionOptions): Mood {
  return {
    linkUp: false,
    stopped: false,
    admission: undefined,
    tests: [],
    held: [],
    latched: undefined,
    serialNumber: on.expectedSerial,
    engaged: false,
    taken: false,
    restart: undefined,
    lastTrouble: undefined,
    farewell: undefined,
  };
}

function number32(random: Random): number {
  return random.bytes(4).reduce((number, byte) => number * 256 + byte, 0);
}

function opened(core: Core): void {
  core.mood.linkUp = true;
  core.on.tap.opened();
  forgetRestart(core);
  core.runner.feed({ on: "opened" });
  if (core.mood.linkUp) beginAdmission(core);
}

function lost(core: Core, loss: Loss): void {
  const { mood } = core;
  core.on.tap.lost();
  mood.linkUp = false;
  mood.engaged = false;
  mood.taken = false;
  forgetRestart(core);
  if (loss.byPeer) mood.latched = undefined;
  if (mood.latched === undefined) core.standing.offline(loss.reason);
  noteTrouble(core, "link lost", loss.reason);
  abandonAdmission(core, loss.reason);
  endAll(core, "no-answer", `link lost: ${loss.reason}`);
  mood.farewell?.ended();
  core.runner.clearTimers();
  core.runner.feed({ on: "closed" });
}

/** A missing device has been unplugged. */
function failed(core: Core, error: unknown): void {
  const { mood, standing } = core;
  const reason = messageOf(error);
  if (isGone(error)) mood.latched = undefined;
  if (mood.latched === undefined) standing.offline(reason);
  noteTrouble(core, "no link; trying again until there is one", reason);
}

/**
 * Logs the first problem of its kind as a warning, and repetitions at debug level, until the terminal is ready again.
 */
function noteTrouble({ mood, on }: Core, what: string, reason: string): void {
  if (mood.lastTrouble === reason) on.log.debug({ terminal: on.id, reason }, what);
  else on.log.warn({ terminal: on.id, reason }, what);
  mood.lastTrouble = reason;
}

function crashed(core: Core, error: unknown): void {
  core.on.log.error(
    { terminal: core.on.id, model: core.on.model.id, error: messageOf(error) },
    "the driver failed and was started anew; please report this",
  );
  endAll(core, "protocol", "the driver failed");
  core.connection.drop("the driver failed", "soon");
}

async function stop(core: Core): Promise<void> {
  const { mood, on } = core;
  mood.stopped = true;
  forgetRestart(core);
  if (mood.linkUp && mood.admission === undefined) await farewell(core);
  await core.connection.stop();
  core.standing.offline("this bridge is stopping");
  abandonAdmission(core, "this bridge is stopping");
  endAll(core, "no-answer", "this bridge is stopping");
  core.runner.clearTimers();
  on.log.info({ terminal: on.id }, "terminal session stopped");
}

async function farewell(core: Core): Promise<void> {
  const { mood, on } = core;
  const isOpen = mood.engaged || core.book.pending().length > 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const pending = bookOwn(core, { do: isOpen ? "cancel" : "idle" });
  mood.farewell = { n: pending.n, ended: resolve };
  feedCommand(core, pending);
  if ((await within(on.clock, FAREWELL_MS, promise)) === "late")
    on.log.warn({ terminal: on.id }, "the device did not go idle; closing its link all the same");
}
