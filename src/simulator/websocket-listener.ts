import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { ascii } from "../kit/bytes.ts";
import { bytesOfDigits } from "../kit/hex.ts";
import type { Attachment, SimulatedTerminal } from "./simulated-terminal.ts";
import type { TcpListener } from "./tcp-listener.ts";

/** Larger than any message of a host. */
const MOST_MESSAGE_BYTES = 64 * 1024;

/**
 * Serves a simulated terminal by WebSocket on a loopback port, at any path. Messages are bytes, or hexadecimal text as
 * some hosts send. Otherwise like `serveTcp`.
 */
export function serveWebSocket(terminal: SimulatedTerminal, port: number): Promise<TcpListener> {
  let current: WebSocket | undefined;
  const server = new WebSocketServer({
    host: "127.0.0.1",
    port,
    perMessageDeflate: false,
    maxPayload: MOST_MESSAGE_BYTES,
  });
  server.on("connection", (socket) => {
    current?.terminate();
    if (!terminal.plugged()) {
      socket.terminate();
      return;
    }
    current = socket;
    serveHost(
      socket,
      terminal.attach((bytes) => socket.send(bytes, { binary: true }), "websocket"),
    );
  });
  terminal.onPlug((plugged) => {
    if (!plugged) current?.terminate();
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("listening", () => {
      server.off("error", reject);
      const address = server.address();
      resolve({
        port: typeof address === "object" && address !== null ? address.port : port,
        close: () =>
          new Promise((closed) => {
            current?.terminate();
            server.close(() => closed());
          }),
      });
    });
  });
}

function serveHost(socket: WebSocket, attachment: Attachment): void {
  socket.on("message", (data, isBinary) => {
    const bytes = isBinary ? bytesOf(data) : bytesOfDigits(ascii(bytesOf(data)));
    if (bytes === undefined) socket.close(UNSUPPORTED);
    else attachment.receive(bytes);
  });
  // A reset connection, or one with a protocol error, is gone too; "close" follows.
  socket.on("error", () => attachment.detach());
  socket.on("close", () => attachment.detach());
}

/** RFC 6455, 7.4.1: unsupported data. */
const UNSUPPORTED = 1003;

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return new Uint8Array(Buffer.concat(data));
  return new Uint8Array(data instanceof ArrayBuffer ? data : data.slice());
}
