import { currencyOf, formatAmount } from "../../kit/money.ts";
import type { SandboxRules } from "../context.ts";
import { type Json, jsonReply, type Reply } from "../exchange.ts";
import { type Booking, resultCodeAt } from "../ledger/booking.ts";
import { books, isPending, isSuccess } from "../ledger/codes.ts";
import { closingFields, resultOf, type Stamp } from "../replies.ts";

/** The reply to a request that is in the ledger now, with the code that was meant for it. Specification, "Response body", paymentType: what the request said. */
export function answerTo(booking: Booking, stamp: Stamp, rules: SandboxRules): Reply {
  const code = booking.answeredCode;
  const { paymentType } = booking.parameters;
  return jsonReply(statusOf(code, rules), { ...paymentFields(booking, code), paymentType, ...closingFields(stamp) });
}

/** A payment read by its id, as it stands now. */
export function readingOf(booking: Booking, stamp: Stamp, rules: SandboxRules): Reply {
  const code = resultCodeAt(booking, stamp.now);
  return jsonReply(statusOf(code, rules), { ...paymentFields(booking, code), ...reference(booking), ...closingFields(stamp) });
}

/** A stored card, by the id that payments name it with. */
export function registrationReply(booking: Booking, id: string, stamp: Stamp, rules: SandboxRules): Reply {
  const { paymentBrand, card } = booking.issuer;
  const code = resultCodeAt(booking, stamp.now);
  const stored = isSuccess(code) ? { ...(paymentBrand && { paymentBrand }), ...(card && { card }) } : {};
  return jsonReply(statusOf(code, rules), { id, ...stored, result: resultOf(code), ...closingFields(stamp) });
}

/** One entry of `payments` in a query's answer: with `referencedId`, which a direct reply does not tell (gateway facts, 2.2). */
export function queryEntry(booking: Booking, stamp: Stamp): Json {
  return { ...paymentFields(booking, resultCodeAt(booking, stamp.now)), ...reference(booking), ...closingFields({ ...stamp, now: booking.receivedAt }) };
}

/** Specification, "HTTP status codes": 400 also where a payment fails. */
function statusOf(code: string, rules: SandboxRules): number {
  return isSuccess(code) || isPending(code) ? 200 : rules.declineStatus;
}

function reference({ referencedId }: Booking): { readonly [key: string]: Json } {
  return referencedId === undefined ? {} : { referencedId };
}

function paymentFields(booking: Booking, code: string): { readonly [key: string]: Json } {
  const { parameters, merchantTransactionId, registrationId } = booking;
  const { descriptor } = parameters;
  // What the issuer said belongs to the settled outcome; a gateway that does not know the outcome cannot tell it either.
  const issuer: { readonly [key: string]: Json } = code === booking.resultCode ? definedOf(booking.issuer) : {};
  return {
    id: booking.id,
    ...(registrationId !== undefined && isSuccess(code) && { registrationId }),
    paymentType: booking.paymentType,
    ...(books(code) && moneyOf(booking)),
    ...(descriptor !== undefined && { descriptor }),
    ...(merchantTransactionId !== undefined && { merchantTransactionId }),
    result: resultOf(code),
    ...issuer,
    ...customParametersOf(parameters),
  };
}

/** Specification, "Response body", amount: what was approved; so a decline has none. */
function moneyOf({ amount, currency }: Booking): { readonly [key: string]: Json } {
  const known = currency === undefined ? undefined : currencyOf(currency);
  return amount === undefined || known === undefined ? {} : { amount: formatAmount(amount, known), currency: known.code };
}

/** Specification, "Custom parameters": echoed back. */
function customParametersOf(parameters: Readonly<Record<string, string>>): { readonly [key: string]: Json } {
  const prefix = "customParameters[";
  const names = Object.keys(parameters).filter((name) => name.startsWith(prefix));
  const entries = names.map((name) => [name.slice(prefix.length, -1), parameters[name]] as const);
  return entries.length === 0 ? {} : { customParameters: Object.fromEntries(entries) };
}

function definedOf(issuer: Booking["issuer"]): { readonly [key: string]: Json } {
  const { paymentBrand, card, pos, resultDetails } = issuer;
  return { ...(paymentBrand && { paymentBrand }), ...(card && { card }), ...(resultDetails && { resultDetails }), ...(pos && { pos }) };
}
