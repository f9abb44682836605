import type { Tlv } from "../../src/emv/tlv.ts";
import { concat } from "../../src/kit/bytes.ts";
import type { Cancel } from "../../src/kit/clock.ts";
import type { CardSession } from "../../src/simulator/card-session.ts";
import type { LineKind } from "../../src/simulator/simulated-terminal.ts";
import type { DeviceOn } from "../../src/simulator/terminal-body.ts";
import {
  type LineState,
  type LineStep,
  type LineTimer,
  lineTimers,
  newLine,
  receiveOnLine,
  sendOnLine,
  tickOnLine,
} from "../../src/terminal/acknowledged-line.ts";
import { emvBody } from "./emv-message.ts";
import { encodeFrame } from "./frame.ts";
import { lineRules, packFor, unpackFor } from "./line.ts";
import { TO_DEVICE, TO_HOST } from "./reports.ts";

/** How long the device takes to acknowledge a frame, and to answer it, in milliseconds. */
const ACK_AFTER_MS = 1;
const ANSWER_MS = 4;

/** A member of the family: what it says of itself, and when a PIN is typed. */
export interface Unit {
  readonly device: string;
  readonly application: string;
  /** Before the first cryptogram, by the device itself, or when the host asks for it (PROTOCOL.md 6.8). */
  readonly pin: "in-transaction" | "by-host";
}

/** What a 33. transaction waits for. */
export type Emv =
  | { readonly at: "none" }
  /** A card is in, and 33.00 is outstanding; what became of the card meanwhile is told after it. */
  | { readonly at: "card-in"; readonly tells?: () => void }
  | { readonly at: "started" }
  /** 33.02 was told: 04. and 13. are outstanding. */
  | { readonly at: "prepared" }
  | { readonly at: "confirmed" };

/** One device: what it remembers while it is on. */
export interface Rba {
  readonly on: DeviceOn;
  readonly unit: Unit;
  readonly session: () => CardSession;
  kind: LineKind;
  line: LineState;
  readonly timers: Map<LineTimer, Cancel>;
  /** The message whose answer is outstanding until a person does something. */
  pending: "23" | "31" | undefined;
  emv: Emv;
  amount: number | undefined;
  /** 23. waits for a chip too. */
  takesChip: boolean;
  transactionType: string;
  clockOffsetMs: number;
  /** Answers still on their way when the link goes, or the device restarts, belong to an age that is over. */
  age: number;
}

export function newRba(on: DeviceOn, unit: Unit, session: () => CardSession): Rba {
  const fresh = {
    kind: "serial",
    line: newLine,
    timers: new Map<LineTimer, Cancel>(),
    pending: undefined,
    emv: { at: "none" },
    amount: undefined,
    takesChip: false,
  } as const;
  return { on, unit, session, ...fresh, transactionType: "01", clockOffsetMs: 0, age: 0 };
}

function soon(rba: Rba, delayMs: number, act: () => void): void {
  const { age } = rba;
  rba.on.clock.after(delayMs, () => {
    if (age === rba.age) act();
  });
}

/** Takes what arrived and gives the bodies in it. Acknowledgements go out a moment later: a device never answers from inside its ear. */
export function hear(rba: Rba, chunk: Uint8Array): readonly Uint8Array[] {
  const step = receiveOnLine(lineRules(rba.kind), rba.line, unpackFor(TO_DEVICE, rba.kind, chunk));
  rba.line = step.state;
  setTimers(rba, step);
  soon(rba, ACK_AFTER_MS, () => put(rba, step.write));
  return step.bodies;
}

/** Sends a body, after the device's usual time. */
export function tell(rba: Rba, body: string, delayMs: number = ANSWER_MS): void {
  soon(rba, delayMs, () => lined(rba, sendOnLine(lineRules(rba.kind), rba.line, encodeFrame(body))));
}

export function tellEmv(rba: Rba, step: string, objects: readonly Tlv[], textTags: readonly string[]): void {
  tell(rba, emvBody(step, [], objects, textTags));
}

function lined(rba: Rba, step: LineStep): void {
  rba.line = step.state;
  setTimers(rba, step);
  put(rba, step.write);
}

function put(rba: Rba, write: readonly Uint8Array[]): void {
  for (const bytes of write) rba.on.send(concat(...packFor(TO_HOST, rba.kind, bytes)));
}

/** A host that acknowledges nothing is given up without a word. */
function setTimers(rba: Rba, { timers, failed }: LineStep): void {
  for (const name of lineTimers) {
    const delay = failed === undefined ? timers[name] : "clear";
    if (delay === undefined) continue;
    rba.timers.get(name)?.();
    rba.timers.delete(name);
    if (delay === "clear") continue;
    const cancel = rba.on.clock.after(delay, () => {
      rba.timers.delete(name);
      lined(rba, tickOnLine(lineRules(rba.kind), rba.line, name));
    });
    rba.timers.set(name, cancel);
  }
}

/** A fresh line: whatever was on its way is gone. */
export function freshLine(rba: Rba): void {
  for (const cancel of rba.timers.values()) cancel();
  rba.timers.clear();
  rba.line = newLine;
  rba.age += 1;
}
