import type { Clock } from "../../src/kit/clock.ts";

/**
 * Time that only a test moves. Timers run one at a time, by due time, then in the order they were set. Before the next
 * timer, every promise that follows from the last one is settled (`Settling`).
 *
 * Real input and output (sockets, worker threads) is not covered: wait for its own signs.
 */
export interface VirtualClock extends Clock {
  /** Moves time forward, running what falls due on the way, also what was set meanwhile. */
  advance(ms: number): Promise<void>;
  /**
   * Runs timers until none is left. Throws where that takes more than `limitMs` of virtual time (an hour by default):
   * something then repeats for ever.
   */
  runUntilIdle(limitMs?: number): Promise<void>;
  /**
   * Runs timers until the condition holds, looking after each of them; time then stands at the last of them. Throws
   * where it does not hold within `limitMs`.
   */
  runUntil(condition: () => boolean, limitMs: number): Promise<void>;
  /** Lets promises that are ready run, without moving time. */
  settle(): Promise<void>;
  /** Moves the wall clock alone, as an administrator or NTP does; `monotonic` and timers do not see it. */
  setWall(epochMs: number): void;
  /** How many timers are set. */
  pending(): number;
}

/**
 * What the clock waits for after each timer.
 * - `loop`: one turn of the real event loop (setImmediate): all promises, and also what was handed to setImmediate before;
 * - `promises`: all promises and no more, several times as fast. Node takes from the queue of process.nextTick only
 * when no promise is ready any more, so a tick that a
 *   microtask asked for comes after the last of them.
 */
type Settling = "loop" | "promises";

export interface VirtualClockOptions {
  /** `loop` unless said otherwise. */
  readonly settling?: Settling;
  /** Called after each timer, once everything that followed from it is through. */
  readonly afterEach?: () => void;
}

/**
 * Calls once everything that is ready has come through. Plain callbacks: a world waits so a hundred times for each
 * payment.
 */
const WHEN_SETTLED: Readonly<Record<Settling, (then: () => void) => void>> = {
  loop: (then) => setImmediate(then),
  promises: (then) => void READY.then(() => process.nextTick(then)),
};
const READY = Promise.resolve();

interface Timer {
  readonly due: number;
  readonly order: number;
  run: (() => void) | undefined;
}

const HOUR_MS = 3_600_000;

/** What Node's timers count with; one that is set for longer runs at once (Node's documentation of setTimeout). */
const LONGEST_TIMER_MS = 2_147_483_647;

export function createVirtualClock(
  startEpochMs: number,
  { settling = "loop", afterEach }: VirtualClockOptions = {},
): VirtualClock {
  const heap: Timer[] = [];
  let elapsed = 0;
  let wallAtStart = startEpochMs;
  let order = 0;
  let live = 0;

  const whenSettled = WHEN_SETTLED[settling];
  const settle = (): Promise<void> => new Promise((resolve) => whenSettled(resolve));
  const next = (): Timer | undefined => {
    while (heap[0] !== undefined && heap[0].run === undefined) pop(heap);
    return heap[0];
  };
  const fire = (timer: Timer): void => {
    pop(heap);
    elapsed = timer.due;
    const { run } = timer;
    timer.run = undefined;
    live -= 1;
    run?.();
  };
  /** Runs one timer after another, for as long as `due` gives one. */
  const runAll = (due: () => Timer | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      let fired = false;
      const turn = (): void => {
        try {
          if (fired) afterEach?.();
          const timer = due();
          if (timer === undefined) {
            resolve();
          } else {
            fired = true;
            fire(timer);
            whenSettled(turn);
          }
        } catch (cause) {
          reject(cause);
        }
      };
      whenSettled(turn);
    });
  const advance = async (ms: number): Promise<void> => {
    const target = elapsed + ms;
    await runAll(() => {
      const timer = next();
      return timer !== undefined && timer.due <= target ? timer : undefined;
    });
    elapsed = target;
  };
  const runUntil = (condition: () => boolean, limitMs: number): Promise<void> => {
    const last = elapsed + limitMs;
    return runAll(() => {
      if (condition()) return undefined;
      const timer = next();
      if (timer === undefined || timer.due > last)
        throw new Error(`not reached within ${limitMs} ms of virtual time, ${live} timers left`);
      return timer;
    });
  };
  return {
    now: () => wallAtStart + elapsed,
    monotonic: () => elapsed,
    after: (delayMs, run) => {
      const timer: Timer = {
        due: elapsed + (delayMs > LONGEST_TIMER_MS ? 1 : Math.max(0, delayMs)),
        order: order++,
        run,
      };
      push(heap, timer);
      live += 1;
      return () => {
        if (timer.run === undefined) return;
        timer.run = undefined;
        live -= 1;
        if (heap.length > 2 * live + FEW) forgetCancelled(heap);
      };
    },
    advance,
    runUntil,
    runUntilIdle: (limitMs = HOUR_MS) => runUntil(() => live === 0, limitMs),
    settle,
    setWall: (epochMs) => {
      wallAtStart = epochMs - elapsed;
    },
    pending: () => live,
  };
}

/**
 * Deadlines are set for hours and cancelled in a moment: what is left of them is not kept until it falls due, once it
 * is most of the heap.
 */
const FEW = 64;

function forgetCancelled(heap: Timer[]): void {
  const left = heap.filter(({ run }) => run !== undefined);
  heap.length = 0;
  for (const timer of left) push(heap, timer);
}

function before(a: Timer, b: Timer): boolean {
  return a.due < b.due || (a.due === b.due && a.order < b.order);
}

/** Binary heap, earliest timer first. */
function push(heap: Timer[], timer: Timer): void {
  let at = heap.length;
  heap.push(timer);
  while (at > 0) {
    const above = (at - 1) >> 1;
    const parent = heap[above];
    if (parent === undefined || before(parent, timer)) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = timer;
}

function pop(heap: Timer[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    const left = heap[2 * at + 1];
    const right = heap[2 * at + 2];
    const child = right !== undefined && left !== undefined && before(right, left) ? 2 * at + 2 : 2 * at + 1;
    const least = heap[child];
    if (least === undefined || before(last, least)) break;
    heap[at] = least;
    at = child;
  }
  heap[at] = last;
}
