import path from "node:path";
import { realTime, type Waiting } from "../support/waiting.ts";
import { type Books, booksOf, type LedgerRow, ledgerSchema, type StoredCard } from "./ledger.ts";
import { killProgram, type Program, startProgram } from "./program.ts";

export const GATEWAY_TOKEN = "sandbox-token";
const ENTITY = "8a8294174b7ecb28014b9699220015ca";

/** The channel of the terminal of that number: each has one of its own, and with it a budget of queries. */
export const entityOf = (number: number): string =>
  number === 1 ? ENTITY : `${ENTITY.slice(0, -2)}${String(number).padStart(2, "0")}`;

interface Fault {
  readonly on?: { readonly paymentType?: string; readonly path?: string };
  readonly do: string | { readonly result: string };
  readonly times?: number;
  readonly delayMs?: number;
}

/** What a test asks of a sandbox. */
export interface SandboxCalls {
  /** Every row, oldest first. */
  ledger(): Promise<readonly LedgerRow[]>;
  storedCards(): Promise<readonly StoredCard[]>;
  fault(fault: Fault): Promise<void>;
  /** Resolves when no ordered fault is left: the request that it was for has come. */
  faultsUsed(): Promise<void>;
  /** Moves the gateway's clock forward: what is pending there is settled. */
  advance(ms: number): Promise<void>;
}

/** The gateway as a process, its ledger kept in the shop's folder. */
export interface TestSandbox extends SandboxCalls {
  readonly url: string;
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** `entities`: how many channels; `more`: options of the command. */
export async function openSandbox(folder: string, entities: number, more: readonly string[]): Promise<TestSandbox> {
  const others = Array.from({ length: entities - 1 }, (_, at) => [
    "--entity",
    entityOf(at + 2),
    "--token",
    GATEWAY_TOKEN,
  ]).flat();
  let program: Program | undefined;
  let port = 0;
  const start = async (): Promise<void> => {
    program = startProgram(
      "sandbox",
      "--port",
      String(port),
      "--data",
      path.join(folder, "sandbox"),
      "--no-throttling",
      ...others,
      ...more,
    );
    port = Number(/:([0-9]+)\//.exec(await program.line(/sandbox gateway at/))?.[1]);
  };
  const kill = (): Promise<void> => killProgram(program);
  await start();
  const url = `http://127.0.0.1:${port}/`;
  const ask = async (call: string, method = "GET", body?: object): Promise<unknown> => {
    const sent =
      body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(`${url}sandbox/v1/${call}`, { method, ...sent });
    if (!response.ok) throw new Error(`${method} ${call}: ${await response.text()}`);
    return response.json();
  };
  return { url, kill, start, ...sandboxCalls(ask, realTime) };
}

/** `ask` sends one of the calls for tests and gives its answer. */
export function sandboxCalls(
  ask: (call: string, method?: "GET" | "POST", body?: object) => Promise<unknown>,
  waiting: Waiting,
): SandboxCalls {
  const faultsUsed = async (): Promise<void> => {
    while (JSON.stringify(await ask("faults")) !== '{"faults":[]}') await waiting.pause(10);
  };
  return {
    ledger: async () => ledgerSchema.parse(await ask("ledger")).bookings,
    storedCards: async () => ledgerSchema.parse(await ask("ledger")).registrations,
    fault: async (fault) => void (await ask("faults", "POST", fault)),
    faultsUsed,
    advance: async (advanceMs) => void (await ask("clock", "POST", { advanceMs })),
  };
}

/** What the ledger of a sandbox comes to that runs at this address. */
export async function booksAt(sandboxUrl: string): Promise<Books> {
  const response = await fetch(`${sandboxUrl}sandbox/v1/ledger`);
  return booksOf(ledgerSchema.parse(await response.json()).bookings);
}
