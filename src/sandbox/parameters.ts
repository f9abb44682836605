import { parseTlv } from "../emv/tlv.ts";
import { type Chapter, EMPTY_MESSAGE, type ParameterProblem, type Sent } from "../gateway/parameters/chapter.ts";
import { deletionChapters, paymentChapters, queryChapters, registrationChapters } from "../gateway/parameters/endpoints.ts";
import { parameterProblems } from "../gateway/parameters/problems.ts";
import { fromHex, isHex } from "../kit/hex.ts";
import { type Currency, type Minor, parseAmount } from "../kit/money.ts";
import { sealsChipData } from "../testbed/sred-layouts.ts";

export type Endpoint = "payment" | "reference" | "registration" | "deletion" | "read" | "query";

const CHAPTERS: Readonly<Record<Endpoint, readonly Chapter[]>> = {
  payment: paymentChapters,
  reference: paymentChapters,
  registration: registrationChapters,
  deletion: deletionChapters,
  read: queryChapters,
  query: queryChapters,
};

/** The specification's tables and what this gateway's channel asks for beyond them. Empty: the parameters are good. */
export function requestProblems(endpoint: Endpoint, sent: Sent): readonly ParameterProblem[] {
  const found = [...parameterProblems(sent, CHAPTERS[endpoint]), ...channelProblems(endpoint, sent)];
  return found.filter((problem, at) => found.findIndex((other) => other.name === problem.name && other.message === problem.message) === at);
}

function channelProblems(endpoint: Endpoint, sent: Sent): readonly ParameterProblem[] {
  const entity = missing(sent, "entityId");
  switch (endpoint) {
    case "payment":
      if (raisesAnother(sent)) return [...entity, ...incrementProblems(sent), ...sealedProblems(sent), ...iccProblems(sent)];
      return [...entity, ...typeProblems(sent, ["PA", "DB", "CD"]), ...missing(sent, "amount", "currency"), ...accountProblems(sent), ...iccProblems(sent)];
    case "registration":
      return [...entity, ...accountProblems(sent), ...iccProblems(sent)];
    case "deletion":
      return entity;
    case "reference":
      return [...entity, ...typeProblems(sent, ["CP", "RV", "RF"]), ...sealedProblems(sent), ...iccProblems(sent)];
    case "read":
      return entity;
    case "query":
      return sent.has("date.from") ? entity : [...entity, ...missing(sent, "merchantTransactionId")];
  }
}

/** Specification, "Basic payment parameters": referenceUuid stands in a payment in place of the id in its address. */
export function raisesAnother(sent: Sent): boolean {
  return sent.has("referenceUuid") || sent.get("standingInstruction.industryPractice") === "INCREMENTAL_AUTH";
}

/** The one payment without an account that this channel takes: an incremental authorization, which only the merchant begins ("Card on file"). */
function incrementProblems(sent: Sent): readonly ParameterProblem[] {
  const wanted = {
    paymentType: "PA",
    "standingInstruction.industryPractice": "INCREMENTAL_AUTH",
    "standingInstruction.mode": "REPEATED",
    "standingInstruction.source": "MIT",
  };
  const wrong = Object.entries(wanted).flatMap(([name, value]) => {
    const said = sent.get(name);
    return said === undefined || said === value ? [] : [{ name, value: said, message: `must be ${value} here` }];
  });
  return [...missing(sent, "referenceUuid", "amount", "currency", "standingInstruction.type", ...Object.keys(wanted)), ...wrong];
}

function typeProblems(sent: Sent, types: readonly string[]): readonly ParameterProblem[] {
  const value = sent.get("paymentType");
  if (value === undefined) return missing(sent, "paymentType");
  return types.includes(value) ? [] : [{ name: "paymentType", value, message: `must be one of ${types.join(", ")} here` }];
}

/** A channel for points of sale: the account is what the terminal sealed, and a chip's cryptogram goes with it or inside it (specification, "Point of sale"). */
function accountProblems(sent: Sent): readonly ParameterProblem[] {
  const account = missing(sent, "pos.entryMode", "pos.terminalId", "pos.encryptedSred.data", "pos.encryptedSred.ksn");
  const chip = ["ICC", "NFC_ICC"].includes(sent.get("pos.entryMode") ?? "");
  return chip && !sealsChipData(sent.get("pos.deviceType")) ? [...account, ...missing(sent, "pos.iccDataRequest")] : account;
}

/** There is no card when something is captured, reversed or refunded: nothing sealed has a place there. */
function sealedProblems(sent: Sent): readonly ParameterProblem[] {
  return [...sent].flatMap(([name, value]) => (name.startsWith("pos.encrypted") ? [{ name, value, message: "is not an allowed parameter here" }] : []));
}

/** What must never travel in clear (gateway facts, 4.4): tracks, card number, name, expiry, PIN data. */
const FORBIDDEN_TAGS: readonly string[] = ["56", "57", "5A", "5F20", "5F24", "99", "9F0B", "9F1F", "9F20", "9F6B"];

function iccProblems(sent: Sent): readonly ParameterProblem[] {
  const name = "pos.iccDataRequest";
  const value = sent.get(name);
  if (value === undefined || !isHex(value)) return [];
  const parse = parseTlv(fromHex(value));
  if (!parse.ok) return [{ name, value, message: `must be BER-TLV: ${parse.error}` }];
  const forbidden = parse.objects.filter((object) => FORBIDDEN_TAGS.includes(object.tag));
  return forbidden.map(({ tag }) => ({ name, value, message: `must not carry ${tag} in clear` }));
}

function missing(sent: Sent, ...names: readonly string[]): readonly ParameterProblem[] {
  return names.filter((name) => !sent.has(name)).map((name) => ({ name, value: "", message: EMPTY_MESSAGE }));
}

/** Minor units of an amount with or without two decimals ("12", "12.00"); undefined where the currency has no such fraction ("1200.50" JPY). */
export function minorOf(amount: string, currency: Currency): Minor | undefined {
  const [whole = "", fraction = "00"] = amount.split(".");
  const digits = whole.replace(/^0+(?=[0-9])/, "");
  if (currency.decimals === 0) return fraction === "00" ? parseAmount(digits, currency) : undefined;
  return parseAmount(`${digits}.${fraction}`, currency);
}
