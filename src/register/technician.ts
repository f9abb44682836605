import type { Granted, Resolution } from "../payment/request.ts";
import type { PaymentView } from "../payment/view-schema.ts";
import type { AnyPaymentKey } from "./ports.ts";

/** One step of a payment, from the journal's facts. Times are ISO 8601 UTC. */
export interface TimelineStep {
  readonly at: string;
  readonly tookMs?: number;
  readonly track: "register" | "card" | "terminal" | "gateway" | "journal";
  readonly code: string;
  readonly text: string;
}

/** Why a payment is open, the bridge's next step, and the operator's choices. */
export interface OpenState {
  readonly why: string;
  /** The fix for a person. */
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
  /** Number of older steps that are left out. */
  readonly leftOut?: number;
  readonly open?: OpenState;
}

export interface ResolveOrder {
  readonly as: Resolution;
  readonly reason: string;
  /** The name of the operator. */
  readonly by: string;
  readonly gatewayId?: string;
}

/** The gateway's report from the final query. */
export interface Resolved {
  readonly payment: PaymentView;
  readonly gateway:
    | "booked"
    | "booked-otherwise"
    | "undecided"
    | "taken-back"
    | "refused"
    | "nothing"
    | "no-answer"
    | "not-asked";
}

/** One entry in the trace of a terminal's line. Values only of listed tags; pressed keys never appear. */
export interface TracedLine {
  readonly at: string;
  readonly direction: "sent" | "received" | "note";
  readonly text: string;
  readonly tags?: readonly {
    readonly tag: string;
    readonly name: string;
    readonly length: number;
    readonly value?: string;
  }[];
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
  /** Pass it as `after`. */
  readonly next: string;
}

export interface SupportBundle {
  /** A file name. */
  readonly name: string;
  readonly bundle: string;
}

/** Calls of a technician beyond those of a register. */
export interface Technician {
  timeline(key: AnyPaymentKey): Promise<Granted<Timeline>>;
  resolve(key: AnyPaymentKey, order: ResolveOrder): Promise<Granted<Resolved>>;
  /** Traces the terminal's line until `until` or `stop`. `ended`: the time limit was reached. */
  trace(
    terminal: string,
    hear: (line: TracedLine) => void,
    ended: () => void,
  ): Granted<{ readonly until: string; stop(): void }>;
  checks(): Promise<readonly Check[]>;
  log(filter: { readonly after?: string; readonly limit: number }): LogPage;
  supportBundle(): Promise<Granted<SupportBundle>>;
}
