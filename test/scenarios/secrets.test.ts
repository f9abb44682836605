import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cardNamed } from "../../packages/sandbox/testbed/deck.ts";
import { connectRegister, type RegisterClient } from "../../src/client/client.ts";
import { readTraced, type TechnicianClient, type Traced, technicianOf } from "../../src/client/technician.ts";
import { type GatewayProxy, openGatewayProxy } from "./gateway-proxy.ts";
import { killProgram, type Program, startProgram } from "./program.ts";
import { sell, untilHostIsAsked } from "./sale.ts";
import { GATEWAY_TOKEN } from "./sandbox.ts";
import { openShop, type Shop } from "./shop.ts";
import type { Till } from "./till.ts";

const WRONG_TOKEN = "pbt_that_somebody_guessed";

let shop: Shop;
let till: Till;
let proxy: GatewayProxy;
/** What went over the terminal's line, in words. */
let trace: Program;
/** The same, as a technician's session was told it. */
const traced: Traced[] = [];
/** The log of the bridge that is killed, and its bundle. */
let beforeKill: readonly [log: Awaited<ReturnType<TechnicianClient["log"]>>, bundle: string];
/** Everything that must be nowhere, by its name. */
let secrets: ReadonlyMap<string, string>;

beforeAll(async () => {
  shop = await openShop({
    logLevel: "debug",
    scopes: ["payments", "technician"],
    gatewayBehind: async (sandboxUrl) => {
      proxy = await openGatewayProxy(sandboxUrl);
      return proxy.url;
    },
  });
  till = await shop.till();
  trace = startProgram("terminals", "trace", shop.terminal.id, "--minutes", "15", "--data", shop.dataDir);
  await shop.bridge().line(/trace of a terminal's line begun/);
  const workshop = await openWorkshop();
  await technicianOf(workshop).trace(shop.terminal.id);
  await sell({ till, terminal: shop.terminal, reference: "approved" });
  await sell({ till, terminal: shop.terminal, reference: "taken back", card: "contact-declines-after-approval" });
  await sell({ till, terminal: shop.terminal, reference: "wrong PIN", pin: "7391" });
  beforeKill = [await technicianOf(workshop).log(), (await technicianOf(workshop).supportBundle()).bundle];
  // Killed with a card's sealed data in memory, and started again: what a crash leaves is looked at too.
  proxy.swallow("PA");
  await untilHostIsAsked({ till, terminal: shop.terminal, reference: "killed" });
  await proxy.swallowed();
  await shop.restart();
  await shop.terminal.pull();
  till = await shop.till();
  await expect(shop.till(WRONG_TOKEN)).rejects.toMatchObject({ code: "unauthorized" });
  const tokens = [
    ["the gateway's token", GATEWAY_TOKEN] as const,
    ["the register's token", shop.registerToken] as const,
    ["a wrong token", WRONG_TOKEN] as const,
  ];
  secrets = new Map([...sealedParts(), ...numbers(), ...tokens]);
});
afterAll(async () => {
  await killProgram(trace);
  await shop.close();
  proxy.close();
});

function openWorkshop(): Promise<RegisterClient> {
  const onNotification = (method: string, params: unknown): void => {
    const frame = readTraced(method, params);
    if (frame !== undefined) traced.push(frame);
  };
  return connectRegister({ url: shop.url(), token: shop.registerToken, after: undefined, onNotification });
}

/** What was sealed in the terminal, as the gateway got it. */
function sealedParts(): readonly (readonly [string, string])[] {
  return proxy.seen.flatMap(({ form }, at) =>
    [...form]
      .filter(([name]) => /^pos\.encrypted(Sred|Pin)\.(data|ksn)$/.test(name))
      .map(([name, value]) => [`${name} of request ${at}`, value] as const),
  );
}

/** The cards' numbers. What is shorter (a PIN, an expiry) is found by chance in any file of this size. */
function numbers(): readonly (readonly [string, string])[] {
  return ["visa-contact", "contact-declines-after-approval"].flatMap((name) => {
    const card = cardNamed(name);
    if (card === undefined) throw new Error(`no card is called ${name}`);
    const { pan } = card;
    return [
      [`number of ${name}`, pan],
      [`number of ${name} in groups`, pan.replace(/(.{4})(?=.)/g, "$1 ")],
      [`number of ${name} with dashes`, pan.replace(/(.{4})(?=.)/g, "$1-")],
    ] as const;
  });
}

/**
 * Every way in which bytes end up in a file or a line: as text, in hexadecimal, in base 64, in UTF-16, in either case.
 */
function forms(secret: string): readonly Buffer[] {
  const hexDigits = /^[0-9A-Fa-f]+$/.test(secret) && secret.length % 2 === 0 ? [Buffer.from(secret, "hex")] : [];
  const raw = [Buffer.from(secret), ...hexDigits.filter((bytes) => bytes.length >= 5)];
  const encoded = raw.flatMap((bytes) => [
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    bytes.toString("base64").replace(/=+$/, ""),
  ]);
  return [
    ...raw,
    ...encoded.map((text) => Buffer.from(text)),
    Buffer.from(secret.toLowerCase()),
    Buffer.from(secret.toUpperCase()),
    Buffer.from(secret, "utf16le"),
  ];
}

const found = (bytes: Buffer): readonly string[] =>
  [...secrets].filter(([, secret]) => forms(secret).some((form) => bytes.includes(form))).map(([name]) => name);

describe("secrets", () => {
  it("were really there: the gateway got sealed card data, PIN blocks and its token, and each is found where it is", () => {
    const names = [...secrets.keys()].join("; ");
    for (const part of [
      "pos.encryptedSred.data",
      "pos.encryptedSred.ksn",
      "pos.encryptedPin.data",
      "pos.encryptedPin.ksn",
    ])
      expect(names).toContain(part);
    expect(sealedParts()).toHaveLength(16);
    const wire = Buffer.from(proxy.seen.map(({ head, form }) => `${head}\n${form}`).join("\n"));
    expect(found(wire).length).toBeGreaterThanOrEqual(17);
    expect(found(Buffer.from("number 4761 3400 0000 0050"))).toEqual(["number of visa-contact in groups"]);
    expect(found(Buffer.from(Buffer.from("4761340000000050").toString("hex")))).toContain("number of visa-contact");
    expect(found(Buffer.from("4761340000000050", "hex"))).toContain("number of visa-contact");
  });

  it("are in no file of the data folder, while the bridge runs", () => {
    const files = fs.readdirSync(shop.dataDir).filter((name) => fs.statSync(path.join(shop.dataDir, name)).isFile());
    expect(files).toEqual(
      expect.arrayContaining(["journal.db", "journal.db-wal", "journal.witness", "tokens.db", "terminals.json"]),
    );
    expect(fs.statSync(path.join(shop.dataDir, "journal.db-wal")).size).toBeGreaterThan(0);
    for (const name of files)
      expect({ name, holds: found(fs.readFileSync(path.join(shop.dataDir, name))) }).toEqual({ name, holds: [] });
  });

  it("are in no line that the bridge printed", async () => {
    await shop.bridge().line(/session refused/);
    const lines = shop.printed();
    for (const message of ["gateway exchange", "notice of the terminal", "card presented"])
      expect(lines.filter((line) => line.includes(message)).length).toBeGreaterThan(2);
    expect(lines.filter((line) => line.includes("session refused"))).toHaveLength(1);
    expect(lines.filter((line) => found(Buffer.from(line)).length > 0)).toEqual([]);
  });

  it("are in nothing that a trace of the terminal's line shows, and no key press is", () => {
    for (const frame of ["start-contactless", "start-transaction", "continue-transaction"])
      expect(trace.out.some((line) => line.includes(`-> ${frame}`))).toBe(true);
    expect(trace.out.filter((line) => found(Buffer.from(line)).length > 0 || line.includes("told: key"))).toEqual([]);
  });

  it("are in nothing that a technician is told: traces, timelines, log and support bundle", async () => {
    expect(traced.map(({ text }) => text)).toEqual(
      expect.arrayContaining(["start-transaction", "continue-transaction"]),
    );
    const technician = technicianOf(till.client);
    const timelines = await Promise.all(
      ["approved", "taken back", "wrong PIN", "killed"].map((reference) => technician.timeline({ reference })),
    );
    for (const { steps } of timelines) expect(steps.length).toBeGreaterThan(4);
    const [{ lines }, bundleBefore] = beforeKill;
    expect(lines.filter(({ text }) => text === "gateway exchange").length).toBeGreaterThan(2);
    const { bundle } = await technician.supportBundle();
    expect(bundle).toContain("[secret]");
    const told = { traced, timelines, lines, bundleBefore, bundle, checks: await technician.checks() };
    for (const [name, part] of Object.entries(told))
      expect({ name, holds: found(Buffer.from(JSON.stringify(part))) }).toEqual({ name, holds: [] });
    expect(traced.filter(({ text }) => text.includes("told: key"))).toEqual([]);
  });

  it("are in nothing that registers were told, and in no receipt", async () => {
    const told = JSON.stringify(till.told);
    const { payments } = await till.client.list();
    const receipts = await Promise.all(
      payments.flatMap(({ id }) =>
        (["merchant", "customer"] as const).map((copy) => till.client.receipt({ id }, { copy, format: "text" })),
      ),
    );
    expect(payments).toHaveLength(4);
    expect(found(Buffer.from([told, JSON.stringify(payments), ...receipts.map(String)].join("\n")))).toEqual([]);
  });

  it("are in none of the pages, and not in the figures", async () => {
    const base = shop.url().replace("ws", "http").replace("/v1", "");
    for (const page of ["/", "/metrics", "/readyz", "/openrpc.json"])
      expect(found(Buffer.from(await (await fetch(`${base}${page}`)).arrayBuffer()))).toEqual([]);
  });

  it("are not in the data folder after the bridge was stopped either", async () => {
    expect(await shop.stop()).toEqual({ code: 0, signal: null });
    for (const name of fs.readdirSync(shop.dataDir))
      expect({ name, holds: found(fs.readFileSync(path.join(shop.dataDir, name))) }).toEqual({ name, holds: [] });
  });

  it("are behind modes that let nobody else in", () => {
    expect(fs.statSync(shop.dataDir).mode & 0o777).toBe(0o700);
    const open = fs
      .readdirSync(shop.dataDir)
      .filter((name) => (fs.statSync(path.join(shop.dataDir, name)).mode & 0o077) !== 0);
    expect(open).toEqual([]);
  });
});
