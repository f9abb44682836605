/** The driver's times in milliseconds; PROTOCOL.md 8 names the source of each. */

/**
 * PROTOCOL.md 8.1: a serial line may hold bytes of the previous session. Input during this time after opening is
 * discarded.
 */
export const SETTLE_MS = 30;
/** PROTOCOL.md 8.2: limit for an answer to a command that needs no customer. */
export const QUERY_MS = 2_000;
export const CANCEL_MS = 3_000;
/** PROTOCOL.md 8.3: attempts before the device counts as gone. */
export const TRIES = 2;
export const CANCEL_TRIES = 3;
/** PROTOCOL.md 8.4: required silence after a cancel. */
export const PAUSE_MS = 150;
/** PROTOCOL.md 8.5: transaction time in addition to the wait for a card. */
export const TRANSACTION_MARGIN_MS = 20_000;
/** PROTOCOL.md 8.6: from application selection to the first cryptogram, without a PIN. */
export const AUTHENTICATE_MS = 20_000;
/** PROTOCOL.md 8.7: second GENERATE AC with issuer scripts. */
export const COMPLETE_MS = 20_000;
/**
 * PROTOCOL.md 8.8: the device is asked to wait this many seconds for the next command; we count on fewer, in
 * milliseconds.
 */
export const NEXT_COMMAND_S = 120;
export const HOST_WAIT_MS = 90_000;
/** PROTOCOL.md 8.9: the device waits for a card this many seconds longer than we do. */
export const CARD_SPARE_S = 5;
/** PROTOCOL.md 8.10: delay of a removal notice after an error of a card in the slot. */
export const REMOVAL_MS = 300;
/** PROTOCOL.md 6.3: activations within one collect. */
export const ACTIVATIONS = 6;
