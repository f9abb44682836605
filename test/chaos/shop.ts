import fs from "node:fs";
import path from "node:path";
import { simulators } from "../../drivers/simulators.ts";
import { type Run, runProgram } from "../scenarios/program.ts";
import { openSandbox, type TestSandbox } from "../scenarios/sandbox.ts";
import { createToken, SHORT, writeConfiguration } from "../scenarios/shop.ts";
import { startTerminal, type TestTerminal } from "../scenarios/terminal.ts";
import { linesOf, takesCard } from "../support/simulated-models.ts";
import { type Exported, exportedSchema, type Listed, pageSchema } from "./checker.ts";
import { freePort, type Keeper, keepRunning, later } from "./processes.ts";

/** The card that comes to each terminal: an issuer takes no counter of a card twice. */
const CARDS = ["visa-contact", "mastercard-contact", "visa-contact-cvn18"] as const;
const REGISTERS = 2;
/** "Not there" is believed only after the longest delay of a gateway's reply (plan.ts). */
const TIMEOUTS = { ...SHORT, unknownWindowMs: 20_000 };

/** Sandbox, simulators and a bridge, all of them processes of their own, in one folder. */
export interface Shop {
  readonly number: number;
  readonly url: string;
  readonly sandbox: TestSandbox;
  readonly terminals: readonly TestTerminal[];
  readonly bridge: Keeper;
  readonly tokens: readonly { readonly register: string; readonly token: string }[];
  /** SIGKILL; it comes back on the same port and the same ledger. False if it is down. */
  restartGateway(downMs: number): Promise<boolean>;
  list(): Promise<readonly Listed[]>;
  export(): Promise<readonly Exported[]>;
  /** Ends all processes, the bridge in order; what it printed is in a file of the folder then. */
  close(): Promise<void>;
}

export async function openShop(number: number, folder: string): Promise<Shop> {
  const dataDir = path.join(folder, "data");
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const [sandbox, terminals] = await Promise.all([
    openSandbox(folder, CARDS.length, []),
    Promise.all(CARDS.map((card, at) => openTerminal(folder, number, at + 1, card))),
  ]);
  const tokens: { register: string; token: string }[] = [];
  for (let at = 1; at <= REGISTERS; at += 1) {
    const register = `register-${number}-${at}`;
    tokens.push({ register, token: await createToken(dataDir, register, ["payments", "refunds"]) });
  }
  const port = await freePort();
  const config = writeConfiguration(folder, { baseUrl: sandbox.url, terminals, timeouts: TIMEOUTS, more: [], port });
  const bridge = keepRunning("bridge", /posbridge is ready/, ["run", "--config", config]);
  await Promise.all(
    terminals.map(({ id }) => bridge.current().line(new RegExp(`"terminal":"${id}".*terminal is ready`))),
  );
  const close = async (): Promise<void> => {
    await bridge.end();
    await Promise.all([sandbox.kill(), ...terminals.map((terminal) => terminal.kill())]);
    fs.writeFileSync(path.join(folder, "bridge.log"), `${bridge.printed().join("\n")}\n`);
  };
  const url = `ws://127.0.0.1:${port}/v1`;
  const restartGateway = restarting(sandbox);
  return { number, url, sandbox, terminals, bridge, tokens, restartGateway, ...reading(dataDir), close };
}

/** With a customer who does what it asks for. Each terminal of a run is of the next model that fits. */
async function openTerminal(folder: string, shop: number, number: number, card: string): Promise<TestTerminal> {
  const fit = simulators.filter(
    (model) =>
      model.capabilities.onlinePin &&
      !model.capabilities.sealed &&
      linesOf(model).some(({ kind }) => kind === "serial") &&
      takesCard(model, card),
  );
  const model = fit[(CARDS.length * (shop - 1) + number - 1) % fit.length];
  if (model === undefined) throw new RangeError(`no simulated terminal takes ${card}`);
  const terminal = await startTerminal(folder, number, { model: model.id, automatic: true });
  await terminal.customerHas(card);
  return terminal;
}

function restarting({ kill, start }: TestSandbox): Shop["restartGateway"] {
  let isDown = false;
  return async (downMs) => {
    if (isDown) return false;
    isDown = true;
    await kill();
    await later(downMs);
    await start();
    isDown = false;
    return true;
  };
}

/** The journal as the command line shows it, while the daemon runs. */
function reading(dataDir: string): Pick<Shop, "list" | "export"> {
  const payments = async (...argv: string[]): Promise<Run> => {
    const run = await runProgram("payments", ...argv, "--data", dataDir);
    if (run.code !== 0) throw new Error(`payments ${argv.join(" ")}: ${run.code ?? run.signal} ${run.err.join("; ")}`);
    return run;
  };
  const list = async (...after: string[]): Promise<readonly Listed[]> => {
    const { out } = await payments("list", "--json", "--limit", "500", ...after);
    const { payments: page, next } = pageSchema.parse(JSON.parse(out.join("\n")));
    return next === undefined ? page : [...page, ...(await list("--after", next))];
  };
  return {
    list: () => list(),
    export: async () => (await payments("export")).out.map((line) => exportedSchema.parse(JSON.parse(line))),
  };
}
