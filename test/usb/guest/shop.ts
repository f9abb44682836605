import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deck } from "../../../packages/sandbox/testbed/deck.ts";
import { type Books, booksOf, ledgerSchema, rowsNamed } from "../../scenarios/ledger.ts";
import { openTill, type Till } from "../../scenarios/till.ts";
import { until } from "./check.ts";
import { output, type Running, start } from "./process.ts";

const ENTITY = "8a8294174b7ecb28014b9699220015ca";

/** One configured terminal: its model, and how it is connected, as the configuration says it. */
export interface Place {
  readonly id: string;
  readonly model: string;
  readonly connection: string;
  readonly deviceType: string;
}

/** A bridge, a sandbox and a register, each a process of its own; the terminals are gadgets. */
export interface Shop {
  /** The register's session with the bridge that runs now. */
  readonly till: Till;
  state(terminal: string): Promise<{ readonly state: string; readonly reason?: string | undefined }>;
  ready(terminal: string): Promise<void>;
  /** What the ledger holds for these references. */
  booksOf(...references: readonly string[]): Promise<Books>;
  stopBridge(): Promise<void>;
  /** A new bridge on the same data folder. */
  startBridge(): Promise<void>;
}

/** How long anything may take that a person would wait for; an emulated processor that shares two real ones is slow. */
const PATIENCE_MS = 40_000;

interface Bridge {
  readonly running: Running;
  readonly till: Till;
}

async function startBridge(configFile: string, registerToken: string): Promise<Bridge> {
  const running = start("run", "--config", configFile);
  const port = /"port":([0-9]+)/.exec(await running.line(/posbridge is ready/))?.[1];
  return { running, till: await openTill(`ws://127.0.0.1:${port}/v1`, registerToken) };
}

export async function openShop(places: readonly Place[]): Promise<Shop> {
  const folder = mkdtempSync("/tmp/shop-");
  mkdirSync(join(folder, "data"), { mode: 0o700 });
  const sandbox = start("sandbox", "--port", "0", "--no-throttling");
  const token = output("tokens", "create", "--register", "register-1", "--data", join(folder, "data"));
  const sandboxUrl = `http://127.0.0.1:${/:([0-9]+)\//.exec(await sandbox.line(/sandbox gateway at/))?.[1]}/`;
  const configFile = writeConfiguration(folder, sandboxUrl, places);
  const [registerToken = ""] = await token;
  let bridge = await startBridge(configFile, registerToken);
  const state: Shop["state"] = async (id) =>
    (await bridge.till.client.terminals()).find((terminal) => terminal.id === id) ?? { state: "unknown" };
  return {
    get till() {
      return bridge.till;
    },
    state,
    ready: async (id) => {
      const isReady = async (): Promise<true | undefined> => ((await state(id)).state === "ready" ? true : undefined);
      await until(`ready ${id}`, isReady, PATIENCE_MS).catch(async (error: unknown) => {
        throw new Error(
          `${String(error)}: ${JSON.stringify(await state(id))}; the bridge says ${bridge.running.lines.slice(-4).join(" / ")}`,
        );
      });
    },
    booksOf: async (...references) => {
      const payments = await Promise.all(references.map((reference) => bridge.till.client.get({ reference })));
      const names = new Set(
        payments.flatMap(
          ({ gateway }) => gateway?.attempts.map(({ merchantTransactionId }) => merchantTransactionId) ?? [],
        ),
      );
      const { bookings, registrations } = ledgerSchema.parse(
        await (await fetch(`${sandboxUrl}sandbox/v1/ledger`)).json(),
      );
      return booksOf(rowsNamed(names, bookings, registrations));
    },
    stopBridge: async () => {
      bridge.till.client.close();
      await bridge.running.kill("SIGTERM");
    },
    startBridge: async () => {
      bridge = await startBridge(configFile, registerToken);
    },
  };
}

function writeConfiguration(folder: string, baseUrl: string, places: readonly Place[]): string {
  const file = join(folder, "posbridge.yaml");
  writeFileSync(join(folder, "gateway-token"), "sandbox-token", { mode: 0o600 });
  const lines = [
    "environment: test",
    "listen: { host: 127.0.0.1, port: 0 }",
    "dataDir: ./data",
    "merchant: { name: Corner Shop, country: DE }",
    `gateway: { baseUrl: "${baseUrl}", entityId: ${ENTITY}, accessTokenFile: ./gateway-token, testMode: INTERNAL }`,
    "terminals:",
    ...places.map(
      ({ id, model, connection, deviceType }, at) =>
        `  - { id: ${id}, model: ${model}, connection: ${connection}, terminalId: "1234567${at}", deviceType: ${deviceType} }`,
    ),
  ];
  writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 });
  return file;
}

/** A simulated terminal behind a gadget, and what a person does to it over its control port. */
export interface Simulated {
  present(card: string): Promise<void>;
  pull(): Promise<void>;
  press(keys: string): Promise<void>;
  fault(name: "unplug" | "plug" | "reboot"): Promise<void>;
}

/**
 * `number` tells simulators apart whose cards and keys one issuer sees: each has a range of counters and key serial
 * numbers of its own.
 */
export async function simulate(
  model: string,
  gadget: string,
  serialNumber: string,
  number: number,
): Promise<Simulated> {
  const state = `/tmp/simulator-${number}.json`;
  const ksn = (use: number): string =>
    `FFFF98765432${((((2 * number + use) << 21) | 1) >>> 0).toString(16).toUpperCase().padStart(8, "0")}`;
  const cards = Object.fromEntries(deck.map(({ name }) => [name, { atc: 1000 * number, typed: 0 }]));
  writeFileSync(state, JSON.stringify({ cards, ksn: { pin: ksn(0), sred: ksn(1) } }));
  const running = start(
    "simulate",
    model,
    "--gadget",
    gadget,
    "--control",
    "0",
    "--state",
    state,
    "--serial",
    serialNumber,
    "--manual",
  );
  const control = /http:\/\/[0-9.:]+\//.exec(await running.line(/control at/))?.[0] ?? "";
  const ask = async (method: string, call: string, body?: object): Promise<void> => {
    const sent =
      body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(`${control}${call}`, { method, ...sent });
    if (!response.ok) throw new Error(`${method} ${call}: ${await response.text()}`);
    await response.arrayBuffer();
  };
  return {
    present: (name) => ask("POST", "card", { name }),
    pull: () => ask("DELETE", "card"),
    press: (keys) => ask("POST", "keys", { keys }),
    fault: (name) => ask("POST", "faults", { do: name, after: 0 }),
  };
}

/** What a sale is made with. */
export interface Selling {
  readonly shop: Shop;
  readonly terminal: string;
  readonly device: Simulated;
  readonly reference: string;
}

/** Starts a sale of 12.34 EUR; resolves when a card is asked for. */
export async function untilCard({ shop: { till }, terminal, reference }: Selling): Promise<void> {
  await till.client.startPayment({ reference, type: "SALE", terminal, currency: "EUR", amount: "12.34" });
  await till.until(reference, "INSERT_OR_TAP", ({ prompt }) => prompt?.code === "INSERT_OR_TAP", PATIENCE_MS);
}

/** The same, and the card is put in; resolves when the PIN is asked for. */
export async function untilPin(selling: Selling): Promise<void> {
  await untilCard(selling);
  await selling.device.present("visa-contact");
  await selling.shop.till.until(
    selling.reference,
    "ENTER_PIN",
    ({ prompt }) => prompt?.code === "ENTER_PIN",
    PATIENCE_MS,
  );
}

/** A whole sale with chip and PIN, captured, and the card taken out at its end. */
export async function sell(selling: Selling): Promise<string | undefined> {
  const { shop, terminal, device, reference } = selling;
  await untilPin(selling);
  await device.press("1234 ENTER");
  const { outcome } = await shop.till.settled(reference, PATIENCE_MS);
  await device.pull();
  await shop.ready(terminal);
  return outcome;
}

/** A whole sale with a card that is tapped and asks for no PIN. */
export async function sellTapped(selling: Selling): Promise<string | undefined> {
  await untilCard(selling);
  await selling.device.present("visa-contactless");
  const { outcome } = await selling.shop.till.settled(selling.reference, PATIENCE_MS);
  return outcome;
}
