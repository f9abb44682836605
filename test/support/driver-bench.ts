import type { CollectRequest, Command } from "../../src/card/command.ts";
import type { Notice } from "../../src/card/notice.ts";
import type { DriverSpec, LinkEvent, TransportKind } from "../../src/terminal/driver.ts";
import { usualOptions } from "../../src/terminal/options.ts";

/**
 * A driver on a bench: events go in by hand, and everything it does is kept. What a model's device says is the model's
 * own bench.
 */
export interface DriverBench<S> {
  /** Everything since the last look: what was written, in words; notices; and whether the link is to be reopened. */
  look(): { readonly sent: readonly string[]; readonly notices: readonly Notice[]; readonly reopen: boolean };
  /** Every notice since the start, looked at or not. */
  told(): readonly Notice[];
  /** Every event since the start, without those that the bench fed by itself (`afterwards`). */
  fed(): readonly LinkEvent[];
  state(): S;
  /** Timers that run, with their milliseconds. */
  timers(): Readonly<Record<string, number>>;
  feed(event: LinkEvent): void;
  /** Gives the next number to a command and returns it. */
  command(command: Command): number;
  fire(name: string): void;
}

export interface DriverBenchOn<S> {
  readonly spec: DriverSpec<S>;
  readonly transport: TransportKind;
  /** What is not as usual. */
  readonly options?: Readonly<Record<string, string>>;
  /** One turn's writes in words. */
  readonly inWords: (written: readonly Uint8Array[]) => readonly string[];
  /** Called when a turn is done, with what it wrote: a device that acknowledges does so here. */
  readonly afterwards?: (sent: readonly string[]) => void;
}

export function createDriverBench<S>({
  spec,
  transport,
  options = {},
  inWords,
  afterwards,
}: DriverBenchOn<S>): DriverBench<S> {
  const start = {
    transport,
    options: { ...usualOptions(spec.options), ...options },
    now: { date: "260115", time: "143000" },
    seed: 1,
  };
  let { state } = spec.begin(start);
  let sent: string[] = [];
  let notices: Notice[] = [];
  let reopen = false;
  let last = 0;
  let isAfterwards = false;
  const told: Notice[] = [];
  const fed: LinkEvent[] = [];
  const timers = new Map<string, number>();
  const feed = (event: LinkEvent): void => {
    if (!isAfterwards) fed.push(event);
    const { state: next, ...deed } = spec.turn(state, event);
    state = next;
    for (const [name, delay] of Object.entries(deed.timers ?? {})) {
      if (delay === "clear") timers.delete(name);
      else timers.set(name, delay);
    }
    const words = inWords(deed.write ?? []);
    sent.push(...words);
    notices.push(...(deed.notices ?? []));
    told.push(...(deed.notices ?? []));
    reopen ||= deed.link === "reopen";
    const wasAfterwards = isAfterwards;
    isAfterwards = true;
    afterwards?.(words);
    isAfterwards = wasAfterwards;
  };
  return {
    look: () => {
      const seen = { sent, notices, reopen };
      [sent, notices, reopen] = [[], [], false];
      return seen;
    },
    told: () => told,
    fed: () => fed,
    state: () => state,
    timers: () => Object.fromEntries(timers),
    feed,
    command: (command) => {
      last += 1;
      feed({ on: "command", n: last, command });
      return last;
    },
    fire: (name) => {
      timers.delete(name);
      feed({ on: "timer", name });
    },
  };
}

/** 12.34 EUR by chip alone. */
export const SALE: CollectRequest = {
  amount: 1234,
  currencyNumeric: "978",
  currencyCode: "EUR",
  decimals: 2,
  transactionType: "00",
  interfaces: ["chip"],
  now: { date: "260115", time: "143000" },
  cardMs: 60_000,
  pinMs: 45_000,
};

/** The same, with everything offered but a number that is typed. */
export const ALL: CollectRequest = { ...SALE, interfaces: ["chip", "contactless", "stripe"] };
