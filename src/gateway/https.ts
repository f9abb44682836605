import type { Socket } from "node:net";
import { buildConnector, Client } from "undici";
import type { Clock } from "../kit/clock.ts";
import { gatewayBase } from "./base-url.ts";
import type { HttpExchange, HttpFault, HttpOutcome, HttpRequest } from "./http-exchange.ts";
import { createLinePool, type Line } from "./line-pool.ts";

export interface HttpsOptions {
  readonly baseUrl: string;
  readonly clock: Clock;
  /**
   * A certificate authority (PEM) that replaces the platform's, for a gateway in a private network. Certificates are
   * always verified.
   */
  readonly ca?: string;
  /** A certificate and its private key (PEM), for a gateway that asks for one (mutual TLS). */
  readonly clientCertificate?: { readonly cert: string; readonly key: string };
}

/** Largest answer that is read; a longer one is `broken`. */
export const MAX_BODY_BYTES = 1_048_576;
/** Time limit for TCP and TLS together. */
const CONNECT_MS = 10_000;
/**
 * How long a connection opened ahead waits for its request. Servers and middleboxes drop silent connections after 60 s
 * and more, some without notice.
 */
export const AHEAD_MS = 20_000;
/** How long a connection may be reused after its last answer. The most impatient servers close after 5 s. */
export const KEEP_MS = 4_000;

/**
 * Disables undici's own idle timer: it could close a connection just as a request is given to it, and the request would
 * be lost. The pool decides.
 */
const NEVER_MS = 600_000;

export interface Https extends HttpExchange {
  /** Closes idle connections. After a machine has slept they may be dead, and a request sent on them would be lost. */
  forgetResting(): void;
}

/** An undici client that was given one socket and gets no second. */
interface HttpsLine extends Line {
  readonly client: Client;
}

type Opened =
  | { readonly ok: true; readonly line: HttpsLine }
  | { readonly ok: false; readonly detail: string; readonly fault?: HttpFault };
type Open = (withinMs: number) => Promise<Opened>;

/**
 * The connection is opened before it gets a request, so that `not-sent` is a proof; later, everything but a complete
 * answer is `broken`. A line never gets a second socket, so that no request is sent twice.
 */
export function createHttps(on: HttpsOptions): Https {
  const { clock } = on;
  const base = gatewayBase(on.baseUrl);
  const pool = createLinePool<HttpsLine>(clock);
  const inUse = new Set<HttpsLine>();
  const open = opener(on, base);
  let opening = false;
  let closed = false;

  const rest = (line: HttpsLine, forMs: number): void => {
    if (closed || !line.isAlive()) line.destroy();
    else pool.rest(line, forMs);
  };

  return {
    exchange: async (request) => {
      const started = clock.monotonic();
      if (closed) return notSent("the client is closed");
      const url = URL.parse(request.url);
      if (url?.origin !== base.origin) return notSent("the address is not the gateway's");
      const taken = pool.take();
      const opened: Opened = taken === undefined ? await open(request.deadlineMs) : { ok: true, line: taken };
      if (!opened.ok) return notSent(opened.detail, opened.fault);
      const { line } = opened;
      const leftMs = request.deadlineMs - (clock.monotonic() - started);
      if (closed || leftMs <= 0) {
        rest(line, KEEP_MS);
        return closed ? notSent("the client is closed") : notSent("no time was left to send it", "timeout");
      }
      inUse.add(line);
      const { outcome, keepMs } = await send(line, url, request, leftMs, clock);
      inUse.delete(line);
      if (keepMs > 0) rest(line, keepMs);
      else line.destroy();
      return outcome;
    },
    warm: () => {
      if (closed || opening || pool.hasFresh(KEEP_MS)) return;
      opening = true;
      void open(CONNECT_MS).then((opened) => {
        opening = false;
        if (opened.ok) rest(opened.line, AHEAD_MS);
      });
    },
    forgetResting: pool.dropAll,
    close: async () => {
      closed = true;
      pool.dropAll();
      for (const line of inUse) line.destroy();
    },
  };
}

const notSent = (detail: string, fault?: HttpFault): HttpOutcome => ({
  is: "not-sent",
  detail,
  ...(fault && { fault }),
});

function opener({ clock, ca, clientCertificate }: HttpsOptions, base: URL): Open {
  const shown = { ...(ca !== undefined && { ca }), ...clientCertificate };
  // Stated here because environment variables can change the defaults of the process (NODE_TLS_REJECT_UNAUTHORIZED).
  const connect = buildConnector({
    allowH2: false,
    timeout: CONNECT_MS,
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    ...shown,
  });
  const { host, protocol, port } = base;
  const hostname = base.hostname.replace(/^\[(.*)\]$/, "$1");
  return (withinMs) =>
    new Promise((resolve) => {
      if (withinMs <= 0) {
        resolve({ ok: false, detail: "no time was left to connect", fault: "timeout" });
        return;
      }
      let late = false;
      const cancel = clock.after(withinMs, () => {
        late = true;
        resolve({ ok: false, detail: `no connection to ${host} within ${Math.round(withinMs)} ms`, fault: "timeout" });
      });
      connect({ host, hostname, protocol, port }, (error, socket) => {
        cancel();
        if (error !== null)
          resolve({ ok: false, detail: `no connection to ${host}: ${wordsOf(error)}`, ...faultOf(error) });
        else if (late) socket.destroy();
        else resolve({ ok: true, line: lineOn(base, socket) });
      });
    });
}

function lineOn(base: URL, socket: Socket): HttpsLine {
  let given = false;
  const client = new Client(base.origin, {
    connect: (_, callback) => {
      const first = !given;
      given = true;
      // Deferred: undici is still setting itself up during this call and would forget the request.
      queueMicrotask(() => (first ? callback(null, socket) : callback(new Error("the connection is gone"), null)));
    },
    allowH2: false,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: NEVER_MS,
    keepAliveMaxTimeout: NEVER_MS,
    keepAliveTimeoutThreshold: -NEVER_MS,
    maxResponseSize: MAX_BODY_BYTES,
  });
  // Nobody reads an idle connection. A 408 from the server, and the end of the stream behind it, lie unread in the
  // socket.
  const isAlive = (): boolean =>
    !socket.destroyed && socket.writable && !socket.readableEnded && socket.readableLength === 0;
  const destroy = (): void => {
    void client.destroy();
    socket.destroy();
  };
  return { client, isAlive, destroy };
}

/** `keepMs`: how long the line may be reused; 0: not at all. */
interface Sent {
  readonly outcome: HttpOutcome;
  readonly keepMs: number;
}

async function send(
  { client }: HttpsLine,
  url: URL,
  request: HttpRequest,
  leftMs: number,
  clock: Clock,
): Promise<Sent> {
  const abort = new AbortController();
  const cancel = clock.after(leftMs, () =>
    abort.abort(new Error(`no whole answer within ${Math.round(request.deadlineMs)} ms`)),
  );
  const { method, headers, body = null } = request;
  try {
    const response = await client.request({
      path: `${url.pathname}${url.search}`,
      method,
      headers,
      body,
      signal: abort.signal,
    });
    const text = await response.body.text();
    const { location, date, "keep-alive": said } = response.headers;
    const headersRead = {
      ...(typeof location === "string" && { location }),
      ...(typeof date === "string" && { date }),
    };
    const outcome = { is: "answered", status: response.statusCode, ...headersRead, body: text } as const;
    return { outcome, keepMs: keepMsOf(said) };
  } catch (error) {
    const fault = abort.signal.aborted ? ({ fault: "timeout" } as const) : faultOf(error);
    return { outcome: { is: "broken", detail: wordsOf(error), ...fault }, keepMs: 0 };
  } finally {
    cancel();
  }
}

/** `Keep-Alive: timeout=5` (seconds) says when the server closes. The line expires a second earlier. */
function keepMsOf(said: string | string[] | undefined): number {
  const seconds = /(?:^|[,\s])timeout=([0-9]{1,6})/i.exec(String(said ?? ""))?.[1];
  return seconds === undefined ? KEEP_MS : Math.min(KEEP_MS, Number(seconds) * 1000 - 1000);
}

const TIMEOUT = /^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/;
/** OpenSSL's codes for certificates, and Node's for the rest of TLS. */
const TLS =
  /^(?:ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_|HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED)/;

/** Empty: the network failed. The first of several addresses decides. */
function faultOf(error: unknown): { readonly fault?: HttpFault } {
  if (error instanceof AggregateError && error.errors.length > 0) return faultOf(error.errors[0]);
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  if (TIMEOUT.test(code)) return { fault: "timeout" };
  return TLS.test(code) ? { fault: "tls" } : {};
}

const MAX_WORDS = 200;

/** The platform's code and message, for each address that was tried. Neither repeats anything of the request. */
function wordsOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.map(wordsOf).join("; ").slice(0, MAX_WORDS);
  if (!(error instanceof Error)) return "unknown cause";
  const code = "code" in error && typeof error.code === "string" ? `${error.code} ` : "";
  return `${code}${error.message}`.slice(0, MAX_WORDS);
}
