import { execFileSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { WebSocketServer } from "ws";
import { killProgram, runProgram, startProgram } from "../scenarios/program.ts";
import { madeCertificates, servedBy } from "../unit/certificates/shop-certificates.ts";
import { type BrowserSettings, openBrowser } from "./browser.ts";

/*
 * What docs/browsers.md says of Chromium: certificates by an authority of the shop, and pages that count as public. Names
 * are resolved by the browser alone, and no error of a certificate is ignored.
 */

const NAMES = ["bridge.shop.example", "till.example", "till.other", "bank.example"];
const RESOLVED = `--host-resolver-rules=${NAMES.map((name) => `MAP ${name} 127.0.0.1`).join(", ")}`;

function freshFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-browser-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The home of a cashier whose browsers trust this authority, by the command of docs/browsers.md. */
function homeTrusting(authority: string): string {
  const home = freshFolder();
  const database = path.join(home, ".pki/nssdb");
  const file = path.join(home, "posbridge-authority.crt");
  fs.mkdirSync(database, { recursive: true });
  fs.writeFileSync(file, authority);
  execFileSync("certutil", ["-d", `sql:${database}`, "-N", "--empty-password"]);
  execFileSync("certutil", ["-d", `sql:${database}`, "-A", "-t", "C,,", "-n", "posbridge", "-i", file]);
  return home;
}

async function newPage(settings: BrowserSettings): Promise<Page> {
  const browser = await openBrowser({ ...settings, args: [RESOLVED, ...(settings.args ?? [])] });
  onTestFinished(() => browser.close());
  return browser.newPage();
}

/** What a page sees of a socket: its first message, or how it was closed. */
function socketSeen(page: Page, url: string): Promise<string> {
  return page.evaluate(
    (address) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(address);
        socket.onmessage = ({ data }) => resolve(String(data));
        socket.onclose = ({ code }) => resolve(`closed ${code}`);
      }),
    url,
  );
}

const why = (error: unknown): string => /ERR_[A-Z_]+/.exec(String(error))?.[0] ?? String(error);

async function serving(tls: { readonly cert: string; readonly key: string }): Promise<number> {
  const server: Server = createServer(tls, (_, answer) => {
    answer.setHeader("content-type", "text/html");
    answer.end("<!doctype html><title>till</title>");
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return portOf(server.address());
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === "string") throw new Error("it does not listen on a port");
  return address.port;
}

test("a till on another machine reaches the bridge by wss once its browser trusts the machine's authority", async () => {
  const folder = freshFolder();
  const file = path.join(folder, "posbridge.yaml");
  const configure = (listen: string): void =>
    fs.writeFileSync(
      file,
      [
        "environment: test",
        listen,
        "merchant: { name: Corner Shop, country: DE }",
        'gateway: { baseUrl: "http://127.0.0.1:9/", entityId: 8a8294174b7ecb28014b9699220015ca, accessTokenFile: ./gateway-token }',
        "",
      ].join("\n"),
      { mode: 0o600 },
    );
  fs.writeFileSync(path.join(folder, "gateway-token"), "sandbox-token", { mode: 0o600 });
  configure("listen: { port: 0, names: [bridge.shop.example] }");
  expect((await runProgram("certificates", "create", "--config", file)).code).toBe(0);
  const tls = "tls: { cert: ./data/certificates/bridge.crt, key: ./data/certificates/bridge.key }";
  configure(`listen: { port: 0, names: [bridge.shop.example], ${tls} }`);
  const bridge = startProgram("run", "--config", file);
  onTestFinished(() => killProgram(bridge));
  const port = Number(/"port":([0-9]+)/.exec(await bridge.line(/posbridge is ready/))?.[1]);
  const home = homeTrusting((await runProgram("certificates", "print", "--config", file)).out.join("\n"));

  const trusting = await newPage({ home });
  await trusting.goto(`https://bridge.shop.example:${port}/`);
  for (const host of ["bridge.shop.example", "127.0.0.1"]) {
    await trusting.goto(`https://${host}:${port}/`);
    expect(await socketSeen(trusting, `wss://${host}:${port}/v1`)).toContain('"method":"bridge.hello"');
  }
  const other = await newPage({ home: freshFolder() });
  const refused = await other.goto(`https://bridge.shop.example:${port}/`).catch(why);
  expect(refused).toBe("ERR_CERT_AUTHORITY_INVALID");
});

test("a browser that trusts the authority refuses what a thief of its key certifies outside of the constraints", async () => {
  const shop = madeCertificates(Date.now(), ["bridge.shop.example"]);
  const [own, stolen] = await Promise.all([serving(servedBy(shop)), serving(shop.stolen("bank.example"))]);
  const page = await newPage({ home: homeTrusting(shop.text("authority.crt")) });
  expect((await page.goto(`https://bridge.shop.example:${own}/`))?.status()).toBe(200);
  expect(await page.goto(`https://bank.example:${stolen}/`).catch(why)).toBe("ERR_CERT_INVALID");
});

test("the policy file lets its page reach this machine without a question, and no other page", async () => {
  const shop = madeCertificates(Date.now(), ["till.example", "till.other"]);
  const till = await serving(servedBy(shop));
  const bridge = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => void bridge.close());
  bridge.on("connection", (socket) => socket.send("hello"));
  await once(bridge, "listening");
  const url = `ws://127.0.0.1:${portOf(bridge.address())}/v1`;
  const settings = {
    home: homeTrusting(shop.text("authority.crt")),
    args: [`--ip-address-space-overrides=127.0.0.1:${till}=public`],
  };
  const seen = async (page: Page, host: string): Promise<string> => {
    await page.goto(`https://${host}:${till}/`);
    return socketSeen(page, url);
  };
  const without = await newPage(settings);
  expect([await seen(without, "till.example"), await seen(without, "till.other")]).toEqual([
    "closed 1006",
    "closed 1006",
  ]);
  const managed = await newPage({ ...settings, policy: "config/browser-policies/chrome-edge.json" });
  expect([await seen(managed, "till.example"), await seen(managed, "till.other")]).toEqual(["hello", "closed 1006"]);
});
