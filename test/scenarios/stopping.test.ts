import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { nothingBooked, soldFor } from "./ledger.ts";
import { runProgram } from "./program.ts";
import { saleOf, untilCardIsAsked, untilHostIsAsked, untilPinIsAsked } from "./sale.ts";
import { openShop, type Shop } from "./shop.ts";
import type { Till } from "./till.ts";

let shop: Shop;
let till: Till;

beforeAll(async () => {
  shop = await openShop();
});
beforeEach(async () => {
  if (!shop.bridge().isRunning()) await shop.start();
  till = await shop.till();
});
afterAll(() => shop.close());

/**
 * A bridge that waits for somebody who holds on waits for 20 s, or for a minute; one that does not is through in a
 * second, or some on a busy machine.
 */
const AT_ONCE_MS = 15_000;

/** SIGTERM now; how it ended, and after how many milliseconds. */
async function stopped(): Promise<{ readonly code: number | null; readonly tookMs: number }> {
  const started = performance.now();
  const { code } = await shop.stop();
  return { code, tookMs: performance.now() - started };
}

describe("SIGTERM", () => {
  it("ends an idle bridge with 0 at once, and tells registers that it goes away", async () => {
    const { code, tookMs } = await stopped();
    expect(code).toBe(0);
    expect(tookMs).toBeLessThan(AT_ONCE_MS);
    expect(await till.client.closed).toMatchObject({ code: 1001 });
    expect(shop.bridge().out.at(-1)).toContain("posbridge has stopped");
    expect(shop.bridge().err).toEqual([]);
  });

  it("ends an idle bridge as fast where a client whose upgrade was refused holds its connection", async () => {
    const port = Number(new URL(shop.url()).port);
    const client = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
    client.on("error", () => undefined);
    client.write(`GET /v2 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    await once(client.resume(), "end");
    const { code, tookMs } = await stopped();
    client.destroy();
    expect(code).toBe(0);
    expect(tookMs).toBeLessThan(AT_ONCE_MS);
    expect(shop.bridge().out.filter((line) => line.includes("does not close"))).toEqual([]);
  });

  it("lets a sale whose host is being asked end as it would have, and takes no new one meanwhile", async () => {
    const { terminal, sandbox } = shop;
    await sandbox.fault({ on: { paymentType: "PA" }, do: "delay", delayMs: 1_000 });
    await untilHostIsAsked({ till, terminal, reference: "running" });
    const end = stopped();
    await expect(till.client.startPayment(saleOf(terminal, "too late"))).rejects.toMatchObject({
      code: expect.stringMatching(/^(shutting-down|terminal-busy)$/),
    });
    expect(await till.state("running", "FINAL", 5_000)).toMatchObject({ outcome: "APPROVED" });
    await terminal.pull();
    const { code, tookMs } = await end;
    expect(code).toBe(0);
    expect(tookMs).toBeLessThan(AT_ONCE_MS);
  });

  it("left that sale captured, and the refused start unknown", async () => {
    await till.client.subscribe("0");
    expect(await till.settled("running")).toMatchObject({ outcome: "APPROVED", capture: "captured" });
    await expect(till.client.get({ reference: "too late" })).rejects.toMatchObject({ code: "not-found" });
    expect(await shop.booksOf("running")).toEqual(soldFor("12.34"));
  });

  it("ends a sale that waits for a card by its own limit, with nothing booked", async () => {
    await untilCardIsAsked({ till, terminal: shop.terminal, reference: "waiting" });
    const end = stopped();
    expect(await till.state("waiting", "FINAL", 8_000)).toMatchObject({ outcome: "CANCELLED" });
    const { code, tookMs } = await end;
    expect(code).toBe(0);
    expect(tookMs).toBeLessThan(AT_ONCE_MS);
  });

  it("twice ends it at once, and the next start cancels what was open", async () => {
    await untilPinIsAsked({ till, terminal: shop.terminal, reference: "second signal" });
    const started = performance.now();
    const bridge = shop.bridge();
    bridge.signal("SIGTERM");
    // The first one is known to have arrived when a start is refused because of it.
    while (await isStillTaking()) await new Promise((later) => setTimeout(later, 10));
    bridge.signal("SIGTERM");
    expect(await bridge.ended).toEqual({ code: null, signal: "SIGTERM" });
    expect(performance.now() - started).toBeLessThan(AT_ONCE_MS);
    await shop.terminal.pull();
    await shop.start();
    const next = await shop.till();
    expect(await next.client.get({ reference: "second signal" })).toMatchObject({
      state: "FINAL",
      outcome: "CANCELLED",
      reason: { code: "bridge-restarted" },
    });
    expect(await shop.booksOf("waiting", "second signal")).toEqual(nothingBooked);
  });
});

describe("posbridge stop", () => {
  it("is obeyed as SIGTERM is: a sale whose host is being asked ends as it would have, and the command returns after the end", async () => {
    const { terminal, sandbox } = shop;
    await sandbox.fault({ on: { paymentType: "PA" }, do: "delay", delayMs: 1_000 });
    await untilHostIsAsked({ till, terminal, reference: "stopped by command" });
    const stopping = runProgram("stop", "--config", shop.configFile);
    expect(await till.state("stopped by command", "FINAL", 10_000)).toMatchObject({ outcome: "APPROVED" });
    await terminal.pull();
    expect(await stopping).toMatchObject({
      code: 0,
      out: [expect.stringMatching(/^stopped: the bridge of .* has ended$/)],
      err: [],
    });
    expect(await shop.bridge().ended).toMatchObject({ code: 0 });
  });
});

async function isStillTaking(): Promise<boolean> {
  const refusal = await till.client.startPayment(saleOf(shop.terminal, "probe")).then(
    () => "accepted",
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : "unknown"),
  );
  return refusal !== "shutting-down";
}
