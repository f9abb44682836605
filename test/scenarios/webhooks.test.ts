import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { fromHex } from "../../src/kit/hex.ts";
import { envelopeOf } from "../../src/webhook/envelope.ts";
import { seal } from "../../src/webhook/seal.ts";
import { formOf, simulatedTill, TOKEN } from "../unit/sandbox/simulated-till.ts";
import { nothingBooked, soldFor } from "./ledger.ts";
import { runProgram } from "./program.ts";
import { cardOut, untilHostIsAsked } from "./sale.ts";
import { openSandbox, type TestSandbox } from "./sandbox.ts";
import { openShop, type Shop } from "./shop.ts";
import type { Till } from "./till.ts";
import { WEBHOOK_KEY, type WebhookReceiver, webhookReceiver } from "./webhook-receiver.ts";

const soldSchema = z.object({ id: z.string(), result: z.object({ code: z.literal("000.100.110") }) });
const HALF_A_MINUTE = 30_000;

async function until(condition: () => boolean | Promise<boolean>, what: string, withinMs = 10_000): Promise<void> {
  const limit = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > limit) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((later) => setTimeout(later, 20));
  }
}

/** Sets a webhook up as a person does. */
async function addWebhook(sandboxUrl: string, url: string, ...options: readonly string[]): Promise<void> {
  const port = new URL(sandboxUrl).port;
  const { code, out, err } = await runProgram(
    "sandbox",
    "webhooks",
    "add",
    url,
    "--key",
    WEBHOOK_KEY,
    "--port",
    port,
    ...options,
  );
  expect({ code, out, err }).toMatchObject({
    code: 0,
    out: [expect.stringMatching(/^webhook [0-9a-f]{32} is active$/)],
    err: [],
  });
}

describe("a gateway that is killed between its ledger and a delivery", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-hooks-"));
  const till = simulatedTill();
  let sandbox: TestSandbox;
  let receiver: WebhookReceiver;

  /** As the terminal's clock has it (9A): the gateway declines what is more than a day away from its own. */
  const today = (): string => new Date().toISOString().slice(2, 10).replaceAll("-", "");
  /** A sale at the gateway; its id once the reply is there. */
  const sell = async (): Promise<string> => {
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
    };
    const response = await fetch(`${sandbox.url}v1/payments`, {
      method: "POST",
      headers,
      body: formOf(till.sale({ date: today() }).fields),
    });
    return soldSchema.parse(await response.json()).id;
  };

  beforeAll(async () => {
    sandbox = await openSandbox(folder, 1, ["--webhook-order", "kept"]);
    receiver = await webhookReceiver();
    await addWebhook(sandbox.url, receiver.url);
  });
  afterAll(async () => {
    await sandbox.kill();
    await receiver.close();
    fs.rmSync(folder, { recursive: true });
  });

  it("loses none: each sale is told by the next process, whatever the first one still did", async () => {
    const sold: string[] = [];
    for (const receiving of ["never", 503, "never", 204] as const) {
      await receiver.open(receiving);
      sold.push(await sell());
      await sandbox.kill();
      await sandbox.start();
    }
    await receiver.open(204);
    // What an earlier process tried in vain is tried again by the ladder.
    for (let minute = 0; minute < 20; minute += 1) await sandbox.advance(60_000);
    await until(
      () => sold.every((id) => receiver.ids.includes(id)),
      `of ${sold.join(", ")} only these were told: ${receiver.ids.join(", ")}`,
    );
  });

  it("tells what nobody could hear then, once somebody listens, and once only", async () => {
    await receiver.close();
    const id = await sell();
    await sandbox.kill();
    await sandbox.start();
    await receiver.open(200);
    await sandbox.advance(3_600_000);
    await until(() => receiver.ids.includes(id), "told");
    await sandbox.advance(3 * 86_400_000);
    await new Promise((later) => setTimeout(later, 300));
    expect(receiver.ids.filter((told) => told === id)).toHaveLength(1);
    const { out } = await runProgram("sandbox", "webhooks", "list", "--json", "--port", new URL(sandbox.url).port);
    expect(JSON.parse(out.join("\n"))).toMatchObject({ webhooks: [{ active: true, waiting: 0 }] });
    expect(out.join()).not.toContain(WEBHOOK_KEY);
  });
});

describe("a bridge that hears the gateway's webhooks", () => {
  const keyFolder = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-hook-key-"));
  const keyFile = path.join(keyFolder, "webhook-key");
  let shop: Shop;
  let till: Till;
  let hearsAt: string;

  beforeAll(async () => {
    fs.writeFileSync(keyFile, WEBHOOK_KEY, { mode: 0o600 });
    shop = await openShop({
      terminals: 3,
      timeouts: { unknownWindowMs: 600_000 },
      // The queries that the bridge makes are lines of this level.
      logLevel: "debug",
      configuration: [`webhooks: { listen: { port: 0 }, path: /opp, keyFile: ${keyFile} }`],
    });
    till = await shop.till();
    const port = /"port":([0-9]+)/.exec(await shop.bridge().line(/webhooks are heard/))?.[1];
    hearsAt = `http://127.0.0.1:${port}/opp`;
    await addWebhook(shop.sandbox.url, hearsAt, "--wrapper", "json");
  });
  afterAll(async () => {
    await shop.close();
    fs.rmSync(keyFolder, { recursive: true });
  });

  const namesOf = async (reference: string): Promise<readonly string[]> => {
    const { gateway } = await till.client.get({ reference });
    return gateway?.attempts.map(({ merchantTransactionId }) => merchantTransactionId) ?? [];
  };
  /** How often the bridge has asked for a payment. */
  const queries = async (reference: string): Promise<number> => {
    const names = await namesOf(reference);
    return shop.printed().filter((line) => line.includes('"v1/query"') && names.some((name) => line.includes(name)))
      .length;
  };
  const received = (reception: string): number =>
    shop.printed().filter((line) => line.includes(`"reception":"${reception}"`)).length;
  /** A sale that the gateway has booked without saying so, and which its queries do not know yet. */
  const lost = async (number: number, reference: string): Promise<void> => {
    const terminal = shop.terminals[number - 1];
    if (terminal === undefined) throw new RangeError(`there is no terminal ${number}`);
    await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "drop-after" });
    await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "hide-from-query", delayMs: 600_000 });
    await untilHostIsAsked({ till, terminal, reference });
    await shop.sandbox.faultsUsed();
    await until(async () => (await queries(reference)) === 1, "the first query");
  };
  const post = async (body: string, headers: Readonly<Record<string, string>>): Promise<number> =>
    (await fetch(hearsAt, { method: "POST", headers, body })).status;
  const forged = (key: string, name: string): Promise<number> => {
    const payload = {
      id: "8ac7a4a282d522f70182d53e7a873640",
      paymentType: "PA",
      amount: "12.34",
      currency: "EUR",
      merchantTransactionId: name,
    };
    const notification = {
      type: "PAYMENT",
      payload: { ...payload, result: { code: "000.100.110" }, timestamp: `2026-11-21 10:00:00+0000 ${name}` },
    };
    const { headers, body } = envelopeOf(
      seal(Buffer.from(JSON.stringify(notification)), fromHex(key), fromHex("0".repeat(24))),
      "none",
    );
    return post(body, headers);
  };

  it("is not told by a forged one that a sale was paid: it asks, and believes the answer", async () => {
    await lost(1, "forged");
    const [name = ""] = await namesOf("forged");
    await till.client.cancel({ reference: "forged" });
    await till.state("forged", "RESOLVING");
    const before = await till.client.get({ reference: "forged" });
    const rows = (await shop.sandbox.ledger()).length;
    expect(await forged(WEBHOOK_KEY.replace("00", "01"), name)).toBe(400);
    expect(await forged(WEBHOOK_KEY, "somebody-elses-order")).toBe(200);
    // What the bridge prints comes through a pipe of its own, and may come after its answer.
    await until(() => received("not-ours") === 1, "the line about somebody else's order");
    expect(await queries("forged")).toBe(1);
    // With the key, and naming the payment: the most that somebody with a leaked key can do.
    expect(await forged(WEBHOOK_KEY, name)).toBe(200);
    await until(async () => (await queries("forged")) === 2, "the query that the hint is good for", 5_000);
    await new Promise((later) => setTimeout(later, 500));
    expect(await till.client.get({ reference: "forged" })).toMatchObject({
      state: "RESOLVING",
      decision: before.decision,
    });
    expect((await shop.sandbox.ledger()).length).toBe(rows);
  });

  it.each([
    ["garbage", "garbage", {}],
    ["a tag cut short", "00", { "x-initialization-vector": "00".repeat(12), "x-authentication-tag": "00000000" }],
    ["a form", "type=PAYMENT", { "content-type": "application/x-www-form-urlencoded" }],
    ["nothing", "", {}],
  ])("refuses %s", async (_, body, headers) => {
    expect(await post(body, headers)).toBe(400);
  });

  it("finds a sale that is lost as soon as it is told of it, while the card still waits", async () => {
    await lost(2, "told in time");
    await shop.sandbox.advance(600_000);
    const payment = await till.settled("told in time");
    expect(payment).toMatchObject({ outcome: "APPROVED", capture: "captured" });
    // Without the hint the second look comes half a minute after the first.
    expect(Date.parse(payment.updatedAt) - Date.parse(payment.createdAt)).toBeLessThan(HALF_A_MINUTE / 2);
    await until(async () => (await queries("told in time")) === 2, "the line about the second query");
    expect(await shop.booksOf("told in time")).toEqual(soldFor("12.34"));
    const terminal = shop.terminals[1];
    if (terminal !== undefined) await cardOut({ till, terminal });
  });

  it("settles one that is being resolved sooner too, and takes it back", async () => {
    await lost(3, "resolved sooner");
    await till.client.cancel({ reference: "resolved sooner" });
    await till.state("resolved sooner", "RESOLVING");
    await shop.sandbox.advance(600_000);
    const payment = await till.settled("resolved sooner", HALF_A_MINUTE / 2);
    expect(payment).toMatchObject({ outcome: "CANCELLED", decision: "not-approved" });
    expect(await shop.booksOf("resolved sooner")).toMatchObject({ held: nothingBooked.held });
  });

  it("writes down of what it hears no more than type, id and code, and counts it", async () => {
    const lines = shop.printed().filter((line) => line.includes('"webhook"'));
    expect(lines.length).toBeGreaterThan(3);
    const known = ["code", "id", "level", "msg", "reception", "time", "type"];
    for (const line of lines) expect(Object.keys(JSON.parse(line)).filter((name) => !known.includes(name))).toEqual([]);
    for (const secret of ["12.34", "411111", WEBHOOK_KEY]) expect(lines.join()).not.toContain(secret);
    const metrics = await (await fetch(shop.url().replace("ws://", "http://").replace("/v1", "/metrics"))).text();
    expect(metrics).toMatch(/posbridge_webhooks_total\{reception="hinted"\} [1-9]/);
    expect(metrics).toMatch(/^posbridge_looks_due \d+$/m);
    expect(metrics).toMatch(/posbridge_webhooks_total\{reception="forged"\} 2/);
  });
});
