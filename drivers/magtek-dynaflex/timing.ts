/** The driver's times in milliseconds. The maker publishes none of them; PROTOCOL.md 9 explains each value. */

/**
 * PROTOCOL.md 9.1: a serial line or USB device may hold bytes of the previous session. Input during this time after
 * opening is discarded.
 */
export const SETTLE_MS = 30;
/** PROTOCOL.md 9.2: limit for one response. */
export const ANSWER_MS = 3_000;
/** PROTOCOL.md 9.3: attempts of a command that changes nothing before the device counts as gone. */
export const TRIES = 2;
/**
 * PROTOCOL.md 9.4: transaction time in addition to the waits for card and PIN. Another maker's device took 10 s in a
 * recording.
 */
export const TRANSACTION_MARGIN_MS = 20_000;
/**
 * PROTOCOL.md 9.5: limit between outcome and batch data, in either order, and between the answer to a cancel and the
 * outcome.
 */
export const BESIDE_MS = 2_000;
/** PROTOCOL.md 9.6: limit for the final outcome after the issuer's answer was sent. */
export const OUTCOME_MS = 20_000;
/** PROTOCOL.md 9.13: limit for a whole completion: response, outcome and batch data, with repetitions. */
export const COMPLETE_MS = ANSWER_MS + OUTCOME_MS + BESIDE_MS;
/** PROTOCOL.md 9.14: limit for a whole identification. */
export const IDENTIFY_MS = 45_000;
/** PROTOCOL.md 9.7: wait of the device for the issuer's answer. */
export const HOST_WAIT_MS = 60_000;
/** PROTOCOL.md 9.8: delay of a removal notice after a read error. */
export const REMOVAL_MS = 100;
/** PROTOCOL.md 9.9: pause before a refused cancel is repeated. */
export const CANCEL_AGAIN_MS = 500;
/** PROTOCOL.md 9.10: limit for a whole stop with all its attempts. */
export const STOP_MS = 12_000;
/** PROTOCOL.md 9.11: restarts of a transaction that ended because a card was not read. */
export const STARTS_AGAIN = 3;
/** PROTOCOL.md 9.12: attempts to cancel during identification. */
export const CANCEL_TRIES = 20;
