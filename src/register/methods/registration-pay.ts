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
  type: z.enum(["SALE", "PREAUTHORIZATION"]).optional(),
  numberOfCaptures: numberOfCapturesSchema.optional(),
  overrideHolder: holderSchema.optional(),
  ...passthroughShape,
  cashier: labelSchema.optional(),
  order: labelSchema.optional(),
  despite: referenceSchema.optional(),
  expiresInMs: z.int().min(LIMITS.expiryMinMs).max(LIMITS.expiryMaxMs).optional(),
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
  summary:
    "A payment by a stored card, without a terminal. Answers as soon as it is durably accepted, as payment.start does.",
  scopes: ["stored-cards"],
  params,
  result: startResultSchema,
  run: pay,
});
