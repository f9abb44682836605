import type { GatewayEvent } from "../events.ts";
import type { Booking } from "./booking.ts";
import { isSuccess } from "./codes.ts";

/**
 * What is told of a row as it stands (specification, "Webhook notifications"; gateway facts, 3): of a payment always, of an account only once it is stored, changed or
 * deleted. A payment that stored its account besides is told as both.
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
      return [{ type: "PAYMENT", booking }, ...(registrationId === undefined ? [] : ofAccount("CREATED", registrationId))];
  }
}
