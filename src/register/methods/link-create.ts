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
  validForMs: z
    .int()
    .min(LIMITS.linkMinMs)
    .max(LIMITS.linkMaxMs)
    .describe("How long the customer can pay by it. Absent: an hour.")
    .optional(),
  description: descriptionSchema.describe("For the gateway: its custom parameter `description`.").optional(),
  ...passthroughShape,
  cashier: labelSchema.describe("Shown with the payment.").optional(),
  order: labelSchema.describe("As in `payment.start`.").optional(),
  despite: referenceSchema.describe("As in `payment.start`.").optional(),
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
    "A sale that the customer pays on a phone, by a link that is shown as a QR code. Answers with the payment and its `link`.",
  notes: [
    "It is a SALE without a terminal. The reply waits up to 5 s for the link; if the gateway takes longer, a change brings it.",
    "The page names `merchant.name` of the configuration, unless `merchant` says another name, and is in the language of `locale` if the gateway has it.",
    "The bridge looks at the link every 5 to 30 s. A declined card is no end: the customer may take another. Approved is what the gateway shows as booked, of the right amount and currency, under the bridge's own name.",
    "Once `validForMs` has passed and a later query shows nothing, it ends with `link-expired`: mostly within a minute. Who pays in between has paid.",
    "If the gateway could not be reached when the link was made, nobody can pay it: the payment ends at once with `gateway-unreached`.",
    "The gateway cannot withdraw a link, and keeps it for an hour at least. A cancelled or expired payment is decided at once (`not-approved`), and stays in RESOLVING until nobody can pay any more. Who pays all the same gets the money back: `lateBooking`.",
    "A link that is paid twice at once counts once: the bridge reverses every other booking and raises an alarm. It looks when the link is paid, after the unknown window, and after 1, 24 and 72 hours. Until the window has passed, the FINAL payment is listed with `open: true`.",
    "The receipt says how it was paid instead of naming a card.",
  ],
  scopes: ["payments"],
  params,
  result: startResultSchema,
  run: create,
});
