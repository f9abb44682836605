import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import { type WebSocket, WebSocketServer } from "ws";
import type { Cancel, Clock } from "../../kit/clock.ts";
import { isLoopback } from "../../kit/loopback.ts";
import { peerText } from "../../kit/peer.ts";
import { createPlaces, type PlaceLimits } from "../../kit/places.ts";
import type { Random } from "../../kit/random.ts";
import type { SocketFacts } from "../pairing/introduction.ts";
import { placeOf, plainAddress } from "../pairing/place.ts";
import { ENDINGS } from "./close-reasons.ts";
import { type Connection, type ConnectionPorts, openConnection } from "./connection.ts";
import { LIMITS } from "./limits.ts";
import { errorText, originNotAllowed } from "./rpc.ts";

/** The register's sockets. The caller of `upgrade` has checked Host, Origin and path. */
export interface RegisterSockets {
  /** False, without touching the socket: all sessions are taken, or the bridge stops. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Tells a page of a foreign origin why it is refused, and closes its socket. False: the bridge stops. */
  turnAway(request: IncomingMessage, socket: Duplex, head: Buffer, words: string): boolean;
  /** Number of open sockets. */
  count(): number;
  /** Refuses new sockets, closes the open ones (1001) and ends the rest after a second. */
  close(): Promise<void>;
}

/** Time for a socket to close after it was told to. */
const CLOSE_MS = 1_000;

/** Limits on the number of sockets. */
export interface SocketLimits {
  readonly sessions: number;
  readonly withoutSession: PlaceLimits;
}

const SOCKETS: SocketLimits = {
  sessions: LIMITS.sessions,
  withoutSession: { all: LIMITS.withoutSession, perAddress: LIMITS.withoutSessionPerAddress },
};

type SocketPorts = ConnectionPorts & { readonly random: Random };

const NONCE_BYTES = 32;

/** A socket that has no session yet. */
interface Stranger {
  /** Closes it at once: a newer socket gets its place. */
  giveWay(): void;
}

function socketServer(maxPayload: number): WebSocketServer {
  return new WebSocketServer({ noServer: true, maxPayload, perMessageDeflate: false, clientTracking: true });
}

export function openRegisterSockets(ports: SocketPorts, limits: SocketLimits = SOCKETS): RegisterSockets {
  const { clock } = ports;
  const server = socketServer(LIMITS.messageBytes);
  const foreign = socketServer(1);
  const strangers = createPlaces<Stranger>(limits.withoutSession);
  const sessions = new Set<WebSocket>();
  let closing = false;

  const open = (client: WebSocket, request: IncomingMessage): void => {
    const { socket } = request;
    const admit = (): boolean => {
      if (sessions.size >= limits.sessions) return false;
      strangers.leave(stranger);
      sessions.add(client);
      return true;
    };
    const keep = (isKept: boolean): void => {
      if (sessions.has(client)) return;
      if (isKept) strangers.leave(stranger);
      else strangers.take(stranger, socket.remoteAddress)?.giveWay();
    };
    const end = serve(client, { ...ports, socket: factsOf(request, ports.random) }, admit, keep);
    const giveWay = (): void => {
      end("gave-way");
      // Does not wait for the closing handshake, which an attacker would not answer.
      socket.destroySoon();
    };
    const stranger: Stranger = { giveWay };
    client.once("close", () => {
      strangers.leave(stranger);
      sessions.delete(client);
    });
    strangers.take(stranger, socket.remoteAddress)?.giveWay();
  };
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): boolean => {
    if (closing || sessions.size >= limits.sessions) return false;
    server.handleUpgrade(request, socket, head, (client) => open(client, request));
    return true;
  };
  const turnAway: RegisterSockets["turnAway"] = (request, socket, head, words) => {
    if (closing) return false;
    foreign.handleUpgrade(request, socket, head, (client) => sendAway(client, words, clock));
    return true;
  };
  const close = async (): Promise<void> => {
    closing = true;
    for (const client of foreign.clients) client.terminate();
    const clients = [...server.clients];
    await Promise.all(clients.map((client) => closeSocket(client, clock)));
  };
  return { upgrade, turnAway, count: () => server.clients.size, close };
}

/** Reads nothing: any frame of the page is above the limit. */
function sendAway(client: WebSocket, words: string, clock: Clock): void {
  client.on("error", () => endSoon(client, clock));
  client.send(errorText(null, originNotAllowed(words)));
  const { code, reason } = ENDINGS["origin-not-allowed"];
  client.close(code, reason);
  endSoon(client, clock);
}

function factsOf({ socket, headers }: IncomingMessage, random: Random): SocketFacts {
  const { origin, host } = headers;
  const { localAddress, localPort, remoteAddress = "" } = socket;
  return {
    nonce: Buffer.from(random.bytes(NONCE_BYTES)).toString("base64url"),
    place: placeOf({ origin, host, localAddress, localPort, isSecure: socket instanceof TLSSocket }),
    isLocal: isLoopback(plainAddress(remoteAddress)),
    from: peerText(socket),
  };
}

/** Returns the function that ends the socket. */
function serve(
  client: WebSocket,
  ports: ConnectionPorts & { readonly socket: SocketFacts },
  admit: () => boolean,
  keep: (isKept: boolean) => void,
): Connection["end"] {
  const send = (text: string): boolean => {
    if (client.bufferedAmount > LIMITS.bufferedBytes) return false;
    client.send(text);
    return true;
  };
  const close = (code: number, reason: string): void => {
    client.close(code, reason);
    endSoon(client, ports.clock);
  };
  const connection = openConnection(ports, { send, close, admit, keep, waiting: () => client.bufferedAmount });
  const stopPinging = keepAlive(client, ports.clock, () =>
    ports.audit({ on: "socket-ended", from: ports.socket.from, why: "pings-unanswered" }),
  );
  client.on("message", (data, isBinary) => {
    if (isBinary) connection.end("binary-frame");
    else connection.receive(String(data));
  });
  // A frame error (too long, not UTF-8) closes the socket with its own code; nothing else is to be done.
  client.on("error", () => endSoon(client, ports.clock));
  client.on("close", () => {
    stopPinging();
    connection.closed();
  });
  return connection.end;
}

/** `gone`: two pings had no answer, and the socket is closed. */
function keepAlive(client: WebSocket, clock: Clock, gone: () => void): Cancel {
  let unanswered = 0;
  let cancel: Cancel;
  client.on("pong", () => {
    unanswered = 0;
  });
  const ping = (): void => {
    if (unanswered >= LIMITS.unansweredPings) {
      gone();
      client.terminate();
      return;
    }
    unanswered += 1;
    client.ping();
    cancel = clock.after(LIMITS.pingMs, ping);
  };
  cancel = clock.after(LIMITS.pingMs, ping);
  return () => cancel();
}

/** A peer that does not answer the closing handshake must not keep the socket. */
function endSoon(client: WebSocket, clock: Clock): void {
  const cancel = clock.after(CLOSE_MS, () => client.terminate());
  client.once("close", cancel);
}

function closeSocket(client: WebSocket, clock: Clock): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  client.once("close", () => resolve());
  const { code, reason } = ENDINGS.stopping;
  client.close(code, reason);
  endSoon(client, clock);
  return promise;
}
