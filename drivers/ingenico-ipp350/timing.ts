/** The driver's times in milliseconds; PROTOCOL.md 9 names the source of each. */

/**
 * PROTOCOL.md 9.1: a serial or USB line may hold bytes of the previous session. Input during this time after opening is
 * discarded.
 */
export const SETTLE_MS = 30;
/** PROTOCOL.md 9.2: wait for an acknowledgement, and attempts to send a frame. */
export const ACK_MS = 3_000;
export const FRAME_TRIES = 3;
/** PROTOCOL.md 9.3: the longest pause inside a frame. */
export const GAP_MS = 500;
/** PROTOCOL.md 9.4: an identical frame within this time is a repetition. */
export const REPEAT_MS = 5_000;
/** PROTOCOL.md 9.14: silence after a frame that was sent more than once. */
export const QUIET_MS = 500;
/** PROTOCOL.md 9.5: wait for the answer to 00., and attempts when connecting and when a payment waits. */
export const OFFLINE_MS = 5_250;
export const OFFLINE_TRIES = 3;
export const CANCEL_TRIES = 2;
/** PROTOCOL.md 9.13: limit for a whole identification. */
export const IDENTIFY_MS = 55_000;
/** PROTOCOL.md 9.6: limit for an answer that needs no customer, and attempts. */
export const QUERY_MS = 2_000;
export const TRIES = 2;
/** PROTOCOL.md 9.7: from 33.00 to the card's data, and from the amount to its first cryptogram, without a PIN. */
export const START_MS = 20_000;
export const AUTHORIZE_MS = 20_000;
/** PROTOCOL.md 9.8: second GENERATE AC with issuer scripts. */
export const COMPLETE_MS = 20_000;
/** PROTOCOL.md 9.9: transaction time in addition to the waits for card and PIN. */
export const TRANSACTION_MARGIN_MS = 40_000;
/** PROTOCOL.md 9.10: wait of the device for the issuer's answer. No source states it; we count on this much. */
export const HOST_WAIT_MS = 60_000;
/** PROTOCOL.md 9.11: interval at which the device repeats its EMV answer, as set by 33.00. */
export const RESEND_MS = 5_000;
/** PROTOCOL.md 9.12: a form without a button is answered at once; a form that waits for a key is on screen by then. */
export const FORM_MS = 1_500;
/** PROTOCOL.md 8.4: warning time before the daily restart. */
export const RESTART_WARNING_MS = 180_000;
/** PROTOCOL.md 6.4: attempts to read a card within one collect. */
export const READS = 6;
