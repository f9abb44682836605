import type { OnLine } from "../../src/terminal/acknowledged-driver.ts";
import type { LineRules } from "../../src/terminal/acknowledged-line.ts";
import type { TransportKind } from "../../src/terminal/driver.ts";
import { ACK, AROUND, cutFrames, NAK } from "./frame.ts";
import { bytesIn, type ReportId, reportsOf, TO_DEVICE, TO_HOST } from "./reports.ts";
import { ACK_MS, FRAME_TRIES, GAP_MS, QUIET_MS, REPEAT_MS } from "./timing.ts";

/** Length of a message number, at the start of a body. */
const ID_DIGITS = 2;

/** Host and device follow the same rules (PROTOCOL.md 2.3). */
export function lineRules(transport: TransportKind): LineRules {
  return transport === "tcp" ? overNetwork : overCable;
}

const overCable = rulesWith(cutFrames(false));
const overNetwork = rulesWith(cutFrames(true));

function rulesWith(cut: LineRules["cut"]): LineRules {
  return {
    cut,
    ack: Uint8Array.of(ACK),
    nak: Uint8Array.of(NAK),
    ackMs: ACK_MS,
    tries: FRAME_TRIES,
    gapMs: GAP_MS,
    repeatMs: REPEAT_MS,
    quietMs: QUIET_MS,
    answers,
  };
}

/** An answer begins with the two digits of its message number. */
function answers(sent: Uint8Array, body: Uint8Array): boolean {
  const isLonger = sent.length > AROUND + ID_DIGITS && body.length > ID_DIGITS;
  return isLonger && sent[1] === body[0] && sent[2] === body[1];
}

/** Wraps the stream's bytes for a transport; unpackFor reverses it. */
export function packFor(id: ReportId, transport: TransportKind, bytes: Uint8Array): readonly Uint8Array[] {
  return transport === "usb" ? reportsOf(id, bytes) : [bytes];
}

export function unpackFor(id: ReportId, transport: TransportKind, chunk: Uint8Array): Uint8Array {
  return transport === "usb" ? bytesIn(id, chunk) : chunk;
}

export const hostLine: OnLine = {
  rules: lineRules,
  unpack: (transport, chunk) => unpackFor(TO_HOST, transport, chunk),
  pack: (transport, bytes) => packFor(TO_DEVICE, transport, bytes),
};
