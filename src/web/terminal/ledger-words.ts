import { moneyText } from "../design/money-text.ts";
import type { Asked, Booking } from "./sandbox-schema.ts";

/**
 * One line of the gateway's ledger for people; `title` and `text` are sentences. `is`: booked money, or a request
 * without booking.
 */
export interface LedgerLine {
  readonly key: string;
  readonly is: "booking" | "request";
  readonly at: string;
  readonly tone: "good" | "bad" | "unknown" | undefined;
  readonly title: string;
  readonly text: string;
  /** Faults on the way, in a word or two. */
  readonly marks: readonly string[];
  /** Code and name of the request, for looking up. */
  readonly detail: string;
}

const TYPES: Readonly<Record<string, string>> = {
  PA: "Reservation",
  DB: "Payment",
  CP: "Capture",
  RV: "Reversal",
  RF: "Refund",
  CD: "Credit",
  RB: "Rebill",
  RG: "Card stored",
  DR: "Stored card deleted",
};

const MARKS: Readonly<Record<string, string>> = {
  "drop-after": "Reply lost",
  "drop-before": "Cut before it was booked",
  throttle: "Throttled",
  result: "Result ordered here",
  "hide-from-query": "Hidden from queries",
};

/** All requests to the gateway, newest first: bookings with the fate of their replies, and requests without booking. */
export function ledgerLines(bookings: readonly Booking[], requests: readonly Asked[]): readonly LedgerLine[] {
  const booked = bookings.map((booking) => ({ booking, asked: requests.filter((asked) => isOf(asked, booking)) }));
  const used = new Set(booked.flatMap(({ asked }) => asked));
  const lines = [
    ...booked.map(({ booking, asked }) => bookingLine(booking, asked, bookings)),
    ...requests.filter((asked) => !used.has(asked)).map(requestLine),
  ];
  return lines.toSorted((a, b) => b.at.localeCompare(a.at));
}

function isOf({ method, merchantTransactionId, paymentType }: Asked, booking: Booking): boolean {
  return (
    method === "POST" &&
    merchantTransactionId !== undefined &&
    merchantTransactionId === booking.merchantTransactionId &&
    paymentType === booking.paymentType
  );
}

/** Specification, "Result codes": success and review, and pending. */
const isSuccess = (code: string): boolean => /^(000\.000\.|000\.100\.1|000\.[36]|000\.400\.)/.test(code);
const isPending = (code: string): boolean => /^(000\.200|800\.400\.5|100\.400\.500)/.test(code);

function bookingLine(booking: Booking, asked: readonly Asked[], all: readonly Booking[]): LedgerLine {
  const { id, paymentType, resultCode, resultText, hiddenUntil, receivedAt, merchantTransactionId } = booking;
  const isGood = isSuccess(resultCode);
  const text = isGood ? "Booked." : isPending(resultCode) ? "Pending." : declineWords(resultText);
  const of = all.find((each) => each.id === booking.referencedId);
  const marks = [...new Set(asked.flatMap(({ faults }) => faults))].map((fault) => MARKS[fault] ?? fault);
  return {
    key: id,
    is: "booking",
    at: receivedAt,
    tone: isGood ? "good" : isPending(resultCode) ? "unknown" : "bad",
    title: `${titleOf(booking)}.`,
    text: of === undefined ? text : `${text} Of the ${nameOf(of.paymentType).toLowerCase()} of ${moneyOf(of)}.`,
    marks:
      hiddenUntil === undefined || marks.includes("Hidden from queries") ? marks : [...marks, "Hidden from queries"],
    detail: `${paymentType} ${resultCode} ${merchantTransactionId ?? ""}`.trim(),
  };
}

/** Most decline texts begin with that word. */
function declineWords(resultText: string): string {
  return /^declined\b/i.test(resultText) ? `${resultText}.` : `Declined: ${resultText}.`;
}

const nameOf = (paymentType: string): string => TYPES[paymentType] ?? `Booking of type ${paymentType}`;

function moneyOf({
  amount,
  currency,
}: {
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
}): string {
  return amount === undefined || currency === undefined ? "no amount" : moneyText(amount, currency);
}

function titleOf(of: Pick<Booking, "paymentType" | "amount" | "currency">): string {
  return of.amount === undefined ? nameOf(of.paymentType) : `${nameOf(of.paymentType)} of ${moneyOf(of)}`;
}

/** A query without results (specification, "Result codes"). */
const NOTHING_FOUND = "700.400.580";

function requestLine(asked: Asked): LedgerLine {
  const { n, at, method, path, faults, status, resultCode, paymentType, merchantTransactionId } = asked;
  const detail = [method, path, resultCode, merchantTransactionId].filter((part) => part !== undefined).join(" ");
  const isQuery = method === "GET";
  return {
    key: `request-${n}`,
    is: "request",
    at,
    tone: status === undefined ? "unknown" : undefined,
    title: isQuery ? "The bridge asks what was booked." : `${titleOf({ ...asked, paymentType: paymentType ?? "?" })}.`,
    text: answerWords(asked, isQuery),
    marks: faults.filter((fault) => fault !== "drop-before").map((fault) => MARKS[fault] ?? fault),
    detail: resultCode === NOTHING_FOUND ? detail : detail.trim(),
  };
}

function answerWords({ status, resultCode, resultText, faults }: Asked, isQuery: boolean): string {
  if (faults.includes("throttle")) return "Refused: too many requests.";
  if (status === undefined)
    return faults.includes("drop-after") ? "The reply was lost." : "The connection was cut; nothing was booked.";
  if (isQuery)
    return resultCode === NOTHING_FOUND
      ? "Nothing found."
      : resultCode !== undefined && isSuccess(resultCode)
        ? "Found."
        : `${resultText ?? "No answer"}.`;
  return `Refused: ${resultText ?? `HTTP ${status}`}.`;
}
