import { z } from "zod";
import type { StoryShop } from "../../stories/shop.ts";
import type { Exchange, Json, Line } from "./exchange.ts";

export const EUR = "EUR";
export const paymentSchema = z.object({
  payment: z.looseObject({
    id: z.string(),
    gateway: z.looseObject({ registrationId: z.string().optional() }).optional(),
  }),
});

/** What every part of the recording uses. */
export interface Shop {
  readonly shop: StoryShop;
  readonly till: Line;
  readonly technician: Line;
  readonly kept: Map<string, Exchange>;
  /** Sends a call and keeps it as the method's example. */
  keep(line: Line, method: string, params?: Json): Promise<void>;
  /** Resolves when the payment is FINAL and captured, and its card is out. */
  settled(reference: string): Promise<z.infer<typeof paymentSchema>["payment"]>;
}

export const saleOf = (reference: string, amount: string) => ({
  reference,
  type: "SALE",
  terminal: "till-1",
  currency: EUR,
  amount,
  queue: true,
});
