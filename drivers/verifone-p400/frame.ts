import { CHAINED, ENCRYPTED, framingBy, UNSOLICITED } from "../vipa/frame.ts";

/** Largest accepted message, in bytes (PROTOCOL.md 2.6); the longest one recorded has 4521. */
export const LONGEST_MESSAGE = 16_384;

/** PROTOCOL.md 2.1: our address, and those of other devices on the link, whose packets are dropped. */
const NAD = 0x01;
const OTHER_NADS: readonly number[] = [0x02, 0x11];

/** An encrypted message cannot be read (PROTOCOL.md 2.8). Solicited and unsolicited chains may be interleaved. */
export const framing = framingBy({
  nads: [NAD, ...OTHER_NADS],
  otherNad: "none of 01, 02 and 11",
  flags: CHAINED | ENCRYPTED | UNSOLICITED,
  shortestPiece: 1,
  longestMessage: LONGEST_MESSAGE,
  chainOf: ({ nad, unsolicited }) => (nad === NAD ? `unsolicited: ${unsolicited}` : undefined),
});

export const { encodePacket, encodeMessage, push } = framing;
