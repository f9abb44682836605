import { z } from "zod";

export const interfaceSchema = z.enum(["chip", "contactless", "stripe", "keyed"]);
export type CardWay = z.infer<typeof interfaceSchema>;

export const askSchema = z.object({
  again: z.enum(["chip-unreadable", "fallback", "wrong-pin", "use-chip"]),
  interfaces: z.array(interfaceSchema),
});
export type Ask = z.infer<typeof askSchema>;
