/** The driver's times in milliseconds. Hardly any is published; PROTOCOL.md 8 explains each value. */

/**
 * PROTOCOL.md 8.1: a serial line may hold bytes of the previous session. Input during this time after opening is
 * discarded.
 */
export const SETTLE_MS = 30;
/** PROTOCOL.md 8.2: limit for one answer, by command. */
export const RESET_MS = 5_000;
export const QUERY_MS = 2_000;
export const DISPLAY_MS = 2_000;
export const ABORT_MS = 3_000;
export const READER_MS = 3_000;
/** PROTOCOL.md 8.3: attempts of a command that changes nothing before the device counts as gone. */
export const RESET_TRIES = 3;
export const TRIES = 2;
/** PROTOCOL.md 8.4: wait for the state after the answer to CARD STATUS; after it the last reported state counts. */
export const SLOT_MS = 500;
/** PROTOCOL.md 8.4: wait for the answer to CARD STATUS after the state itself. */
export const GRACE_MS = 60;
/** PROTOCOL.md 8.5: transaction time in addition to the waits for card and PIN; a UX301 took 10 s in a recording. */
export const TRANSACTION_MARGIN_MS = 20_000;
/** PROTOCOL.md 8.14: from a PIN typed inside a chip transaction to its cryptogram; recorded: 2.5 s. */
export const CRYPTOGRAM_MS = 5_000;
/** PROTOCOL.md 8.6: from the answer to CANCEL CONTACTLESS to the transaction's end; recorded: 1.33 s. */
export const READER_END_MS = 3_000;
/** PROTOCOL.md 8.7: second GENERATE AC with issuer scripts, or the reader's final result. */
export const COMPLETE_MS = 20_000;
/** PROTOCOL.md 8.8: wait of the device for the host between E4 and CONTINUE. */
export const HOST_WAIT_MS = 60_000;
/** PROTOCOL.md 8.9: delay of a removal notice after a read error. */
export const REMOVAL_MS = 300;
/** PROTOCOL.md 8.12: limit for a whole stop, with all late answers; after it the link is reopened. */
export const STOP_MS = 10_000;
/** PROTOCOL.md 8.13: a greeting within this time after the first question is not a restart. */
export const GREETING_MS = 10_000;
/** PROTOCOL.md 8.10: limit for fetching a PIN that was already typed. */
export const FETCH_MS = 3_000;
/** PROTOCOL.md 8.11: margin of the device's limits for card and PIN over the driver's, which must end first. */
export const LONGER_MS = 5_000;
/** PROTOCOL.md 7.17: warning time before the daily restart. */
export const RESTART_NOTICE_MS = 180_000;
/** PROTOCOL.md 7.10: attempts of START CONTACTLESS within one collect. */
export const TAP_TRIES = 4;
/** PROTOCOL.md 7.3: cards with a silent chip after which a collect ends. */
export const UNREADABLE_INSERTIONS = 3;
/** PROTOCOL.md 7.19: pause before a busy device gets the command again, and attempts within one collect. */
export const PUT_OFF_MS = 500;
export const PUT_OFF_TRIES = 3;
