import { z } from "zod";

/*
 * What a command may ask of the daemon that runs on its data folder. A method is added here, as a handler below and as a line in server.ts; the types keep
 * the three together. The socket is for this machine's own commands of the same version: there is no promise to others, and nothing here is part of the
 * register API.
 */

export interface ControlMethod<N extends string, P extends z.ZodType, R extends z.ZodType> {
  readonly name: N;
  readonly params: P;
  readonly result: R;
}

function method<N extends string, P extends z.ZodType, R extends z.ZodType>(name: N, params: P, result: R): ControlMethod<N, P, R> {
  return { name, params, result };
}

const tokenEntry = z.strictObject({ register: z.string(), scopes: z.array(z.string()).readonly(), createdAt: z.string(), lastUsedAt: z.string().optional() });
export type TokenListing = z.infer<typeof tokenEntry>;

export const ping = method("ping", z.strictObject({}), z.strictObject({ bridge: z.string(), version: z.string(), pid: z.int() }));

export const tokensCreate = method(
  "tokens.create",
  z.strictObject({ register: z.string(), scopes: z.array(z.string()).readonly() }),
  z.strictObject({ register: z.string(), scopes: z.array(z.string()).readonly(), createdAt: z.string(), token: z.string() }),
);

export const tokensList = method("tokens.list", z.strictObject({}), z.strictObject({ tokens: z.array(tokenEntry).readonly() }));

export const tokensRevoke = method("tokens.revoke", z.strictObject({ register: z.string() }), z.strictObject({ revoked: z.int() }));

/** What was asked for, or the one line that says why it is refused. */
export type ControlReply<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

type Handler<M> = M extends ControlMethod<string, infer P, infer R> ? (params: z.output<P>) => Promise<ControlReply<z.input<R>>> : never;

export interface ControlHandlers {
  readonly ping: Handler<typeof ping>;
  readonly "tokens.create": Handler<typeof tokensCreate>;
  readonly "tokens.list": Handler<typeof tokensList>;
  readonly "tokens.revoke": Handler<typeof tokensRevoke>;
}
