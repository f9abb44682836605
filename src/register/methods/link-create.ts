import { z } from "zod";
import { passthroughShape } from "../../gateway/parameters/passthrough.ts";
import type { LinkRequest } from "../../payment/request.ts";
import { acceptUnder } from "../rpc/accept-payment.ts";
import type { Ran } from "../rpc/call-result.ts";
import { fingerprintOf } from "../rpc/fingerprint.ts";
import { LIMITS } from "../rpc/limits.ts";
import { type Context, defineMethod } from "../rpc/method.ts";
import {
  amountSchema,
  currencySchema,
  descriptionSchema,
  labelSchema,
  referenceSchema,
  startResultSchema,
} from "../rpc/schemas.ts";
import { cardNumberIn, sentSchema } from "../rpc/sent-fields.ts";
import { readMoney } from "./start-money.ts";

const params = z.strictObject({
  reference: referenceSchema,
  amount: amountSchema,
  currency: currencySchema,
  validForMs: z.int().min(LIMITS.linkMinMs).max(LIMITS.linkMaxMs).optional(),
  description: descriptionSchema.optional(),
  ...passthroughShape,
  cashier: labelSchema.optional(),
  order: labelSchema.optional(),
  despite: referenceSchema.optional(),
});
type Params = z.output<typeof params>;

/**
 * The gateway has no field for a description. It becomes a custom parameter, which queries, webhooks and the back
 * office show.
 */
function parametersOf(
  passed: Readonly<Record<string, unknown>>,
  description: string | undefined,
): Ran<LinkRequest["parameters"]> {
  const parameters = sentSchema.parse(passed);
  if (description === undefined) return { ok: true, value: parameters };
  const custom = z.record(z.string(), z.json()).parse(parameters["customParameters"] ?? {});
  if (Object.hasOwn(custom, "description")) {
    return {
      ok: false,
      invalid: { path: "description", message: "is in customParameters as well, where it goes: say it once" },
    };
  }
  return { ok: true, value: { ...parameters, customParameters: { description, ...custom } } };
}

function requestOf(given: Params): Ran<LinkRequest> {
  const {
    reference,
    amount,
    currency,
    validForMs = LIMITS.linkDefaultMs,
    description,
    cashier,
    order,
    despite,
    ...passed
  } = given;
  const money = readMoney({ type: "SALE", currency, amount });
  if (!money.ok) return money;
  const parameters = parametersOf(passed, description);
  if (!parameters.ok) return parameters;
  const request: LinkRequest = {
    reference,
    ...money.value,
    validForMs,
    ...(cashier !== undefined && { cashier }),
    ...(order !== undefined && { order }),
    ...(despite !== undefined && { despite }),
    parameters: parameters.value,
    // The method is part of the content: a start with the same parameters differs.
    fingerprint: fingerprintOf({ ...sentSchema.parse(given), method: "link.create" }),
  };
  return { ok: true, value: request };
}

async function create(context: Context, given: Params): Promise<Ran<z.input<typeof startResultSchema>>> {
  const refusal = cardNumberIn(given);
  if (refusal !== undefined) return refusal;
  const request = requestOf(given);
  if (!request.ok) return request;
  return acceptUnder(context, given.reference, () => context.payments.link(context.caller, request.value));
}

export const linkCreate = defineMethod({
  name: "link.create",
  summary:
    "A sale that the customer pays on his own phone, by a link that is shown as a QR code. Answers with the payment and its `link`.",
  scopes: ["payments"],
  params,
  result: startResultSchema,
  run: create,
});
