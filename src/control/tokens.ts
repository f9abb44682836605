import type { z } from "zod";
import type { Secret } from "../kit/secret.ts";
import { ControlFailed } from "./address.ts";
import type { ControlHandlers, ControlReply, TokenListing, tokensCreate } from "./methods.ts";

type NewToken = Omit<z.output<(typeof tokensCreate)["params"]>, "by">;

/** The token store as the control methods use it. */
export interface TokenBook {
  create(request: NewToken): ControlReply<NewToken & { readonly createdAt: string; readonly token: Secret<string> }>;
  list(): readonly TokenListing[];
  revoke(register: string): ControlReply<{ readonly revoked: number }>;
  revokeDamaged(): ControlReply<{ readonly revoked: number }>;
}

export type TokenHandlers = Pick<
  ControlHandlers,
  "tokens.create" | "tokens.list" | "tokens.revoke" | "tokens.revokeDamaged"
>;

/** Turns a thrown storage error into its one line. */
export function storageTold<T>(run: () => T, problemIn: (thrown: unknown) => string | undefined): T {
  try {
    return run();
  } catch (cause) {
    const problem = problemIn(cause);
    throw problem === undefined ? cause : new ControlFailed(problem, { cause });
  }
}

/**
 * Handlers for tokens, the same in the daemon and in a command without a daemon. A new token leaves the store's Secret
 * here. `problemIn` describes a thrown storage error in one line; undefined for any other error.
 */
export function tokenHandlers(book: TokenBook, problemIn: (thrown: unknown) => string | undefined): TokenHandlers {
  const told = <T>(run: () => T): T => storageTold(run, problemIn);
  return {
    "tokens.create": async ({ by: _, ...request }) => {
      const created = told(() => book.create(request));
      return created.ok ? { ok: true, value: { ...created.value, token: created.value.token.reveal() } } : created;
    },
    "tokens.list": async () => ({ ok: true, value: { tokens: told(() => book.list()) } }),
    "tokens.revoke": async ({ register }) => told(() => book.revoke(register)),
    "tokens.revokeDamaged": async () => told(() => book.revokeDamaged()),
  };
}
