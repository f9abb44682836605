import type { Tlv } from "../../src/emv/tlv.ts";
import { concat } from "../../src/kit/bytes.ts";
import type { CardSession } from "../../src/simulator/card-session.ts";
import { createDeviceLine, type DeviceLine } from "../../src/simulator/device-line.ts";
import type { LineKind } from "../../src/simulator/simulated-terminal.ts";
import type { DeviceOn } from "../../src/simulator/terminal-body.ts";
import { emvBody } from "./emv-message.ts";
import { encodeFrame } from "./frame.ts";
import { lineRules, packFor, unpackFor } from "./line.ts";
import { TO_DEVICE, TO_HOST } from "./reports.ts";

/** How long the device takes to answer a message, in milliseconds. */
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
  readonly line: DeviceLine;
  /** The message whose answer is outstanding until a person does something. */
  pending: "23" | "31" | undefined;
  emv: Emv;
  amount: number | undefined;
  /** 23. waits for a chip too. */
  takesChip: boolean;
  transactionType: string;
  clockOffsetMs: number;
}

export function newRba(on: DeviceOn, unit: Unit, session: () => CardSession): Rba {
  const put = (bytes: Uint8Array): void => on.send(concat(...packFor(TO_HOST, rba.kind, bytes)));
  const fresh = {
    kind: "serial",
    pending: undefined,
    emv: { at: "none" },
    amount: undefined,
    takesChip: false,
    transactionType: "01",
    clockOffsetMs: 0,
  } as const;
  const rba: Rba = { on, unit, session, line: createDeviceLine(on.clock, put), ...fresh };
  return rba;
}

/** Takes what arrived and gives the bodies in it. */
export function hear(rba: Rba, chunk: Uint8Array): readonly Uint8Array[] {
  return rba.line.hear(lineRules(rba.kind), unpackFor(TO_DEVICE, rba.kind, chunk));
}

/** Sends a body, after the device's usual time. */
export function tell(rba: Rba, body: string, delayMs: number = ANSWER_MS): void {
  rba.line.soon(delayMs, () => rba.line.send(lineRules(rba.kind), encodeFrame(body)));
}

export function tellEmv(rba: Rba, step: string, objects: readonly Tlv[], textTags: readonly string[]): void {
  tell(rba, emvBody(step, [], objects, textTags));
}
