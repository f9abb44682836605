import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import type { SandboxRules } from "../../packages/sandbox/gateway/rules.ts";
import type { OpenSocket } from "../../src/client/wire-socket.ts";
import { createMemoryJournal, type MemoryJournal } from "../../src/journal/memory-journal.ts";
import { isDamage, mendOf } from "../../src/journal/sqlite-error.ts";
import type { Clock } from "../../src/kit/clock.ts";
import { seededRandom } from "../../src/kit/seeded-random.ts";
import { createLog, type Log } from "../../src/observe/log.ts";
import { createRecentLines, type RecentLines } from "../../src/observe/recent-lines.ts";
import { openTokens } from "../../src/register/tokens/tokens.ts";
import type { Trace } from "../../src/terminal/trace.ts";
import type { TestSandbox } from "../scenarios/sandbox.ts";
import { openBooks, SHORT, type Shop, type ShopOptions, writeConfiguration } from "../scenarios/shop.ts";
import { openTill, type Till } from "../scenarios/till.ts";
import type { Sleeper } from "../support/mortal.ts";
import { createDeletionBook } from "../world/deletion-book.ts";
import { beginLife, type Life } from "./bridge.ts";
import { createNetwork, type Network } from "./network.ts";
import { openStorySandbox } from "./sandbox.ts";
import { storySockets } from "./socket.ts";
import { openStoryTerminal, type StoryTerminal } from "./terminal.ts";
import { createStoryTime, type StoryTime } from "./time.ts";

export interface StoryShopOptions
  extends Pick<ShopOptions, "terminals" | "timeouts" | "scopes" | "model" | "automatic" | "configuration"> {
  readonly rules?: Partial<SandboxRules>;
  /**
   * Terminals that are plugged in and stand in no configuration, by their models: numbered on from the configured ones.
   */
  readonly spares?: readonly string[];
  /** How many of the bridge's last lines are kept; all unless said otherwise. */
  readonly keptLines?: number;
}

/** What a bridge of a story printed. */
interface Printing {
  readonly out: readonly string[];
  /** The first line, from the `from`-th on, that fits. */
  line(fits: RegExp, from?: number): Promise<string>;
}

/**
 * A whole shop in this process, on the simulated clock: the sandbox, simulated terminals, and all that a daemon runs
 * from its configuration file to its registers' frames. Only
 * disk, network, cables and sockets are played. Time runs while a test waits for something of the shop.
 */
export interface StoryShop extends Omit<Shop, "bridge" | "stop" | "terminal" | "terminals"> {
  readonly time: StoryTime;
  readonly network: Network;
  readonly terminal: StoryTerminal;
  readonly terminals: readonly StoryTerminal[];
  readonly spares: readonly StoryTerminal[];
  bridge(): Printing;
  /** The metrics of the bridge that runs. */
  figures(): Promise<string>;
  /** The bridge that runs. */
  life(): Pick<Life, "active" | "sockets">;
  journal(): MemoryJournal;
  /** What goes over that terminal's line. */
  trace(terminal: string): Trace | undefined;
  /** To the bridge that runs. */
  readonly openSocket: OpenSocket;
  /** As SIGTERM does. */
  stop(): Promise<void>;
  /**
   * Sets the wall clock of the bridge's machine, back where it is negative; gateway and terminals have clocks of their
   * own.
   */
  setClock(byMs: number): void;
  /** What that clock shows. */
  wallClock(): number;
  /** The bridge's process, or its whole machine, sleeps for so long; the world around it goes on. */
  sleep(what: Sleeper, ms: number): Promise<void>;
  createToken(register: string, scopes?: readonly string[]): string;
  /** One more gateway on the network, with as many channels as the shop has terminals. */
  openGateway(): TestSandbox;
}

const FIRST_PORT = 7718;

export async function openStoryShop(options: StoryShopOptions = {}): Promise<StoryShop> {
  const {
    terminals: count = 1,
    timeouts,
    scopes = [],
    automatic = false,
    model,
    configuration = [],
    rules = {},
    spares: models = [],
    keptLines,
  } = options;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-story-"));
  const time = createStoryTime();
  const network = createNetwork(time.clock);
  let port = FIRST_PORT;
  const openGateway = (): TestSandbox => openStorySandbox({ time, network, port: port++, entities: count, rules });
  const sandbox = openGateway();
  const terminals = Array.from({ length: count }, (_, at) =>
    openStoryTerminal(time, at + 1, { automatic, ...(model !== undefined && { model }) }),
  );
  const spares = models.map((spare, at) => openStoryTerminal(time, count + at + 1, { model: spare, automatic }));
  const [terminal] = terminals;
  if (terminal === undefined) throw new RangeError("a shop has a terminal");
  const configFile = writeConfiguration(folder, {
    baseUrl: sandbox.url,
    terminals,
    timeouts: { ...SHORT, ...timeouts },
    more: configuration,
  });
  const dataDir = path.join(folder, "data");
  const bridges = openBridges({ time, network, configFile, dataDir, terminals, spares, keptLines });
  const registerToken = bridges.createToken("register-1", scopes);
  await bridges.start();
  const clock = time.clock;
  const openSocket = storySockets(time, bridges.living);
  const till = (token = registerToken): Promise<Till> =>
    time.during(openTill(bridges.url(), token, { openSocket, clock }, time));
  const close = async (): Promise<void> => {
    await bridges.kill();
    await sandbox.kill();
    fs.rmSync(folder, { recursive: true, force: true });
  };
  const { living: _, ...shown } = bridges;
  const shop = {
    openSocket,
    folder,
    dataDir,
    configFile,
    registerToken,
    time,
    network,
    sandbox,
    openGateway,
    terminal,
    terminals,
    spares,
    till,
    close,
  };
  return { ...shop, ...shown, ...openBooks(sandbox, till) };
}

interface BridgesOn {
  readonly time: StoryTime;
  readonly network: Network;
  readonly configFile: string;
  readonly dataDir: string;
  readonly terminals: readonly StoryTerminal[];
  readonly spares: readonly StoryTerminal[];
  readonly keptLines: number | undefined;
}

type Bridges = Pick<
  StoryShop,
  | "bridge"
  | "life"
  | "journal"
  | "figures"
  | "trace"
  | "url"
  | "printed"
  | "kill"
  | "stop"
  | "sleep"
  | "setClock"
  | "wallClock"
  | "start"
  | "restart"
  | "createToken"
> & {
  living(): Life | undefined;
};

/**
 * One bridge after the other on the same configuration and data folder; whoever deletes the folder begins a new
 * journal.
 */
function openBridges({ time, network, configFile, dataDir, terminals, spares, keptLines }: BridgesOn): Bridges {
  let setByMs = 0;
  const clock: Clock = { ...time.clock, now: () => time.clock.now() + setByMs };
  const disk = { clock, isDiskFull: () => false, trapped: () => undefined };
  const printed: string[][] = [];
  const watchers = new Set<() => void>();
  let life: Life | undefined;
  let journal = createMemoryJournal({ clock, appendDelayMs: 1 });
  let deletions = createDeletionBook(disk);
  const makeFolder = (): void => {
    if (fs.existsSync(dataDir)) return;
    fs.mkdirSync(dataDir, { mode: 0o700 });
    journal = createMemoryJournal({ clock, appendDelayMs: 1 });
    deletions = createDeletionBook(disk);
  };
  const bridge = (): Printing => {
    const out = printed.at(-1) ?? [];
    return { out, line: (fits, from = 0) => lineOf(time, out, watchers, fits, from) };
  };
  const start = async (): Promise<void> => {
    makeFolder();
    const out: string[] = [];
    printed.push(out);
    const recent = createRecentLines(String(printed.length));
    const log = logTo(out, { watchers, now: clock.now, recent, keptLines });
    const plugs = new Map([...terminals, ...spares].map(({ path: device, plug }) => [device, plug]));
    life = await time.during(
      beginLife({
        clock,
        configFile,
        dataDir,
        journal,
        deletions,
        http: network.http,
        plugs,
        log,
        recent,
        seed: printed.length,
      }),
    );
    const plugged = await Promise.all(
      terminals.map(async (terminal) => ((await terminal.screen()).plugged ? [terminal.id] : [])),
    );
    await Promise.all(plugged.flat().map((id) => bridge().line(new RegExp(`"terminal":"${id}".*terminal is ready`))));
  };
  const kill = async (): Promise<void> => {
    if (life?.isAlive() !== true) return;
    life.die();
    journal = journal.crash(0);
    deletions = deletions.crash(0);
  };
  const createToken = (register: string, scopes: readonly string[] = []): string => {
    makeFolder();
    const own = life?.isAlive() === true ? life.tokens : undefined;
    const tokens =
      own ?? openTokens({ clock, random: seededRandom(printed.length), dataDir, disk: { isDamage, mendOf } });
    const created = tokens.create({ register, scopes });
    if (own === undefined) tokens.close();
    if (!created.ok) throw new RangeError(created.message);
    return created.value.token.reveal();
  };
  return {
    living: () => life,
    life: () => {
      if (life === undefined) throw new RangeError("no bridge runs");
      return life;
    },
    journal: () => journal,
    bridge,
    trace: (terminal) => life?.traces.get(terminal),
    figures: async () => (await life?.figures()) ?? "",
    url: () => "ws://story/v1",
    printed: () => printed.flat(),
    kill,
    stop: () => time.during(life?.stop() ?? Promise.resolve()),
    setClock: (byMs) => {
      setByMs += byMs;
    },
    wallClock: clock.now,
    sleep: async (what, ms) => {
      const wake = life?.sleep(what);
      await time.pause(ms);
      wake?.();
    },
    start,
    restart: async () => {
      await kill();
      await start();
    },
    createToken,
  };
}

interface LogOn {
  readonly watchers: ReadonlySet<() => void>;
  readonly now: () => number;
  readonly recent: RecentLines;
  readonly keptLines: number | undefined;
}

function logTo(out: string[], { watchers, now, recent, keptLines = Number.POSITIVE_INFINITY }: LogOn): Log {
  const to = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _encoding, done) => {
      out.push(...String(chunk).trimEnd().split("\n"));
      for (const look of watchers) look();
      if (out.length > keptLines) out.splice(0, out.length - keptLines);
      done();
    },
  });
  return createLog({ to, tty: false, level: "info", now, recent });
}

function lineOf(
  time: StoryTime,
  out: readonly string[],
  watchers: Set<() => void>,
  fits: RegExp,
  from: number,
): Promise<string> {
  const found = Promise.withResolvers<string>();
  const look = (): void => {
    const line = out.slice(from).find((text) => fits.test(text));
    if (line !== undefined) found.resolve(line);
  };
  watchers.add(look);
  look();
  return time
    .within(30_000, found.promise, () => `no line like ${fits}: ${out.join("\n")}`)
    .finally(() => watchers.delete(look));
}
