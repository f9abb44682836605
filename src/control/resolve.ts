import type { z } from "zod";
import type { ControlHandlers, paymentsResolve } from "./methods.ts";

/** A payment as shown to the operator. */
interface Resolved {
  readonly id: string;
  readonly reference: string;
  readonly register: string;
  readonly state: string;
  readonly decision?: string | undefined;
  readonly outcome?: string | undefined;
  readonly reason?: { readonly code: string; readonly message: string } | undefined;
  readonly capture?: string | undefined;
  readonly gateway?: { readonly id?: string | undefined } | undefined;
}

/** The closed payment, and the gateway's last report. */
interface Closed {
  readonly payment: Resolved;
  readonly gateway: z.output<(typeof paymentsResolve)["result"]>["gateway"];
}

/** An operator decision; kept for ever. */
interface Order {
  readonly as: "reversed" | "approved" | "declined";
  readonly reason: string;
  /** The name of the operator. */
  readonly by: string;
  readonly gatewayId?: string;
}

/** The payments as the control method uses them. */
export interface Resolver {
  /** Queries the gateway again and closes the payment, or returns one line with the reason why not. */
  resolve(
    key: { readonly reference: string; readonly register?: string },
    order: Order,
  ): Promise<
    | { readonly ok: true; readonly value: Closed }
    | { readonly ok: false; readonly refusal: { readonly message: string } }
  >;
}

export function resolveHandlers(payments: Resolver): Pick<ControlHandlers, "payments.resolve"> {
  return {
    "payments.resolve": async ({ reference, register, as, reason, by, gatewayId }) => {
      const order = { as, reason, by, ...(gatewayId !== undefined && { gatewayId }) };
      const done = await payments.resolve({ reference, ...(register !== undefined && { register }) }, order);
      return done.ok ? { ok: true, value: told(done.value) } : { ok: false, message: done.refusal.message };
    },
  };
}

function told({ payment, gateway: says }: Closed) {
  const { id, reference, register, state, decision, outcome, reason, capture, gateway } = payment;
  return {
    ...{ id, reference, register, state },
    ...(decision !== undefined && { decision }),
    ...(outcome !== undefined && { outcome }),
    ...(reason !== undefined && { reason: { code: reason.code, message: reason.message } }),
    ...(capture !== undefined && { capture }),
    ...(gateway?.id !== undefined && { gatewayId: gateway.id }),
    gateway: says,
  };
}
