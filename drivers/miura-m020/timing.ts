/** The driver's times in milliseconds. None of them is published; PROTOCOL.md 8 explains each value. */

/**
 * PROTOCOL.md 8.1: a USB gadget may hold bytes of the previous session. Input during this time after opening is
 * discarded.
 */
export const SETTLE_MS = 30;
/** PROTOCOL.md 8.2: limit for one answer, by command. */
export const RESET_MS = 5_000;
export const QUERY_MS = 2_000;
export const CONFIGURATION_MS = 5_000;
export const DISPLAY_MS = 2_000;
export const ABORT_MS = 3_000;
/** PROTOCOL.md 8.3: attempts of a command that changes nothing before the device counts as gone. */
export const RESET_TRIES = 3;
export const TRIES = 2;
/** PROTOCOL.md 8.4: wait for the state after CARD STATUS; after it the slot counts as empty. */
export const SLOT_MS = 500;
/**
 * PROTOCOL.md 8.5: transaction time in addition to the waits for card and PIN. A device with a related protocol took 10
 * s in a recording.
 */
export const TRANSACTION_MARGIN_MS = 20_000;
/** PROTOCOL.md 8.6: an extra E5 may follow the answer to ABORT within this time after an ARQC. */
export const DRAIN_MS = 2_000;
/** PROTOCOL.md 8.7: second GENERATE AC with issuer scripts. */
export const COMPLETE_MS = 20_000;
/** PROTOCOL.md 8.8: wait of the device for the host between E4 and CONTINUE. */
export const HOST_WAIT_MS = 60_000;
/** PROTOCOL.md 8.9: delay of a removal notice after a read error. */
export const REMOVAL_MS = 300;
/** PROTOCOL.md 8.10: limit for the answer to KEYBOARD STATUS; a card may be waiting for it. */
export const KEYBOARD_MS = 500;
/** PROTOCOL.md 8.11: from a card's event to the end of START CONTACTLESS. */
export const TAP_END_MS = 2_000;
/** PROTOCOL.md 7.10: attempts of START CONTACTLESS within one collect. */
export const TAP_TRIES = 4;
/** PROTOCOL.md 7.3: cards with a silent chip after which a collect ends. */
export const UNREADABLE_INSERTIONS = 3;
