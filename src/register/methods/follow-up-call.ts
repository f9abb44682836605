import type { z } from "zod";
import type { FollowUpRequest, OriginalKey } from "../../payment/request.ts";
import { acceptUnder } from "../rpc/accept-payment.ts";
import type { Ran } from "../rpc/call-result.ts";
import { fingerprintOf } from "../rpc/fingerprint.ts";
import type { Context } from "../rpc/method.ts";
import { labelSchema, originalKeySchema, referenceSchema, type startResultSchema } from "../rpc/schemas.ts";
import { cardNumberIn } from "../rpc/sent-fields.ts";

/** Common to captures, voids, refunds and increments; each has its own kind of `amount`. */
export const followUpFields = {
  of: originalKeySchema,
  reference: referenceSchema,
  cashier: labelSchema.describe("Shown with the payment.").optional(),
};

interface FollowUpParams {
  readonly of: z.output<typeof originalKeySchema>;
  readonly reference: string;
  readonly amount?: string | undefined;
  readonly cashier?: string | undefined;
}

/**
 * Starts a payment that follows another. The method's name is part of its content: a capture and a refund with the same
 * parameters differ.
 */
export async function followUp(
  context: Context,
  { method, type }: { readonly method: string; readonly type: FollowUpRequest["type"] },
  given: FollowUpParams,
): Promise<Ran<z.input<typeof startResultSchema>>> {
  const { of, reference, amount, cashier } = given;
  // Not `of`: a foreign id may hold any digits, and its text is not stored.
  const refusal = cardNumberIn({ reference, cashier });
  if (refusal !== undefined) return refusal;
  const content = {
    method,
    of,
    reference,
    ...(amount !== undefined && { amount }),
    ...(cashier !== undefined && { cashier }),
  };
  const request: FollowUpRequest = {
    type,
    of: originalKeyOf(of),
    reference,
    ...(amount !== undefined && { amount }),
    ...(cashier !== undefined && { cashier }),
    fingerprint: fingerprintOf(content),
  };
  return acceptUnder(context, reference, () => context.payments.followUp(context.caller, request));
}

function originalKeyOf(of: FollowUpParams["of"]): OriginalKey {
  return typeof of === "string" ? { name: of } : of;
}
