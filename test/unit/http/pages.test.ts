import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { servePages } from "../../../src/http/pages.ts";
import { startHttp } from "../../../src/http/server.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { get } from "../../contract/raw-http.ts";

const built = (type: string, text: string) => ({ type, gzip: gzipSync(text).toString("base64") });
const FILES = {
  "/": built("text/html; charset=utf-8", "<head></head>front"),
  "/till/": built("text/html; charset=utf-8", "<head></head>till"),
  "/assets/till-1a2b.js": built("text/javascript; charset=utf-8", "sell()"),
};

/** The port with three files of pages. */
async function serve(meta: Readonly<Record<string, string>> = {}) {
  const never = async (): Promise<void> => undefined;
  const server = await startHttp({
    listen: { host: "127.0.0.1", port: 0 },
    names: () => ["127.0.0.1"],
    origins: [],
    page: { version: "1", environment: "test" },
    pages: servePages(
      FILES,
      () => meta,
      (path) => (path === "/till/" ? ["http://127.0.0.1:7718"] : []),
    ),
    ready: () => [],
    metrics: async () => "",
    openRpc: () => "{}",
    sockets: { upgrade: () => false, turnAway: () => false, close: never },
    clock: systemClock,
    refused: () => undefined,
    problem: (error) => {
      throw error;
    },
  });
  const ask = (path: string, ...headers: readonly string[]) =>
    get(server.port, path, [`Host: 127.0.0.1:${server.port}`, ...headers]);
  return { ask, [Symbol.asyncDispose]: () => server.close() };
}

describe("the web pages", () => {
  it("are served under a policy that allows nothing inline and nothing from elsewhere", async () => {
    await using port = await serve();
    const answer = await port.ask("/?from=bookmark");
    expect(answer).toContain("200 OK");
    expect(answer).toContain("front");
    expect(answer).toMatch(
      /content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';/i,
    );
    expect(answer).not.toMatch(/unsafe-/);
    expect(answer).toMatch(/cache-control: no-store/i);
  });

  it("may talk to the origins that are named for them, each page to its own", async () => {
    await using port = await serve();
    expect(await port.ask("/till/")).toMatch(/connect-src 'self' http:\/\/127\.0\.0\.1:7718;/i);
    expect(await port.ask("/")).toMatch(/connect-src 'self';/i);
  });

  it("are told what the bridge knows, and no text of it becomes markup", async () => {
    await using port = await serve({ version: '1"><script>' });
    expect(await port.ask("/till/")).toContain(
      '<head><meta name="posbridge-version" content="1&quot;&gt;&lt;script&gt;"></head>till',
    );
  });

  it("come compressed where the browser takes it, and are kept for ever where the name changes with the content", async () => {
    await using port = await serve();
    expect(await port.ask("/assets/till-1a2b.js")).toContain("sell()");
    const compressed = await port.ask("/assets/till-1a2b.js", "Accept-Encoding: gzip, br");
    expect(compressed).toMatch(/content-encoding: gzip/i);
    expect(compressed).toMatch(/cache-control: public, max-age=31536000, immutable/i);
  });

  it("are found without the slash at the end", async () => {
    await using port = await serve();
    expect(await port.ask("/till")).toMatch(/302 Found[\s\S]*location: \/till\/\r\n/i);
  });

  it("have no file but their own", async () => {
    await using port = await serve();
    for (const path of ["/assets/", "/till/index.html", "/assets/../till/x", "/constructor", "/__proto__"])
      expect(await port.ask(path), path).toContain("404 Not Found");
  });
});
