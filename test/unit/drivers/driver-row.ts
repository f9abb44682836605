import fc from "fast-check";
import type { Command } from "../../../src/card/command.ts";
import type { LinkEvent, TransportKind } from "../../../src/terminal/driver.ts";
import type { OneJobState } from "../../../src/terminal/one-job.ts";
import { ALL, type DriverBench, SALE } from "../../support/driver-bench.ts";

/** What a device may do, each by its name. */
export type Deeds<B> = Readonly<Record<string, (bench: B) => void>>;

/** One driver's row in the table of the laws that hold for all (whatever-happens.test.ts). */
export interface DriverRow<B> {
  readonly driver: string;
  readonly transports: readonly TransportKind[];
  readonly bench: (transport: TransportKind) => B;
  /** Opens, identifies, and collects a chip that asks for its issuer. */
  readonly held: (bench: B) => void;
  /** The device's answers to `complete`, up to the card's own verdict. */
  readonly approves: (bench: B) => void;
  readonly declines: (bench: B) => void;
  /** Sales in other ways, from the opened link to their end. */
  readonly otherSales: Deeds<B>;
  /** What the device may say or do at any moment, whether it makes sense or not. */
  readonly deeds: Deeds<B>;
  /** Deeds that change nothing of a sale by chip, wherever they come after the collect. */
  readonly harmless: Deeds<B>;
  /** The names of its timers, the line's included. */
  readonly timers: readonly string[];
  /** Timers that do not end a job. */
  readonly othersTimers?: readonly string[];
  readonly oneJob: (bench: B) => OneJobState<{ readonly is: string }, unknown, unknown>;
  /** What could grow without end: its size, and the most that it may have. */
  readonly sizes: (bench: B) => Readonly<Record<string, readonly [size: number, most: number]>>;
  /** Numbers of cards that some of the deeds tell in clear. */
  readonly clear: readonly string[];
}

/** The same deed with each of these values. */
export function deedsWith<B, V>(name: string, values: readonly V[], act: (bench: B, value: V) => void): Deeds<B> {
  return Object.fromEntries(
    values.map((value, at) => [`${name} ${at}: ${String(value).slice(0, 40)}`, (bench: B) => act(bench, value)]),
  );
}

const kindOf = (name: string): string => name.replace(/ [0-9]+: .*/s, "");

/** One thing that happens to a driver. */
export type Happening =
  | { readonly command: Command }
  | { readonly deed: string }
  | { readonly bytes: Uint8Array }
  /** One of the timers that run, by its place among them. */
  | { readonly fires: number }
  /** A timer that does not run. */
  | { readonly stale: string }
  | { readonly link: "opened" | "closed" };

/** A driver at work, of whatever model. */
export interface Life {
  readonly bench: DriverBench<unknown>;
  happens(what: Happening): void;
  /** Does again what was once recorded. */
  again(events: readonly LinkEvent[]): void;
  oneJob(): OneJobState<{ readonly is: string }, unknown, unknown>;
  /** Sizes above their most, in words. */
  tooLarge(): readonly string[];
  /** Timers that run and end a job. */
  clocks(): readonly string[];
}

/** A driver's row, with its own bench inside. */
export interface Driver {
  readonly driver: string;
  readonly transports: readonly TransportKind[];
  readonly clear: readonly string[];
  live(transport: TransportKind): Life;
  /** What a story feeds to a driver. */
  readonly stories: Readonly<Record<string, (transport: TransportKind) => readonly LinkEvent[]>>;
  readonly held: (transport: TransportKind) => readonly LinkEvent[];
  /** What follows `held` and `complete`. */
  readonly approval: (transport: TransportKind) => readonly LinkEvent[];
  readonly decline: (transport: TransportKind) => readonly LinkEvent[];
  readonly happening: fc.Arbitrary<Happening>;
  readonly deed: fc.Arbitrary<Happening>;
  readonly harmless: fc.Arbitrary<Happening>;
}

export const APPROVE: Command = { do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } };

const COMMANDS: readonly Command[] = [
  ...([{ do: "identify" }, { do: "idle" }, { do: "cancel" }, { do: "set-clock", now: SALE.now }] as const),
  { do: "collect", request: SALE },
  { do: "collect", request: ALL },
  { do: "collect", request: { ...ALL, transactionType: "20" } },
  { do: "collect", request: { ...ALL, amount: 99_999_999_999 } },
  ...(["fallback", "chip-unreadable", "wrong-pin", "use-chip"] as const).map(
    (again): Command => ({ do: "collect", request: { ...ALL, again } }),
  ),
  ...(["stripe", "contactless", "keyed"] as const).map(
    (way): Command => ({ do: "collect", request: { ...ALL, interfaces: [way] } }),
  ),
  { do: "ask-pin", request: ALL },
  APPROVE,
  {
    do: "complete",
    issuer: { verdict: "declined", arc: "3035", scripts: [{ tag: "72", value: "AA".repeat(90) }] },
  },
  { do: "display", lines: ["x"], meaning: "approved" },
];

export function driverOf<B extends DriverBench<unknown>>(row: DriverRow<B>): Driver {
  const deeds: Deeds<B> = { ...row.deeds, ...row.harmless };
  const fedBy =
    (story: (bench: B) => void, before: (bench: B) => void = () => undefined) =>
    (transport: TransportKind): readonly LinkEvent[] => {
      const bench = row.bench(transport);
      before(bench);
      const already = bench.fed().length;
      story(bench);
      return bench.fed().slice(already);
    };
  const completing = (bench: B): void => {
    row.held(bench);
    bench.command(APPROVE);
  };
  const chip = (bench: B): void => {
    completing(bench);
    row.approves(bench);
  };
  // First the kind of deed, then one of it: a kind of many must not crowd out the others.
  const named = (of: Deeds<B>): fc.Arbitrary<Happening> =>
    fc
      .constantFrom(...Map.groupBy(Object.keys(of), kindOf).values())
      .chain((kind) => fc.constantFrom(...kind))
      .map((name) => ({ deed: name }));
  return {
    ...{ driver: row.driver, transports: row.transports, clear: row.clear },
    live: (transport) => lifeOf(row, deeds, row.bench(transport)),
    stories: Object.fromEntries(
      Object.entries({ chip, ...row.otherSales }).map(([name, story]) => [name, fedBy(story)]),
    ),
    held: fedBy(row.held),
    approval: fedBy(row.approves, completing),
    decline: fedBy(row.declines, completing),
    happening: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...COMMANDS).map((command) => ({ command })) },
      { weight: 9, arbitrary: named(deeds) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => ({ bytes })) },
      { weight: 3, arbitrary: fc.nat({ max: 5 }).map((fires) => ({ fires })) },
      { weight: 1, arbitrary: fc.constantFrom(...row.timers, "settle", "unheard-of").map((stale) => ({ stale })) },
      { weight: 1, arbitrary: fc.constantFrom("opened" as const, "closed" as const).map((link) => ({ link })) },
    ),
    deed: named(deeds),
    harmless: named(row.harmless),
  };
}

function lifeOf<B extends DriverBench<unknown>>(row: DriverRow<B>, deeds: Deeds<B>, bench: B): Life {
  const fire = (at: number): void => {
    const running = Object.keys(bench.timers());
    const name = running[at % Math.max(1, running.length)];
    if (name !== undefined) bench.fire(name);
  };
  return {
    bench,
    happens: (what) => {
      if ("command" in what) bench.command(what.command);
      else if ("deed" in what) deeds[what.deed]?.(bench);
      else if ("bytes" in what) bench.feed({ on: "bytes", bytes: what.bytes });
      else if ("fires" in what) fire(what.fires);
      else if ("link" in what) bench.feed({ on: what.link });
      else if (!(what.stale in bench.timers())) bench.feed({ on: "timer", name: what.stale });
    },
    again: (events) => {
      for (const event of events) {
        if (event.on === "command") bench.command(event.command);
        else if (event.on === "timer") bench.fire(event.name);
        else bench.feed(event);
      }
    },
    oneJob: () => row.oneJob(bench),
    tooLarge: () =>
      Object.entries(row.sizes(bench)).flatMap(([what, [size, most]]) =>
        size > most ? [`${what}: ${size}, and at most ${most}`] : [],
      ),
    clocks: () => Object.keys(bench.timers()).filter((name) => row.othersTimers?.includes(name) !== true),
  };
}
