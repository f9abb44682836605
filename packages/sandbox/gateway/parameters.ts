import { parseTlv } from "../../../src/emv/tlv.ts";
import { EMPTY_MESSAGE, type ParameterProblem, type Sent } from "../../../src/gateway/parameters/chapter.ts";
import { chaptersOf } from "../../../src/gateway/parameters/endpoints.ts";
import { parameterProblems } from "../../../src/gateway/parameters/problems.ts";
import { fromHex, isHex } from "../../../src/kit/hex.ts";
import { type Currency, type Minor, parseAmount } from "../../../src/kit/money.ts";
import { asynchronousMethodOf } from "./asynchronous/methods.ts";

/** Endpoints that have only these rules; the others define theirs in their own folders. */
export type Endpoint = "payment" | "registration" | "deletion" | "read";

/** Checks the specification's tables and this channel's own rules. Empty: valid. */
export function requestProblems(endpoint: Endpoint, sent: Sent): readonly ParameterProblem[] {
  const ofTables = parameterProblems(sent, chaptersOf[endpoint]).filter((problem) => !isAnswered(problem, sent));
  return distinct([...ofTables, ...missing(sent, "entityId"), ...iccProblems(sent)]);
}

/**
 * The tables require a complete account. Asynchronous brands ask for it at their own page, so bank account fields sent
 * beforehand are only hints.
 */
function isAnswered({ name, message }: ParameterProblem, sent: Sent): boolean {
  return (
    message === EMPTY_MESSAGE &&
    name.startsWith("bankAccount.") &&
    asynchronousMethodOf(sent.get("paymentBrand")) !== undefined
  );
}

/** A parameter with several problems is reported once, with the first. */
export function distinct(found: readonly ParameterProblem[]): readonly ParameterProblem[] {
  return found.filter((problem, at) => found.findIndex(({ name }) => name === problem.name) === at);
}

/** The tables report a missing type. */
export function typeProblems(sent: Sent, types: readonly string[]): readonly ParameterProblem[] {
  const value = sent.get("paymentType");
  return value === undefined || types.includes(value)
    ? []
    : [{ name: "paymentType", value, message: `must be one of ${types.join(", ")} here` }];
}

/** Tags that must never travel in clear (gateway facts, 4.4): tracks, card number, name, expiry, PIN data. */
const FORBIDDEN_TAGS: readonly string[] = ["56", "57", "5A", "5F20", "5F24", "99", "9F0B", "9F1F", "9F20", "9F6B"];

export function iccProblems(sent: Sent): readonly ParameterProblem[] {
  const name = "pos.iccDataRequest";
  const value = sent.get(name);
  if (value === undefined || !isHex(value)) return [];
  const parse = parseTlv(fromHex(value));
  const forbidden = parse.ok ? parse.objects.filter((object) => FORBIDDEN_TAGS.includes(object.tag)) : [];
  return forbidden.map(({ tag }) => ({ name, value, message: `must not carry ${tag} in clear` }));
}

export function missing(sent: Sent, ...names: readonly string[]): readonly ParameterProblem[] {
  return names.filter((name) => !sent.has(name)).map((name) => ({ name, value: "", message: EMPTY_MESSAGE }));
}

/**
 * Minor units of an amount with or without two decimals ("12", "12.00"); undefined if the currency lacks such a
 * fraction ("1200.50" JPY).
 */
export function minorOf(amount: string, currency: Currency): Minor | undefined {
  const [whole = "", fraction = "00"] = amount.split(".");
  const digits = whole.replace(/^0+(?=[0-9])/, "");
  if (currency.decimals === 0) return fraction === "00" ? parseAmount(digits, currency) : undefined;
  return parseAmount(`${digits}.${fraction}`, currency);
}
