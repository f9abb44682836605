/** All of the driver's own times, in milliseconds; PROTOCOL.md 8 says what each one is from. */

/** PROTOCOL.md 8.1: a serial line may hold unread bytes of the session before; they are thrown away this long after opening. */
export const SETTLE_MS = 30;
/** PROTOCOL.md 8.2: how long an acknowledgement is waited for, and how often a frame is sent. */
export const ACK_MS = 1_000;
export const SENDINGS = 5;
/** PROTOCOL.md 8.3: a frame that stands still so long is asked for again. */
export const GAP_MS = 500;
/** PROTOCOL.md 8.4: the same frame within this time, with nothing of ours acknowledged between, is a repetition. */
export const REPEAT_MS = 5_000;
/** PROTOCOL.md 8.14: after a frame that was sent more than once, longer than the device waits before it repeats its answer. */
export const QUIET_MS = ACK_MS + GAP_MS;
/** PROTOCOL.md 8.5: the answer to a command that asks neither card nor person. */
export const QUERY_MS = 6_000;
/** PROTOCOL.md 8.5: all the questions of an identify command. */
export const IDENTIFY_MS = 30_000;
/** PROTOCOL.md 8.6: one step of a chip's transaction before its first cryptogram. */
export const CHIP_STEP_MS = 15_000;
/** PROTOCOL.md 8.7: first GENERATE AC with what comes before it; a PIN for the card itself comes on top. */
export const START_MS = 20_000;
/** PROTOCOL.md 8.8: second GENERATE AC with issuer scripts, and the completion as a whole. */
export const COMPLETE_MS = 20_000;
export const COMPLETION_MS = 28_000;
/** PROTOCOL.md 8.8: an object for the receipt; shorter than the line waits for acknowledgements in all. */
export const RECEIPT_MS = 4_000;
/** PROTOCOL.md 8.9: how long a card's step that cannot be broken into is waited for once it is to end. */
export const STOP_MS = 14_500;
/** PROTOCOL.md 8.10: between two rounds of asking for keys, card and magstripe, and between two looks at the slot of an idle device. */
export const POLL_MS = 150;
export const SLOT_POLL_MS = 400;
/** PROTOCOL.md 8.11: what a transaction may take beside waiting for a card. */
export const TRANSACTION_MARGIN_MS = 45_000;
/** PROTOCOL.md 8.12: how long a held card waits for its issuer. */
export const HOST_WAIT_MS = 90_000;
/** PROTOCOL.md 8.13: how long 9048 may wait for a key that was pressed already. */
export const KEY_MS = 100;
