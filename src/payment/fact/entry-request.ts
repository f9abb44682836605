import { z } from "zod";

/** How a card can be presented (terminal/driver, Capabilities). */
export const interfaceSchema = z.enum(["chip", "contactless", "stripe", "keyed"]);
export type CardWay = z.infer<typeof interfaceSchema>;

/** What a card is asked for when it is not the first time within a payment, and why (card/command, CollectRequest). */
export const askSchema = z.object({
  again: z.enum(["chip-unreadable", "fallback", "wrong-pin", "use-chip"]),
  interfaces: z.array(interfaceSchema),
});
export type Ask = z.infer<typeof askSchema>;
