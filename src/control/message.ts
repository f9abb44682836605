import { z } from "zod";

/** One line to the daemon. `id` is repeated in the reply, so that a client can tell its own. */
export const requestSchema = z.strictObject({ id: z.int(), method: z.string(), params: z.unknown() });

/** One line back. `refused` is an answer of the method; the other two say that it was not asked properly, or that the daemon failed. */
export const replySchema = z.union([
  z.strictObject({ id: z.int().nullable(), result: z.json() }),
  z.strictObject({ id: z.int().nullable(), error: z.strictObject({ code: z.enum(["refused", "bad-request", "failed"]), message: z.string() }) }),
]);
export type ControlMessage = z.infer<typeof replySchema>;
