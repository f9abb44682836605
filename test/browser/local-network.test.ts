import { createServer as createHttp, type RequestListener, type Server } from "node:http";
import { createServer as createHttps } from "node:https";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientScript } from "../../packaging/client.ts";
import { type Bridge, startBridge } from "../contract/bridge.ts";
import loopbackTls from "../vectors/loopback-tls.json" with { type: "json" };
import { openBrowser } from "./browser.ts";

/** Local Network Access: pages of a shop's server on the internet, and the bridge on this machine. */
let browser: Browser;
let bridge: Bridge;
let servers: readonly Server[];

const PAGE = `<!doctype html><title>till</title><script type="module">
import { connect } from "/client.js";
const asked = new URLSearchParams(location.search);
window.told = [];
const onState = ({ is, trouble }) => window.told.push(trouble?.kind ?? is);
window.register = connect({ url: asked.get("bridge"), token: asked.get("token"), onState });
</script>`;

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

beforeAll(async () => {
  const script = await clientScript();
  const serve: RequestListener = ({ url }, response) => {
    const isScript = url === "/client.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script : PAGE);
  };
  servers = [createHttps({ key: loopbackTls.key, cert: loopbackTls.certificate }, serve), createHttp(serve)];
  const [secure, plain] = await Promise.all(servers.map(listening));
  const names = ["till.example", "other.example"].flatMap((name) => [
    `MAP ${name}:443 127.0.0.1:${secure}`,
    `MAP ${name}:80 127.0.0.1:${plain}`,
  ]);
  [bridge, browser] = await Promise.all([
    startBridge(),
    openBrowser({
      args: [
        `--host-resolver-rules=${names.join(",")}`,
        `--ip-address-space-overrides=127.0.0.1:${secure}=public,127.0.0.1:${plain}=public`,
        "--ignore-certificate-errors",
      ],
    }),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await bridge?.[Symbol.asyncDispose]();
  for (const server of servers ?? []) server.close();
});

interface Visit {
  readonly origin?: string;
  readonly isGranted?: boolean;
  readonly token?: string;
  readonly at?: string;
  readonly isPressed?: boolean;
}

/** Opens the page, and gives the first state of its register that is not `connecting` (after a press, the next one). */
async function visit({ origin = "https://till.example", isGranted, token = "till-token", at, isPressed }: Visit) {
  const context = await browser.newContext();
  try {
    if (isGranted === true) await context.grantPermissions(["local-network-access"], { origin });
    const page = await context.newPage();
    const query = new URLSearchParams({ bridge: at ?? bridge.url, token });
    await page.goto(`${origin}/?${query}`);
    const told = () => page.evaluate<string[]>("window.told.filter((state) => state !== 'connecting')");
    await expect.poll(told).not.toEqual([]);
    if (isPressed !== true) return (await told())[0];
    const before = await told();
    await page.evaluate("window.register.retry()");
    await expect.poll(async () => (await told()).find((state) => state !== before[0])).toBeDefined();
    return (await told()).find((state) => state !== before[0]);
  } finally {
    await context.close();
  }
}

test.each<[string, string, Visit]>([
  ["of the internet, before a press", "press-first", {}],
  ["of the internet, that nobody allowed", "blocked-by-browser", { isPressed: true }],
  ["of the internet without TLS", "blocked-by-browser", { origin: "http://till.example" }],
  ["that a person allowed", "open", { isGranted: true }],
  ["that a person allowed, without a bridge", "not-running", { isGranted: true, at: "ws://127.0.0.1:9/v1" }],
  [
    "that a person allowed, and the bridge did not",
    "origin-not-allowed",
    { isGranted: true, origin: "https://other.example" },
  ],
  ["that a person allowed, with an unknown token", "not-paired", { isGranted: true, token: "nobody" }],
])("a page %s is told %s", async (_page, told, on) => {
  expect(await visit(on)).toBe(told);
});
