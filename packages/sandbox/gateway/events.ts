import type { Booking } from "./ledger/booking.ts";

/**
 * Announced in the transaction that writes the ledger, so none is lost or untrue (specification, "Webhook
 * notifications"; gateway facts, 3, for SCHEDULE and RISK).
 */
export type GatewayEvent =
  | { readonly type: "PAYMENT"; readonly booking: Booking }
  | {
      readonly type: "REGISTRATION";
      readonly action: "CREATED" | "UPDATED" | "DELETED";
      readonly id: string;
      readonly booking: Booking;
    }
  | { readonly type: "SCHEDULE"; readonly booking: Booking }
  | { readonly type: "RISK"; readonly booking: Booking };

export type Announce = (event: GatewayEvent) => void;
