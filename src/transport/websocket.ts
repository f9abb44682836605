import { type RawData, WebSocket } from "ws";
import { ascii } from "../kit/bytes.ts";
import type { Clock } from "../kit/clock.ts";
import { bytesOfDigits } from "../kit/hex.ts";
import { type Link, LinkError } from "../terminal/link.ts";
import { createIncoming, type Incoming } from "./incoming.ts";
import { createOutgoing } from "./outgoing.ts";
import { tcpError } from "./tcp.ts";

/** A terminal that is a WebSocket server (RFC 6455), without TLS. */
export interface WebSocketAddress {
  readonly host: string;
  readonly port: number;
  /** Begins with a slash. */
  readonly path: string;
}

/** Ping interval. A peer that vanished (power, cable) is given up at the next ping after an unanswered one. */
const PING_MS = 5_000;

/** Time for a closing link to send earlier writes; then it is cut. */
const CLOSE_MS = 1_000;

/** No terminal sends messages this long; the link breaks before such a message is stored. */
const MOST_MESSAGE_BYTES = 64 * 1024;

/**
 * Opens a link whose chunks are whole messages: binary, or incoming text in hexadecimal digits, which some devices send
 * instead. Rejects with a LinkError, at the latest after `connectMs`.
 */
export function openWebSocket(
  address: WebSocketAddress,
  options: { readonly connectMs: number; readonly clock: Clock },
): Promise<Link> {
  const { host, port, path } = address;
  const place = `${host}:${port}`;
  const named = host.includes(":") ? `[${host}]` : host;
  return new Promise((resolve, reject) => {
    const url = `ws://${named}:${port}${path}`;
    if (!URL.canParse(url)) {
      reject(new LinkError("failed", `${place} is no address; check connection.websocket`));
      return;
    }
    const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: MOST_MESSAGE_BYTES });
    const giveUp = (error: LinkError): void => {
      stopClock();
      socket.terminate();
      reject(error);
    };
    const failed = (error: Error): void => giveUp(handshakeError(place, error));
    const stopClock = options.clock.after(options.connectMs, () => {
      giveUp(
        new LinkError(
          "timeout",
          `${place} did not answer within ${options.connectMs} ms; is the terminal switched on and in this network?`,
        ),
      );
    });
    // Stays registered: an abandoned socket may still emit errors, which must be handled.
    socket.on("error", failed);
    socket.once("open", () => {
      stopClock();
      socket.off("error", failed);
      resolve(webSocketLink(socket, place, options.clock));
    });
  });
}

function webSocketLink(socket: WebSocket, place: string, clock: Clock): Link {
  const incoming = createIncoming(place);
  const outgoing = createOutgoing({
    device: place,
    send: (bytes, done) => socket.send(bytes, { binary: true }, done),
    failed: (error) => webSocketError(place, error),
  });
  const stopPings = keepAsking(socket, place, clock, incoming);
  const closed = new Promise<void>((resolve) => {
    socket.once("close", (code) => {
      stopPings();
      outgoing.breakOff(new LinkError("lost", `${place} is closed`));
      const why = whyClosed(code);
      if (why !== undefined) incoming.fail(new LinkError("lost", `${place}: ${why}`));
      incoming.end();
      resolve();
    });
  });
  socket.on("message", (data, isBinary) => {
    const bytes = isBinary ? bytesOf(data) : bytesOfDigits(ascii(bytesOf(data)));
    if (bytes === undefined)
      incoming.fail(
        new LinkError("failed", `${place} sent text where messages are binary; is this its address and port?`),
      );
    if (bytes === undefined || !incoming.push(bytes)) socket.terminate();
  });
  socket.on("error", (error) => incoming.fail(webSocketError(place, error)));
  return {
    incoming: incoming.chunks,
    write: outgoing.write,
    close: () => {
      incoming.end();
      outgoing.breakOff(new LinkError("lost", `${place} is closed`));
      socket.close();
      const stopClock = clock.after(CLOSE_MS, () => socket.terminate());
      socket.once("close", stopClock);
      return closed;
    },
  };
}

/** Normal closes (RFC 6455, 7.4.1): normal, going away, and none given. */
const USUAL: readonly number[] = [1000, 1001, 1005];

/** RFC 6455, 7.1.5 and 7.4.1, and its registry. The device's own reason is not repeated: its content is unknown. */
const CLOSINGS: Readonly<Record<number, string>> = {
  1002: "it found an error in the protocol and closed the connection",
  1006: "the connection was lost",
  1008: "it refuses this bridge as a client; is another program connected to it? Disconnect that, or allow more clients on the device",
  1009: "it holds no message as long as ours and closed the connection",
  1013: "it is busy and takes no client now; is another program connected to it?",
};

/** The device's reason for closing; undefined for a normal close. */
function whyClosed(code: number): string | undefined {
  if (USUAL.includes(code)) return undefined;
  return CLOSINGS[code] ?? `it closed the connection with code ${code}`;
}

/** Pings until stopped; a peer that leaves a ping unanswered is gone. */
function keepAsking(socket: WebSocket, place: string, clock: Clock, incoming: Incoming): () => void {
  let isAnswered = true;
  let stop = (): void => undefined;
  const ask = (): void => {
    if (!isAnswered) {
      incoming.fail(new LinkError("lost", `${place} does not answer any more; is it switched on and in this network?`));
      socket.terminate();
      return;
    }
    isAnswered = false;
    socket.ping();
    stop = clock.after(PING_MS, ask);
  };
  socket.on("pong", () => {
    isAnswered = true;
  });
  stop = clock.after(PING_MS, ask);
  return () => stop();
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return new Uint8Array(Buffer.concat(data));
  return new Uint8Array(data instanceof ArrayBuffer ? data : data.slice());
}

/** One line and a code for a failed handshake: no answer, or another protocol. */
function handshakeError(place: string, error: Error): LinkError {
  const [, status] = /^Unexpected server response: ([0-9]{3})$/.exec(error.message) ?? [];
  const refused = (what: string): LinkError => new LinkError("refused", `${place} ${what}`, { cause: error });
  if (status !== undefined)
    return refused(`is no WebSocket here (HTTP ${status}); is this the terminal's address and port?`);
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const hungUp = code === "ECONNRESET" || code === "EPIPE";
  // The answer's text is not repeated.
  if (hungUp || code.startsWith("HPE_") || code === "") {
    return refused(
      `${hungUp ? "hung up on" : "gave no sensible answer to"} the WebSocket handshake; is this its address and port? A port with TLS (443) cannot be used: set the terminal to port 80`,
    );
  }
  return tcpError(place, error);
}

/** One line and a code for an error of an open connection. */
export function webSocketError(place: string, error: Error): LinkError {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH")
    return new LinkError(
      "failed",
      `${place} sent a message of more than ${MOST_MESSAGE_BYTES} bytes; is this a terminal?`,
      { cause: error },
    );
  if (code.startsWith("WS_ERR_"))
    return new LinkError("failed", `${place} broke the rules of WebSocket (${code}); switch it off and on`, {
      cause: error,
    });
  return tcpError(place, error);
}
