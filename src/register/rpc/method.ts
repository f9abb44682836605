import type { z } from "zod";
import type { Clock } from "../../kit/clock.ts";
import type { Refusal, RefusalCode } from "../../payment/request.ts";
import type { Traces } from "../methods/traces.ts";
import type { RegisterPairing } from "../pairing/desk.ts";
import type { Introduction } from "../pairing/introduction.ts";
import type { Caller, Pairing, PaymentKey, Payments, Scope, TokenRights, Tokens } from "../ports.ts";
import type { Feed } from "../stream/feed.ts";
import type { Technician } from "../technician.ts";
import type { Ran } from "./call-result.ts";
import { firstProblem } from "./problem.ts";

/** The session of a socket: its register, and its program if it was given. */
export interface Session extends TokenRights {
  readonly client?: string;
}

/** Ports of a method of an open session. */
export interface Context {
  readonly payments: Payments;
  readonly pairing: Pairing;
  readonly registers: RegisterPairing;
  readonly clock: Clock;
  readonly session: Session;
  readonly caller: Caller;
  readonly feed: Feed;
  readonly technician: Technician;
  readonly traces: Traces;
  /** For the audit: actions of this session other than payments. */
  audit(what: "support-bundle-made"): void;
}

/** Ports of the method that opens a session. */
export interface Opening {
  readonly payments: Payments;
  readonly tokens: Tokens;
  readonly introduction: Introduction;
}

interface Described {
  readonly name: string;
  readonly summary: string;
  /** For register developers, one rule each. */
  readonly notes?: readonly string[];
  /** One of these is enough; empty: every session may call. */
  readonly scopes: readonly Scope[];
  readonly params: z.ZodType;
  readonly result: z.ZodType;
}

export type RegisterMethod = Described &
  (
    | { readonly session: "needed"; call(context: Context, params: unknown): Promise<Ran<unknown>> }
    | { readonly session: "none"; call(introduction: Introduction, params: unknown): Promise<Ran<unknown>> }
    | {
        readonly session: "opens";
        call(opening: Opening, params: unknown): Promise<Ran<unknown> & { readonly opened?: Session }>;
      }
  );

interface Definition<P extends z.ZodType, R extends z.ZodType> extends Described {
  readonly params: P;
  readonly result: R;
  run(context: Context, params: z.output<P>): Promise<Ran<z.input<R>>>;
}

/** Adds the check of the parameters, so that `run` gets only valid ones. */
export function defineMethod<P extends z.ZodType, R extends z.ZodType>({
  run,
  ...described
}: Definition<P, R>): RegisterMethod {
  return {
    ...described,
    session: "needed",
    call: async (context, params) => {
      const parsed = described.params.safeParse(params);
      if (!parsed.success) return { ok: false, invalid: firstProblem(parsed.error, params) };
      return run(context, parsed.data);
    },
  };
}

/** A method of a socket that has no session yet. */
export function defineIntroduction<P extends z.ZodType, R extends z.ZodType>({
  run,
  ...described
}: Omit<Described, "scopes"> & {
  readonly params: P;
  readonly result: R;
  run(introduction: Introduction, params: z.output<P>): Promise<Ran<z.input<R>>>;
}): RegisterMethod {
  return {
    ...described,
    scopes: [],
    session: "none",
    call: async (introduction, params) => {
      const parsed = described.params.safeParse(params);
      if (!parsed.success) return { ok: false, invalid: firstProblem(parsed.error, params) };
      return run(introduction, parsed.data);
    },
  };
}

export function refuse(
  code: RefusalCode,
  message: string,
  advice: Refusal["advice"] = "fix-request",
  path?: string,
): Ran<never> {
  const refusal = { code, message, advice };
  return path === undefined ? { ok: false, refusal } : { ok: false, refusal, path };
}

/** The key of a payment named by `reference` or by `id`. */
export function keyOf(params: { reference?: string | undefined; id?: string | undefined }): PaymentKey | undefined {
  if (params.reference !== undefined) return params.id === undefined ? { reference: params.reference } : undefined;
  return params.id === undefined ? undefined : { id: params.id };
}

export const keyMissing: Ran<never> = {
  ok: false,
  invalid: { path: "reference", message: "or id must be given, one of the two" },
};
