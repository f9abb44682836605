import type { Notice } from "../card/notice.ts";
import type { Cancel, Clock } from "../kit/clock.ts";
import type { Deed, DriverModel, DriverStart, FrameError, LinkEvent } from "./driver.ts";

/**
 * Limit of queued events. They queue only during a deed, so a queue this long means that driver and session call each
 * other endlessly.
 */
export const EVENT_LIMIT = 1_024;

/** Performs a driver's deeds. */
export interface Hands {
  write(bytes: Uint8Array): void;
  notice(notice: Notice): void;
  link(what: "close" | "reopen"): void;
  frameError(error: FrameError): void;
  /** The driver threw, against its contract; a new one has already replaced it. */
  crashed(error: unknown): void;
}

/** One running driver: events in, strictly one after another; deeds out, in the order of driver.ts. */
export interface DriverRunner {
  /** Starts the driver; earlier events are the caller's error and are dropped. */
  start(): void;
  feed(event: LinkEvent): void;
  clearTimers(): void;
}

interface Runner {
  readonly model: DriverModel;
  readonly begin: () => DriverStart;
  readonly clock: Clock;
  readonly hands: Hands;
  readonly events: LinkEvent[];
  readonly timers: Map<string, Cancel>;
  turn: ((event: LinkEvent) => Deed) | undefined;
  busy: boolean;
}

export function createDriverRunner(on: Pick<Runner, "model" | "begin" | "clock" | "hands">): DriverRunner {
  const runner: Runner = { ...on, events: [], timers: new Map(), turn: undefined, busy: false };
  return { start: () => start(runner), feed: (event) => feed(runner, event), clearTimers: () => clearTimers(runner) };
}

function start(runner: Runner): void {
  const { first, turn } = runner.model.start(runner.begin());
  runner.turn = turn;
  perform(runner, first);
}

function feed(runner: Runner, event: LinkEvent): void {
  if (runner.busy) {
    runner.events.push(event);
    if (runner.events.length > EVENT_LIMIT)
      crash(runner, new Error(`more than ${EVENT_LIMIT} events wait for the driver`));
    return;
  }
  runner.busy = true;
  for (let next: LinkEvent | undefined = event; next !== undefined; next = runner.events.shift()) {
    const deed = take(runner, next);
    if (deed !== undefined) perform(runner, deed);
  }
  runner.busy = false;
}

function take(runner: Runner, event: LinkEvent): Deed | undefined {
  try {
    return runner.turn?.(event);
  } catch (error) {
    crash(runner, error);
    return undefined;
  }
}

function crash(runner: Runner, error: unknown): void {
  runner.events.length = 0;
  clearTimers(runner);
  start(runner);
  runner.hands.crashed(error);
}

function perform(runner: Runner, { timers, write, notices, link, frameErrors }: Deed): void {
  if (frameErrors !== undefined) for (const error of frameErrors) runner.hands.frameError(error);
  if (timers !== undefined) for (const name of Object.keys(timers)) setTimer(runner, name, timers[name]);
  if (write !== undefined) for (const bytes of write) runner.hands.write(bytes);
  if (notices !== undefined) for (const notice of notices) runner.hands.notice(notice);
  if (link !== undefined) runner.hands.link(link);
}

function setTimer(runner: Runner, name: string, delay: number | "clear" | undefined): void {
  if (delay === undefined) return;
  const { timers, clock } = runner;
  const stop = timers.get(name);
  if (stop !== undefined) {
    stop();
    timers.delete(name);
  }
  if (delay === "clear") return;
  const fire = (): void => {
    timers.delete(name);
    feed(runner, { on: "timer", name });
  };
  timers.set(name, clock.after(delay, fire));
}

function clearTimers(runner: Runner): void {
  for (const cancel of runner.timers.values()) cancel();
  runner.timers.clear();
}
