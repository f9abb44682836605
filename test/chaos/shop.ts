import fs from "node:fs";
import path from "node:path";
import { type Run, runProgram } from "../scenarios/program.ts";
import { entityOf, GATEWAY_TOKEN, startGateway, type TestGateway } from "./gateway.ts";
import {
  type JournalPayment,
  journalPaymentSchema,
  type Listed,
  pageSchema,
  type Shown,
  shownSchema,
} from "./journal.ts";
import { freePort, type Keeper, keepRunning } from "./processes.ts";
import type { Word } from "./record.ts";
import { SHOP_CHANNEL, startTerminal, type Terminal, walletsOf } from "./terminals.ts";

/** Registers of a shop; each has every second terminal. */
const REGISTERS = 2;
/**
 * The shortest time-outs that the configuration takes, so that a terminal which hangs does not hold a till for long;
 * and a window in which "not there" is not believed that
 * ends before the second look of half a minute later.
 */
const TIMEOUTS = { cardMs: 5_000, pinMs: 5_000, hostAnswerMs: 5_000, removalMs: 1_000, unknownWindowMs: 20_000 };

const READY = /posbridge is ready/;

/** Sandbox, simulators and a bridge, all of them processes of their own, in one folder. */
export interface Shop {
  readonly number: number;
  readonly folder: string;
  readonly url: string;
  readonly gateway: TestGateway;
  readonly terminals: readonly Terminal[];
  readonly bridge: Keeper;
  readonly tokens: readonly { readonly register: string; readonly token: string }[];
  /** Payments of which something is still owed, as an operator would see them. */
  open(): Promise<readonly Listed[]>;
  list(): Promise<readonly Listed[]>;
  export(): Promise<readonly JournalPayment[]>;
  show(payment: Named): Promise<Shown>;
  /**
   * An operator says what became of it. Resolves with what the command printed where it was refused, or where nobody
   * was there to take it.
   */
  resolve(word: Word): Promise<string | undefined>;
  /** What every process printed, into files in the folder. */
  keepLogs(): void;
}

type Named = Pick<Word, "register" | "reference">;

export async function openShop(number: number, folder: string): Promise<Shop> {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const dataDir = path.join(folder, "data");
  fs.mkdirSync(dataDir, { mode: 0o700 });
  const wallets = walletsOf(number);
  const registers = Array.from({ length: REGISTERS }, (_, at) => `register-${number}-${at + 1}`);
  const [gateway, terminals] = await Promise.all([
    startGateway(folder, wallets.length),
    Promise.all(wallets.map((wallet, at) => startTerminal(folder, number, at + 1, wallet))),
  ]);
  const tokens: { register: string; token: string }[] = [];
  for (const register of registers) tokens.push({ register, token: await createToken(dataDir, register) });
  const port = await freePort();
  const config = writeConfiguration(folder, port, gateway.url, terminals);
  const bridge = keepRunning("bridge", READY, ["run", "--config", config]);
  const first = bridge.current();
  await first.line(READY);
  await Promise.all(terminals.map(({ id }) => first.line(new RegExp(`"terminal":"${id}".*terminal is ready`))));
  const keepLogs = (): void => {
    const logs = { "bridge.log": bridge.printed(), "sandbox.log": gateway.keeper.printed() };
    for (const [name, lines] of Object.entries(logs))
      fs.writeFileSync(path.join(folder, name), `${lines.join("\n")}\n`);
  };
  return {
    number,
    folder,
    url: `ws://127.0.0.1:${port}/v1`,
    gateway,
    terminals,
    bridge,
    tokens,
    ...commands(dataDir),
    keepLogs,
  };
}

/**
 * Every process of the shop is gone. Resolves with what went wrong with the last stop of the bridge, which is one in
 * order.
 */
export async function closeShop({ bridge, gateway, terminals }: Shop): Promise<void> {
  await bridge.end("SIGTERM");
  await gateway.keeper.end("SIGKILL");
  for (const { program } of terminals) program.signal("SIGKILL");
  await Promise.all(terminals.map(({ program }) => program.ended));
}

/**
 * What people do by the command line, while the daemon runs: they read the journal, and say what became of a payment.
 */
function commands(dataDir: string): Pick<Shop, "open" | "list" | "export" | "show" | "resolve"> {
  const payments = (...argv: string[]): Promise<Run> => succeeded(runProgram("payments", ...argv, "--data", dataDir));
  const list = async (...filter: string[]): Promise<readonly Listed[]> => {
    const rows: Listed[] = [];
    let after: readonly string[] = [];
    for (;;) {
      const { out } = await payments("list", "--json", "--limit", "500", ...filter, ...after);
      const page = pageSchema.parse(JSON.parse(out.join("\n")));
      rows.push(...page.payments);
      if (page.next === undefined) return rows;
      after = ["--after", page.next];
    }
  };
  return {
    open: () => list("--open"),
    list: () => list(),
    export: async () => (await payments("export")).out.map((line) => journalPaymentSchema.parse(JSON.parse(line))),
    show: async ({ register, reference }) =>
      shownSchema.parse(
        JSON.parse((await payments("show", reference, "--register", register, "--json")).out.join("\n")),
      ),
    resolve: async ({ register, reference, as, gatewayId }) => {
      const named = gatewayId === undefined ? [] : ["--gateway-id", gatewayId];
      const said = ["--as", as, "--reason", "looked up in the back office", ...named];
      const { code, signal, err } = await runProgram(
        "resolve",
        reference,
        "--register",
        register,
        ...said,
        "--data",
        dataDir,
      );
      return code === 0 ? undefined : `${code ?? signal}: ${err.join("; ")}`;
    },
  };
}

async function createToken(dataDir: string, register: string): Promise<string> {
  const scopes = ["--scope", "payments", "refunds", "unlinked-refunds", "stored-cards", "foreign-bookings"];
  const { out } = await succeeded(runProgram("tokens", "create", "--register", register, ...scopes, "--data", dataDir));
  const [token] = out;
  if (token === undefined) throw new Error("tokens create printed no token");
  return token;
}

async function succeeded(run: Promise<Run>): Promise<Run> {
  const done = await run;
  if (done.code !== 0)
    throw new Error(`a command of the bridge ended with ${done.code ?? done.signal}: ${done.err.join("; ")}`);
  return done;
}

function writeConfiguration(folder: string, port: number, baseUrl: string, terminals: readonly Terminal[]): string {
  const file = path.join(folder, "posbridge.yaml");
  fs.writeFileSync(path.join(folder, "gateway-token"), GATEWAY_TOKEN, { mode: 0o600 });
  const configuration = {
    environment: "test",
    listen: { host: "127.0.0.1", port },
    dataDir: "./data",
    merchant: { name: "Corner Shop", address: ["Marktplatz 1, 60311 Frankfurt am Main"], country: "DE" },
    gateway: { baseUrl, entityId: entityOf(SHOP_CHANNEL), accessTokenFile: "./gateway-token", testMode: "INTERNAL" },
    terminals: terminals.map(({ id, model: { driver, deviceType, options }, path: serial, isSingleMessage }, at) => ({
      ...{
        id,
        model: driver,
        connection: { serial },
        terminalId: `1234567${at}`,
        deviceType,
        entityId: entityOf(at + 1),
        ...(options && { options }),
      },
      ...(isSingleMessage && { settlement: "single" }),
    })),
    timeouts: TIMEOUTS,
  };
  fs.writeFileSync(file, `${JSON.stringify(configuration, null, 2)}\n`, { mode: 0o600 });
  return file;
}
