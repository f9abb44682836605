/** All of the driver's own times, in milliseconds. None of them is published; PROTOCOL.md 8 says what each one is inferred from. */

/** PROTOCOL.md 8.1: a USB gadget keeps unread bytes of the session before; they are thrown away this long after opening. */
export const SETTLE_MS = 30;
/** PROTOCOL.md 8.2: how long one answer may take, by command. */
export const RESET_MS = 5_000;
export const QUERY_MS = 2_000;
export const CONFIGURATION_MS = 5_000;
export const DISPLAY_MS = 2_000;
export const ABORT_MS = 3_000;
/** PROTOCOL.md 8.3: how often a command without an effect of its own is sent before the device counts as gone. */
export const RESET_TRIES = 3;
export const TRIES = 2;
/** PROTOCOL.md 8.4: how long the card's state may take after CARD STATUS before the slot counts as empty. */
export const SLOT_MS = 500;
/** PROTOCOL.md 8.5: what a transaction may take beside waiting for card and PIN. A device of a kindred protocol was recorded to take 10 s. */
export const TRANSACTION_MARGIN_MS = 20_000;
/** PROTOCOL.md 8.6: how long an extra E5 may follow the answer to ABORT once a card has given its ARQC. */
export const DRAIN_MS = 2_000;
/** PROTOCOL.md 8.7: second GENERATE AC with issuer scripts. */
export const COMPLETE_MS = 20_000;
/** PROTOCOL.md 8.8: how long the device waits for the host between E4 and CONTINUE. */
export const HOST_WAIT_MS = 60_000;
/** PROTOCOL.md 8.9: how long after a read error the device may take to tell that the card was pulled. */
export const REMOVAL_MS = 300;
/** PROTOCOL.md 8.10: answer to KEYBOARD STATUS, which a card may be waiting for. */
export const KEYBOARD_MS = 500;
/** PROTOCOL.md 8.11: between the event of a card and the end of START CONTACTLESS. */
export const TAP_END_MS = 2_000;
/** PROTOCOL.md 7.10: so often START CONTACTLESS is sent for one collect. */
export const TAP_TRIES = 4;
/** PROTOCOL.md 7.3: so many cards whose chip does not answer end a collect. */
export const UNREADABLE_INSERTIONS = 3;
