/**
 * Why the bridge closes a register's socket: close code (RFC 6455, 7.4.1, and 1013 of its registry) and reason sent to
 * the register.
 */
export const ENDINGS = {
  stopping: { code: 1001, reason: "the bridge stops" },
  "binary-frame": { code: 1003, reason: "text frames only" },
  "no-session": { code: 1008, reason: "no session.open" },
  "wrong-tokens": { code: 1008, reason: "wrong tokens" },
  revoked: { code: 1008, reason: "the token was revoked" },
  "too-many-calls": { code: 1008, reason: "too many requests" },
  /** Private use (RFC 6455, 7.4.2): a browser tells its page neither status nor text of a refused upgrade. */
  "origin-not-allowed": { code: 4403, reason: "origin not allowed" },
  "missed-changes": { code: 1011, reason: "changes are missing: open again and subscribe after the last cursor" },
  "slow-reader": { code: 1013, reason: "reads too slowly: open again and subscribe after the last cursor" },
  "gave-way": {
    code: 1013,
    reason: "others came, and this socket had no session yet: open again and call session.open at once",
  },
} as const;

export type Ending = keyof typeof ENDINGS;
