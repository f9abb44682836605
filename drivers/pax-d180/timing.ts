/** The driver's times in milliseconds; PROTOCOL.md 8 names the source of each. */

/**
 * PROTOCOL.md 8.1: a serial line may hold bytes of the previous session. Input during this time after opening is
 * discarded.
 */
export const SETTLE_MS = 30;
/** PROTOCOL.md 8.2: wait for an acknowledgement, and attempts to send a frame. */
export const ACK_MS = 1_000;
export const SENDINGS = 5;
/** PROTOCOL.md 8.3: after this pause inside a frame, the frame is requested again. */
export const GAP_MS = 500;
/** PROTOCOL.md 8.4: an identical frame within this time, with none of ours acknowledged between, is a repetition. */
export const REPEAT_MS = 5_000;
/**
 * PROTOCOL.md 8.14: silence after a frame that was sent more than once; longer than the device waits before it repeats
 * its answer.
 */
export const QUIET_MS = ACK_MS + GAP_MS;
/** PROTOCOL.md 8.5: limit for an answer that needs neither card nor customer. */
export const QUERY_MS = 6_000;
/** PROTOCOL.md 8.5: limit for all questions of an identify command. */
export const IDENTIFY_MS = 30_000;
/** PROTOCOL.md 8.6: one step of a chip's transaction before its first cryptogram. */
export const CHIP_STEP_MS = 15_000;
/** PROTOCOL.md 8.7: first GENERATE AC and the steps before it; offline PIN entry is added. */
export const START_MS = 20_000;
/** PROTOCOL.md 8.8: second GENERATE AC with issuer scripts, and the completion as a whole. */
export const COMPLETE_MS = 20_000;
export const COMPLETION_MS = 28_000;
/** PROTOCOL.md 8.8: limit for a receipt object; shorter than the line layer's total wait for acknowledgements. */
export const RECEIPT_MS = 4_000;
/** PROTOCOL.md 8.9: wait for a card step that cannot be interrupted. */
export const STOP_MS = 14_500;
/** PROTOCOL.md 8.10: pause between two rounds of a collect, and between two looks at an idle device's slot. */
export const POLL_MS = 150;
export const SLOT_POLL_MS = 400;
/** PROTOCOL.md 8.11: transaction time in addition to the wait for a card. */
export const TRANSACTION_MARGIN_MS = 45_000;
/** PROTOCOL.md 8.12: time that a held card waits for its issuer. */
export const HOST_WAIT_MS = 90_000;
/** PROTOCOL.md 8.13: time that 9048 may wait for an already pressed key. */
export const KEY_MS = 100;
