import { positionOf } from "../kit/cursor.ts";
import { changeSchema, helloSchema } from "../register/rpc/schemas.ts";
import type { Change, Hello } from "./api.ts";
import { type Calls, openCalls } from "./calls.ts";
import { ConnectionLost, ProtocolBroken } from "./errors.ts";
import { readTolerantly } from "./tolerant.ts";
import type { OpenSocket } from "./wire-socket.ts";

/** One socket to a bridge, its calls and its notifications. */
export interface Line {
  readonly calls: Calls;
  /** The bridge's first message. Rejects if it never comes. */
  readonly hello: Promise<Hello>;
  /** Resolves with the reason why the socket closed. */
  readonly closed: Promise<Error>;
  /** The highest cursor of a change since `startAt`, or the cursor set by it. */
  cursor(): string;
  startAt(cursor: string): void;
  close(): void;
  /** Closes because of a wrong or missing message of the bridge. */
  abandon(error: Error): void;
}

interface LineOptions {
  readonly url: string;
  readonly openSocket: OpenSocket;
  onChange(change: Change): void;
  onNotification(method: string, params: unknown): void;
}

export function openLine({ url, openSocket, onChange, onNotification }: LineOptions): Line {
  const hello = Promise.withResolvers<Hello>();
  const closed = Promise.withResolvers<Error>();
  let cursor = "0";

  const notified = (method: string, params: unknown): void => {
    if (method === "bridge.hello") hello.resolve(readTolerantly(helloSchema, params, method));
    if (method !== "payment.changed") {
      if (method !== "bridge.hello") onNotification(method, params);
      return;
    }
    const change = readTolerantly(changeSchema, params, method);
    // A change of the prompt alone carries the last cursor of its payment, which may be lower.
    if (positionOf(change.cursor) > positionOf(cursor)) cursor = change.cursor;
    onChange(change);
  };
  /** The first reason counts: the bridge says why before it closes. */
  const end = (error: Error): void => {
    calls.lost(error);
    hello.reject(error);
    closed.resolve(error);
  };
  const abandon = (error: Error): void => {
    end(error);
    socket.close();
  };
  const text = (frame: string): void => {
    try {
      calls.text(frame);
    } catch (error) {
      if (!(error instanceof ProtocolBroken)) throw error;
      abandon(error);
    }
  };
  const calls = openCalls({ send: (frame) => socket.send(frame), notified, refused: end });
  const socket = openSocket(url, { text, closed: (code, reason) => end(new ConnectionLost(code, reason)) });
  // Prevents an unhandled rejection; callers that wait for the hello still get it.
  hello.promise.catch(() => undefined);
  const startAt = (from: string): void => {
    cursor = from;
  };
  return {
    calls,
    hello: hello.promise,
    closed: closed.promise,
    cursor: () => cursor,
    startAt,
    close: () => socket.close(1000),
    abandon,
  };
}
