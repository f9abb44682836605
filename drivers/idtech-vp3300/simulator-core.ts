import { concat } from "../../src/kit/bytes.ts";
import type { CardSession } from "../../src/simulator/card-session.ts";
import type { LineKind } from "../../src/simulator/simulated-terminal.ts";
import type { DeviceOn } from "../../src/simulator/terminal-body.ts";
import type { Attributed } from "./attributed.ts";
import { type Codec, newCodec, pack } from "./codec.ts";
import { encodeAnswer, encodeCommand } from "./frame.ts";
import type { Polling } from "./simulator-request.ts";
import { OK } from "./status-codes.ts";

/** How long the device takes to answer a plain command, in milliseconds. */
export const ANSWER_MS = 4;

export const EMPTY = new Uint8Array(0);

/** The command whose answer is outstanding, and what it was started with. */
export interface Running {
  readonly by: 0x02 | 0x60;
  readonly polling: Polling;
  /** By the monotonic clock: how long a card is waited for. */
  readonly endsAt: number;
  /** What is told beside the usual. */
  readonly output: readonly string[];
}

/** One device: what it remembers while it is on. */
export interface Neo {
  readonly on: DeviceOn;
  readonly firmware: string;
  readonly session: () => CardSession;
  line: LineKind;
  codec: Codec;
  running: Running | undefined;
  /** What was sealed last, as it is sent. */
  sealed: readonly Attributed[];
  /** 01-07: the slot is told of. */
  tellsSlot: boolean;
  /** Power came back since a host was last connected. */
  hasBooted: boolean;
  /** Answers still on their way when the link goes, or the device restarts, belong to an age that is over. */
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

/** Answers a command, after the device's usual time. */
export function reply(neo: Neo, command: number, status: number = OK, data: Uint8Array = EMPTY, delayMs: number = ANSWER_MS): void {
  soon(neo, delayMs, () => send(neo, encodeAnswer({ command, code: status, data })));
}

/** Something of the reader's own. */
export function tell(neo: Neo, command: number, code: number, data: Uint8Array): void {
  soon(neo, ANSWER_MS, () => send(neo, encodeCommand({ command, code, data })));
}
