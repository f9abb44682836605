import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Socket } from "node:net";
import type { Receiver } from "./receiver.ts";

export interface ListenerOptions {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** PEM. */
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly path: string;
  /** Time limit for TLS and request; default 10 s. The gateway is faster. */
  readonly requestMs?: number;
}

export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

/** The port cannot be opened: `message` is one line that names the fix. */
export class WebhooksUnheard extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "WebhooksUnheard";
  }
}

/** The largest payment reply has some 10 KB, twice as many digits. */
const MAX_BODY_BYTES = 131_072;
const MAX_HEADER_BYTES = 8_192;
const REQUEST_MS = 10_000;
const MAX_CONNECTIONS = 64;

/**
 * The listener for the gateway's notifications, separate from the registers', because strangers reach it. Host and
 * Origin do not matter: only text encrypted with the webhook's key has an effect. Rejects with WebhooksUnheard.
 */
export async function listenForWebhooks(
  on: ListenerOptions,
  receiver: Receiver,
  problem: (error: unknown) => void,
): Promise<Listener> {
  const { requestMs = REQUEST_MS } = on;
  // By default Node checks every half minute and allows two minutes for a handshake: silent connections would take
  // every place.
  const times = {
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    handshakeTimeout: requestMs,
    connectionsCheckingInterval: requestMs / 10,
  };
  const limits = { maxHeaderSize: MAX_HEADER_BYTES, ...times };
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    serve(on.path, receiver, request, response).catch((error: unknown) => {
      problem(error);
      answer(response, 500, "the bridge failed at this request");
    });
  };
  const server =
    on.tls === undefined
      ? createServer(limits, listener)
      : createSecureServer({ ...limits, ...on.tls, minVersion: "TLSv1.2" }, listener);
  server.maxConnections = MAX_CONNECTIONS;
  // Node itself closes only connections with a completed TLS handshake.
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const port = await listen(server, on);
  // A connection that could not be accepted, because file descriptors ran out, must not end the bridge.
  server.on("error", problem);
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function listen(server: Server, { host, port }: ListenerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => {
      const code = "code" in error ? String(error.code) : error.message;
      const mend = code === "EADDRINUSE" ? "stop the program that has it, or choose another" : "check host and port";
      reject(
        new WebhooksUnheard(`webhooks.listen: port ${port} on ${host} cannot be listened on (${code}): ${mend}`, {
          cause: error,
        }),
      );
    };
    server.once("error", failed);
    server.listen({ host, port }, () => {
      server.off("error", failed);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

async function serve(
  path: string,
  receiver: Receiver,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.url?.split("?")[0] !== path) return answer(response, 404, "there is nothing here");
  if (request.method !== "POST") return answer(response, 405, "notifications are posted");
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES)
    return answer(response, 413, `the body is longer than ${MAX_BODY_BYTES} bytes`);
  const body = await bodyOf(request);
  if (body === undefined) return void response.destroy();
  const single = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as const] : [],
  );
  const { status, words } = receiver.receive({ headers: Object.fromEntries(single), body });
  answer(response, status, words);
}

/** Undefined: the sender has gone, or exceeded the limit without announcing it, which closes the connection. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of request) {
      const bytes = Buffer.from(part);
      length += bytes.length;
      if (length > MAX_BODY_BYTES) return undefined;
      parts.push(bytes);
    }
  } catch {
    // The connection broke: nobody is left to answer.
    return undefined;
  }
  return Buffer.concat(parts).toString("latin1");
}

/** A refused request may leave part of its body unread, so the connection is closed. */
function answer(response: ServerResponse, status: number, words: string): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    ...(status >= 400 && { connection: "close" }),
    ...(status === 405 && { allow: "POST" }),
  });
  response.end(`${words}\n`);
}
