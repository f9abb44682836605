import type { Booking } from "./ledger/booking.ts";

/**
 * Something that happened, told once it is in the ledger and in the same transaction, so that nothing that is told can be lost or was not so (specification, "Webhook
 * notifications"; gateway facts, 3, for SCHEDULE and RISK).
 */
export type GatewayEvent =
  | { readonly type: "PAYMENT"; readonly booking: Booking }
  | { readonly type: "REGISTRATION"; readonly action: "CREATED" | "UPDATED" | "DELETED"; readonly id: string; readonly booking: Booking }
  | { readonly type: "SCHEDULE"; readonly booking: Booking }
  | { readonly type: "RISK"; readonly booking: Booking };

export type Announce = (event: GatewayEvent) => void;
