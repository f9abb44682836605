import { CHAINED, framingBy, UNSOLICITED } from "../vipa/frame.ts";

/**
 * Largest accepted message, in bytes (PROTOCOL.md 2.6): four times the longest answer seen, a configuration list of
 * 840.
 */
export const LONGEST_MESSAGE = 4096;

/**
 * PIN pad (01) and the hub on the same link (02), each with its own chain (PROTOCOL.md 2.1). No packet holds a single
 * byte.
 */
export const framing = framingBy({
  nads: [0x01, 0x02],
  otherNad: "neither 01 nor 02",
  flags: CHAINED | UNSOLICITED,
  shortestPiece: 2,
  longestMessage: LONGEST_MESSAGE,
  chainOf: ({ nad }) => String(nad),
});

export const { encodePacket, encodeMessage, push } = framing;
