import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { preflight, readableBy } from "../kit/cross-origin.ts";
import type { Handled, SandboxRequest } from "./exchange.ts";
import type { Sandbox } from "./sandbox.ts";
import { CONTROL_PATH } from "./testing/controls.ts";

/** More than the longest form that is read (gateway/form.ts), so that a form too long gets the gateway's own answer. */
const MAX_BODY_BYTES = 4 * 1_048_576;

export interface SandboxServer {
  readonly port: number;
  /** Ends with a slash, as every base address of the gateway must. */
  readonly url: string;
  /** Ends delays and cuts what is open, so it takes no longer than that. */
  close(): Promise<void>;
}

/** Exact origins of pages that may make the calls for tests; asked at every request, because a port may be known only later. */
type Origins = () => readonly string[];

/**
 * The sandbox as a server on the loopback interface. Plain node:http, because faults cut sockets in the middle of a reply. Rejects where the port cannot be had
 * (the error has the code EADDRINUSE). `report` hears of what should never happen: a request that the sandbox broke on.
 */
export async function serveSandbox(sandbox: Sandbox, port: number, report: (problem: string) => void, origins: Origins = () => []): Promise<SandboxServer> {
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

async function serve({ sandbox, hosts, origins }: Served, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  // Another name in Host is a page that had its name point here (DNS rebinding); another Origin is a page of somebody else.
  if (!hosts.has(incoming.headers.host ?? "")) return refuse(response, 421, "this host name is not served here");
  const { origin } = incoming.headers;
  const pages = incoming.url?.startsWith(CONTROL_PATH) === true ? origins() : [];
  const readable = readableBy(origin, pages);
  const isStranger = origin !== undefined && !pages.includes(origin) && !hosts.has(origin.replace(/^http:\/\//, ""));
  if (isStranger && !sandbox.isForShoppers(incoming.method ?? "GET", incoming.url ?? "/")) return refuse(response, 403, "this origin may not call the sandbox");
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
  const single = Object.entries(headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as const] : []));
  return { method: method ?? "GET", path: url ?? "/", headers: Object.fromEntries(single), body };
}

/** The whole body as text, or undefined where it is too long; bytes that are no UTF-8 become U+FFFD, which no format of a parameter tells from text. */
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
      response.writeHead(handled.status, { ...handled.headers, "cache-control": "no-store", "content-length": Buffer.byteLength(handled.body) });
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
