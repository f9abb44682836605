import type { ChannelRules } from "./payments/transitions.ts";

/** Where tenants of this gateway differ (gateway facts, 9). */
export interface SandboxRules extends ChannelRules {
  /** HTTP status of a payment that failed: the specification says 400, other tenants answer 200. */
  readonly declineStatus: 400 | 200;
  /** Whether a merchantTransactionId may come twice, or is refused with 800.130.100. */
  readonly duplicates: "accept" | "reject";
}
