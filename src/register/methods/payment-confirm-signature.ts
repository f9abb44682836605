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
    "The cashier's decision on the signature, while the prompt is SIGN. If it is refused, or missing for five minutes, the payment is reversed.",
  notes: [
    "Print the merchant's receipt first: it has the approval code, a line to sign on, and ends with `APPROVED, SUBJECT TO SIGNATURE`.",
    "A signature that is refused, or not judged within five minutes, ends the payment CANCELLED with `signature-refused`.",
    "A second decision that differs, or one that nobody waits for, is refused with `not-allowed`.",
  ],
  scopes: ["payments"],
  params: z.strictObject({
    ...keyFields,
    accepted: z.boolean().describe("Whether the signature is the cardholder's."),
  }),
  result: paymentResultSchema,
  run: async (context, { accepted, ...params }) => {
    const key = keyOf(params);
    return key === undefined ? keyMissing : judge(context, key, accepted);
  },
});
