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
  summary:
    "Asks for the end of a payment. `too-late` says that the card has its answer: the sale ends by itself, and its outcome counts.",
  scopes: ["payments"],
  params: z.strictObject(keyFields),
  result: cancelResultSchema,
  run: async (context, params) => {
    const key = keyOf(params);
    return key === undefined ? keyMissing : cancel(context, key);
  },
});
