import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { ascii } from "../kit/bytes.ts";
import { bytesOfDigits } from "../kit/hex.ts";
import type { Attachment, SimulatedTerminal } from "./simulated-terminal.ts";
import type { TcpListener } from "./tcp-listener.ts";

/** No host sends as much in one message. */
const MOST_MESSAGE_BYTES = 64 * 1024;

/**
 * Makes a simulated terminal a WebSocket server on a port of the loopback interface, at any path; each message is one of the terminal's, in bytes or, as some hosts send it, as text in hexadecimal digits. A new host takes the line
 * from the one before it; while the terminal is unplugged every connection is closed at once. Rejects where the port cannot be had (the error has the code EADDRINUSE).
 */
export function serveWebSocket(terminal: SimulatedTerminal, port: number): Promise<TcpListener> {
  let current: WebSocket | undefined;
  const server = new WebSocketServer({ host: "127.0.0.1", port, perMessageDeflate: false, maxPayload: MOST_MESSAGE_BYTES });
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
  // A host that breaks the rules, or resets the connection, is gone as well; "close" follows.
  socket.on("error", () => attachment.detach());
  socket.on("close", () => attachment.detach());
}

/** RFC 6455, 7.4.1: data of a kind that is not taken. */
const UNSUPPORTED = 1003;

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return new Uint8Array(Buffer.concat(data));
  return new Uint8Array(data instanceof ArrayBuffer ? data : data.slice());
}
