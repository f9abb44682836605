import { z } from "zod";
import { passthroughShape } from "../../gateway/parameters/passthrough.ts";
import type { StartRequest } from "../../payment/request.ts";
import { findCardNumber } from "../card-number.ts";
import { fingerprintOf } from "../fingerprint.ts";
import { LIMITS } from "../limits.ts";
import { type Context, defineMethod, refuse } from "../method.ts";
import type { Ran } from "../ran.ts";
import { readMoney } from "../start-money.ts";
import { labelSchema, referenceSchema, startResultSchema, terminalIdSchema } from "../wire.ts";

const ENTRY_MODES = ["chip", "contactless", "magstripe", "manual"] as const;

const params = z.strictObject({
  reference: referenceSchema,
  type: z.enum(["SALE", "PREAUTHORIZATION", "REFUND", "REGISTRATION"]),
  terminal: terminalIdSchema,
  currency: z.string().regex(/^[A-Z]{3}$/, "must be three capital letters (ISO 4217)"),
  amount: z.string('must be a decimal string such as "12.34"').max(32).optional(),
  tip: z.string('must be a decimal string such as "1.00"').max(32).optional(),
  entryModes: z.array(z.enum(ENTRY_MODES)).min(1).max(ENTRY_MODES.length).optional(),
  allowPartialApproval: z.boolean().optional(),
  createRegistration: z.boolean().optional(),
  ...passthroughShape,
  cashier: labelSchema.optional(),
  order: labelSchema.optional(),
  expiresInMs: z.int().min(LIMITS.expiryMinMs).max(LIMITS.expiryMaxMs).optional(),
  queue: z.boolean().optional(),
  despite: referenceSchema.optional(),
});
type Params = z.output<typeof params>;

/** As sent: the schema changes nothing, so that what it hands on is what the fingerprint stands for. */
const sentSchema = z.record(z.string(), z.json());

/** What a session may not start at all, before anything else is looked at. */
function notStartable({ type, createRegistration }: Params, scopes: readonly string[]): Ran<never> | undefined {
  if (type === "REFUND" && !scopes.includes("unlinked-refunds")) {
    return refuse("forbidden", "a REFUND without its payment needs the scope unlinked-refunds: ask for a token that has it", "fix-config", "type");
  }
  if (type !== "SALE") return refuse("unsupported", `this bridge starts payments of type SALE, not yet ${type}`, "fix-request", "type");
  if (createRegistration === true) return refuse("unsupported", "cards are not stored yet: leave createRegistration out", "fix-request", "createRegistration");
  return undefined;
}

/** Before anything is kept, logged or passed on. */
function cardNumberIn(given: Params): Ran<never> | undefined {
  const path = findCardNumber(given);
  if (path === undefined) return undefined;
  return refuse("card-number-in-text", `${path} holds what looks like a card number: the bridge takes none from a register`, "fix-request", path);
}

function requestOf(given: Params): Ran<StartRequest> {
  const { reference, type, terminal, entryModes, tip: _tip, amount: _amount, currency: _currency, ...rest } = given;
  const { allowPartialApproval = false, createRegistration: _registration, cashier, order, expiresInMs, queue = false, despite, ...passed } = rest;
  if (given.amount === undefined) return { ok: false, invalid: { path: "amount", message: "is missing" } };
  const money = readMoney({ currency: given.currency, amount: given.amount, tip: given.tip });
  if (!money.ok) return money;
  const request: StartRequest = {
    reference,
    type,
    terminal,
    ...money.value,
    ...(entryModes && { entryModes: [...new Set(entryModes)] }),
    allowPartialApproval,
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

async function start({ payments, caller, session, feed }: Context, given: Params): Promise<Ran<z.input<typeof startResultSchema>>> {
  const refusal = cardNumberIn(given) ?? notStartable(given, session.scopes);
  if (refusal !== undefined) return refusal;
  const request = requestOf(given);
  if (!request.ok) return request;
  const held = await feed.holdStart(given.reference);
  if (!held.ok) return held;
  const hold = held.value;
  try {
    const started = await payments.start(caller, request.value);
    const replied = (): void => hold.release(started.ok);
    if (!started.ok) return { ...started, replied };
    const { payment, created, warnings } = started.value;
    return { ok: true, value: { payment, created, warnings: [...warnings] }, replied };
  } catch (error) {
    hold.release(false);
    throw error;
  }
}

export const paymentStart = defineMethod({
  name: "payment.start",
  summary: "Starts a payment. Answers as soon as it is durably accepted; the same reference with the same content gives the same payment, for ever.",
  scopes: ["payments"],
  params,
  result: startResultSchema,
  run: start,
});
