/** All of the driver's own times, in milliseconds. The maker publishes none of them; PROTOCOL.md 9 says what each one is inferred from. */

/** PROTOCOL.md 9.1: input this soon after opening is of the session before, and thrown away. */
export const SETTLE_MS = 30;
/** PROTOCOL.md 9.2: how long one answer may take. */
export const ANSWER_MS = 3_000;
/** PROTOCOL.md 9.3: what a transaction may take beside waiting for card and PIN. */
export const TRANSACTION_MARGIN_MS = 20_000;
/** PROTOCOL.md 9.4: between the answer to a cancel and the result of the transaction. */
export const BESIDE_MS = 2_000;
/** PROTOCOL.md 9.5: the result after the issuer's answer was handed over. */
export const RESULT_MS = 20_000;
/** PROTOCOL.md 9.6: how long the device waits for the issuer's answer. */
export const HOST_WAIT_MS = 60_000;
/** PROTOCOL.md 9.7: how long after a read error the device may take to tell that the card was pulled. */
export const REMOVAL_MS = 100;
/** PROTOCOL.md 9.8: the next try of a cancel that the device could not do in that moment. */
export const CANCEL_AGAIN_MS = 500;
/** PROTOCOL.md 9.9: all of a stop, however often it takes. */
export const STOP_MS = 13_500;
/** PROTOCOL.md 9.10: all of a completion. */
export const COMPLETE_MS = ANSWER_MS + RESULT_MS + BESIDE_MS;
/** PROTOCOL.md 9.11: all of identifying. */
export const IDENTIFY_MS = 45_000;
/** PROTOCOL.md 9.12: cancels that are refused while identifying. */
export const CANCEL_TRIES = 20;
/** PROTOCOL.md 9.13: a transaction that ended without having read the magstripe is started so often anew. */
export const STARTS_AGAIN = 3;
