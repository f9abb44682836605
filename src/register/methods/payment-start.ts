import { z } from "zod";
import { passthroughShape } from "../../gateway/parameters/passthrough.ts";
import type { StartRequest } from "../../payment/request.ts";
import { acceptUnder } from "../rpc/accept-payment.ts";
import type { Ran } from "../rpc/call-result.ts";
import { fingerprintOf } from "../rpc/fingerprint.ts";
import { LIMITS } from "../rpc/limits.ts";
import { type Context, defineMethod, refuse } from "../rpc/method.ts";
import {
  amountSchema,
  currencySchema,
  labelSchema,
  numberOfCapturesSchema,
  referenceSchema,
  startResultSchema,
  terminalIdSchema,
} from "../rpc/schemas.ts";
import { cardNumberIn, sentSchema } from "../rpc/sent-fields.ts";
import { readMoney } from "./start-money.ts";

const ENTRY_MODES = ["chip", "contactless", "magstripe", "manual"] as const;

export const startParams = z.strictObject({
  reference: referenceSchema,
  type: z.enum(["SALE", "PREAUTHORIZATION", "REFUND", "REGISTRATION"]),
  terminal: terminalIdSchema,
  currency: currencySchema,
  amount: amountSchema.optional(),
  tip: amountSchema.optional(),
  entryModes: z.array(z.enum(ENTRY_MODES)).min(1).max(ENTRY_MODES.length).optional(),
  allowPartialApproval: z.boolean().optional(),
  createRegistration: z.boolean().optional(),
  numberOfCaptures: numberOfCapturesSchema.optional(),
  ...passthroughShape,
  cashier: labelSchema.optional(),
  order: labelSchema.optional(),
  expiresInMs: z.int().min(LIMITS.expiryMinMs).max(LIMITS.expiryMaxMs).optional(),
  queue: z.boolean().optional(),
  despite: referenceSchema.optional(),
});
type Params = z.output<typeof startParams>;

/** Types that the session may not start, checked first. */
function notStartable({ type }: Params, scopes: readonly string[]): Ran<never> | undefined {
  if (type !== "REFUND" || scopes.includes("unlinked-refunds")) return undefined;
  return refuse(
    "forbidden",
    "a REFUND without its payment needs the scope unlinked-refunds: ask for a token that has it",
    "fix-config",
    "type",
  );
}

/** Refuses fields without meaning for the type, so that no register believes they took effect. */
function meaningless({
  type,
  tip,
  allowPartialApproval,
  createRegistration,
  numberOfCaptures,
  taxAmount,
  discountAmount,
}: Params): Ran<never> | undefined {
  const invalid = (path: string, message: string): Ran<never> => ({ ok: false, invalid: { path, message } });
  if (type !== "PREAUTHORIZATION" && numberOfCaptures !== undefined)
    return invalid("numberOfCaptures", `means nothing for a ${type}: leave it out`);
  if (type === "SALE" || type === "PREAUTHORIZATION") return undefined;
  if (tip !== undefined) return invalid("tip", `is no part of a ${type}: leave it out`);
  if (allowPartialApproval === true)
    return invalid("allowPartialApproval", `means nothing for a ${type}: leave it out`);
  if (type === "REGISTRATION" && taxAmount !== undefined)
    return invalid("taxAmount", "is no part of a REGISTRATION: leave it out");
  if (type === "REGISTRATION" && discountAmount !== undefined)
    return invalid("discountAmount", "is no part of a REGISTRATION: leave it out");
  if (createRegistration !== true) return undefined;
  return invalid(
    "createRegistration",
    type === "REGISTRATION"
      ? "is what a REGISTRATION does anyway: leave it out"
      : "means nothing for a REFUND: leave it out",
  );
}

function requestOf(given: Params): Ran<StartRequest> {
  const { reference, type, terminal, entryModes, tip: _tip, amount: _amount, currency: _currency, ...rest } = given;
  const {
    allowPartialApproval = false,
    createRegistration,
    numberOfCaptures,
    cashier,
    order,
    expiresInMs,
    queue = false,
    despite,
    ...passed
  } = rest;
  const money = readMoney(given);
  if (!money.ok) return money;
  const request: StartRequest = {
    reference,
    type,
    terminal,
    ...money.value,
    ...(entryModes && { entryModes: [...new Set(entryModes)] }),
    allowPartialApproval,
    ...(createRegistration === true && { createRegistration }),
    ...(numberOfCaptures !== undefined && { numberOfCaptures }),
    ...(cashier !== undefined && { cashier }),
    ...(order !== undefined && { order }),
    ...(expiresInMs !== undefined && { expiresInMs }),
    queue,
    ...(despite !== undefined && { despite }),
    parameters: sentSchema.parse(passed),
    fingerprint: fingerprintOf(sentSchema.parse(given)),
  };
  return { ok: true, value: request };
}

async function start(context: Context, given: Params): Promise<Ran<z.input<typeof startResultSchema>>> {
  const { payments, caller, session } = context;
  const refusal = cardNumberIn(given) ?? notStartable(given, session.scopes) ?? meaningless(given);
  if (refusal !== undefined) return refusal;
  const request = requestOf(given);
  if (!request.ok) return request;
  return acceptUnder(context, given.reference, () => payments.start(caller, request.value));
}

export const paymentStart = defineMethod({
  name: "payment.start",
  summary:
    "Starts a payment. Answers as soon as it is durably accepted; the same reference with the same content gives the same payment, for ever.",
  scopes: ["payments"],
  params: startParams,
  result: startResultSchema,
  run: start,
});
