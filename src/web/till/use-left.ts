import { useEffect } from "preact/hooks";
import type { RegisterClient } from "../../client/client.ts";
import type { PaymentView } from "../../payment/view-schema.ts";
import { type FollowUp, leftToCapture } from "./follow-ups.ts";

const LOOKED_AT = 500;

/**
 * Reads later increments of a reservation and reports the remainder. If the bridge does not answer, only the bridge
 * limits the amount.
 */
export function useLeft(
  client: RegisterClient | undefined,
  payment: PaymentView,
  { call }: FollowUp,
  onLeft: (left: string) => void,
): void {
  const { id, createdAt, capturedAmount } = payment;
  useEffect(() => {
    let isWanted = true;
    if (call !== "payment.capture" || client === undefined) return undefined;
    client.list({ from: createdAt, limit: LOOKED_AT }).then(
      ({ payments, next }) => isWanted && next === undefined && onLeft(leftToCapture(payment, payments)),
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [client, call, id, createdAt, capturedAmount]);
}
