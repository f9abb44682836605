import type { ParameterProblem, Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { chaptersOf } from "../../../../src/gateway/parameters/endpoints.ts";
import { parameterProblems } from "../../../../src/gateway/parameters/problems.ts";
import { masked } from "../accounts/masking.ts";
import type { Context } from "../context.ts";
import type { Call } from "../endpoint.ts";
import { type Json, jsonReply, type Reply } from "../exchange.ts";
import { distinct, missing } from "../parameters.ts";
import { moneyOf } from "../payments/payments.ts";
import type { Bend, Prepared } from "../prepared.ts";
import { bareReply, closingFields, resultOf, stampOf, throttledReply } from "../replies.ts";
import {
  type Checkout,
  type CheckoutKind,
  checkoutsOf,
  newCheckoutId,
  noSession,
  openCheckout,
  stampOfCheckout,
} from "./checkout.ts";
import { isTokenName, offeredTokens } from "./offered-token.ts";
import { integrityOf, widgetScript } from "./widget-script.ts";

const CREATED = "000.200.100";
const CHANGED = "000.200.101";

const TYPES: readonly string[] = ["PA", "DB", "CD"];

/** Specification, "Endpoints": all common parameters; the account comes from the shopper. */
export function creationProblems(sent: Sent): readonly ParameterProblem[] {
  return distinct([
    ...parameterProblems(sent, chaptersOf.checkout),
    ...missing(sent, "entityId"),
    ...typesProblems(sent),
  ]);
}

/** Only parameters that may change after creation. */
export function updateProblems(sent: Sent): readonly ParameterProblem[] {
  return distinct([
    ...parameterProblems(sent, chaptersOf.checkoutUpdate),
    ...missing(sent, "entityId"),
    ...typesProblems(sent),
  ]);
}

/**
 * A checkout is paid by PA, DB or CD for every brand; one that only stores an account has no type ("Tokenization
 * rules").
 */
function typesProblems(sent: Sent): readonly ParameterProblem[] {
  const said = [...sent].filter(([name]) => name === "paymentType" || name.startsWith("overridePaymentType["));
  return said.flatMap(([name, value]) =>
    TYPES.includes(value) ? [] : [{ name, value, message: `must be one of ${TYPES.join(", ")} here` }],
  );
}

/** POST /v1/checkouts. The parameters are validated before. */
export function prepareCreation(context: Context, { sent }: Call): Prepared | Reply {
  const kind = kindOf(sent);
  const offered = offeredTokens(context, sent);
  if (typeof offered === "string") return bareReply(context.rules.declineStatus, offered, stampOf(context, sent));
  const refusal = moneyRefusal(context, kind, sent);
  if (refusal !== undefined) return refusal;
  const parameters = kept(sent);
  return prepared(context, sent, () => {
    const id = newCheckoutId(context.random);
    const entityId = sent.get("entityId") ?? "";
    return answered(context, sent, CREATED, {
      id,
      entityId,
      createdAt: context.clock.now(),
      kind,
      tries: [],
      parameters,
      offered,
    });
  });
}

/** POST /v1/checkouts/{id}: new values replace earlier ones. */
export function prepareUpdate(context: Context, call: Call): Prepared | Reply {
  const { sent } = call;
  const id = call.id();
  const stamp = stampOfCheckout(context, id);
  if (!context.throttle.admit("checkout-update", id, stamp.now)) return throttledReply(stamp);
  const checkout = openCheckout(context, id);
  if (checkout === undefined || checkout.entityId !== sent.get("entityId")) return noSession(context, id);
  const parameters = { ...checkout.parameters, ...kept(sent) };
  const whole = new Map(Object.entries(parameters));
  const kind = kindOf(whole);
  const offered = [...sent.keys()].some(isTokenName) ? offeredTokens(context, sent) : checkout.offered;
  if (typeof offered === "string") return bareReply(context.rules.declineStatus, offered, stamp);
  const refusal = moneyRefusal(context, kind, whole);
  if (refusal !== undefined) return refusal;
  return prepared(context, sent, () => answered(context, sent, CHANGED, { ...checkout, kind, parameters, offered }));
}

function kindOf(sent: Sent): CheckoutKind {
  return sent.has("paymentType") ? "payment" : "registration";
}

/** Refuses a missing or invalid amount. A checkout that only stores an account needs none. */
function moneyRefusal(context: Context, kind: CheckoutKind, sent: Sent): Reply | undefined {
  if (kind === "registration" && !sent.has("amount")) return undefined;
  const money = moneyOf(sent, context);
  return "is" in money ? money : undefined;
}

function prepared(context: Context, sent: Sent, run: () => Reply): Prepared {
  const bent = ({ result }: Bend): Reply | undefined =>
    result && bareReply(context.rules.declineStatus, result.code, stampOf(context, sent));
  return { is: "prepared", outcome: {}, run: (bend) => bent(bend) ?? context.store.atomically(run) };
}

/**
 * Stores the checkout and confirms. With `integrity=true` the reply has the hash of the script as served from now on.
 */
function answered(context: Context, sent: Sent, code: string, checkout: Checkout): Reply {
  const { id } = checkout;
  const checkouts = checkoutsOf(context);
  checkouts.put(id, checkout);
  const integrity: { readonly [key: string]: Json } =
    sent.get("integrity") === "true" ? { integrity: integrityOf(widgetScript(checkouts.get(id) ?? checkout)) } : {};
  return jsonReply(200, { result: resultOf(code), ...closingFields(stampOfCheckout(context, id)), id, ...integrity });
}

/** Everything except parameters about the form itself; account numbers masked as in the ledger. */
function kept(sent: Sent): Record<string, string> {
  return masked(Object.fromEntries([...sent].filter(([name]) => name !== "integrity" && !isTokenName(name))));
}
