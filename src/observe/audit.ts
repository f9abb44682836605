import type { Cancel, Clock } from "../kit/clock.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";

/** What people may have to prove later: who came in, who was kept out, and who made or took away a right. `from`: address and port; `by`: a user of this machine. */
export type AuditEvent =
  | { readonly on: "session-opened"; readonly from: string; readonly register: string; readonly scopes: readonly string[]; readonly client?: string }
  | { readonly on: "session-refused"; readonly from: string; readonly register?: string; readonly code: string }
  | { readonly on: "call-refused"; readonly from: string; readonly register?: string; readonly method: string; readonly code: string }
  | { readonly on: "request-refused"; readonly from: string; readonly why: string; readonly origin?: string }
  | { readonly on: "socket-ended"; readonly from: string; readonly register?: string; readonly why: string }
  | { readonly on: "trace-begun" | "trace-ended"; readonly from: string; readonly register?: string; readonly terminal: string }
  | { readonly on: "support-bundle-made"; readonly from: string; readonly register?: string }
  | { readonly on: "support-bundle-made"; readonly by: string }
  | { readonly on: "token-created"; readonly by: string; readonly register: string; readonly scopes: readonly string[]; readonly refundLimits?: object }
  | { readonly on: "tokens-revoked"; readonly by: string; readonly register?: string; readonly revoked: number }
  | {
      readonly on: "terminal-changed";
      readonly by: string;
      readonly did: "paired" | "renamed" | "replaced" | "unpaired";
      readonly terminal: string;
      readonly serialNumber?: string | undefined;
      readonly at: string;
    };

type Words = { readonly level: "info" | "warn"; readonly message: string };

/** What others can cause is told so often at once, whoever causes it and on however many sockets; */
const LINES_AT_ONCE = 20;
/** and then once more so often, in milliseconds, with the number of those that were left out. */
const LINE_EVERY_MS = 60_000;

export interface Audit {
  note(event: AuditEvent): void;
  /** Says what was left out and not told yet. */
  stop(): void;
}

export interface AuditPorts {
  readonly log: Pick<Log, "info" | "warn">;
  readonly metrics: Pick<Metrics, "sessionAsked" | "callRefused" | "requestRefused" | "socketEnded" | "tokensChanged">;
  readonly clock: Clock;
}

/** Events as lines of the log, with `"audit":true`, and as figures. All are counted; of those that a stranger can cause at will only some are logged, so that nobody fills a disk. */
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
      if (event.on === "token-created" || event.on === "tokens-revoked" || event.on === "terminal-changed") say(event);
      else sparing.say(event);
    },
    stop: sparing.stop,
  };
}

/** `unlogged`: so many of the same kind, of the same register or of strangers, were not logged before this line. */
type Said = AuditEvent & { readonly unlogged?: number };

function wordsOf(event: AuditEvent): Words {
  switch (event.on) {
    case "session-opened":
      return { level: "info", message: "session opened" };
    case "session-refused":
      return { level: "warn", message: "session refused" };
    case "call-refused":
      return { level: event.code === "unauthorized" || event.code === "forbidden" ? "warn" : "info", message: "call refused" };
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
      break;
    case "token-created":
      metrics.tokensChanged("created", 1);
      break;
    case "tokens-revoked":
      metrics.tokensChanged("revoked", event.revoked);
      break;
    case "terminal-changed":
      break;
  }
}

/** Lines of one kind that have gone out, and the last of those that were left out. */
interface Bucket {
  left: number;
  seenAt: number;
  unlogged: number;
  last: AuditEvent | undefined;
}

/** A bucket for each kind of event, its `why`, and each register; all without a session share those of their kind, on however many sockets they come. */
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
      const bucket = refilled(buckets.get(key) ?? { left: LINES_AT_ONCE, seenAt: clock.monotonic(), unlogged: 0, last: undefined }, clock);
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

/** `why` is one of a few words of ours: a flood of one of them hides no other. */
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
