import type { CardData } from "../../../src/card/card-data.ts";
import type { CollectRequest, Command, LocalTime } from "../../../src/card/command.ts";
import type { Identity, KeyStatus, Notice } from "../../../src/card/notice.ts";
import { Secret } from "../../../src/kit/secret.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { isEnding } from "../../../src/terminal/command-book.ts";
import type { Deed, DriverModel, LinkEvent } from "../../../src/terminal/driver.ts";
import { noTap } from "../../../src/terminal/line-tap.ts";
import type { Link, LinkErrorCode } from "../../../src/terminal/link.ts";
import { createSession, type Session } from "../../../src/terminal/session.ts";
import type { SessionEvent, SessionOptions } from "../../../src/terminal/session-core.ts";
import type { SessionLog } from "../../../src/terminal/session-log.ts";
import type { TerminalStatus } from "../../../src/terminal/status.ts";
import { createPair, type Pair } from "../../support/pair.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";

export const NOW: LocalTime = { date: "250314", time: "150926" };
export const IDENTITY: Identity = { serialNumber: "S-1", model: "bench", firmware: "1-2", configuration: [] };
export const KEYS: KeyStatus = { pin: true, sred: true, tampered: false };

const REQUEST: CollectRequest = {
  amount: 1234,
  currencyNumeric: "978",
  currencyCode: "EUR",
  decimals: 2,
  transactionType: "00",
  interfaces: ["chip"],
  now: NOW,
  cardMs: 60_000,
  pinMs: 60_000,
};
export const COLLECT: Command = { do: "collect", request: REQUEST };

export function card(sredKsn: string, pinKsn?: string): CardData {
  return {
    interface: "chip",
    decision: "online",
    icc: [],
    sred: { data: new Secret("00"), ksn: sredKsn },
    ...(pinKsn !== undefined && { pin: { data: new Secret("00"), ksn: pinKsn } }),
    masked: { last4: "1111" },
  };
}

/** What the scripted device does with an event; undefined leaves it to what a healthy device does. */
export type Plan = (event: LinkEvent) => Deed | undefined;

export interface Bench {
  readonly clock: VirtualClock;
  readonly session: Session;
  readonly events: SessionEvent[];
  readonly logged: { readonly level: string; readonly message: string }[];
  /** What reached the driver. */
  readonly fed: LinkEvent[];
  /** One for every link that was opened; the last is the current one. */
  readonly lines: Pair[];
  /** The device says this now: the driver gives the notice when the byte arrives. */
  say(notice: Notice): Promise<void>;
  /** As `say`, for a whole deed. */
  act(deed: Deed): Promise<void>;
  /** `code`: what the line says of it, "lost" unless another is named. */
  unplug(code?: LinkErrorCode): Promise<void>;
  notices(): readonly Notice[];
  /** The notices that ended command `n`. */
  endings(n: number): readonly Notice[];
  statuses(): readonly string[];
  status(): TerminalStatus;
  commands(): readonly string[];
}

/**
 * A session over an in-memory line and a virtual clock. The driver is a script: commands are answered by the plan,
 * single bytes stand for what the device says.
 */
export function createBench(
  options: Partial<SessionOptions> & { readonly plan?: Plan; readonly onlinePin?: boolean } = {},
): Bench {
  const clock = createVirtualClock(Date.UTC(2025, 2, 14, 15, 9, 26));
  const lines: Pair[] = [];
  const said: Deed[] = [];
  const fed: LinkEvent[] = [];
  const events: SessionEvent[] = [];
  const logged: { level: string; message: string }[] = [];
  const open = async (): Promise<Link> => {
    const pair = createPair({ clock, delayMs: 1 });
    lines.push(pair);
    return pair.near;
  };
  const turn = (event: LinkEvent): Deed => {
    fed.push(event);
    return options.plan?.(event) ?? (event.on === "bytes" ? (said[event.bytes[0] ?? 0] ?? {}) : healthy(event));
  };
  const session = createSession({
    id: "till-1",
    model: scripted(turn, options.onlinePin ?? true),
    connection: "memory",
    transport: "serial",
    options: {},
    open,
    environment: "test",
    clock,
    localTime: () => NOW,
    random: seededRandom(7),
    log: recorder(logged),
    tap: noTap,
    ...options,
  });
  session.listen((event) => void events.push(event));
  const act = async (deed: Deed): Promise<void> => {
    said.push(deed);
    await lines.at(-1)?.far.write(Uint8Array.of(said.length - 1));
    await clock.advance(1);
  };
  const notices = (): Notice[] => events.flatMap((event) => (event.on === "notice" ? [event.notice] : []));
  return {
    clock,
    session,
    events,
    logged,
    fed,
    lines,
    act,
    say: (notice) => act({ notices: [notice] }),
    unplug: async (code) => {
      lines.at(-1)?.cut(code);
      await clock.settle();
    },
    notices,
    endings: (n) => notices().filter((notice) => notice.n === n && isEnding(notice)),
    statuses: () => events.flatMap((event) => (event.on === "status" ? [event.status.state] : [])),
    status: session.status,
    commands: () => fed.flatMap((event) => (event.on === "command" ? [event.command.do] : [])),
  };
}

/** A session that is started and in service. */
export async function createReadyBench(options: Parameters<typeof createBench>[0] = {}): Promise<Bench> {
  const bench = createBench(options);
  bench.session.start();
  await bench.clock.advance(1);
  return bench;
}

function healthy(event: LinkEvent): Deed {
  if (event.on !== "command") return {};
  const { n, command } = event;
  switch (command.do) {
    case "identify":
      return { notices: [{ n, on: "ready", identity: IDENTITY, keys: KEYS }] };
    case "idle":
    case "cancel":
    case "set-clock":
    case "display":
    case "ask-pin":
      return { notices: [{ n, on: "done" }] };
    case "collect":
    case "complete":
      return {};
  }
}

function scripted(turn: (event: LinkEvent) => Deed, onlinePin: boolean): DriverModel {
  const capabilities = { interfaces: ["chip"], onlinePin, pinAfterTap: false, display: true, sealed: false } as const;
  return {
    id: "bench",
    title: "Bench",
    fingerprints: [],
    lines: [],
    options: [],
    capabilities,
    hostWaitMs: 60_000,
    start: () => ({ first: {}, turn }),
  };
}

function recorder(into: { level: string; message: string }[]): SessionLog {
  const at =
    (level: string) =>
    (fields: Readonly<Record<string, string | number | boolean>>, message: string): void =>
      void into.push({ level, message: `${message} ${JSON.stringify(fields)}` });
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
