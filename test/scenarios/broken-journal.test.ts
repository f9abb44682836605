import { once } from "node:events";
import fs from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { killProgram, type Program, startProgramAfter } from "./program.ts";
import { saleOf, untilCardIsAsked } from "./sale.ts";
import { openShop, type Shop } from "./shop.ts";
import { openTill } from "./till.ts";

let shop: Shop;
let bridge: Program;

beforeAll(async () => {
  shop = await openShop();
  await shop.stop();
});
afterAll(async () => {
  await killProgram(bridge);
  await shop.close();
});

/** The bridge on a disk that writes nothing through while the file `flag` is there. */
async function startOnFailingDisk(): Promise<{ readonly flag: string; readonly port: number }> {
  const flag = path.join(shop.folder, "disk fails");
  const preload = pathToFileURL(path.join(import.meta.dirname, "failing-disk.ts"));
  preload.searchParams.set("while", flag);
  bridge = startProgramAfter(preload, "run", "--config", shop.configFile);
  const port = Number(/"port":([0-9]+)/.exec(await bridge.line(/posbridge is ready/))?.[1]);
  await bridge.line(/terminal is ready/);
  return { flag, port };
}

describe("a bridge whose journal fails", () => {
  it("ends at once, also where a client whose upgrade was refused holds its connection, and the next one starts", async () => {
    const { flag, port } = await startOnFailingDisk();
    const client = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
    client.on("error", () => undefined);
    client.write(`GET /v2 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    await once(client.resume(), "end");
    const till = await openTill(`ws://127.0.0.1:${port}/v1`, shop.registerToken);
    fs.writeFileSync(flag, "");
    const began = performance.now();
    // Whichever comes first, the refusal or the end of the socket: neither says that nothing was accepted.
    await expect(till.client.startPayment(saleOf(shop.terminal, "lost"))).rejects.toMatchObject({
      code: expect.toBeOneOf(["journal-broken", 1001]),
    });
    expect(await bridge.ended).toEqual({ code: 1, signal: null });
    expect(performance.now() - began).toBeLessThan(15_000);
    expect(bridge.err.at(-1)).toMatch(/^posbridge: .*journal\.witness cannot be written: .* start posbridge again$/);
    client.destroy();
    fs.rmSync(flag);
    await shop.start();
    const again = await shop.till();
    expect(await again.client.waitPayment({ reference: "lost" })).toMatchObject({
      outcome: "CANCELLED",
      reason: { code: "bridge-restarted" },
    });
  });

  it("waits for no card that is asked for, because nothing of that payment could be written any more, and the next one starts", async () => {
    await shop.stop();
    const { flag, port } = await startOnFailingDisk();
    const till = await openTill(`ws://127.0.0.1:${port}/v1`, shop.registerToken);
    await untilCardIsAsked({ till, terminal: shop.terminal, reference: "asked" });
    fs.writeFileSync(flag, "");
    const began = performance.now();
    await expect(till.client.cancel({ reference: "asked" })).rejects.toThrow();
    expect(await bridge.ended).toEqual({ code: 1, signal: null });
    // A running payment has twenty seconds where it can be brought to its end.
    expect(performance.now() - began).toBeLessThan(15_000);
    fs.rmSync(flag);
    await shop.start();
    const again = await shop.till();
    expect(await again.client.waitPayment({ reference: "asked" })).toMatchObject({ outcome: "CANCELLED" });
  });
});
