import type { GatewayEvent } from "../events.ts";
import type { Booking } from "./booking.ts";
import { isSuccess } from "./codes.ts";

/**
 * Events of a row (specification, "Webhook notifications"; gateway facts, 3): payments always, accounts once stored,
 * changed or deleted. A payment that stored its account has both.
 */
export function eventsOf(booking: Booking, isPending: boolean): readonly GatewayEvent[] {
  const { id, paymentType, referencedId = "", registrationId } = booking;
  const isDone = !isPending && isSuccess(booking.resultCode);
  const ofAccount = (action: "CREATED" | "UPDATED" | "DELETED", account: string): readonly GatewayEvent[] =>
    isDone ? [{ type: "REGISTRATION", action, id: account, booking }] : [];
  switch (paymentType) {
    case "RG":
      return ofAccount("CREATED", id);
    case "RR":
      return ofAccount("UPDATED", referencedId);
    case "DR":
      return ofAccount("DELETED", referencedId);
    case "SD":
    case "RS":
    case "DS":
      return [{ type: "SCHEDULE", booking }];
    case "RI":
      return [{ type: "RISK", booking }];
    case "PA":
    case "DB":
    case "CD":
    case "CP":
    case "RV":
    case "RF":
    case "RB":
    case "RC":
    case "CB":
    case "CR":
    case "3D":
      return [
        { type: "PAYMENT", booking },
        ...(registrationId === undefined ? [] : ofAccount("CREATED", registrationId)),
      ];
  }
}
