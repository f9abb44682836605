/** All of the driver's own times, in milliseconds; PROTOCOL.md 9 says what each one rests on. */

/** PROTOCOL.md 9.1: a serial or USB line may hold unread bytes of the session before; they are thrown away this long after opening. */
export const SETTLE_MS = 30;
/** PROTOCOL.md 9.2: the wait for an acknowledgement, and how often a frame is sent. */
export const ACK_MS = 3_000;
export const FRAME_TRIES = 3;
/** PROTOCOL.md 9.3: the longest pause inside a frame. */
export const GAP_MS = 500;
/** PROTOCOL.md 9.4: how long the same frame once more is a repetition. */
export const REPEAT_MS = 5_000;
/** PROTOCOL.md 9.14: after a frame that was sent more than once. */
export const QUIET_MS = 500;
/** PROTOCOL.md 9.5: the answer to 00., and how often it is asked for: at connecting, and where a payment waits for it. */
export const OFFLINE_MS = 5_250;
export const OFFLINE_TRIES = 3;
export const CANCEL_TRIES = 2;
/** PROTOCOL.md 9.13: the whole of an identification, however slow each answer is. */
export const IDENTIFY_MS = 55_000;
/** PROTOCOL.md 9.6: an answer to a message that asks nobody, and how often it is asked for. */
export const QUERY_MS = 2_000;
export const TRIES = 2;
/** PROTOCOL.md 9.7: from 33.00 to the card's data, and from the amount to its first cryptogram, without a PIN. */
export const START_MS = 20_000;
export const AUTHORIZE_MS = 20_000;
/** PROTOCOL.md 9.8: second GENERATE AC with issuer scripts. */
export const COMPLETE_MS = 20_000;
/** PROTOCOL.md 9.9: what a transaction may take beside waiting for a card and a PIN. */
export const TRANSACTION_MARGIN_MS = 40_000;
/** PROTOCOL.md 9.10: how long the device waits for the issuer's answer; nothing is stated, this is what we count on. */
export const HOST_WAIT_MS = 60_000;
/** PROTOCOL.md 9.11: how often the device says its EMV answer again, as 33.00 tells it. */
export const RESEND_MS = 5_000;
/** PROTOCOL.md 9.12: a form without a button is answered at once; one that waits for a finger is up by then. */
export const FORM_MS = 1_500;
/** PROTOCOL.md 8.4: so long before its daily restart it is told. */
export const RESTART_WARNING_MS = 180_000;
/** PROTOCOL.md 6.4: so often a card is asked for anew within one collect. */
export const READS = 6;
