import { z } from "zod";
import { defineMethod, refuse } from "../rpc/method.ts";
import { keyFields, reasonSchema, referenceSchema } from "../rpc/schemas.ts";
import { cardNumberIn } from "../rpc/sent-fields.ts";
import { resolveResultSchema } from "../rpc/technician-schemas.ts";
import { anyKeyMissing, anyKeyOf } from "./technician-key.ts";

const idMissing = refuse(
  "not-allowed",
  "as approved needs gatewayId: the gateway's id of the booking, as its back office shows it",
  "fix-request",
  "gatewayId",
);

export const paymentResolve = defineMethod({
  name: "payment.resolve",
  summary:
    "Closes an open payment by an operator's decision, after the unknown window and after the gateway was asked once more. Kept for ever, with who decided, when and why.",
  notes: [
    "The rules of the command `posbridge resolve`: only a payment that is open past the unknown window, and never against what a register was told.",
    "It can take some minutes, because it waits for one of the gateway's two queries a minute.",
  ],
  scopes: ["technician"],
  params: z.strictObject({
    ...keyFields,
    register: referenceSchema.describe("With `reference`: whose it is, if several registers used it.").optional(),
    as: z.enum(["reversed", "approved", "declined"]).describe("What the payment came to."),
    reason: reasonSchema.describe("Why. Kept for ever."),
    gatewayId: z
      .string()
      .regex(/^[A-Za-z0-9]{1,64}$/, "must be the gateway's id of a booking: letters and digits")
      .describe("With `approved`: the booking.")
      .optional(),
  }),
  result: resolveResultSchema,
  run: async ({ technician, session }, params) => {
    const { as, reason, gatewayId } = params;
    const key = anyKeyOf(params);
    if (key === undefined) return anyKeyMissing(params);
    if (as === "approved" && gatewayId === undefined) return idMissing;
    const refusal = cardNumberIn({ reason });
    if (refusal !== undefined) return refusal;
    const order = { as, reason, by: `register ${session.register}`, ...(gatewayId !== undefined && { gatewayId }) };
    return technician.resolve(key, order);
  },
});
