/** All of the driver's own times, in milliseconds. Hardly one of them is published; PROTOCOL.md 8 says what each one is inferred from. */

/** PROTOCOL.md 8.1: what a serial line holds from the session before is thrown away this long after opening. */
export const SETTLE_MS = 30;
/** PROTOCOL.md 8.2: how long one answer may take, by command. */
export const RESET_MS = 5_000;
export const QUERY_MS = 2_000;
export const DISPLAY_MS = 2_000;
export const ABORT_MS = 3_000;
export const READER_MS = 3_000;
/** PROTOCOL.md 8.3: how often a command without an effect of its own is sent before the device counts as gone. */
export const RESET_TRIES = 3;
export const TRIES = 2;
/** PROTOCOL.md 8.4: how long the card's state may take after CARD STATUS was answered before the slot counts as it was told last. */
export const SLOT_MS = 500;
/** PROTOCOL.md 8.4: how long the answer to CARD STATUS may take behind the state itself before there is none. */
export const GRACE_MS = 60;
/** PROTOCOL.md 8.5: what a transaction may take beside waiting for card and PIN; a UX301 was recorded to take 10 s. */
export const TRANSACTION_MARGIN_MS = 20_000;
/** PROTOCOL.md 8.14: from a PIN that was typed within a chip's transaction to its cryptogram; recorded: 2.5 s. */
export const CRYPTOGRAM_MS = 5_000;
/** PROTOCOL.md 8.6: the end of a contactless transaction after CANCEL CONTACTLESS was answered; recorded 1.33 s behind that. */
export const READER_END_MS = 3_000;
/** PROTOCOL.md 8.7: second GENERATE AC with issuer scripts; the reader's last word. */
export const COMPLETE_MS = 20_000;
/** PROTOCOL.md 8.8: how long the device waits for the host between E4 and CONTINUE. */
export const HOST_WAIT_MS = 60_000;
/** PROTOCOL.md 8.9: how long after a read error the device may take to tell that the card was pulled. */
export const REMOVAL_MS = 300;
/** PROTOCOL.md 8.12: all of bringing the device back to where nothing runs, however many of its answers are late; what takes longer opens the link anew. */
export const STOP_MS = 10_000;
/** PROTOCOL.md 8.13: how long after it was asked who it is a device may still greet without having started anew. */
export const GREETING_MS = 10_000;
/** PROTOCOL.md 8.10: fetching a PIN that was typed already. */
export const FETCH_MS = 3_000;
/** PROTOCOL.md 8.11: the device's own limits for card and PIN are so much longer than the driver's, which is to end first. */
export const LONGER_MS = 5_000;
/** PROTOCOL.md 7.17: a daily restart is told so long before. */
export const RESTART_NOTICE_MS = 180_000;
/** PROTOCOL.md 7.10: so often START CONTACTLESS is sent for one collect. */
export const TAP_TRIES = 4;
/** PROTOCOL.md 7.3: so many cards whose chip does not answer end a collect. */
export const UNREADABLE_INSERTIONS = 3;
/** PROTOCOL.md 7.19: a command that was not taken just then is sent again after so long, and so often for one collect. */
export const PUT_OFF_MS = 500;
export const PUT_OFF_TRIES = 3;
