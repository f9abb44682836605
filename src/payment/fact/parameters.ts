import { z } from "zod";

/**
 * What a register passes through to the gateway, nested as in the register API; the specification's tables have checked
 * it.
 */
export const parametersSchema = z.record(z.string(), z.json());
export type Parameters = z.infer<typeof parametersSchema>;
