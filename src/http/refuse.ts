import type { Duplex } from "node:stream";
import type { Clock } from "../kit/clock.ts";

export interface UpgradeRefusal {
  /** Code and words of the status line. */
  readonly status: string;
  /** One line for a person. */
  readonly why: string;
  readonly header?: string;
}

/** Time for a client to receive the answer of some hundred bytes. */
const WRITE_MS = 1_000;

/**
 * Refuses an upgrade and closes the connection. Node has released the socket: a client could otherwise hold its place,
 * and the process, indefinitely.
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
  // Discards further input: unread bytes would turn the close into a reset, which may overtake the answer.
  socket.resume();
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
