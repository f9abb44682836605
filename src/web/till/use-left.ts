import { useEffect } from "preact/hooks";
import type { RegisterClient } from "../../client/client.ts";
import type { PaymentView } from "../../payment/public.ts";
import { type FollowUp, leftToCapture } from "./follow-ups.ts";

const LOOKED_AT = 500;

/** Reads what was added to a reservation since, and tells what is left of it. Where the bridge does not say, the bridge alone refuses too much. */
export function useLeft(client: RegisterClient | undefined, payment: PaymentView, { call }: FollowUp, onLeft: (left: string) => void): void {
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
