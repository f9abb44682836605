import { z } from "zod";

/* Calls of the simulator's control and the sandbox, which are separate servers on this machine. */

/** The reason why a call failed, in one line. */
class CallFailed extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "CallFailed";
  }
}

const problemSchema = z.object({ error: z.string() });

/** Calls the server at `base` and parses its reply. Rejects with CallFailed. */
export async function ask<S extends z.ZodType>(
  base: string,
  [method, path]: readonly [string, string],
  schema: S,
  body?: object,
): Promise<z.output<S>> {
  const init: RequestInit = {
    method,
    ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  };
  const response = await fetch(new URL(path, base), init).catch((cause: unknown) => {
    throw new CallFailed("The demo does not answer. Is it still running?", { cause });
  });
  const said: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw new CallFailed(problemSchema.safeParse(said).data?.error ?? `HTTP ${response.status}`);
  const read = schema.safeParse(said);
  if (!read.success)
    throw new CallFailed(`The reply to ${method} ${path} is not as documented.`, { cause: read.error });
  return read.data;
}
