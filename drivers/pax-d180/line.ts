import type { LineRules } from "../../src/terminal/acknowledged-line.ts";
import { ACK, cutLine, NAK } from "./frame.ts";
import { isAnswerTo } from "./message.ts";
import { ACK_MS, GAP_MS, QUIET_MS, REPEAT_MS, SENDINGS } from "./timing.ts";

/** Acknowledgement rules of both sides (PROTOCOL.md 3). */
export const lineRules: LineRules = {
  cut: cutLine,
  ack: Uint8Array.of(ACK),
  nak: Uint8Array.of(NAK),
  ackMs: ACK_MS,
  tries: SENDINGS,
  gapMs: GAP_MS,
  repeatMs: REPEAT_MS,
  quietMs: QUIET_MS,
  answers: isAnswerTo,
};
