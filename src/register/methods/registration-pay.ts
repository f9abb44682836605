import { z } from "zod";
import { holderSchema, passthroughShape } from "../../gateway/parameters/passthrough.ts";
import type { ChargeRequest } from "../../payment/request.ts";
import { acceptUnder } from "../rpc/accept-payment.ts";
import type { Ran } from "../rpc/call-result.ts";
import { fingerprintOf } from "../rpc/fingerprint.ts";
import { LIMITS } from "../rpc/limits.ts";
import { type Context, defineMethod } from "../rpc/method.ts";
import {
  amountSchema,
  currencySchema,
  labelSchema,
  numberOfCapturesSchema,
  referenceSchema,
  registrationSchema,
  startResultSchema,
} from "../rpc/schemas.ts";
import { cardNumberIn, sentSchema } from "../rpc/sent-fields.ts";
import { readMoney } from "./start-money.ts";

const params = z.strictObject({
  registration: registrationSchema,
  reference: referenceSchema,
  amount: amountSchema,
  currency: currencySchema,
  type: z.enum(["SALE", "PREAUTHORIZATION"]).describe("Absent: SALE.").optional(),
  numberOfCaptures: numberOfCapturesSchema.optional(),
  overrideHolder: holderSchema
    .describe("The cardholder's name for this payment, 3 to 128 letters: for a card that was stored without one.")
    .optional(),
  ...passthroughShape,
  cashier: labelSchema.describe("Shown with the payment.").optional(),
  order: labelSchema.describe("As in `payment.start`.").optional(),
  despite: referenceSchema.describe("As in `payment.start`.").optional(),
  expiresInMs: z
    .int()
    .min(LIMITS.expiryMinMs)
    .max(LIMITS.expiryMaxMs)
    .describe("How long it may wait to be sent.")
    .optional(),
});
type Params = z.output<typeof params>;

function requestOf(given: Params): Ran<ChargeRequest> {
  const { registration, reference, type = "SALE", amount, currency, numberOfCaptures, overrideHolder, ...rest } = given;
  const { cashier, order, despite, expiresInMs, ...passed } = rest;
  if (type === "SALE" && numberOfCaptures !== undefined) {
    return { ok: false, invalid: { path: "numberOfCaptures", message: "means nothing for a SALE: leave it out" } };
  }
  const money = readMoney({ type, currency, amount });
  if (!money.ok) return money;
  const request: ChargeRequest = {
    registration,
    reference,
    type,
    ...money.value,
    ...(numberOfCaptures !== undefined && { numberOfCaptures }),
    ...(overrideHolder !== undefined && { holder: overrideHolder }),
    ...(cashier !== undefined && { cashier }),
    ...(order !== undefined && { order }),
    ...(despite !== undefined && { despite }),
    ...(expiresInMs !== undefined && { expiresInMs }),
    parameters: sentSchema.parse(passed),
    // The method is part of the content: a start with the same parameters differs.
    fingerprint: fingerprintOf({ ...sentSchema.parse(given), method: "registration.pay" }),
  };
  return { ok: true, value: request };
}

async function pay(context: Context, given: Params): Promise<Ran<z.input<typeof startResultSchema>>> {
  // Not `registration`: a foreign id may hold any digits.
  const { registration: _, ...texts } = given;
  const refusal = cardNumberIn(texts);
  if (refusal !== undefined) return refusal;
  const request = requestOf(given);
  if (!request.ok) return request;
  return acceptUnder(context, given.reference, () => context.payments.charge(context.caller, request.value));
}

export const registrationPay = defineMethod({
  name: "registration.pay",
  summary: "A payment by a stored card, without a terminal. Answers as soon as it is on disk.",
  notes: [
    "It needs the cardholder's consent: say in `standingInstruction` what was agreed.",
    "The first payment of an agreement, with the card or by the stored card, says `mode` INITIAL and `source` CIT. Keep `initialTransactionId` and, with Mastercard, `agreementId` of its `gateway`, and send each in `standingInstruction` of every payment that the shop makes by itself (REPEATED, MIT). Without them a gateway may refuse (`gateway-refused`). A REGISTRATION alone begins no agreement.",
    "It is a payment like any other, listed, captured, voided and refunded as one at a terminal. It has no prompt, no `card` and no `emv`.",
    "It goes over the shop's own channel (`entityId` of the configuration). A card that was stored by a terminal of another channel is not known there: `card-not-stored`.",
    "It can be cancelled until the gateway has answered; what is approved after that is reversed.",
    "It is never sent twice. Without an answer it stays in RESOLVING until the gateway tells what became of it, and what was booked counts. A part is never taken (`partial-refused`).",
  ],
  scopes: ["stored-cards"],
  params,
  result: startResultSchema,
  run: pay,
});
