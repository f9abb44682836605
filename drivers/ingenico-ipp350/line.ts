import type { OnLine } from "../../src/terminal/acknowledged-driver.ts";
import type { LineRules } from "../../src/terminal/acknowledged-line.ts";
import type { TransportKind } from "../../src/terminal/driver.ts";
import { ACK, bodyOf, cutFrames, NAK } from "./frame.ts";
import { bytesIn, type ReportId, reportsOf, TO_DEVICE, TO_HOST } from "./reports.ts";
import { ACK_MS, FRAME_TRIES, GAP_MS, REPEAT_MS } from "./timing.ts";

/** Both sides keep the same rules (PROTOCOL.md 2.3). */
export function lineRules(transport: TransportKind): LineRules {
  return {
    cut: cutFrames(transport === "tcp"),
    ack: Uint8Array.of(ACK),
    nak: Uint8Array.of(NAK),
    ackMs: ACK_MS,
    tries: FRAME_TRIES,
    gapMs: GAP_MS,
    repeatMs: REPEAT_MS,
    answers,
  };
}

/** Where the number of the message ends. */
const ID_DIGITS = 2;

/** An answer repeats the number of its message. */
function answers(sent: Uint8Array, body: Uint8Array): boolean {
  const asked = bodyOf(sent);
  return asked.length > ID_DIGITS && body.length > ID_DIGITS && asked.subarray(0, ID_DIGITS).every((digit, at) => digit === body[at]);
}

/** The stream's bytes as one side puts them onto a transport, and takes them off it. */
export function packFor(id: ReportId, transport: TransportKind, bytes: Uint8Array): readonly Uint8Array[] {
  return transport === "usb" ? reportsOf(id, bytes) : [bytes];
}

export function unpackFor(id: ReportId, transport: TransportKind, chunk: Uint8Array): Uint8Array {
  return transport === "usb" ? bytesIn(id, chunk) : chunk;
}

/** The host's side. */
export const hostLine: OnLine = {
  rules: lineRules,
  unpack: (transport, chunk) => unpackFor(TO_HOST, transport, chunk),
  pack: (transport, bytes) => packFor(TO_DEVICE, transport, bytes),
};
