import { z } from "zod";
import type { PaymentKey } from "../ports.ts";
import type { Ran } from "../rpc/call-result.ts";
import { type Context, defineMethod, keyMissing, keyOf } from "../rpc/method.ts";
import { cancelResultSchema, keyFields } from "../rpc/schemas.ts";

async function cancel(
  { payments, caller, feed }: Context,
  key: PaymentKey,
): Promise<Ran<z.input<typeof cancelResultSchema>>> {
  const hold = feed.hold(key);
  const replied = (): void => hold.release(false);
  try {
    const cancelled = await payments.cancel(caller, key);
    return { ...cancelled, replied };
  } catch (error) {
    replied();
    throw error;
  }
}

export const paymentCancel = defineMethod({
  name: "payment.cancel",
  summary: "Asks for the end of a payment. Look at the payment in any case.",
  notes: [
    "`accepted`: the payment ends as not approved, and an approval that is on its way is reversed. `too-late`: the card has its answer, or the link is paid.",
    "A capture, void, refund or increment can be cancelled until its request leaves, which is a moment only.",
  ],
  scopes: ["payments"],
  params: z.strictObject(keyFields),
  result: cancelResultSchema,
  run: async (context, params) => {
    const key = keyOf(params);
    return key === undefined ? keyMissing : cancel(context, key);
  },
});
