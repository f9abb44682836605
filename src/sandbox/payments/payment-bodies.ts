import { currencyOf, formatAmount } from "../../kit/money.ts";
import { type Json, jsonReply, type Reply } from "../exchange.ts";
import { type Booking, paymentMethodOf, resultCodeAt, shortIdOf } from "../ledger/booking.ts";
import { isChargeback, isPending, isSuccess, movesMoney } from "../ledger/codes.ts";
import { closingFields, resultOf, type Stamp } from "../replies.ts";
import type { SandboxRules } from "../rules.ts";
import { echoOf } from "./echo.ts";

/**
 * The reply to a request that is in the ledger now, with the code that was meant for it. Specification, "Response body", paymentType: what the request said. `base` is
 * what addresses of this gateway begin with.
 */
export function answerTo(booking: Booking, stamp: Stamp, rules: SandboxRules, base: string): Reply {
  const code = booking.answeredCode;
  const { paymentType } = booking.parameters;
  return jsonReply(statusOf(code, rules), { ...paymentFields(booking, code), paymentType, ...redirectOf(booking, code, base), ...closingFields(stamp) });
}

/** A payment read by its id, as it stands now. */
export function readingOf(booking: Booking, stamp: Stamp, rules: SandboxRules): Reply {
  const code = resultCodeAt(booking, stamp.now);
  return jsonReply(statusOf(code, rules), { ...paymentFields(booking, code), referencedId: booking.referencedId, ...closingFields(stamp) });
}

/** A stored account, by the id that payments name it with (specification, "Endpoints": card or bank account data). */
export function registrationReply(booking: Booking, id: string, stamp: Stamp, rules: SandboxRules): Reply {
  const { paymentBrand, card, bankAccount, virtualAccount } = booking.issuer;
  const code = resultCodeAt(booking, stamp.now);
  const stored = isSuccess(code) ? { paymentBrand, card, bankAccount, virtualAccount } : {};
  return jsonReply(statusOf(code, rules), { id, ...stored, result: resultOf(code), ...closingFields(stamp) });
}

/** One entry of `payments` in a query's answer: with `referencedId`, which a direct reply does not tell (gateway facts, 2.2). */
export function queryEntry(booking: Booking, stamp: Stamp): Json {
  const { receivedAt: now, referencedId } = booking;
  return { ...paymentFields(booking, resultCodeAt(booking, stamp.now)), referencedId, ...closingFields({ ...stamp, now }) };
}

/** Specification, "HTTP status codes": 400 also where a payment fails. */
function statusOf(code: string, rules: SandboxRules): number {
  return isSuccess(code) || isPending(code) || isChargeback(code) ? 200 : rules.declineStatus;
}

/** Specification, "Asynchronous payments": only as long as the shopper is waited for. */
function redirectOf({ redirect }: Booking, code: string, base: string): { readonly [key: string]: Json } {
  return redirect === undefined || !isPending(code) ? {} : { redirect: { url: `${base}${redirect.path}`, parameters: redirect.parameters } };
}

function paymentFields(booking: Booking, code: string): { readonly [key: string]: Json | undefined } {
  const { parameters, merchantTransactionId, registrationId } = booking;
  const { descriptor } = parameters;
  const { avsResponse, cvvResponse, ...issuer } = issuerOf(booking, code);
  return {
    id: booking.id,
    registrationId: isSuccess(code) ? registrationId : undefined,
    paymentType: booking.paymentType,
    paymentMethod: paymentMethodOf(booking),
    shortId: shortIdOf(booking),
    ...(movesMoney({ paymentType: booking.paymentType, resultCode: code }) && moneyOf(booking)),
    descriptor,
    merchantTransactionId,
    result: { ...resultOf(code), avsResponse, cvvResponse },
    ...toldTwice(echoOf(parameters), issuer),
  };
}

/** A structure of the request to which the issuer or the scheme added something is one structure in the reply. */
function toldTwice(echo: Readonly<Record<string, Json>>, issuer: Readonly<Record<string, Json | undefined>>): { readonly [key: string]: Json | undefined } {
  if (Object.keys(echo).length === 0) return issuer;
  const told: Record<string, Json | undefined> = { ...echo };
  for (const [name, said] of Object.entries(issuer)) {
    const asked = echo[name];
    told[name] = isStructure(asked) && isStructure(said) ? { ...asked, ...said } : said;
  }
  return told;
}

function isStructure(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * What the issuer said belongs to the settled outcome; a gateway that does not know the outcome cannot tell it either. What the merchant or the shopper said of the account
 * it can; a presented card is known from its issuer alone.
 */
function issuerOf({ issuer, resultCode, parameters }: Booking, code: string): Booking["issuer"] {
  if (code === resultCode) return issuer;
  if (parameters["pos.entryMode"] !== undefined) return {};
  const { resultDetails, pos, avsResponse, cvvResponse, threeDSecure, standingInstruction, ...known } = issuer;
  return known;
}

/** Specification, "Response body", amount: what was approved; so a decline has none. */
function moneyOf({ amount, currency }: Booking): { readonly [key: string]: Json } {
  const known = currency === undefined ? undefined : currencyOf(currency);
  return amount === undefined || known === undefined ? {} : { amount: formatAmount(amount, known), currency: known.code };
}
