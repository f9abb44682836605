/** Every limit of the register API. docs/register-api.md states them, and the tests try each one. */
export const LIMITS = {
  /** One text frame. A full cart of level-3 data has some 200 KiB. Longer: the socket is closed with 1009. */
  messageBytes: 1_048_576,
  /** Nesting of objects and arrays in one message. */
  depth: 16,
  /** Open sessions. One socket more is answered 503. */
  sessions: 64,
  /**
   * Sockets without a session: in all, and from one address of another machine. A further one closes the oldest with
   * 1013.
   */
  withoutSession: 64,
  withoutSessionPerAddress: 16,
  /** Calls of one socket without a reply, `payment.wait` included. */
  inFlight: 32,
  /** Calls a second of one socket in the long run, and at once. More: `too-many-requests`. */
  callsPerSecond: 50,
  callsAtOnce: 200,
  /** Calls refused for their rate before the socket is closed with 1008. */
  callsRefused: 1_000,
  /** Silence after which a socket without a session is closed with 1008. */
  silenceMs: 5_000,
  /**
   * Time for getting a session before the socket is closed with 1008. Refused calls do not extend it: they must not
   * keep a register's place.
   */
  sessionMs: 15_000,
  /** Wrong tokens on one socket before it is closed with 1008. */
  wrongTokens: 3,
  /** Bytes that may wait for a slow reader before it is closed with 1013. */
  bufferedBytes: 8_388_608,
  /** Bytes that may wait for a slow reader before frames of a trace are dropped. */
  traceBufferedBytes: 262_144,
  /** The bridge pings, because browsers cannot; two pings without an answer end the socket. */
  pingMs: 20_000,
  unansweredPings: 2,
  /** Time limit of `payment.wait`: maximum and default. */
  waitMs: 300_000,
  waitDefaultMs: 60_000,
  /** Time for a start to get its card before it ends with `request-expired`: bounds of `expiresInMs`. */
  expiryMinMs: 1_000,
  expiryMaxMs: 3_600_000,
  /** Time for paying by a link: minimum, maximum (the gateway's own default) and default. */
  linkMinMs: 60_000,
  linkMaxMs: 7_776_000_000,
  linkDefaultMs: 3_600_000,
} as const;
