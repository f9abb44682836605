import { concat } from "../../src/kit/bytes.ts";
import type { CardSession } from "../../src/simulator/card-session.ts";
import type { LineKind } from "../../src/simulator/simulated-terminal.ts";
import type { DeviceOn } from "../../src/simulator/terminal-body.ts";
import type { Attributed } from "./attributed.ts";
import { type Codec, newCodec, pack } from "./codec.ts";
import { encodeAnswer, encodeCommand } from "./frame.ts";
import type { Polling } from "./simulator-request.ts";
import { OK } from "./status-codes.ts";

/** Delay of an answer to a plain command, in milliseconds. */
export const ANSWER_MS = 4;

export const EMPTY = new Uint8Array(0);

/** The outstanding command and its parameters. */
export interface Running {
  readonly by: 0x02 | 0x60;
  readonly polling: Polling;
  /** End of the wait for a card, by the monotonic clock. */
  readonly endsAt: number;
  /** Tags requested in addition to the default ones. */
  readonly output: readonly string[];
}

/** State of one device while it is powered. */
export interface Neo {
  readonly on: DeviceOn;
  readonly firmware: string;
  readonly session: () => CardSession;
  line: LineKind;
  codec: Codec;
  running: Running | undefined;
  /** Latest encrypted card data, ready to send. */
  sealed: readonly Attributed[];
  /** 01-07: slot changes are reported. */
  tellsSlot: boolean;
  /** Power came back after the last host connection. */
  hasBooted: boolean;
  /** Increases with each lost link or restart; answers scheduled before it are dropped. */
  age: number;
}

export function newNeo(on: DeviceOn, firmware: string, session: () => CardSession): Neo {
  const fresh = { line: "serial", codec: newCodec("serial"), running: undefined, sealed: [] } as const;
  return { on, firmware, session, ...fresh, tellsSlot: false, hasBooted: false, age: 0 };
}

export function soon(neo: Neo, delayMs: number, act: () => void): void {
  const { age } = neo;
  neo.on.clock.after(delayMs, () => {
    if (age === neo.age) act();
  });
}

function send(neo: Neo, frame: Uint8Array): void {
  neo.on.send(concat(...pack(neo.line, frame)));
}

/** Answers a command after the device's usual delay. */
export function reply(
  neo: Neo,
  command: number,
  status: number = OK,
  data: Uint8Array = EMPTY,
  delayMs: number = ANSWER_MS,
): void {
  soon(neo, delayMs, () => send(neo, encodeAnswer({ command, code: status, data })));
}

/** Sends an unsolicited message. */
export function tell(neo: Neo, command: number, code: number, data: Uint8Array): void {
  soon(neo, ANSWER_MS, () => send(neo, encodeCommand({ command, code, data })));
}
