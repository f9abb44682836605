import { z } from "zod";
import { defineMethod, refuse } from "../rpc/method.ts";
import { amountSchema, startResultSchema } from "../rpc/schemas.ts";
import { followUp, followUpFields } from "./follow-up-call.ts";

export const paymentVoid = defineMethod({
  name: "payment.void",
  summary: "Reverses a whole booking. A part is refunded by `payment.refund`.",
  notes: [
    "Of a sale whose capture is pending, it stops the capture and reverses the reservation. Of a captured sale it reverses the capture; what the gateway still holds of the reservation lapses at the issuer. Best on the same day.",
    "A void that the gateway refuses ends FAILED and gave nothing back. The bridge never makes a refund of it. The reason says what to do:",
    "`void-refused`: the sale or capture is captured. Send a refund.",
    "`already-refunded`: the gateway's query shows a refund of it. The shop looks what is left before more is given back.",
    "`reversal-refused` of a reservation: no money was taken, unless it was captured in the gateway's back office. The amount stays reserved until it is lifted there or lapses. A refund could not be booked on it.",
    "`reversal-refused` of a sale whose capture this void had stopped: the capture goes on. Once it is `captured`, send a refund.",
    "`gateway-refused`, `channel-not-set-up`: the gateway refused the request itself. Call support.",
    "`voidedBy` of the original follows a moment after the void is APPROVED. No refund is taken meanwhile.",
    "A void that was not answered, and is carried out after its end, is told as its `lateBooking` and as `voidedBy` of the sale.",
    "If the gateway reverses a part and refuses the rest, the void stays open: the bridge goes on trying, and the shop is told.",
    "A voided reservation takes its increments with it; they have the same `voidedBy`. Of a reservation that was captured, void or refund the capture.",
  ],
  scopes: ["payments"],
  params: z.strictObject({
    ...followUpFields,
    amount: amountSchema.describe("Always refused: a void is of the whole.").optional(),
  }),
  result: startResultSchema,
  run: async (context, given) =>
    given.amount === undefined
      ? followUp(context, { method: "payment.void", type: "VOID" }, given)
      : refuse(
          "invalid-amount",
          "a void has no amount, it takes all back: leave amount out, or give a part back by payment.refund",
          "fix-request",
          "amount",
        ),
});
