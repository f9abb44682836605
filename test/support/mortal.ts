import type { HttpExchange, HttpOutcome, HttpRequest } from "../../src/gateway/http-exchange.ts";
import type { Cancel, Clock } from "../../src/kit/clock.ts";
import type { Link } from "../../src/terminal/link.ts";

/**
 * What sleeps: the process alone (SIGSTOP), or the whole machine. Linux's monotonic clock then stands still, and
 * connections to others do not outlive it.
 */
export type Sleeper = "process" | "machine";

/** A process that can be killed: from then on it hears no timer and sets none, and no promise of it goes on. */
export interface Mortal {
  readonly clock: Clock;
  isAlive(): boolean;
  /** Nothing of it runs until the function that is returned is called: then timers that fell due, then what arrived. */
  sleep(what: Sleeper): () => void;
  /** Runs it now, or at the end of its sleep. */
  whenAwake(run: () => void): void;
  /** As the promise, for as long as the process lives. */
  survived<T>(promise: Promise<T>): Promise<T>;
  /** Connections that this process makes. What it has sent when it dies arrives all the same. */
  exchange(http: HttpExchange): HttpExchange;
  /** `begun`: what of a write leaves; the process may die of being asked. */
  link(open: () => Promise<Link>, begun?: (bytes: Uint8Array) => Uint8Array): Promise<Link>;
  die(): void;
  /** Resolves when it dies. */
  readonly died: Promise<undefined>;
}

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

export function createMortal(clock: Clock): Mortal {
  let alive = true;
  let asleep = false;
  /** For how long the monotonic clock stood still. */
  let stoodMs = 0;
  let suspensions = 0;
  const due: (() => void)[] = [];
  const arrived: (() => void)[] = [];
  const died = Promise.withResolvers<undefined>();
  const whenAwake = (run: () => void): void => void (asleep ? arrived.push(run) : run());
  const survived = <T>(promise: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      promise.then(
        (value) => whenAwake(() => (alive ? resolve(value) : undefined)),
        (cause: unknown) => whenAwake(() => (alive ? reject(cause) : undefined)),
      );
    });
  const own = (): number => clock.monotonic() - stoodMs;
  const after: Clock["after"] = (delayMs, run) => {
    let stop: Cancel = () => undefined;
    let cancelled = !alive;
    const stoodBefore = stoodMs;
    const dueAt = own() + delayMs;
    const arm = (ms: number): void => {
      const fire = (): void => {
        if (cancelled || !alive) return;
        if (stoodMs > stoodBefore && own() < dueAt) arm(dueAt - own());
        else run();
      };
      stop = clock.after(ms, () => (asleep ? void due.push(fire) : fire()));
    };
    if (alive) arm(delayMs);
    return () => {
      cancelled = true;
      stop();
    };
  };
  const sleep = (what: Sleeper): (() => void) => {
    const since = clock.monotonic();
    asleep = true;
    if (what === "machine") suspensions += 1;
    return () => {
      if (what === "machine") stoodMs += clock.monotonic() - since;
      asleep = false;
      for (const run of [...due.splice(0), ...arrived.splice(0)]) run();
    };
  };
  const exchange = async (http: HttpExchange, request: HttpRequest): Promise<HttpOutcome> => {
    const before = suspensions;
    const outcome = await survived(http.exchange(request));
    return before === suspensions ? outcome : { is: "broken", detail: "read ECONNRESET" };
  };
  async function* heard(incoming: Link["incoming"]): AsyncGenerator<Uint8Array, void> {
    for await (const bytes of incoming) {
      if (asleep) await new Promise<void>((resolve) => whenAwake(resolve));
      yield bytes;
    }
  }
  return {
    clock: {
      now: () => clock.now(),
      monotonic: own,
      after,
    },
    isAlive: () => alive,
    sleep,
    whenAwake,
    survived,
    exchange: (http) => ({ ...http, exchange: (request) => (alive ? exchange(http, request) : never()) }),
    link: async (open, begun = (bytes) => bytes) => {
      const link = await survived(alive ? open() : never<Link>());
      const write = (bytes: Uint8Array): Promise<void> => (alive ? survived(link.write(begun(bytes))) : never());
      return { incoming: heard(link.incoming), write, close: () => link.close() };
    },
    die: () => {
      alive = false;
      died.resolve(undefined);
    },
    died: died.promise,
  };
}
