import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { soldFor } from "./ledger.ts";
import { runProgram } from "./program.ts";
import { sell, terminalReady } from "./sale.ts";
import { openShop, type Shop } from "./shop.ts";
import { startTerminal, type TestTerminal } from "./terminal.ts";
import type { Till } from "./till.ts";

/*
 * A terminal that comes, breaks and goes, on real processes: pseudo-terminals, the control socket, the data folder and
 * SIGKILL. What each call refuses is in
 * test/stories/pairing.test.ts.
 */

let shop: Shop;
let till: Till;
let first: TestTerminal;
let second: TestTerminal;

beforeAll(async () => {
  shop = await openShop();
  till = await shop.till();
  [first, second] = await Promise.all([
    startTerminal(shop.folder, 2, { automatic: false }),
    startTerminal(shop.folder, 3, { automatic: false }),
  ]);
});
afterAll(async () => {
  await Promise.all([first.kill(), second.kill()]);
  await shop.close();
});

const terminals = (command: string, ...rest: readonly string[]) =>
  runProgram("terminals", command, ...rest, "--config", shop.configFile);
const as = (device: TestTerminal): TestTerminal => ({ ...device, id: "bar" });
const pair = (id: string, device: TestTerminal) =>
  terminals(
    "pair",
    id,
    "--model",
    device.driver,
    "--serial",
    device.path,
    "--terminal-id",
    "12345679",
    "--device-type",
    device.deviceType,
    "--label",
    "Bar",
  );

async function listed(): Promise<readonly string[]> {
  const { code, out } = await terminals("list");
  expect(code).toBe(0);
  return out.slice(1).map((line) => line.replaceAll(/ {2,}/g, " | "));
}

describe("a terminal of a shop of real processes", () => {
  it("is paired by a command while the bridge runs, and sells at once", async () => {
    expect(await pair("bar", first)).toMatchObject({ code: 0, out: ["paired bar: serial number 10000002"] });
    expect((await till.client.terminals()).map(({ id, label, paired }) => ({ id, label, paired }))).toEqual([
      { id: "till-1", paired: false },
      { id: "bar", label: "Bar", paired: true },
    ]);
    expect(await sell({ till, terminal: as(first), reference: "first" })).toMatchObject({
      outcome: "APPROVED",
      terminal: "bar",
    });
    expect(await shop.booksOf("first")).toEqual(soldFor("12.34"));
    expect(await terminals("test", "bar")).toMatchObject({
      code: 0,
      out: [expect.stringMatching(/^bar is ready: serial number 10000002, firmware /)],
    });
  });

  it("is refused a second time, in one line on stderr, with exit code 1", async () => {
    const again = await pair("bar-2", first);
    expect(again).toMatchObject({
      code: 1,
      out: [],
      err: [expect.stringContaining("names the device that terminal bar has already")],
    });
  });

  it("sells after a kill -9", async () => {
    await shop.restart();
    till = await shop.till();
    await terminalReady(till, as(first));
    expect(
      await sell({ till, terminal: as(first), reference: "after the kill", card: "mastercard-contact" }),
    ).toMatchObject({ outcome: "APPROVED" });
  });

  it("keeps its id when another device takes its place", async () => {
    expect(await terminals("replace", "bar", "--serial", second.path)).toMatchObject({
      code: 0,
      out: ["replaced bar: serial number 10000003"],
    });
    expect(await sell({ till, terminal: as(second), reference: "replaced" })).toMatchObject({
      outcome: "APPROVED",
      terminal: "bar",
    });
    expect(await listed()).toEqual([
      expect.stringMatching(/^till-1 \| miura-m020 \| ready \| 10000001 \| serial .* \| file$/),
      expect.stringMatching(/^bar \| Bar \| miura-m020 \| ready \| 10000003 \| serial .*till-3 \| data folder$/),
    ]);
  });

  it("is renamed, and unpaired, while the payments go on naming it", async () => {
    expect(await terminals("rename", "bar", "Bar, right")).toMatchObject({
      code: 0,
      out: ["bar is called Bar, right"],
    });
    expect(await terminals("unpair", "till-1")).toMatchObject({
      code: 1,
      err: [expect.stringContaining(shop.configFile)],
    });
    expect(await terminals("unpair", "bar")).toMatchObject({ code: 0, out: ["unpaired bar"] });
    expect((await till.client.terminals()).map(({ id }) => id)).toEqual(["till-1"]);
    expect(await till.client.get({ reference: "first" })).toMatchObject({ terminal: "bar" });
  });

  it("is told in the audit with who and what, and leaves the ledger as registers were told", async () => {
    const changes = shop.printed().filter((line) => /"msg":"terminal (paired|replaced|renamed|unpaired)"/.test(line));
    expect(changes.map((line) => JSON.parse(line).did)).toEqual(["paired", "replaced", "renamed", "unpaired"]);
    for (const line of changes)
      expect(JSON.parse(line)).toMatchObject({ audit: true, by: expect.any(String), terminal: "bar" });
    expect(await shop.contradictions()).toEqual([]);
  });
});

describe("while no bridge runs", () => {
  it("a terminal is paired, listed and tested by the command alone, and in service at the next start", async () => {
    await shop.stop();
    expect(await pair("bar", second)).toMatchObject({ code: 0, out: ["paired bar: serial number 10000003"] });
    expect(await listed()).toEqual([
      expect.stringMatching(/^till-1 \| miura-m020 \| not running \| 10000001 \|/),
      expect.stringMatching(/^bar \| Bar \| miura-m020 \| not running \| 10000003 \|/),
    ]);
    expect(await terminals("test", "bar", "--json")).toMatchObject({ code: 0 });
    expect(await pair("gone", { ...first, path: "/dev/nothing" })).toMatchObject({
      code: 1,
      err: [expect.stringContaining("/dev/nothing")],
    });
    await shop.start();
    till = await shop.till();
    await terminalReady(till, as(second));
    expect(
      await sell({ till, terminal: as(second), reference: "paired at rest", card: "mastercard-contact" }),
    ).toMatchObject({ outcome: "APPROVED" });
  });
});
