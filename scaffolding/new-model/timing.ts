/** All of the driver's own times, in milliseconds; PROTOCOL.md 7 says where each one comes from. */

/** PROTOCOL.md 7.1. */
export const SETTLE_MS = 30;
/** PROTOCOL.md 7.2. */
export const QUERY_MS = 2_000;
export const TRIES = 2;
/** PROTOCOL.md 7.3. */
export const HOST_WAIT_MS = 60_000;
