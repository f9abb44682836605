import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Server as TlsServer } from "node:tls";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Clock } from "../kit/clock.ts";
import { peerText } from "../kit/peer.ts";
import type { PlaceLimits } from "../kit/places.ts";
import { CONNECTIONS, type Connections, holdConnections } from "./connections.ts";
import { type FrontPage, frontPage } from "./front-page.ts";
import { createGuard, type Guard, type GuardRefusal } from "./guard.ts";
import type { PageFile, Pages } from "./pages.ts";
import { refuse } from "./refuse.ts";

/** The handler of WebSockets on this port. */
export interface Upgrades {
  /** Host and Origin are already checked. False, without touching the socket: it accepts no more at present. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /**
   * For a page of a foreign origin: browsers hide an answer without upgrade from it. False, without touching the socket:
   * it accepts no more at present.
   */
  turnAway(request: IncomingMessage, socket: Duplex, head: Buffer, words: string): boolean;
  /** Closes its sockets: the HTTP server cannot, and waits for them. */
  close(): Promise<void>;
}

export interface HttpPorts {
  readonly listen: {
    readonly host: string;
    readonly port: number;
    readonly tls?: { readonly cert: string; readonly key: string };
  };
  /** Names and addresses by which registers address this port, in the form of a URL. */
  names(): readonly string[];
  /** Exact origins of browser registers; read for each request. */
  readonly origins: readonly string[];
  readonly page: FrontPage;
  /** The web pages; without them `/` is a text page. */
  readonly pages?: Pages | undefined;
  /** Reasons why the bridge is not ready, one line each; empty: ready. */
  ready(): readonly string[] | Promise<readonly string[]>;
  /** Figures in the Prometheus text format. */
  metrics(): Promise<string>;
  /** The OpenRPC document as JSON text; made on request. */
  openRpc(): string;
  readonly sockets: Upgrades;
  readonly clock: Clock;
  /** Time limit for a client's request, TLS included; default 10 s. */
  readonly requestMs?: number;
  /** Limits of connections without a register's socket; default CONNECTIONS. */
  readonly connections?: PlaceLimits;
  /** Reports a refused request or connection to the audit. */
  refused(event: RequestRefused): void;
  /** Logs a failed request, whose sender gets no details. */
  problem(error: unknown, where: string): void;
}

/**
 * `host`, `origin`: unknown, or not allowed; `path`: a socket at another path; `full`: all sockets are taken;
 * `crowded-out`: replaced by newer ones. `origin` is present if it is well-formed.
 */
export interface RequestRefused {
  readonly from: string;
  readonly why: "host" | "origin" | "path" | "full" | "crowded-out";
  readonly origin?: string;
}

export interface HttpServer {
  readonly host: string;
  readonly port: number;
  /** Uses this certificate for new connections. Throws a RangeError if the port was opened without TLS. */
  certify(tls: NonNullable<HttpPorts["listen"]["tls"]>): void;
  close(): Promise<void>;
}

/** The port cannot be opened: `message` is one line that names the fix. */
export class ListenFailed extends Error {
  readonly code: "busy" | "no-permission" | "failed";

  constructor(code: "busy" | "no-permission" | "failed", message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ListenFailed";
    this.code = code;
  }
}

/** The path of the register's WebSocket contains the API's version. */
const SOCKET_PATH = "/v1";

/** Enough for any real client to send a GET. */
const REQUEST_MS = 10_000;
const MAX_HEADER_BYTES = 8_192;
/** Connections waiting to be accepted. Above this, the system refuses, and a client retries only after a second. */
const BACKLOG = 4_096;
/** Time for the register's sockets to close when the server stops; they need a second. */
const CLOSE_MS = 2_000;

const HEADERS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

/** Opens the bridge's only port. Rejects with ListenFailed if that is impossible. */
export async function startHttp(ports: HttpPorts): Promise<HttpServer> {
  const { listen } = ports;
  let port = listen.port;
  const guard = createGuard({
    ...{ port: () => port, secure: listen.tls !== undefined, names: ports.names },
    get origins() {
      return ports.origins;
    },
  });
  const app = createApp(listen.tls, ports.requestMs ?? REQUEST_MS);
  protect(app, guard, ports);
  servePages(app, ports);
  serve(app, ports);
  const crowdedOut = (socket: Socket): void => ports.refused({ from: peerText(socket), why: "crowded-out" });
  const connections = holdConnections(app.server, ports.connections ?? CONNECTIONS, crowdedOut);
  app.server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    upgrade(guard, connections, ports, { request, socket, head }),
  );
  try {
    await app.listen({ host: listen.host, port: listen.port, backlog: BACKLOG });
  } catch (error) {
    throw listenFailed(error, listen);
  }
  const [address] = app.addresses();
  if (typeof address === "object") port = address.port;
  return { host: listen.host, port, certify: (tls) => certify(app, tls), close: () => close(app, ports, connections) };
}

/**
 * Node closes only idle HTTP connections, and waits for upgraded ones and unfinished TLS handshakes. The register's
 * sockets are closed first; all remaining connections are cut off, at the latest after CLOSE_MS.
 */
async function close(app: FastifyInstance, { sockets, clock }: HttpPorts, { cutOff }: Connections): Promise<void> {
  const stopped = app.close();
  const cancel = clock.after(CLOSE_MS, cutOff);
  await Promise.race([sockets.close(), stopped]);
  cutOff();
  await stopped;
  cancel();
}

function certify({ server }: FastifyInstance, { cert, key }: NonNullable<HttpPorts["listen"]["tls"]>): void {
  if (!(server instanceof TlsServer)) throw new RangeError("this port was opened without TLS");
  server.setSecureContext({ cert, key });
}

function createApp(
  tls: { readonly cert: string; readonly key: string } | undefined,
  requestMs: number,
): FastifyInstance {
  const options = { logger: false, bodyLimit: 1_024, requestTimeout: requestMs, forceCloseConnections: true } as const;
  // By default Node checks every half minute and allows two minutes for a handshake: silent connections would take
  // every place.
  const times = {
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    handshakeTimeout: requestMs,
    connectionsCheckingInterval: requestMs / 10,
  };
  const http = { maxHeaderSize: MAX_HEADER_BYTES, ...times };
  return tls === undefined
    ? fastify({ ...options, http })
    : fastify({ ...options, https: { ...http, cert: tls.cert, key: tls.key } });
}

/** The guard's refusal, with the origin if it may be a page's. */
function refusedBy({ why }: GuardRefusal, { socket, headers }: IncomingMessage): RequestRefused {
  const { origin } = headers;
  const isShown =
    why === "origin" && origin !== undefined && origin.length <= 100 && URL.parse(origin)?.origin === origin;
  return { from: peerText(socket), why, ...(isShown && { origin }) };
}

function protect(app: FastifyInstance, guard: Guard, { problem, refused }: HttpPorts): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(HEADERS);
    const refusal = guard.refusal(request.raw.headersDistinct);
    if (refusal === undefined) return undefined;
    refused(refusedBy(refusal, request.raw));
    return reply.code(403).type("text/plain; charset=utf-8").send(`${refusal.words}\n`);
  });
  app.setErrorHandler((error, request, reply) => {
    problem(error, request.routeOptions.url ?? "request");
    return reply
      .code(500)
      .type("text/plain; charset=utf-8")
      .send("the bridge failed at this request; its log says why\n");
  });
}

/**
 * A page may load files of this port only, and contact this port and the named origins. Inline and foreign code is
 * forbidden.
 */
function pagePolicy(reaches: readonly string[]): string {
  const connect = ["'self'", ...reaches].join(" ");
  return [
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src ${connect}`,
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  ].join("; ");
}

function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body, gzip, lasting, reaches }: PageFile,
): FastifyReply {
  const takesGzip = gzip !== undefined && /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  if (type.startsWith("text/html")) void reply.header("content-security-policy", pagePolicy(reaches));
  if (lasting) void reply.header("cache-control", "public, max-age=31536000, immutable");
  if (gzip !== undefined) void reply.header("vary", "accept-encoding");
  if (takesGzip) void reply.header("content-encoding", "gzip");
  return reply.type(type).send(takesGzip ? gzip : body);
}

function servePages(app: FastifyInstance, { page, pages }: HttpPorts): void {
  app.setNotFoundHandler((request, reply) => {
    const [path = "/"] = request.url.split("?");
    const file = request.method === "GET" ? pages?.file(path) : undefined;
    if (file !== undefined) return sendPage(request, reply.code(200), file);
    if (request.method === "GET" && pages?.file(`${path}/`) !== undefined) return reply.redirect(`${path}/`);
    if (request.method === "GET" && path === "/")
      return reply.code(200).type("text/html; charset=utf-8").send(frontPage(page));
    return reply.code(404).type("text/plain; charset=utf-8").send("there is nothing here: see /\n");
  });
}

function serve(app: FastifyInstance, { ready, metrics, openRpc }: HttpPorts): void {
  app.get("/healthz", (_request, reply) => reply.type("text/plain; charset=utf-8").send("ok\n"));
  app.get("/readyz", async (_request, reply) => {
    const reasons = await ready();
    return reply.code(reasons.length === 0 ? 200 : 503).send({ ready: reasons.length === 0, reasons });
  });
  app.get("/metrics", async (_request, reply) =>
    reply.type("text/plain; version=0.0.4; charset=utf-8").send(await metrics()),
  );
  app.get("/openrpc.json", (_request, reply) => reply.type("application/json; charset=utf-8").send(openRpc()));
}

interface Asked {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

function upgrade(
  guard: Guard,
  connections: Connections,
  { sockets, clock, refused }: HttpPorts,
  { request, socket, head }: Asked,
): void {
  // Without a listener, an error on the unread socket would end the process.
  socket.on("error", () => socket.destroy());
  const refusal = guard.refusal(request.headersDistinct);
  const [path] = (request.url ?? "").split("?");
  const from = peerText(request.socket);
  if (refusal !== undefined) {
    refused(refusedBy(refusal, request));
    const isTold = refusal.why === "origin" && path === SOCKET_PATH;
    if (isTold && sockets.turnAway(request, socket, head, refusal.words)) return;
    refuse(socket, clock, { status: "403 Forbidden", why: refusal.words });
  } else if (path !== SOCKET_PATH) {
    refused({ from, why: "path" });
    refuse(socket, clock, { status: "404 Not Found", why: `the register's socket is at ${SOCKET_PATH}` });
  } else if (sockets.upgrade(request, socket, head)) connections.upgraded(request.socket);
  else {
    refused({ from, why: "full" });
    refuse(socket, clock, {
      status: "503 Service Unavailable",
      why: "no further socket is taken now",
      header: "Retry-After: 5",
    });
  }
}

function listenFailed(error: unknown, { host, port }: { readonly host: string; readonly port: number }): ListenFailed {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const where = `port ${port} on ${host}`;
  if (code === "EADDRINUSE")
    return new ListenFailed("busy", `${where} is taken: stop the program that has it, or choose another listen.port`, {
      cause: error,
    });
  if (code === "EACCES")
    return new ListenFailed(
      "no-permission",
      `${where} may not be opened by this user: choose a listen.port above 1023`,
      { cause: error },
    );
  return new ListenFailed(
    "failed",
    `${where} cannot be listened on (${String(code ?? "unknown reason")}): check listen.host`,
    { cause: error },
  );
}
