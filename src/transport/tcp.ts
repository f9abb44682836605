import { connect, type Socket } from "node:net";
import type { Clock } from "../kit/clock.ts";
import { type Link, LinkError, type LinkErrorCode } from "../terminal/link.ts";
import { createIncoming } from "./incoming.ts";
import { createOutgoing } from "./outgoing.ts";

export interface TcpAddress {
  readonly host: string;
  readonly port: number;
}

/** Silence before the system probes a peer that vanished (power, cable); the probes take some ten more seconds. */
const KEEP_ALIVE_MS = 10_000;

/** Time for a closing link to send earlier writes; then it is cut. */
const CLOSE_MS = 1_000;

/** Opens a TCP link. Rejects with a LinkError, at the latest after `connectMs`. */
export function openTcp(
  address: TcpAddress,
  options: { readonly connectMs: number; readonly clock: Clock },
): Promise<Link> {
  const place = `${address.host}:${address.port}`;
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: address.host,
      port: address.port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_MS,
    });
    const giveUp = (error: LinkError): void => {
      stopClock();
      socket.destroy();
      reject(error);
    };
    const failed = (error: Error): void => giveUp(tcpError(place, error));
    const stopClock = options.clock.after(options.connectMs, () => {
      giveUp(
        new LinkError(
          "timeout",
          `${place} did not answer within ${options.connectMs} ms; is the terminal switched on and in this network?`,
        ),
      );
    });
    socket.on("error", failed);
    socket.once("connect", () => {
      stopClock();
      socket.off("error", failed);
      resolve(tcpLink(socket, place, options.clock));
    });
  });
}

function tcpLink(socket: Socket, place: string, clock: Clock): Link {
  const incoming = createIncoming(place);
  const outgoing = createOutgoing({
    device: place,
    send: (bytes, done) => socket.write(bytes, done),
    failed: (error) => tcpError(place, error),
  });
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => {
      outgoing.breakOff(new LinkError("lost", `${place} is closed`));
      incoming.end();
      resolve();
    });
  });
  socket.on("data", (bytes) => {
    if (!incoming.push(new Uint8Array(bytes))) socket.destroy();
  });
  socket.on("end", () => incoming.end());
  socket.on("error", (error) => incoming.fail(tcpError(place, error)));
  return {
    incoming: incoming.chunks,
    write: outgoing.write,
    close: () => {
      incoming.end();
      outgoing.breakOff(new LinkError("lost", `${place} is closed`));
      socket.destroySoon();
      const stopClock = clock.after(CLOSE_MS, () => socket.destroy());
      socket.once("close", stopClock);
      return closed;
    },
  };
}

const ERRORS: Readonly<Record<string, readonly [LinkErrorCode, string]>> = {
  ECONNREFUSED: ["refused", "nothing listens there; is the terminal on, and is this its address and port?"],
  ENOTFOUND: ["not-found", "this name has no address; check the name or use the IP address"],
  EAI_AGAIN: ["not-found", "this name could not be looked up; check the name server or use the IP address"],
  EHOSTUNREACH: ["not-found", "there is no way to it; are both in the same network?"],
  ENETUNREACH: ["not-found", "there is no way to it; are both in the same network?"],
  ENETDOWN: ["not-found", "this machine has no network; check its cable or wireless connection"],
  ETIMEDOUT: ["timeout", "no answer; is the terminal switched on and in this network?"],
  ECONNRESET: ["lost", "the connection was lost"],
  ECONNABORTED: ["lost", "the connection was lost"],
  EPIPE: ["lost", "the connection was lost"],
  ERR_STREAM_DESTROYED: ["lost", "the connection was lost"],
  EACCES: ["no-permission", "the system forbids this connection; check the firewall"],
  EPERM: ["no-permission", "the system forbids this connection; check the firewall"],
};

/** One line and a code for the system's error. */
export function tcpError(place: string, error: Error): LinkError {
  const known =
    "code" in error && typeof error.code === "string" && Object.hasOwn(ERRORS, error.code)
      ? ERRORS[error.code]
      : undefined;
  const [code, text] = known ?? ["failed", error.message];
  return new LinkError(code, `${place}: ${text}`, { cause: error });
}
