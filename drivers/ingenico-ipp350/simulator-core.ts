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

/** Delay of an answer, in milliseconds. */
const ANSWER_MS = 4;

/** A member of the family: its own name, and who asks for the PIN. */
export interface Unit {
  readonly device: string;
  readonly application: string;
  /** `in-transaction`: the device asks before the first cryptogram. `by-host`: the host asks (PROTOCOL.md 6.8). */
  readonly pin: "in-transaction" | "by-host";
}

/** State of a 33. transaction. */
export type Emv =
  | { readonly at: "none" }
  /** A card is in and 33.00 is outstanding; later events of the card are reported after it. */
  | { readonly at: "card-in"; readonly tells?: () => void }
  | { readonly at: "started" }
  /** 33.02 was sent: 04. and 13. are outstanding. */
  | { readonly at: "prepared" }
  | { readonly at: "confirmed" };

/** State of one device while it is powered. */
export interface Rba {
  readonly on: DeviceOn;
  readonly unit: Unit;
  readonly session: () => CardSession;
  kind: LineKind;
  readonly line: DeviceLine;
  /** The message whose answer waits for the customer. */
  pending: "23" | "31" | undefined;
  emv: Emv;
  amount: number | undefined;
  /** 23. also waits for a chip. */
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

/** Takes the next bytes and returns the bodies in them. */
export function hear(rba: Rba, chunk: Uint8Array): readonly Uint8Array[] {
  return rba.line.hear(lineRules(rba.kind), unpackFor(TO_DEVICE, rba.kind, chunk));
}

/** Sends a body after the device's usual delay. */
export function tell(rba: Rba, body: string, delayMs: number = ANSWER_MS): void {
  rba.line.soon(delayMs, () => rba.line.send(lineRules(rba.kind), encodeFrame(body)));
}

export function tellEmv(rba: Rba, step: string, objects: readonly Tlv[], textTags: readonly string[]): void {
  tell(rba, emvBody(step, [], objects, textTags));
}
