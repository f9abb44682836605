import type { z } from "zod";
import type { ControlHandlers, ControlReply, PendingListing, registersApprove } from "./methods.ts";
import { storageTold } from "./tokens.ts";

type Approval = z.output<(typeof registersApprove)["params"]>;

type Granted<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: { readonly message: string } };

/** The waiting registers as the control methods use them. */
export interface RegisterBook {
  pending(): readonly PendingListing[];
  approve(approval: Approval): Granted<{
    readonly register: string;
    readonly scopes: readonly string[];
    readonly origin: string;
    readonly refundLimits?: Approval["refundLimits"];
  }>;
  refuse(order: {
    readonly code: string;
    readonly by: string;
  }): Granted<{ readonly name: string; readonly origin: string }>;
}

export type RegisterHandlers = Pick<ControlHandlers, "registers.pending" | "registers.approve" | "registers.refuse">;

/** `problemIn` describes a thrown storage error in one line; undefined for any other error. */
export function registerHandlers(
  book: RegisterBook,
  problemIn: (thrown: unknown) => string | undefined,
): RegisterHandlers {
  return {
    "registers.pending": async () => ({ ok: true, value: { pending: storageTold(() => book.pending(), problemIn) } }),
    "registers.approve": async (approval) => replyOf(storageTold(() => book.approve(approval), problemIn)),
    "registers.refuse": async (order) => replyOf(book.refuse(order)),
  };
}

function replyOf<T>(done: Granted<T>): ControlReply<T> {
  return done.ok ? done : { ok: false, message: done.refusal.message };
}
