import { z } from "zod";
import { currencyOf, formatAmount } from "../../../../src/kit/money.ts";
import type { GatewayEvent } from "../events.ts";
import type { Json, Reply } from "../exchange.ts";
import type { Booking } from "../ledger/booking.ts";
import { readingOf, registrationReply } from "../payments/payment-bodies.ts";
import type { Stamp } from "../replies.ts";
import type { SandboxRules } from "../rules.ts";
import type { Hook } from "./records.ts";

type Body = Readonly<Record<string, Json | undefined>>;

/** The test delivery; the content of the real one is not documented. */
export const TEST_NOTIFICATION = JSON.stringify({ type: "test", action: "webhook activation", payload: {} });

/** Specification, "Webhook notifications": type, action for registrations, and the current reply with extra fields. */
export function notificationOf(event: GatewayEvent, fields: Hook["fields"], stamp: Stamp, rules: SandboxRules): string {
  const payload =
    event.type === "REGISTRATION"
      ? registrationPayload(event, stamp, rules)
      : paymentPayload(event.booking, event.type, stamp, rules);
  const told = fields === "ALL" ? payload : withoutCustomer(payload);
  return JSON.stringify({
    type: event.type,
    ...(event.type === "REGISTRATION" && { action: event.action }),
    payload: told,
  });
}

/** Specification, "Other callbacks": the standard response as of now. */
export function statusOf(booking: Booking, stamp: Stamp, rules: SandboxRules): string {
  return readingOf(booking, stamp, rules).body;
}

function paymentPayload(booking: Booking, type: GatewayEvent["type"], stamp: Stamp, rules: SandboxRules): Body {
  return {
    ...bodyOf(readingOf(booking, stamp, rules)),
    ...presented(booking),
    ...alwaysThere(booking),
    ...(type === "RISK" && { paymentMethod: "RM" }),
  };
}

function registrationPayload(
  { id, booking }: Extract<GatewayEvent, { type: "REGISTRATION" }>,
  stamp: Stamp,
  rules: SandboxRules,
): Body {
  return { ...bodyOf(registrationReply(booking, id, stamp, rules)), ...alwaysThere(booking) };
}

const bodySchema = z.record(z.string(), z.json());

function bodyOf({ body }: Reply): Body {
  return bodySchema.parse(JSON.parse(body));
}

/** Gateway facts, 3, "Extra fields seen". */
function alwaysThere({ entityId }: Booking): Body {
  return { authentication: { entityId }, source: "OPP" };
}

/** The requested amount; larger than `amount` after a partial approval. */
function presented({ requested, amount = requested, currency }: Booking): Body {
  const known = currencyOf(currency ?? "");
  return amount === undefined || known === undefined
    ? {}
    : { presentationAmount: formatAmount(requested ?? amount, known), presentationCurrency: known.code };
}

/** Structures withheld from webhooks with NON_CUSTOMER_DATA; OF_ACCOUNT has the fields of other structures. */
const CUSTOMER: readonly string[] = ["customer", "billing", "shipping", "sender", "recipient"];
const OF_ACCOUNT: Readonly<Record<string, readonly string[]>> = {
  card: ["holder"],
  bankAccount: ["holder", "iban", "number"],
  virtualAccount: ["holder", "accountId"],
};

function withoutCustomer(payload: Body): Body {
  const kept = Object.entries(payload).filter(([name]) => !CUSTOMER.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, without(value, OF_ACCOUNT[name] ?? [])]));
}

function without(value: Json | undefined, names: readonly string[]): Json | undefined {
  const structure = names.length === 0 ? undefined : bodySchema.safeParse(value).data;
  return structure === undefined
    ? value
    : Object.fromEntries(Object.entries(structure).filter(([name]) => !names.includes(name)));
}
