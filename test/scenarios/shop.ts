import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { deck } from "../../src/testbed/deck.ts";
import { type Books, booksOf, type LedgerRow, ledgerSchema } from "./ledger.ts";
import { type End, killProgram, type Program, runProgram, startProgram } from "./program.ts";
import { openTerminal, type TestTerminal } from "./terminal.ts";
import { openTill, type Till } from "./till.ts";

export const GATEWAY_TOKEN = "sandbox-token";
const ENTITY = "8a8294174b7ecb28014b9699220015ca";

/** The shortest that the configuration takes. */
const SHORT = { cardMs: 5_000, pinMs: 5_000, hostAnswerMs: 5_000, removalMs: 1_000, unknownWindowMs: 1_000 };

export interface ShopOptions {
  /** How many terminals: till-1, till-2 and so on, each with a simulator and a channel (so a budget of queries) of its own. */
  readonly terminals?: number;
  readonly timeouts?: Partial<typeof SHORT>;
  /** What stands between the bridge and the sandbox: takes the sandbox's address and gives the one for the configuration. */
  readonly gatewayBehind?: (sandboxUrl: string) => Promise<string>;
}

/** The gateway as a process, its ledger kept in the shop's folder. */
export interface TestSandbox {
  readonly url: string;
  kill(): Promise<void>;
  start(): Promise<void>;
  ledger(): Promise<readonly LedgerRow[]>;
  fault(fault: { on?: { paymentType?: string; path?: string }; do: string | { result: string }; times?: number; delayMs?: number }): Promise<void>;
  /** Resolves when no ordered fault is left: the request that it was for has come. */
  faultsUsed(): Promise<void>;
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
  /** Starts the bridge on the same data folder; resolves when it serves registers and every terminal that is plugged in is ready. */
  start(): Promise<void>;
  restart(): Promise<void>;
  /** A register's open session, closed with the shop. */
  till(token?: string): Promise<Till>;
  /** What the whole ledger comes to, or what came after the first `from` rows. */
  books(from?: number): Promise<Books>;
  /** What the rows of these references come to. */
  booksOf(...references: readonly string[]): Promise<Books>;
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

async function openParts(place: Place, { terminals: count = 1, timeouts, gatewayBehind }: ShopOptions, close: () => Promise<void>): Promise<Shop> {
  const { folder } = place;
  const dataDir = path.join(folder, "data");
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  const [sandbox, terminals, registerToken] = await Promise.all([
    openSandbox(place, numbers.map(entityOf)),
    Promise.all(numbers.map((number) => startTerminal(place, number))),
    createToken(dataDir, "register-1"),
  ]);
  const baseUrl = gatewayBehind === undefined ? sandbox.url : await gatewayBehind(sandbox.url);
  const configFile = writeConfiguration(folder, { baseUrl, terminals, timeouts: { ...SHORT, ...timeouts } });
  const bridges = openBridges(place, configFile, terminals);
  await bridges.start();
  const [terminal] = terminals;
  if (terminal === undefined) throw new RangeError("a shop has a terminal");
  const till = async (token = registerToken): Promise<Till> => {
    const opened = await openTill(bridges.url(), token);
    place.closers.push(opened.client.close);
    return opened;
  };
  const books = async (from = 0): Promise<Books> => booksOf((await sandbox.ledger()).slice(from));
  const booksOfReferences = async (...references: readonly string[]): Promise<Books> => {
    const { client } = await till();
    const payments = await Promise.all(references.map((reference) => client.get({ reference })));
    client.close();
    const own = new Set(payments.flatMap(({ gateway }) => gateway?.attempts.map(({ merchantTransactionId }) => merchantTransactionId) ?? []));
    return booksOf((await sandbox.ledger()).filter(({ merchantTransactionId = "" }) => own.has(merchantTransactionId)));
  };
  return { folder, dataDir, configFile, registerToken, sandbox, terminal, terminals, ...bridges, till, books, booksOf: booksOfReferences, close };
}

type Bridges = Pick<Shop, "bridge" | "url" | "printed" | "kill" | "stop" | "start" | "restart">;

/** One bridge after the other on the same configuration. */
function openBridges({ closers }: Place, configFile: string, terminals: readonly TestTerminal[]): Bridges {
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
    const program = startProgram("run", "--config", configFile);
    lives.push(program);
    port = Number(/"port":([0-9]+)/.exec(await program.line(/posbridge is ready/))?.[1]);
    const plugged = await Promise.all(terminals.map(async (terminal) => ((await terminal.screen()).plugged ? [terminal.id] : [])));
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

async function openSandbox({ folder, closers }: Place, entities: readonly string[]): Promise<TestSandbox> {
  const more = entities.slice(1).flatMap((entity) => ["--entity", entity, "--token", GATEWAY_TOKEN]);
  let program: Program | undefined;
  let port = 0;
  const start = async (): Promise<void> => {
    program = startProgram("sandbox", "--port", String(port), "--data", path.join(folder, "sandbox"), "--no-throttling", ...more);
    port = Number(/:([0-9]+)\//.exec(await program.line(/sandbox gateway at/))?.[1]);
  };
  const kill = (): Promise<void> => killProgram(program);
  closers.push(kill);
  await start();
  const url = `http://127.0.0.1:${port}/`;
  const ask = async (call: string, method = "GET", body?: object): Promise<unknown> => {
    const sent = body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(`${url}sandbox/v1/${call}`, { method, ...sent });
    if (!response.ok) throw new Error(`${method} ${call}: ${await response.text()}`);
    return response.json();
  };
  const faultsUsed = async (): Promise<void> => {
    while (JSON.stringify(await ask("faults")) !== '{"faults":[]}') await new Promise((later) => setTimeout(later, 10));
  };
  return {
    url,
    kill,
    start,
    ledger: async () => ledgerSchema.parse(await ask("ledger")).bookings,
    fault: async (fault) => void (await ask("faults", "POST", fault)),
    faultsUsed,
  };
}

/**
 * Several simulators share the sandbox's one issuer, to whom a card's counter must rise and a key serial number must be new: each begins with a range of its own, so that
 * a card may go from one terminal to those after it, and with a key identity of its own.
 */
async function startTerminal({ folder, closers }: Place, number: number): Promise<TestTerminal> {
  const id = `till-${number}`;
  const state = path.join(folder, `${id}.json`);
  const ksn = (use: number): string => `FFFF98765432${((((2 * number + use) << 21) | 1) >>> 0).toString(16).toUpperCase().padStart(8, "0")}`;
  const cards = Object.fromEntries(deck.map(({ name }) => [name, { atc: 1000 * number, typed: 0 }]));
  fs.writeFileSync(state, JSON.stringify({ cards, ksn: { pin: ksn(0), sred: ksn(1) } }));
  const pty = path.join(folder, id);
  const serial = String(10_000_000 + number);
  const program = startProgram("simulate", "miura-m020", "--pty", pty, "--control", "0", "--manual", "--state", state, "--serial", serial);
  closers.push(() => killProgram(program));
  const control = /http:\/\/[0-9.:]+\//.exec(await program.line(/control at/))?.[0] ?? "";
  return openTerminal(id, pty, control);
}

/** What the ledger of a sandbox comes to that runs at this address. */
export async function booksAt(sandboxUrl: string): Promise<Books> {
  const response = await fetch(`${sandboxUrl}sandbox/v1/ledger`);
  return booksOf(ledgerSchema.parse(await response.json()).bookings);
}

const entityOf = (number: number): string => (number === 1 ? ENTITY : `${ENTITY.slice(0, -2)}${String(number).padStart(2, "0")}`);

function writeConfiguration(
  folder: string,
  { baseUrl, terminals, timeouts }: { baseUrl: string; terminals: readonly TestTerminal[]; timeouts: typeof SHORT },
): string {
  const file = path.join(folder, "posbridge.yaml");
  fs.writeFileSync(path.join(folder, "gateway-token"), GATEWAY_TOKEN, { mode: 0o600 });
  const lines = [
    "environment: test",
    "listen: { host: 127.0.0.1, port: 0 }",
    "dataDir: ./data",
    "merchant: { name: Corner Shop, address: [Marktplatz 1, 60311 Frankfurt am Main], country: DE }",
    `gateway: { baseUrl: "${baseUrl}", entityId: ${ENTITY}, accessTokenFile: ./gateway-token, testMode: INTERNAL }`,
    "terminals:",
    ...terminals.map(
      ({ id, path: serial }, at) =>
        `  - { id: ${id}, model: miura-m020, connection: { serial: ${serial} }, terminalId: "1234567${at}", deviceType: MIURA_M020, entityId: ${entityOf(at + 1)} }`,
    ),
    `timeouts: ${JSON.stringify(timeouts)}`,
  ];
  fs.writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

/** The token that `tokens create` prints. */
export async function createToken(dataDir: string, register: string): Promise<string> {
  const { code, out, err } = await runProgram("tokens", "create", "--register", register, "--data", dataDir);
  const [token] = out;
  if (code !== 0 || token === undefined) throw new Error(`tokens create failed: ${err.join("; ")}`);
  return token;
}
