import { z } from "zod";

export const parametersSchema = z.record(z.string(), z.json());
export type Parameters = z.infer<typeof parametersSchema>;
