import type { Ending } from "./close-reasons.ts";

/** What happens at the register's sockets that an audit may tell. `from`: the other side's address and port. `register` is there once the socket has its session. */
export type SocketEvent = { readonly from: string; readonly register?: string } & (
  | { readonly on: "session-opened"; readonly register: string; readonly scopes: readonly string[]; readonly client?: string }
  | { readonly on: "session-refused"; readonly code: string }
  /** A technician traces the line of that terminal, and does no more; or has made a support bundle. */
  | { readonly on: "trace-begun" | "trace-ended"; readonly terminal: string }
  | { readonly on: "support-bundle-made" }
  /** `method`: one of the roster's names, or `unknown`. `code`: why it was refused; absent where it was answered. */
  | { readonly on: "call"; readonly method: string; readonly ms: number; readonly code?: string }
  | { readonly on: "socket-ended"; readonly why: Ending | "pings-unanswered" }
);
