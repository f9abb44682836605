import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { PaymentView } from "../../src/payment/view-schema.ts";
import { type Books, booksOf, type LedgerRow, rowsNamed } from "./ledger.ts";
import { type End, killProgram, type Program, runProgram, startProgram } from "./program.ts";
import { entityOf, GATEWAY_TOKEN, openSandbox, type SandboxCalls, type TestSandbox } from "./sandbox.ts";
import { startTerminal, type TestTerminal } from "./terminal.ts";
import { openTill, type Till } from "./till.ts";
import { contradictions } from "./truths.ts";

/** The shortest that the configuration takes. */
export const SHORT = { cardMs: 5_000, pinMs: 5_000, hostAnswerMs: 5_000, removalMs: 1_000, unknownWindowMs: 1_000 };

export interface ShopOptions {
  /**
   * How many terminals: till-1, till-2 and so on, each with a simulator and a channel (so a budget of queries) of its
   * own.
   */
  readonly terminals?: number;
  readonly timeouts?: Partial<typeof SHORT>;
  /**
   * What stands between the bridge and the sandbox: takes the sandbox's address and gives the one for the
   * configuration.
   */
  readonly gatewayBehind?: (sandboxUrl: string) => Promise<string>;
  /** What the register may do; those of a new token when not said. */
  readonly scopes?: readonly string[];
  /** What the terminals are, by a line of `simulate --list`; Miuras when not said. */
  readonly model?: string;
  /** A simulated customer stands before every terminal and does what it asks for. */
  readonly automatic?: true;
  /** Lines of the configuration besides the usual ones. */
  readonly configuration?: readonly string[];
  /** Options of the sandbox command. */
  readonly sandbox?: readonly string[];
  /** What the bridge logs; `info` when not said. */
  readonly logLevel?: "debug" | "info";
}

/** A whole shop of real processes: sandbox, simulated terminals, bridge; in a folder of its own, on free ports. */
export interface Shop {
  readonly folder: string;
  readonly dataDir: string;
  readonly configFile: string;
  readonly registerToken: string;
  readonly sandbox: TestSandbox;
  /** The first terminal, and all of them. */
  readonly terminal: TestTerminal;
  readonly terminals: readonly TestTerminal[];
  /** The bridge that runs now, or ran last. */
  bridge(): Program;
  url(): string;
  /** Every line that any bridge of this shop printed. */
  printed(): readonly string[];
  /** SIGKILL, as a power cut would. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with how it ended. */
  stop(): Promise<End>;
  /**
   * Starts the bridge on the same data folder; resolves when it serves registers and every terminal that is plugged in
   * is ready.
   */
  start(): Promise<void>;
  restart(): Promise<void>;
  /** A register's open session, closed with the shop. */
  till(token?: string): Promise<Till>;
  /** What the whole ledger comes to, or what came after the first `from` rows. */
  books(from?: number): Promise<Books>;
  /** What the rows of these references come to. */
  booksOf(...references: readonly string[]): Promise<Books>;
  /** The rows of these references. */
  rowsOf(...references: readonly string[]): Promise<readonly LedgerRow[]>;
  /** In what the ledger contradicts what this shop's registers were told; nothing, one hopes. */
  contradictions(): Promise<readonly string[]>;
  close(): Promise<void>;
}

interface Place {
  readonly folder: string;
  readonly closers: (() => Promise<void> | void)[];
}

export async function openShop(options: ShopOptions = {}): Promise<Shop> {
  const place: Place = { folder: fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-shop-")), closers: [] };
  place.closers.push(() => fs.rmSync(place.folder, { recursive: true, force: true }));
  const close = async (): Promise<void> => {
    for (const end of place.closers.splice(0).toReversed()) await end();
  };
  try {
    return await openParts(place, options, close);
  } catch (cause) {
    await close();
    throw cause;
  }
}

async function openParts(place: Place, options: ShopOptions, close: () => Promise<void>): Promise<Shop> {
  const { terminals: count = 1, timeouts, gatewayBehind, scopes = [], automatic = false, model } = options;
  const { folder, closers } = place;
  const dataDir = path.join(folder, "data");
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  const closing = async <T extends { kill(): Promise<void> }>(opening: Promise<T>): Promise<T> => {
    const opened = await opening;
    closers.push(opened.kill);
    return opened;
  };
  fs.mkdirSync(dataDir, { mode: 0o700 });
  const [sandbox, terminals, registerToken] = await Promise.all([
    closing(openSandbox(folder, count, options.sandbox ?? [])),
    Promise.all(
      numbers.map((number) =>
        closing(startTerminal(folder, number, { automatic, ...(model !== undefined && { model }) })),
      ),
    ),
    createToken(dataDir, "register-1", scopes),
  ]);
  const baseUrl = gatewayBehind === undefined ? sandbox.url : await gatewayBehind(sandbox.url);
  const configFile = writeConfiguration(folder, {
    baseUrl,
    terminals,
    timeouts: { ...SHORT, ...timeouts },
    more: options.configuration ?? [],
  });
  const bridges = openBridges(place, configFile, terminals, options.logLevel ?? "info");
  await bridges.start();
  const [terminal] = terminals;
  if (terminal === undefined) throw new RangeError("a shop has a terminal");
  const till = async (token = registerToken): Promise<Till> => {
    const opened = await openTill(bridges.url(), token);
    closers.push(opened.client.close);
    return opened;
  };
  return {
    folder,
    dataDir,
    configFile,
    registerToken,
    sandbox,
    terminal,
    terminals,
    ...bridges,
    till,
    ...openBooks(sandbox, till),
    close,
  };
}

/** What the ledger says, and whether it agrees with what the register was told. */
export function openBooks(
  sandbox: SandboxCalls,
  till: () => Promise<Till>,
): Pick<Shop, "books" | "booksOf" | "rowsOf" | "contradictions"> {
  const withTill = async <T>(ask: (till: Till) => Promise<T>): Promise<T> => {
    const asking = await till();
    return ask(asking).finally(asking.client.close);
  };
  const rowsOf = async (...references: readonly string[]): Promise<readonly LedgerRow[]> => {
    const payments = await withTill(({ client }) =>
      Promise.all(references.map((reference) => client.get({ reference }))),
    );
    const own = new Set(
      payments.flatMap(
        ({ gateway }) => gateway?.attempts.map(({ merchantTransactionId }) => merchantTransactionId) ?? [],
      ),
    );
    return rowsNamed(own, await sandbox.ledger(), await sandbox.storedCards());
  };
  const allPayments = (): Promise<readonly PaymentView[]> =>
    withTill(async ({ client }) => (await client.list({ limit: 500 })).payments);
  return {
    books: async (from = 0) => booksOf((await sandbox.ledger()).slice(from)),
    booksOf: async (...references) => booksOf(await rowsOf(...references)),
    rowsOf,
    contradictions: async () =>
      contradictions(await allPayments(), await sandbox.ledger(), await sandbox.storedCards()),
  };
}

type Bridges = Pick<Shop, "bridge" | "url" | "printed" | "kill" | "stop" | "start" | "restart">;

/** One bridge after the other on the same configuration. */
function openBridges(
  { closers }: Place,
  configFile: string,
  terminals: readonly TestTerminal[],
  logLevel: "debug" | "info",
): Bridges {
  const lives: Program[] = [];
  let port = 0;
  const bridge = (): Program => {
    const last = lives.at(-1);
    if (last === undefined) throw new Error("no bridge was started");
    return last;
  };
  const kill = (): Promise<void> => killProgram(lives.at(-1));
  closers.push(kill);
  const start = async (): Promise<void> => {
    const program = startProgram("run", "--config", configFile, "--log-level", logLevel);
    lives.push(program);
    port = Number(/"port":([0-9]+)/.exec(await program.line(/posbridge is ready/))?.[1]);
    const plugged = await Promise.all(
      terminals.map(async (terminal) => ((await terminal.screen()).plugged ? [terminal.id] : [])),
    );
    await Promise.all(plugged.flat().map((id) => program.line(new RegExp(`"terminal":"${id}".*terminal is ready`))));
  };
  return {
    bridge,
    url: () => `ws://127.0.0.1:${port}/v1`,
    printed: () => lives.flatMap(({ out, err }) => [...out, ...err]),
    kill,
    stop: async () => {
      bridge().signal("SIGTERM");
      return bridge().ended;
    },
    start,
    restart: async () => {
      await kill();
      await start();
    },
  };
}

export function writeConfiguration(
  folder: string,
  {
    baseUrl,
    terminals,
    timeouts,
    more,
    port = 0,
  }: {
    baseUrl: string;
    terminals: readonly TestTerminal[];
    timeouts: typeof SHORT;
    more: readonly string[];
    port?: number;
  },
): string {
  const file = path.join(folder, "posbridge.yaml");
  fs.writeFileSync(path.join(folder, "gateway-token"), GATEWAY_TOKEN, { mode: 0o600 });
  const lines = [
    "environment: test",
    `listen: { host: 127.0.0.1, port: ${port} }`,
    "dataDir: ./data",
    "merchant: { name: Corner Shop, address: [Marktplatz 1, 60311 Frankfurt am Main], country: DE }",
    `gateway: { baseUrl: "${baseUrl}", entityId: ${entityOf(1)}, accessTokenFile: ./gateway-token, testMode: INTERNAL }`,
    "terminals:",
    ...terminals.map(
      ({ id, driver, path: serial, deviceType, options }, at) =>
        `  - { id: ${id}, model: ${driver}, connection: { serial: ${serial} }, terminalId: "1234567${at}", deviceType: ${deviceType}, entityId: ${entityOf(at + 1)}, options: ${JSON.stringify(options)} }`,
    ),
    `timeouts: ${JSON.stringify(timeouts)}`,
    ...more,
  ];
  fs.writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

/** The token that `tokens create` prints. */
export async function createToken(dataDir: string, register: string, scopes: readonly string[] = []): Promise<string> {
  const wanted = scopes.flatMap((scope) => ["--scope", scope]);
  const { code, out, err } = await runProgram("tokens", "create", "--register", register, ...wanted, "--data", dataDir);
  const [token] = out;
  if (code !== 0 || token === undefined) throw new Error(`tokens create failed: ${err.join("; ")}`);
  return token;
}
