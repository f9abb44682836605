import type { Random } from "../../../src/kit/random.ts";
import type { Issuer } from "../testbed/issuer.ts";
import type { Announce } from "./events.ts";
import type { SandboxStore } from "./ledger/store.ts";
import type { Send } from "./outgoing.ts";
import type { SandboxRules } from "./rules.ts";
import type { SandboxClock } from "./sandbox-clock.ts";
import type { FaultBook } from "./testing/faults.ts";
import type { RequestLog } from "./testing/request-log.ts";
import type { Throttle } from "./throttle.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";

/** A gateway channel and the access token that opens it. One token may open several channels. */
export interface SandboxEntity {
  /** 32 lower-case hexadecimal digits. */
  readonly entityId: string;
  readonly token: string;
}

/** Shared by all resources of the sandbox. */
export interface Context {
  readonly entities: readonly SandboxEntity[];
  readonly rules: SandboxRules;
  readonly store: SandboxStore;
  readonly clock: SandboxClock;
  readonly random: Random;
  readonly throttle: Throttle;
  readonly faults: FaultBook;
  readonly requests: RequestLog;
  readonly issuer: Issuer;
  /** Informs the listeners, in the transaction that wrote the event. */
  readonly announce: Announce;
  /** Only for the calls that set up webhooks; events go through `announce`. */
  readonly webhooks: Webhooks;
  readonly send: Send;
}
