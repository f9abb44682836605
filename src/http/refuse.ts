import type { Duplex } from "node:stream";
import type { Clock } from "../kit/clock.ts";

export interface UpgradeRefusal {
  /** Code and words of the status line. */
  readonly status: string;
  /** One line for a person. */
  readonly why: string;
  readonly header?: string;
}

/** What a client has to take the answer; it is some hundred bytes. */
const WRITE_MS = 1_000;

/**
 * Answers an upgrade that is not granted, and takes the connection away. Node has let go of the socket, so that nobody else would end it: a client that keeps its own side open
 * would hold its place, and the process, for as long as it likes.
 */
export function refuse(socket: Duplex, clock: Clock, { status, why, header }: UpgradeRefusal): void {
  const body = `${why}\n`;
  const head = [
    `HTTP/1.1 ${status}`,
    "Connection: close",
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(header === undefined ? [] : [header]),
  ];
  const cancel = clock.after(WRITE_MS, () => socket.destroy());
  socket.once("close", cancel);
  socket.once("finish", () => socket.destroy());
  // What the client has sent besides is thrown away: unread bytes would turn the end into a reset, which may overtake the answer.
  socket.resume();
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
