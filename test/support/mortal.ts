import type { HttpExchange } from "../../src/gateway/http-exchange.ts";
import type { Clock } from "../../src/kit/clock.ts";
import type { Link } from "../../src/terminal/link.ts";

/** A process that can be killed: from then on it hears no timer and sets none, and no promise of it goes on. */
export interface Mortal {
  readonly clock: Clock;
  isAlive(): boolean;
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
  const died = Promise.withResolvers<undefined>();
  const survived = <T>(promise: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      promise.then(
        (value) => (alive ? resolve(value) : undefined),
        (cause: unknown) => (alive ? reject(cause) : undefined),
      );
    });
  return {
    clock: {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      after: (delayMs, run) => (alive ? clock.after(delayMs, () => (alive ? run() : undefined)) : () => undefined),
    },
    isAlive: () => alive,
    survived,
    exchange: (http) => ({ ...http, exchange: (request) => (alive ? survived(http.exchange(request)) : never()) }),
    link: async (open, begun = (bytes) => bytes) => {
      const link = await survived(alive ? open() : never<Link>());
      const write = (bytes: Uint8Array): Promise<void> => (alive ? survived(link.write(begun(bytes))) : never());
      return { incoming: link.incoming, write, close: () => link.close() };
    },
    die: () => {
      alive = false;
      died.resolve(undefined);
    },
    died: died.promise,
  };
}
