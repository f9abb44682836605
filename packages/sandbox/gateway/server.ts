import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { preflight, readableBy } from "../../../src/kit/cross-origin.ts";
import type { Handled, SandboxRequest } from "./exchange.ts";
import type { Sandbox } from "./sandbox.ts";
import { CONTROL_PATH } from "./testing/controls.ts";

/** Larger than the longest accepted form (gateway/form.ts), so the gateway itself answers forms that are too long. */
const MAX_BODY_BYTES = 4 * 1_048_576;

export interface SandboxServer {
  readonly port: number;
  /** Ends with a slash, like every base address of the gateway. */
  readonly url: string;
  /** Ends delays and cuts open connections, so closing is quick. */
  close(): Promise<void>;
}

/** Exact origins of pages that may use the calls for tests; read at every request, because a port may be known late. */
type Origins = () => readonly string[];

/**
 * Serves the sandbox on the loopback interface; plain node:http, because faults cut sockets in mid-reply. Rejects if
 * the port is taken (EADDRINUSE). `report` receives internal errors.
 */
export async function serveSandbox(
  sandbox: Sandbox,
  port: number,
  report: (problem: string) => void,
  origins: Origins = () => [],
): Promise<SandboxServer> {
  let hosts: ReadonlySet<string> = new Set();
  const server = createServer((request, response) => {
    serve({ sandbox, hosts, origins }, request, response).catch((error: unknown) => {
      report(`${request.method} ${request.url?.split("?")[0]}: ${String(error)}`);
      response.destroy();
    });
  });
  const listening = await listen(server, port);
  hosts = new Set(["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${listening}`));
  return {
    port: listening,
    url: `http://127.0.0.1:${listening}/`,
    close: () =>
      new Promise((resolve) => {
        sandbox.stop();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: "127.0.0.1" }, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

interface Served {
  readonly sandbox: Sandbox;
  readonly hosts: ReadonlySet<string>;
  readonly origins: Origins;
}

async function serve(
  { sandbox, hosts, origins }: Served,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // A foreign Host means DNS rebinding; a foreign Origin means another site's page.
  if (!hosts.has(incoming.headers.host ?? "")) return refuse(response, 421, "this host name is not served here");
  const { origin } = incoming.headers;
  const pages = incoming.url?.startsWith(CONTROL_PATH) === true ? origins() : [];
  const readable = readableBy(origin, pages);
  const isStranger = origin !== undefined && !pages.includes(origin) && !hosts.has(origin.replace(/^http:\/\//, ""));
  if (isStranger && !sandbox.isForShoppers(incoming.method ?? "GET", incoming.url ?? "/"))
    return refuse(response, 403, "this origin may not call the sandbox");
  const asked = preflight(incoming.method, origin, pages);
  if (asked !== undefined) {
    response.writeHead(204, asked);
    response.end();
    return undefined;
  }
  const body = await bodyOf(incoming);
  if (body === undefined) return refuse(response, 413, `the body is longer than ${MAX_BODY_BYTES} bytes`);
  return deliver(withHeaders(await sandbox.handle(requestOf(incoming, body)), readable), response);
}

function withHeaders(handled: Handled, headers: Readonly<Record<string, string>>): Handled {
  return handled.is === "reply" ? { ...handled, headers: { ...handled.headers, ...headers } } : handled;
}

function requestOf({ method, url, headers }: IncomingMessage, body: string): SandboxRequest {
  const single = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as const] : [],
  );
  return { method: method ?? "GET", path: url ?? "/", headers: Object.fromEntries(single), body };
}

/** The body as text, undefined if too long. Invalid UTF-8 becomes U+FFFD, which parameters accept as text. */
async function bodyOf(incoming: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of incoming) {
    const bytes = Buffer.from(part);
    length += bytes.length;
    if (length > MAX_BODY_BYTES) return undefined;
    parts.push(bytes);
  }
  return Buffer.concat(parts).toString("utf8");
}

function deliver(handled: Handled, response: ServerResponse): void {
  switch (handled.is) {
    case "reply":
      response.writeHead(handled.status, {
        ...handled.headers,
        "cache-control": "no-store",
        "content-length": Buffer.byteLength(handled.body),
      });
      response.end(handled.body);
      return;
    case "cut": {
      const { partial, whole } = handled;
      if (partial === undefined || whole === undefined) {
        response.destroy();
        return;
      }
      response.writeHead(whole.status, { ...whole.headers, "content-length": Buffer.byteLength(whole.body) });
      response.write(partial, () => response.socket?.resetAndDestroy());
    }
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "content-type": "application/json", connection: "close" });
  response.end(`${JSON.stringify({ error: message })}\n`);
}
