/** The driver's times in milliseconds. The maker publishes none of them; PROTOCOL.md 9 explains each value. */

/** PROTOCOL.md 9.1: input during this time after opening belongs to the previous session and is discarded. */
export const SETTLE_MS = 30;
/** PROTOCOL.md 9.2: limit for one answer. */
export const ANSWER_MS = 3_000;
/** PROTOCOL.md 9.3: transaction time in addition to the waits for card and PIN. */
export const TRANSACTION_MARGIN_MS = 20_000;
/** PROTOCOL.md 9.4: between the answer to a cancel and the result of the transaction. */
export const BESIDE_MS = 2_000;
/** PROTOCOL.md 9.5: limit for the result after the issuer's answer was sent. */
export const RESULT_MS = 20_000;
/** PROTOCOL.md 9.6: wait of the device for the issuer's answer. */
export const HOST_WAIT_MS = 60_000;
/** PROTOCOL.md 9.7: delay of a removal notice after a read error. */
export const REMOVAL_MS = 100;
/** PROTOCOL.md 9.8: pause before a refused cancel is repeated. */
export const CANCEL_AGAIN_MS = 500;
/** PROTOCOL.md 9.9: limit for a whole stop with all its attempts. */
export const STOP_MS = 13_500;
/** PROTOCOL.md 9.10: limit for a whole completion. */
export const COMPLETE_MS = ANSWER_MS + RESULT_MS + BESIDE_MS;
/** PROTOCOL.md 9.11: limit for a whole identification. */
export const IDENTIFY_MS = 45_000;
/** PROTOCOL.md 9.12: attempts to cancel during identification. */
export const CANCEL_TRIES = 20;
/** PROTOCOL.md 9.13: restarts of a transaction that ended without reading the magstripe. */
export const STARTS_AGAIN = 3;
