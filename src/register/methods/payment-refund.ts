import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { amountSchema, startResultSchema } from "../rpc/schemas.ts";
import { followUp, followUpFields } from "./follow-up-call.ts";

export const paymentRefund = defineMethod({
  name: "payment.refund",
  summary: "Refunds what was captured: all that is left of it, or `amount`. No card is needed.",
  notes: [
    "It can be repeated as long as something is left. It is refused with `not-allowed` while the sale's `capture` is `pending`: wait for `captured`, or void the whole.",
    "At most `capturedAmount` is refunded. If people had the rest captured by hand, refund the two parts one after the other, each by its amount. Of a reservation with several captures, name the capture.",
    "A refund is never reversed. If the gateway knows nothing of it (`gateway-unreached`), or made it after all, the advice is `call-support`: a second one may be one too many.",
    "`of` with a `gatewayId`: the gateway is asked first, and answers two queries a minute. A register has one such look-up at a time, and one a minute (else `too-many-requests`); open payments go first. It ends with its socket.",
    "If the gateway cannot be asked within 90 s: `gateway-unreached`, and nothing has happened.",
    "A booking that this bridge did not make needs the scope `foreign-bookings`. A payment of another register is named by its `id` and needs `payments:all`.",
    "What the gateway has not decided of that booking, or left half done, closes it to follow-ups. What this bridge booked on it counts before the gateway shows it.",
    "A booking of a payment of this journal stands as that payment does, also if it was captured by hand or paid by a link. A surplus booking under a payment's name is `not-allowed`: the bridge reverses it, or people do.",
  ],
  scopes: ["refunds"],
  params: z.strictObject({
    ...followUpFields,
    amount: amountSchema.describe("What is refunded. Absent: all that is left.").optional(),
  }),
  result: startResultSchema,
  run: (context, given) => followUp(context, { method: "payment.refund", type: "LINKED_REFUND" }, given),
});
