import type { PaymentView } from "../payment/public.ts";
import type { Granted } from "../payment/refusal.ts";
import type { Resolution } from "../payment/resolution.ts";
import type { AnyPaymentKey } from "./ports.ts";

/** One step of a payment, as the journal's facts tell it. Times are ISO 8601 UTC. */
export interface TimelineStep {
  readonly at: string;
  readonly tookMs?: number;
  readonly track: "register" | "card" | "terminal" | "gateway" | "journal";
  readonly code: string;
  readonly text: string;
}

/** Why a payment is open, what the bridge does next by itself, and what an operator may do. */
export interface OpenState {
  readonly why: string;
  /** What a person can do about it. */
  readonly mend?: string;
  readonly next?: { readonly what: string; readonly at?: string };
  readonly resolvable: boolean;
  readonly resolvableFrom?: string;
  readonly choices?: readonly Resolution[];
}

export interface Timeline {
  readonly payment: PaymentView;
  /** Oldest first. */
  readonly steps: readonly TimelineStep[];
  /** Older steps than these, which are not told. */
  readonly leftOut?: number;
  readonly open?: OpenState;
}

export interface ResolveOrder {
  readonly as: Resolution;
  readonly reason: string;
  /** Who says so. */
  readonly by: string;
  readonly gatewayId?: string;
}

/** What the gateway reported when it was asked once more. */
export interface Resolved {
  readonly payment: PaymentView;
  readonly gateway: "booked" | "booked-otherwise" | "undecided" | "taken-back" | "refused" | "nothing" | "no-answer" | "not-asked";
}

/** One line of a traced terminal's line. Values are of an allow-list of tags; no key that was pressed is in it. */
export interface TracedLine {
  readonly at: string;
  readonly direction: "sent" | "received" | "note";
  readonly text: string;
  readonly tags?: readonly { readonly tag: string; readonly name: string; readonly length: number; readonly value?: string }[];
}

export interface Check {
  readonly name: string;
  readonly state: "ok" | "warn" | "fail";
  readonly text: string;
  readonly fix?: string;
}

export interface LogLine {
  readonly at: string;
  readonly level: string;
  readonly text: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

export interface LogPage {
  readonly lines: readonly LogLine[];
  /** To be handed in as `after`. */
  readonly next: string;
}

export interface SupportBundle {
  /** A file name. */
  readonly name: string;
  readonly bundle: string;
}

/** What a technician asks of the bridge, beyond what registers do. */
export interface Technician {
  timeline(key: AnyPaymentKey): Promise<Granted<Timeline>>;
  resolve(key: AnyPaymentKey, order: ResolveOrder): Promise<Granted<Resolved>>;
  /** Traces the line of that terminal until `until` or `stop`. `ended`: it went off by itself. */
  trace(terminal: string, hear: (line: TracedLine) => void, ended: () => void): Granted<{ readonly until: string; stop(): void }>;
  checks(): Promise<readonly Check[]>;
  log(filter: { readonly after?: string; readonly limit: number }): LogPage;
  supportBundle(): Promise<Granted<SupportBundle>>;
}
