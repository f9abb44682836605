import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { Cancel, Clock } from "../kit/clock.ts";
import { toHex } from "../kit/hex.ts";
import type { Random } from "../kit/random.ts";
import { type ConnectionPorts, openConnection } from "./connection.ts";
import { LIMITS } from "./limits.ts";

/** The register's sockets. Whoever calls `upgrade` has looked at Host, Origin and path before. */
export interface RegisterSockets {
  /** False, and the socket is left as it was, where too many are open or the bridge stops. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** How many are open. */
  count(): number;
  /** Takes no new ones, tells the open ones to go (1001) and ends those that do not within a second. */
  close(): Promise<void>;
}

/** RFC 6455, 7.4.1. */
const GOING_AWAY = 1001;
const UNSUPPORTED = 1003;
/** What a socket that was told to close has to do so. */
const CLOSE_MS = 1_000;

export function openRegisterSockets(ports: ConnectionPorts & { readonly random: Random }): RegisterSockets {
  const { clock } = ports;
  const server = new WebSocketServer({ noServer: true, maxPayload: LIMITS.messageBytes, perMessageDeflate: false, clientTracking: true });
  let closing = false;

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): boolean => {
    if (closing || server.clients.size >= LIMITS.connections) return false;
    server.handleUpgrade(request, socket, head, (client) => serve(client, ports));
    return true;
  };
  const close = async (): Promise<void> => {
    closing = true;
    const clients = [...server.clients];
    await Promise.all(clients.map((client) => closeSocket(client, clock)));
  };
  return { upgrade, count: () => server.clients.size, close };
}

function serve(client: WebSocket, ports: ConnectionPorts & { readonly random: Random }): void {
  const send = (text: string): boolean => {
    if (client.bufferedAmount > LIMITS.bufferedBytes) return false;
    client.send(text);
    return true;
  };
  const close = (code: number, reason: string): void => {
    client.close(code, reason);
    endSoon(client, ports.clock);
  };
  const stopPinging = keepAlive(client, ports.clock);
  const connection = openConnection({ ...ports, nonce: toHex(ports.random.bytes(16)).toLowerCase() }, { send, close });
  client.on("message", (data, isBinary) => {
    if (isBinary) connection.end(UNSUPPORTED, "text frames only");
    else connection.receive(String(data));
  });
  // What is wrong with the frames of a client (too long, not UTF-8) closes its socket with the code that says so; there is nothing else to do about it.
  client.on("error", () => endSoon(client, ports.clock));
  client.on("close", () => {
    stopPinging();
    connection.closed();
  });
}

function keepAlive(client: WebSocket, clock: Clock): Cancel {
  let unanswered = 0;
  let cancel: Cancel;
  client.on("pong", () => {
    unanswered = 0;
  });
  const ping = (): void => {
    if (unanswered >= LIMITS.unansweredPings) {
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
  client.close(GOING_AWAY, "the bridge stops");
  endSoon(client, clock);
  return promise;
}
