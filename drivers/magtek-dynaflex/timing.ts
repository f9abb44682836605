/** All of the driver's own times, in milliseconds. The maker publishes none of them; PROTOCOL.md 9 says what each one is inferred from. */

/** PROTOCOL.md 9.1: what a serial line or a USB device still holds of the session before is thrown away this long after opening. */
export const SETTLE_MS = 30;
/** PROTOCOL.md 9.2: how long one response may take. */
export const ANSWER_MS = 3_000;
/** PROTOCOL.md 9.3: how often a command without an effect of its own is sent before the device counts as gone. */
export const TRIES = 2;
/** PROTOCOL.md 9.4: what a transaction may take beside waiting for card and PIN. Another maker's device was recorded to take 10 s. */
export const TRANSACTION_MARGIN_MS = 20_000;
/** PROTOCOL.md 9.5: between the outcome of a transaction and its batch data, in either order; between the answer to a cancel and the outcome. */
export const BESIDE_MS = 2_000;
/** PROTOCOL.md 9.6: the final outcome after the issuer's answer was handed over. */
export const OUTCOME_MS = 20_000;
/** PROTOCOL.md 9.13: all of a completion, whatever the device repeats: its response, its outcome and its batch data. */
export const COMPLETE_MS = ANSWER_MS + OUTCOME_MS + BESIDE_MS;
/** PROTOCOL.md 9.14: all of identifying. */
export const IDENTIFY_MS = 45_000;
/** PROTOCOL.md 9.7: how long the device waits for the issuer's answer. */
export const HOST_WAIT_MS = 60_000;
/** PROTOCOL.md 9.8: how long after a read error the device may take to tell that the card was pulled. */
export const REMOVAL_MS = 100;
/** PROTOCOL.md 9.9: the next try of a cancel that the device could not do in that moment. */
export const CANCEL_AGAIN_MS = 500;
/** PROTOCOL.md 9.10: all of a stop, however often it takes. */
export const STOP_MS = 12_000;
/** PROTOCOL.md 9.11: a transaction that ended because a card could not be read is started so often anew. */
export const STARTS_AGAIN = 3;
/** PROTOCOL.md 9.12: cancels that could not be done while identifying. */
export const CANCEL_TRIES = 20;
