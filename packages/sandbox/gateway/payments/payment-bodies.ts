import { currencyOf, formatAmount } from "../../../../src/kit/money.ts";
import { type Json, jsonReply, type Reply } from "../exchange.ts";
import { type Booking, paymentMethodOf, resultCodeAt, shortIdOf } from "../ledger/booking.ts";
import { isChargeback, isPending, isSuccess, movesMoney } from "../ledger/codes.ts";
import { closingFields, resultOf, type Stamp } from "../replies.ts";
import type { SandboxRules } from "../rules.ts";
import { echoOf } from "./echo.ts";

/**
 * The reply to a request just booked; paymentType is the request's (specification, "Response body"). `base` is this
 * gateway's address for links.
 */
export function answerTo(booking: Booking, stamp: Stamp, rules: SandboxRules, base: string): Reply {
  const code = booking.answeredCode;
  const { paymentType } = booking.parameters;
  return jsonReply(statusOf(code, rules), {
    ...paymentFields(booking, code),
    paymentType,
    ...redirectOf(booking, code, base),
    ...closingFields(stamp),
  });
}

/** A payment read by its id, as of now. */
export function readingOf(booking: Booking, stamp: Stamp, rules: SandboxRules): Reply {
  const code = resultCodeAt(booking, stamp.now);
  return jsonReply(statusOf(code, rules), {
    ...paymentFields(booking, code),
    referencedId: booking.referencedId,
    ...closingFields(stamp),
  });
}

/** A stored account, by the registration's id (specification, "Endpoints": card or bank account data). */
export function registrationReply(booking: Booking, id: string, stamp: Stamp, rules: SandboxRules): Reply {
  const { paymentBrand, card, bankAccount, virtualAccount } = booking.issuer;
  const code = resultCodeAt(booking, stamp.now);
  const stored = isSuccess(code) ? { paymentBrand, card, bankAccount, virtualAccount } : {};
  return jsonReply(statusOf(code, rules), { id, ...stored, result: resultOf(code), ...closingFields(stamp) });
}

/**
 * One entry of `payments` in a query's answer; it has `referencedId`, which direct replies lack (gateway facts, 2.2).
 */
export function queryEntry(booking: Booking, stamp: Stamp): Json {
  const { receivedAt: now, referencedId } = booking;
  return {
    ...paymentFields(booking, resultCodeAt(booking, stamp.now)),
    referencedId,
    ...closingFields({ ...stamp, now }),
  };
}

/** Specification, "HTTP status codes": 400 also for declined payments. */
function statusOf(code: string, rules: SandboxRules): number {
  return isSuccess(code) || isPending(code) || isChargeback(code) ? 200 : rules.declineStatus;
}

/** Specification, "Asynchronous payments": only while the shopper is awaited. */
function redirectOf({ redirect }: Booking, code: string, base: string): { readonly [key: string]: Json } {
  return redirect === undefined || !isPending(code)
    ? {}
    : { redirect: { url: `${base}${redirect.path}`, parameters: redirect.parameters } };
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

/** Merges request structures with additions by issuer or scheme. */
function toldTwice(
  echo: Readonly<Record<string, Json>>,
  issuer: Readonly<Record<string, Json | undefined>>,
): { readonly [key: string]: Json | undefined } {
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
 * The issuer's answer belongs to the settled outcome; replies with another code omit it. Account data from merchant or
 * shopper stays, but a presented card is the issuer's.
 */
function issuerOf({ issuer, resultCode, parameters }: Booking, code: string): Booking["issuer"] {
  if (code === resultCode) return issuer;
  if (parameters["pos.entryMode"] !== undefined) return {};
  const { resultDetails, pos, avsResponse, cvvResponse, threeDSecure, standingInstruction, ...known } = issuer;
  return known;
}

/** Specification, "Response body", amount: the approved amount, so a decline has none. */
function moneyOf({ amount, currency }: Booking): { readonly [key: string]: Json } {
  const known = currency === undefined ? undefined : currencyOf(currency);
  return amount === undefined || known === undefined
    ? {}
    : { amount: formatAmount(amount, known), currency: known.code };
}
