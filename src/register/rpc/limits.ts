/** Every limit of the register API, in one place; docs/register-api.md states them and the tests try each one. */
export const LIMITS = {
  /** One text frame. A full cart of level-3 data is some 200 KiB. Longer: the socket is closed with 1009. */
  messageBytes: 1_048_576,
  /** Objects and arrays inside one another in one message. */
  depth: 16,
  /** Open sessions. One socket more is answered 503. */
  sessions: 64,
  /** Sockets without a session: in all, and from one address that is not this machine's. For one more the oldest is closed with 1013. */
  withoutSession: 64,
  withoutSessionPerAddress: 16,
  /** Calls of one socket that have no reply yet, `payment.wait` included. */
  inFlight: 32,
  /** Calls a second of one socket in the long run, and at once. More: `too-many-requests`. */
  callsPerSecond: 50,
  callsAtOnce: 200,
  /** Calls refused for their rate before the socket is closed with 1008. */
  callsRefused: 1_000,
  /** A socket without a session that says nothing for so long is closed with 1008. */
  silenceMs: 5_000,
  /** A socket that has no session so long after it was opened is closed with 1008, whatever it says: calls that are refused must not keep the place of a register. */
  sessionMs: 15_000,
  /** Wrong tokens on one socket before it is closed with 1008. */
  wrongTokens: 3,
  /** Bytes that may wait for a slow reader before it is closed with 1013. */
  bufferedBytes: 8_388_608,
  /** Bytes that may wait for a slow reader before frames of a trace are left out. */
  traceBufferedBytes: 262_144,
  /** The bridge pings, because browsers cannot; two pings without an answer end the socket. */
  pingMs: 20_000,
  unansweredPings: 2,
  /** How long `payment.wait` waits: at most, and when the caller says nothing. */
  waitMs: 300_000,
  waitDefaultMs: 60_000,
  /** How long a start may wait for its card before it ends with `request-expired`: bounds of `expiresInMs`. */
  expiryMinMs: 1_000,
  expiryMaxMs: 3_600_000,
  /** How long a customer may have for paying by a link: at least, at most (what the gateway itself takes when nobody says), and when the register says nothing. */
  linkMinMs: 60_000,
  linkMaxMs: 7_776_000_000,
  linkDefaultMs: 3_600_000,
} as const;
