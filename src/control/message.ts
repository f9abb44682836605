import { z } from "zod";

/** One line to the daemon. The reply repeats `id`, so that the client recognizes it. */
export const requestSchema = z.strictObject({ id: z.int(), method: z.string(), params: z.unknown() });

/** One line back. `refused` is the method's answer; the others mean a wrong request or a failure of the daemon. */
export const replySchema = z.union([
  z.strictObject({ id: z.int().nullable(), result: z.json() }),
  z.strictObject({
    id: z.int().nullable(),
    error: z.strictObject({ code: z.enum(["refused", "bad-request", "failed"]), message: z.string() }),
  }),
]);
export type ControlMessage = z.infer<typeof replySchema>;
