import { z } from "zod";

/** See terminal/driver, Capabilities. */
export const interfaceSchema = z.enum(["chip", "contactless", "stripe", "keyed"]);
export type CardWay = z.infer<typeof interfaceSchema>;

/** A repeated card request, and its cause (card/command, CollectRequest). */
export const askSchema = z.object({
  again: z.enum(["chip-unreadable", "fallback", "wrong-pin", "use-chip"]),
  interfaces: z.array(interfaceSchema),
});
export type Ask = z.infer<typeof askSchema>;
