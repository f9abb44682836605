import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { miuraM020 } from "../../../drivers/miura-m020/driver.ts";
import { createReloads, reloadedLines } from "../../../src/agent/reload.ts";
import { openPairedStore, openRoster } from "../../../src/agent/roster.ts";
import { parseConfiguration } from "../../../src/config/parse.ts";
import type { Look } from "../../../src/config/surroundings.ts";
import { openKnownTerminals } from "../../../src/journal/known-terminals.ts";
import { Secret } from "../../../src/kit/secret.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import type { PaymentName } from "../../../src/payment/fact/refusal.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import loopbackTls from "../../vectors/loopback-tls.json" with { type: "json" };
import { fileOf, SMALLEST, surroundings } from "../config/surroundings.ts";

const FILE = "/etc/posbridge/posbridge.yaml";
const BAR = '  - { id: bar, model: miura-m020, connection: { tcp: "10.0.0.9:6543" }, terminalId: "20000001" }\n';
const held: PaymentName = { reference: "4711", register: "till" };

/** A bridge whose configuration file a test writes. No terminal is there. */
function bridge(text = SMALLEST) {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-reload-"));
  onTestFinished(() => fs.rmSync(dataDir, { recursive: true, force: true }));
  const files: Record<string, Look> = {
    "/etc/posbridge/cert.pem": fileOf(loopbackTls.certificate),
    "/etc/posbridge/key.pem": fileOf(loopbackTls.key),
  };
  const shop = { text, files, holder: new Map<string, PaymentName>() };
  const reread = () => {
    const reading = parseConfiguration(shop.text, FILE, surroundings({ files }));
    return reading.ok ? { ok: true as const, configuration: { ...reading.configuration, dataDir } } : reading;
  };
  const first = reread();
  if (!first.ok) throw new Error(JSON.stringify(first.problems));
  const logged: { readonly fields: object; readonly message: string }[] = [];
  const say = (fields: object, message: string): void => void logged.push({ fields, message });
  const log = { debug: say, info: say, warn: say, error: say };
  const opened: string[] = [];
  const lineTo = (terminal: { readonly id: string; readonly connection: object }) => {
    opened.push(`${terminal.id} ${JSON.stringify(terminal.connection)}`);
    return { open: () => Promise.reject(new Error("nothing is there")), place: () => ({}) };
  };
  const ports = {
    ...{
      clock: createVirtualClock(0),
      random: seededRandom(1),
      log,
      known: openKnownTerminals(dataDir),
      lineTo,
      traces: new Map(),
    },
    ...{
      localTime: () => ({ date: "260115", time: "101500" }),
      metrics: { linkOpened: () => undefined, linkLost: () => undefined, frameFailed: () => undefined },
    },
  };
  const roster = openRoster({ file: first.configuration, models: [miuraM020], store: openPairedStore(dataDir), ports });
  roster.terminals.start();
  const pairing = roster.pairing({
    heldBy: (id) => shop.holder.get(id),
    changed: () => undefined,
    audit: () => undefined,
  });
  const [certified, levels]: [string[], string[]] = [[], []];
  const restarts: (readonly string[])[] = [];
  const { reload, certify } = createReloads({
    ...{ reread, log, current: pairing.file, terminals: pairing.reload },
    certify: ({ cert }) => void certified.push(cert),
    setLevel: (level) => void levels.push(level),
    needsRestart: (keys) => void restarts.push(keys),
  });
  const terminals = () => roster.terminals.list().map(({ id, connection }) => `${id} ${connection}`);
  return { ...{ shop, reload, certify, roster, pairing, terminals, logged, opened, certified, levels, restarts } };
}

describe("a configuration that is read anew", () => {
  it("changes nothing where it has a problem, and tells it with its line", async () => {
    const { shop, reload, roster, logged, levels } = bridge();
    const before = roster.current();
    shop.text = `${SMALLEST.replace("country: DE", "country: de")}log: { level: debug }\n`;
    const reloaded = await reload("anna", false);
    const problem = `${FILE}:4: merchant.country: must be two capital letters (ISO 3166), for example DE; change it`;
    expect(reloadedLines(reloaded)).toEqual([problem, `${FILE} is not valid: nothing was changed`]);
    expect([roster.current(), levels]).toEqual([before, []]);
    expect(logged.at(-1)).toEqual({
      fields: { audit: true, by: "anna", problems: [problem] },
      message: "the configuration is not valid: nothing was changed",
    });
  });

  it("takes up what can change, names what waits for a restart, and tells the audit", async () => {
    const { shop, reload, roster, logged, levels, restarts } = bridge();
    shop.text = `${SMALLEST.replace("Corner Shop", "The Shop")}listen: { port: 7000 }\nlog: { level: debug }\norigins: ["https://till.example"]\n`;
    const lines = ["merchant.name: applied", "origins: applied", "log.level: applied", "listen.port: restart to apply"];
    expect(reloadedLines(await reload("anna", false))).toEqual(lines);
    const { merchant, origins, listen } = roster.current();
    expect([merchant.name, origins, listen.port, levels]).toEqual([
      "The Shop",
      ["https://till.example"],
      7717,
      ["debug"],
    ]);
    expect(logged.at(-1)).toEqual({
      fields: {
        audit: true,
        by: "anna",
        applied: ["merchant.name", "origins", "log.level"],
        needsRestart: ["listen.port"],
        waiting: [],
      },
      message: "the configuration was read anew",
    });
    expect(reloadedLines(await reload("anna", false))).toEqual(["listen.port: restart to apply"]);
    await reload("anna", true);
    shop.text = SMALLEST;
    await reload("anna", false);
    expect(restarts).toEqual([["listen.port"], ["listen.port"], []]);
  });

  it("says nothing new where nothing has changed", async () =>
    expect(reloadedLines(await bridge().reload("anna", false))).toEqual([`${FILE} says nothing new`]));

  it("only says what would come of it, where no more is asked for", async () => {
    const { shop, reload, roster, terminals, logged } = bridge();
    const before = roster.current();
    shop.text = SMALLEST.replace("Corner Shop", "The Shop") + BAR;
    expect(reloadedLines(await reload("anna", true))).toEqual(["merchant.name: applied", "terminals: applied"]);
    expect([roster.current(), terminals().length, logged.some(({ message }) => message.includes("anew"))]).toEqual([
      before,
      1,
      false,
    ]);
  });

  it("shows a new certificate from then on", async () => {
    const tls = "listen: { tls: { cert: ./cert.pem, key: ./key.pem } }\n";
    const { shop, reload, certified } = bridge(SMALLEST + tls);
    shop.text = `${SMALLEST.replace("Corner Shop", "The Shop")}${tls}`;
    await reload("anna", false);
    expect(certified).toEqual([]);
    const { certificate, key } = loopbackTls.renewed;
    shop.files["/etc/posbridge/cert.pem"] = fileOf(certificate);
    shop.files["/etc/posbridge/key.pem"] = fileOf(key);
    expect(reloadedLines(await reload("anna", false))).toEqual(["listen.tls.cert: applied", "listen.tls.key: applied"]);
    expect(certified).toEqual([certificate]);
  });

  it("serves a certificate of its own, and takes nothing else of the changed file", async () => {
    const tls = "listen: { tls: { cert: ./cert.pem, key: ./key.pem } }\n";
    const { shop, certify, roster, certified, restarts } = bridge(SMALLEST + tls);
    shop.text = `${SMALLEST.replace("Corner Shop", "The Shop")}${tls}`;
    const { certificate, key } = loopbackTls.renewed;
    await certify({ cert: certificate, key: new Secret(key) });
    expect(certified).toEqual([certificate]);
    const { listen, merchant } = roster.current();
    expect([listen.tls?.cert, merchant.name, restarts]).toEqual([certificate, "Corner Shop", []]);
  });
});

describe("terminals of a configuration that is read anew", () => {
  it("come, change and go while the bridge runs", async () => {
    const { shop, reload, terminals, opened } = bridge();
    shop.text = SMALLEST + BAR;
    await reload("anna", false);
    expect(terminals()).toEqual(["till-1 serial /dev/ttyACM0", "bar tcp 10.0.0.9:6543"]);
    shop.text = SMALLEST.replace("/dev/ttyACM0", "/dev/ttyACM7") + BAR;
    await reload("anna", false);
    expect(terminals()).toEqual(["till-1 serial /dev/ttyACM7", "bar tcp 10.0.0.9:6543"]);
    shop.text = SMALLEST.replace("/dev/ttyACM0", "/dev/ttyACM7");
    await reload("anna", false);
    expect(terminals()).toEqual(["till-1 serial /dev/ttyACM7"]);
    // The line of a terminal that stays as it is is not opened anew.
    expect(opened.map((line) => line.split(" ")[0])).toEqual(["till-1", "bar", "till-1"]);
  });

  it("are renamed with the same device", async () => {
    const { shop, reload, terminals } = bridge();
    shop.text = SMALLEST.replace("id: till-1", "id: front");
    await reload("anna", false);
    expect(terminals()).toEqual(["front serial /dev/ttyACM0"]);
  });

  it("take another number of the acquirer's without their line being opened anew", async () => {
    const { shop, reload, roster, opened } = bridge();
    shop.text = SMALLEST.replace('"12345678"', '"87654321"');
    expect(reloadedLines(await reload("anna", false))).toEqual(["terminals: applied"]);
    expect([roster.current().terminals[0]?.terminalId, opened.length]).toEqual(["87654321", 1]);
  });

  it("wait, all of them, for a payment that needs one of those that change; all else is applied", async () => {
    const { shop, reload, roster, terminals } = bridge();
    shop.holder.set("till-1", held);
    shop.text = SMALLEST.replace("/dev/ttyACM0", "/dev/ttyACM7").replace("Corner Shop", "The Shop") + BAR;
    expect(reloadedLines(await reload("anna", false))).toEqual([
      "merchant.name: applied",
      'terminal till-1 is needed by the payment with reference "4711": reload again when that is over',
    ]);
    expect([terminals(), roster.current().merchant.name]).toEqual([["till-1 serial /dev/ttyACM0"], "The Shop"]);
    shop.holder.clear();
    expect(reloadedLines(await reload("anna", false))).toEqual(["terminals: applied"]);
    expect(terminals()).toEqual(["till-1 serial /dev/ttyACM7", "bar tcp 10.0.0.9:6543"]);
  });

  it("stay as they are where two of the file have one id", async () => {
    const { shop, reload, roster, terminals } = bridge();
    shop.text = SMALLEST.replace(
      "terminals:",
      'terminals:\n  - { id: till-1, model: miura-m020, connection: { tcp: "10.0.0.9:6543" }, terminalId: "1" }',
    );
    expect((await reload("anna", false)).ok).toBe(false);
    expect([terminals(), roster.current().terminals.length]).toEqual([["till-1 serial /dev/ttyACM0"], 1]);
  });
});
