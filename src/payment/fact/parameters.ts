import { z } from "zod";

/** Nested as in the register API; already checked by the specification's tables. */
export const parametersSchema = z.record(z.string(), z.json());
export type Parameters = z.infer<typeof parametersSchema>;
