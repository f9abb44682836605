import { z } from "zod";
import type { PaymentKey } from "../ports.ts";
import type { Ran } from "../rpc/call-result.ts";
import { type Context, defineMethod, keyMissing, keyOf } from "../rpc/method.ts";
import { keyFields, paymentResultSchema } from "../rpc/schemas.ts";

async function judge(
  { payments, caller, feed }: Context,
  key: PaymentKey,
  accepted: boolean,
): Promise<Ran<z.input<typeof paymentResultSchema>>> {
  const hold = feed.hold(key);
  const replied = (): void => hold.release(false);
  try {
    const judged = await payments.confirmSignature(caller, key, accepted);
    return judged.ok ? { ok: true, value: { payment: judged.value }, replied } : { ...judged, replied };
  } catch (error) {
    replied();
    throw error;
  }
}

export const paymentConfirmSignature = defineMethod({
  name: "payment.confirmSignature",
  summary:
    "The cashier's word on the signature, while the prompt is SIGN. Refused, or not given within five minutes: the payment is taken back.",
  scopes: ["payments"],
  params: z.strictObject({ ...keyFields, accepted: z.boolean() }),
  result: paymentResultSchema,
  run: async (context, { accepted, ...params }) => {
    const key = keyOf(params);
    return key === undefined ? keyMissing : judge(context, key, accepted);
  },
});
