import type { Ending } from "./close-reasons.ts";

/**
 * Events of the register's sockets for the audit. `from`: the other side's address and port. `register`: present once
 * the socket has its session.
 */
export type SocketEvent = { readonly from: string; readonly register?: string } & (
  | {
      readonly on: "session-opened";
      readonly register: string;
      readonly scopes: readonly string[];
      readonly client?: string;
    }
  | { readonly on: "session-refused"; readonly code: string }
  /** A technician traces that terminal's line, or has made a support bundle. */
  | { readonly on: "trace-begun" | "trace-ended"; readonly terminal: string }
  | { readonly on: "support-bundle-made" }
  /** `method`: a known name, or `unknown`. `code`: the refusal; absent for an answer. */
  | { readonly on: "call"; readonly method: string; readonly ms: number; readonly code?: string }
  | { readonly on: "socket-ended"; readonly why: Ending | "pings-unanswered" }
);
