import type { ChannelRules } from "./payments/transitions.ts";

/** Differences between tenants of this gateway (gateway facts, 9). */
export interface SandboxRules extends ChannelRules {
  /** HTTP status of failed payments: 400 by specification, 200 for other tenants. */
  readonly declineStatus: 400 | 200;
  /** Whether a repeated merchantTransactionId is accepted or refused with 800.130.100. */
  readonly duplicates: "accept" | "reject";
}
