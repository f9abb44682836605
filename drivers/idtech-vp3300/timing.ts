/** All of the driver's own times, in milliseconds; PROTOCOL.md 8 says what each one is inferred from. */

/** PROTOCOL.md 8.1: a serial line may hold unread bytes of the session before; they are thrown away this long after opening. */
export const SETTLE_MS = 30;
/** PROTOCOL.md 8.2: how long one answer to a command that asks nobody may take. */
export const QUERY_MS = 2_000;
export const CANCEL_MS = 3_000;
/** PROTOCOL.md 8.3: how often such a command is sent before the device counts as gone. */
export const TRIES = 2;
export const CANCEL_TRIES = 3;
/** PROTOCOL.md 8.4: the device wants to be left alone this long after it was cancelled. */
export const PAUSE_MS = 150;
/** PROTOCOL.md 8.5: what a transaction may take beside waiting for a card. */
export const TRANSACTION_MARGIN_MS = 20_000;
/** PROTOCOL.md 8.6: from the application being selected to the first cryptogram, without a PIN. */
export const AUTHENTICATE_MS = 20_000;
/** PROTOCOL.md 8.7: second GENERATE AC with issuer scripts. */
export const COMPLETE_MS = 20_000;
/** PROTOCOL.md 8.8: how long we tell the device to wait for the next command, in seconds, and what we count on of it. */
export const NEXT_COMMAND_S = 120;
export const HOST_WAIT_MS = 90_000;
/** PROTOCOL.md 8.9: how long the device waits for a card beyond our own limit, in seconds. */
export const CARD_SPARE_S = 5;
/** PROTOCOL.md 8.10: how long after an error of a card in the slot the device may take to tell that it was pulled. */
export const REMOVAL_MS = 300;
/** PROTOCOL.md 6.3: so often a card is asked for anew within one collect. */
export const ACTIVATIONS = 6;
