import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { soldFor } from "../scenarios/ledger.ts";
import { sell, terminalReady, untilCardIsAsked } from "../scenarios/sale.ts";
import type { Till } from "../scenarios/till.ts";
import { openStoryShop, type StoryShop } from "./shop.ts";
import type { StoryTerminal } from "./terminal.ts";

/*
 * A shop with one configured terminal, till-1. Beside it stand devices that no configuration names: two Miuras
 * (/dev/till-2, /dev/till-3), a Verifone (/dev/till-4) and a PAX
 * (/dev/till-5). The whole of it runs in order: each story begins where the one before ended.
 */

let shop: StoryShop;
let till: Till;
let technician: Till;

beforeAll(async () => {
  shop = await openStoryShop({ spares: ["miura-m020", "miura-m020", "verifone-p400", "pax-d180"] });
  till = await shop.till();
  technician = await shop.till(shop.createToken("office", ["technician"]));
});
afterAll(() => shop.close());

/** The device at /dev/till-N, by the name of the terminal that it is now. */
function device(number: number, id: string): StoryTerminal {
  const spare = shop.spares[number - 2];
  if (spare === undefined) throw new RangeError(`nothing at /dev/till-${number}`);
  return { ...spare, id };
}

const bar = {
  id: "bar",
  model: "miura-m020",
  connection: { serial: "/dev/till-2" },
  terminalId: "20000001",
  deviceType: "MIURA_M020",
  label: "Bar, left",
};
const book = (): string => path.join(shop.dataDir, "paired-terminals.json");
const ids = async (): Promise<readonly string[]> => (await technician.client.terminals()).map(({ id }) => id);

async function restarted(): Promise<void> {
  await shop.restart();
  till = await shop.till();
  technician = await shop.till(shop.createToken("office", ["technician"]));
}

describe("a terminal that is paired while the bridge runs", () => {
  it("is refused to a register without the scope", async () => {
    await expect(till.client.pairTerminal(bar)).rejects.toMatchObject({ code: "forbidden" });
    expect(fs.existsSync(book())).toBe(false);
  });

  it.each([
    [
      "nothing is plugged in",
      { connection: { serial: "/dev/nothing" } },
      "terminal-offline",
      /serial \/dev\/nothing cannot be opened: there is no/,
    ],
    [
      "another model answers, and says which",
      { model: "verifone-p400", deviceType: "P400" },
      "terminal-offline",
      /another model answered .* its frames are those of miura-m020/,
    ],
    [
      "the id is the configuration file's",
      { id: "till-1" },
      "not-allowed",
      /id is a terminal of the configuration file .*posbridge\.yaml already/,
    ],
    [
      "the device is a configured terminal's",
      { connection: { serial: "/dev/till-1" } },
      "invalid-params",
      /names the device that terminal till-1 has already/,
    ],
    ["the model is none", { model: "miura-m02" }, "invalid-params", /did you mean miura-m020/],
    [
      "the model has no such line",
      { connection: { usb: { vendorId: 1, productId: 2 } } },
      "invalid-params",
      /is no way to a miura-m020/,
    ],
    [
      "the path depends on the working folder",
      { connection: { serial: "till-2" } },
      "invalid-params",
      /must be an absolute path/,
    ],
    [
      "there are two connections",
      { connection: { serial: "/dev/till-2", tcp: "10.0.0.1:1" } },
      "invalid-params",
      /has serial and tcp of serial, tcp, usb and websocket/,
    ],
  ])("is not paired where %s, and nothing is written", async (_, change, code, message) => {
    await expect(technician.client.pairTerminal({ ...bar, ...change })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
    expect(await ids()).toEqual(["till-1"]);
    expect(fs.existsSync(book())).toBe(false);
  });

  it("is not paired where nothing answers on the line", async () => {
    await device(2, "bar").fault("hang");
    const refused = {
      code: "terminal-offline",
      message: expect.stringContaining("nothing answered at serial /dev/till-2 as a miura-m020"),
    };
    await expect(technician.client.pairTerminal(bar)).rejects.toMatchObject(refused);
    await device(2, "bar").fault("reboot");
    await shop.time.pause(30_000);
    expect(fs.existsSync(book())).toBe(false);
  });

  it("is in the list at once, by its serial number and label, and sells", async () => {
    const { terminal, warnings } = await technician.client.pairTerminal(bar);
    expect(terminal).toMatchObject({
      id: "bar",
      state: "ready",
      serialNumber: "10000002",
      label: "Bar, left",
      paired: true,
      connection: "serial /dev/till-2",
    });
    expect(warnings).toEqual([]);
    expect((await till.client.terminals()).map(({ id, paired }) => `${id} ${paired}`)).toEqual([
      "till-1 false",
      "bar true",
    ]);
    expect(await sell({ till, terminal: device(2, "bar"), reference: "first on bar" })).toMatchObject({
      outcome: "APPROVED",
      terminal: "bar",
    });
    expect(await shop.booksOf("first on bar")).toEqual(soldFor("12.34"));
    const [row] = await shop.rowsOf("first on bar");
    expect(row?.parameters).toMatchObject({ "pos.terminalId": "20000001" });
  });

  it("is told in the audit: who, what and when", () => {
    const line = shop.printed().find((text) => text.includes("terminal paired"));
    expect(JSON.parse(line ?? "{}")).toMatchObject({
      audit: true,
      by: "register office",
      terminal: "bar",
      serialNumber: "10000002",
      did: "paired",
      at: expect.any(String),
    });
  });

  it("is not paired a second time, under whichever id", async () => {
    await expect(technician.client.pairTerminal(bar)).rejects.toMatchObject({
      code: "not-allowed",
      message: expect.stringContaining("is paired already"),
    });
    await expect(technician.client.pairTerminal({ ...bar, id: "bar-2" })).rejects.toMatchObject({
      code: "invalid-params",
      message: expect.stringContaining("names the device that terminal bar has already"),
    });
  });

  it("is there after a kill -9, with its label, and sells", async () => {
    await restarted();
    await terminalReady(till, device(2, "bar"));
    expect((await till.client.terminals())[1]).toMatchObject({
      id: "bar",
      label: "Bar, left",
      paired: true,
      serialNumber: "10000002",
    });
    expect(await sell({ till, terminal: device(2, "bar"), reference: "after the kill" })).toMatchObject({
      outcome: "APPROVED",
    });
  });
});

describe("a terminal that is replaced", () => {
  it("is left alone while a payment has it", async () => {
    await untilCardIsAsked({ till, terminal: device(2, "bar"), reference: "in the way" });
    const busy = { code: "terminal-busy", reference: "in the way" };
    await expect(
      technician.client.replaceTerminal({ terminal: "bar", connection: { serial: "/dev/till-3" } }),
    ).rejects.toMatchObject(busy);
    await expect(technician.client.unpairTerminal("bar")).rejects.toMatchObject(busy);
    await expect(technician.client.testTerminal("bar")).rejects.toMatchObject(busy);
    await till.client.cancel({ reference: "in the way" });
    await till.settled("in the way");
    await terminalReady(till, device(2, "bar"));
  });

  it("is as it was where the new device does not answer as it should", async () => {
    const wrong = { terminal: "bar", connection: { serial: "/dev/till-4" } };
    await expect(technician.client.replaceTerminal(wrong)).rejects.toMatchObject({ code: "terminal-offline" });
    await terminalReady(till, device(2, "bar"));
    expect(await sell({ till, terminal: device(2, "bar"), reference: "still the first" })).toMatchObject({
      outcome: "APPROVED",
    });
  });

  it("is as it was where the data folder takes no writing", async () => {
    fs.mkdirSync(`${book()}.new`);
    const replaced = technician.client.replaceTerminal({ terminal: "bar", connection: { serial: "/dev/till-3" } });
    await expect(replaced).rejects.toMatchObject({ code: "journal-unwritable", advice: "retry" });
    const known: unknown = JSON.parse(fs.readFileSync(path.join(shop.dataDir, "terminals.json"), "utf8"));
    expect(known).toMatchObject({ bar: { serialNumber: "10000002" } });
    fs.rmdirSync(`${book()}.new`);
    await terminalReady(till, device(2, "bar"));
    expect(await technician.client.terminals()).toMatchObject([
      { id: "till-1" },
      { id: "bar", serialNumber: "10000002" },
    ]);
  });

  it("keeps its id with another device of its model, which is the one from then on", async () => {
    const { terminal } = await technician.client.replaceTerminal({
      terminal: "bar",
      connection: { serial: "/dev/till-3" },
    });
    expect(terminal).toMatchObject({ id: "bar", serialNumber: "10000003", label: "Bar, left", state: "ready" });
    expect(await sell({ till, terminal: device(3, "bar"), reference: "second device" })).toMatchObject({
      outcome: "APPROVED",
      terminal: "bar",
    });
    expect(await till.client.get({ reference: "first on bar" })).toMatchObject({ terminal: "bar" });
    await restarted();
    await terminalReady(till, device(3, "bar"));
    expect((await till.client.terminals())[1]).toMatchObject({
      serialNumber: "10000003",
      connection: "serial /dev/till-3",
    });
  });

  it("may be another model, of which what the acquirer is told has to be said anew", async () => {
    const { driver, options, deviceType } = device(4, "bar");
    const verifone = { terminal: "bar", model: driver, connection: { serial: "/dev/till-4" }, options };
    await expect(technician.client.replaceTerminal(verifone)).rejects.toMatchObject({
      code: "invalid-params",
      path: "deviceType",
    });
    const { terminal } = await technician.client.replaceTerminal({ ...verifone, deviceType });
    expect(terminal).toMatchObject({ id: "bar", model: driver, state: "ready" });
    expect(await sell({ till, terminal: device(4, "bar"), reference: "a Verifone" })).toMatchObject({
      outcome: "APPROVED",
    });
  });

  it("may be one of the configuration file: the new device counts until the file is edited", async () => {
    const { terminal } = await technician.client.replaceTerminal({
      terminal: "till-1",
      connection: { serial: "/dev/till-2" },
    });
    expect(terminal).toMatchObject({
      id: "till-1",
      serialNumber: "10000002",
      paired: false,
      replaced: true,
      connection: "serial /dev/till-2",
    });
    const now = { ...device(2, "till-1") };
    expect(
      await sell({ till, terminal: now, reference: "in the place of till-1", card: "mastercard-contact" }),
    ).toMatchObject({
      outcome: "APPROVED",
      terminal: "till-1",
    });
    await restarted();
    await terminalReady(till, now);
    const text = fs.readFileSync(shop.configFile, "utf8");
    fs.writeFileSync(shop.configFile, text.replace("/dev/till-1", "/dev/till-5"));
    await shop.kill();
    const start = shop.start();
    await expect(start).rejects.toThrow("no line like");
    expect((await shop.bridge().line(/the file counts/)).includes('"terminal":"till-1"')).toBe(true);
    fs.writeFileSync(shop.configFile, text);
    await restarted();
    await terminalReady(till, now);
  });
});

describe("a terminal that is renamed or unpaired", () => {
  it("has another label, and the same id; an empty label takes it away", async () => {
    expect(await technician.client.renameTerminal("bar", "Bar, right")).toMatchObject({
      id: "bar",
      label: "Bar, right",
    });
    expect(await technician.client.renameTerminal("till-1", "Entrance")).toMatchObject({
      id: "till-1",
      label: "Entrance",
      paired: false,
    });
    expect(await technician.client.renameTerminal("till-1", "")).not.toHaveProperty("label");
    await expect(technician.client.renameTerminal("nobody", "x")).rejects.toMatchObject({ code: "unknown-terminal" });
    await expect(technician.client.renameTerminal("bar", "4761 3400 0000 0050")).rejects.toMatchObject({
      code: "card-number-in-text",
    });
  });

  it("is gone at once and after a restart, but from its payments", async () => {
    await expect(technician.client.unpairTerminal("till-1")).rejects.toMatchObject({
      code: "not-allowed",
      message: expect.stringContaining(shop.configFile),
    });
    await technician.client.unpairTerminal("bar");
    expect(await ids()).toEqual(["till-1"]);
    expect(shop.trace("bar")).toBeUndefined();
    await expect(
      till.client.startPayment({
        reference: "too late",
        type: "SALE",
        terminal: "bar",
        currency: "EUR",
        amount: "1.00",
      }),
    ).rejects.toMatchObject({
      code: "unknown-terminal",
    });
    expect(await till.client.get({ reference: "first on bar" })).toMatchObject({
      terminal: "bar",
      outcome: "APPROVED",
    });
    const refund = await till.client.refund({ of: "first on bar", reference: "given back", amount: "2.34" });
    expect(await till.client.waitPayment({ id: refund.payment.id })).toMatchObject({ outcome: "APPROVED" });
    await restarted();
    expect(await ids()).toEqual(["till-1"]);
  });

  it("can be paired anew under its id, with whichever device", async () => {
    const { terminal } = await technician.client.pairTerminal({ ...bar, connection: { serial: "/dev/till-3" } });
    expect(terminal).toMatchObject({ id: "bar", serialNumber: "10000003", state: "ready" });
  });
});

it("has contradicted the ledger nowhere", async () => {
  expect(await shop.contradictions()).toEqual([]);
});
