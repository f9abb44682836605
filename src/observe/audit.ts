import type { Cancel, Clock } from "../kit/clock.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";

/**
 * Events that people may have to prove later: sessions, refusals, and changes of rights. `from`: address and port;
 * `by`: a user of this machine.
 */
export type AuditEvent =
  | {
      readonly on: "session-opened";
      readonly from: string;
      readonly register: string;
      readonly scopes: readonly string[];
      readonly client?: string;
    }
  | { readonly on: "session-refused"; readonly from: string; readonly register?: string; readonly code: string }
  | {
      readonly on: "call-refused";
      readonly from: string;
      readonly register?: string;
      readonly method: string;
      readonly code: string;
    }
  | { readonly on: "request-refused"; readonly from: string; readonly why: string; readonly origin?: string }
  | { readonly on: "socket-ended"; readonly from: string; readonly register?: string; readonly why: string }
  | {
      readonly on: "trace-begun" | "trace-ended";
      readonly from: string;
      readonly register?: string;
      readonly terminal: string;
    }
  | { readonly on: "support-bundle-made"; readonly from: string; readonly register?: string }
  | { readonly on: "support-bundle-made"; readonly by: string }
  | {
      readonly on: "token-created";
      readonly by: string;
      readonly register: string;
      readonly scopes: readonly string[];
      readonly refundLimits?: object;
    }
  | { readonly on: "pairing-asked"; readonly from: string; readonly name: string; readonly origin: string }
  | {
      readonly on: "pairing-approved";
      readonly by: string;
      readonly register: string;
      readonly scopes: readonly string[];
      readonly origin: string;
      readonly refundLimits?: object | undefined;
    }
  | { readonly on: "pairing-refused"; readonly by: string; readonly name: string; readonly origin: string }
  | { readonly on: "pairing-ended"; readonly why: string; readonly name: string; readonly origin: string }
  | { readonly on: "tokens-revoked"; readonly by: string; readonly register?: string; readonly revoked: number }
  | {
      readonly on: "terminal-changed";
      readonly by: string;
      readonly did: "paired" | "renamed" | "replaced" | "unpaired";
      readonly terminal: string;
      readonly serialNumber?: string | undefined;
      readonly at: string;
    };

/** Only people of this shop cause these. */
const ALWAYS_LOGGED: ReadonlySet<AuditEvent["on"]> = new Set([
  "token-created",
  "tokens-revoked",
  "pairing-approved",
  "pairing-refused",
  "terminal-changed",
]);

type Words = { readonly level: "info" | "warn"; readonly message: string };

/** Lines of one kind that outsiders may cause at once, on any number of sockets. */
const LINES_AT_ONCE = 20;
/** Milliseconds until a further line, which carries the number of dropped lines. */
const LINE_EVERY_MS = 60_000;

export interface Audit {
  note(event: AuditEvent): void;
  /** Logs the dropped lines not yet reported. */
  stop(): void;
}

export interface AuditPorts {
  readonly log: Pick<Log, "info" | "warn">;
  readonly metrics: Pick<Metrics, "sessionAsked" | "callRefused" | "requestRefused" | "socketEnded" | "tokensChanged">;
  readonly clock: Clock;
}

/**
 * Logs events with `"audit":true` and counts all of them. Logging is limited for events that a stranger can cause, so
 * that nobody fills a disk.
 */
export function createAudit({ log, metrics, clock }: AuditPorts): Audit {
  const say = (event: Said): void => {
    const { level, message } = wordsOf(event);
    const { on: _, ...fields } = event;
    log[level]({ audit: true, ...fields }, message);
  };
  const sparing = createSparing(clock, say);
  return {
    note: (event) => {
      count(metrics, event);
      if (ALWAYS_LOGGED.has(event.on)) say(event);
      else sparing.say(event);
    },
    stop: sparing.stop,
  };
}

/**
 * `unlogged`: number of events of the same kind, from the same register or from strangers, dropped before this line.
 */
type Said = AuditEvent & { readonly unlogged?: number };

function wordsOf(event: AuditEvent): Words {
  switch (event.on) {
    case "session-opened":
      return { level: "info", message: "session opened" };
    case "session-refused":
      return { level: "warn", message: "session refused" };
    case "call-refused":
      return {
        level: event.code === "unauthorized" || event.code === "forbidden" ? "warn" : "info",
        message: "call refused",
      };
    case "request-refused":
      return { level: "warn", message: "request refused" };
    case "socket-ended":
      return { level: "info", message: "socket ended" };
    case "trace-begun":
      return { level: "info", message: "trace of a terminal's line begun" };
    case "trace-ended":
      return { level: "info", message: "trace of a terminal's line ended" };
    case "support-bundle-made":
      return { level: "info", message: "support bundle made" };
    case "token-created":
      return { level: "info", message: "token created" };
    case "pairing-asked":
      return { level: "info", message: "a register asks for being paired" };
    case "pairing-approved":
      return { level: "info", message: "register paired" };
    case "pairing-refused":
      return { level: "info", message: "pairing refused" };
    case "pairing-ended":
      return { level: "info", message: "pairing ended without a decision" };
    case "tokens-revoked":
      return { level: "info", message: "tokens revoked" };
    case "terminal-changed":
      return { level: "info", message: `terminal ${event.did}` };
  }
}

function count(metrics: AuditPorts["metrics"], event: AuditEvent): void {
  switch (event.on) {
    case "session-opened":
      metrics.sessionAsked("opened");
      break;
    case "session-refused":
      metrics.sessionAsked(event.code);
      break;
    case "call-refused":
      metrics.callRefused(event.method, event.code);
      break;
    case "request-refused":
      metrics.requestRefused(event.why);
      break;
    case "socket-ended":
      metrics.socketEnded(event.why);
      break;
    case "trace-begun":
    case "trace-ended":
    case "support-bundle-made":
    case "pairing-asked":
    case "pairing-refused":
    case "pairing-ended":
      break;
    case "token-created":
    case "pairing-approved":
      metrics.tokensChanged("created", 1);
      break;
    case "tokens-revoked":
      metrics.tokensChanged("revoked", event.revoked);
      break;
    case "terminal-changed":
      break;
  }
}

/** Remaining lines of one kind, and its last dropped event. */
interface Bucket {
  left: number;
  seenAt: number;
  unlogged: number;
  last: AuditEvent | undefined;
}

/**
 * One bucket for each kind of event, its `why`, and register. All callers without a session share their kind's bucket.
 */
function createSparing(clock: Clock, say: (event: Said) => void): { say(event: AuditEvent): void; stop(): void } {
  const buckets = new Map<string, Bucket>();
  let cancel: Cancel | undefined;
  const tellRest = (): void => {
    cancel = undefined;
    for (const bucket of buckets.values()) {
      if (bucket.last !== undefined) say({ ...bucket.last, unlogged: bucket.unlogged });
      bucket.unlogged = 0;
      bucket.last = undefined;
    }
  };
  return {
    say: (event) => {
      const key = keyOf(event);
      const bucket = refilled(
        buckets.get(key) ?? { left: LINES_AT_ONCE, seenAt: clock.monotonic(), unlogged: 0, last: undefined },
        clock,
      );
      buckets.set(key, bucket);
      if (bucket.left >= 1) {
        bucket.left -= 1;
        say(event);
        return;
      }
      bucket.unlogged += 1;
      bucket.last = event;
      cancel ??= clock.after(LINE_EVERY_MS, tellRest);
    },
    stop: () => {
      cancel?.();
      tellRest();
    },
  };
}

/** `why` has few fixed values, so a flood of one hides no other. */
function keyOf(event: AuditEvent): string {
  const why = "why" in event ? event.why : "";
  const register = "register" in event ? (event.register ?? "") : "";
  return `${event.on} ${why} ${register}`;
}

function refilled(bucket: Bucket, clock: Clock): Bucket {
  const now = clock.monotonic();
  bucket.left = Math.min(LINES_AT_ONCE, bucket.left + (now - bucket.seenAt) / LINE_EVERY_MS);
  bucket.seenAt = now;
  return bucket;
}
