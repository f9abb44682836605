import { currencyOf, type Minor } from "../../kit/money.ts";
import type { Answer, Found } from "../fact/answer.ts";
import type { Target } from "../fact/original.ts";
import { AS_SHOWN, isTakenBack, SHOWN_AT_MOST } from "../recovery/evidence.ts";
import { type Payment, targetsOf } from "../state/payment.ts";
import type { Standing } from "./admit-follow-up.ts";
import { type FollowUpType, isFollowUp } from "./follow-up.ts";
import { followUpOf, isApproved } from "./totals.ts";

/**
 * A booking unknown to this journal, as a query shows it. This journal's follow-ups are added while queries miss them:
 * otherwise money could be refunded twice.
 */
export function foreignStandingOf(
  id: string,
  shown: readonly Found[],
  own: readonly Payment[],
  oneCapture: boolean,
): Standing | undefined {
  const all = [...own.flatMap((payment) => unshown(payment, shown)), ...shown];
  const booking = all.find((one) => one.id === id && one.answer.is === "approved");
  if (booking?.answer.is !== "approved" || booking.answer.amount === undefined) return undefined;
  const currency = currencyOf(booking.answer.currency ?? "");
  if (currency === undefined) return undefined;
  const closed =
    shown.length >= SHOWN_AT_MOST
      ? "has more linked to it than a query shows: settle it in the gateway's back office"
      : closedBy(id, all);
  const gone = isTakenBack(all, { id }, AS_SHOWN) && { gone: true as const };
  const base = {
    name: `booking ${id}`,
    currency,
    oneCapture,
    capturing: false,
    reserved: 0,
    captures: [],
    ...gone,
    ...(closed !== undefined && { closed }),
  };
  const { paymentType } = booking;
  switch (paymentType) {
    case "PA": {
      const voids = [targetOf(booking, "PA", all)];
      const raised = raisedBy(booking, all);
      if (raised !== undefined)
        return {
          ...base,
          kind: "increment",
          voids,
          ...(isIncrementCaptured(booking, raised, all) && { closed: "is captured" }),
        };
      const increments = below(id, "PA", all).map((one) => ({ ...targetOf(one, "PA", all), ...incrementBy(one, own) }));
      const captures = below(id, "CP", all).map((one) => capture(one, "CP", all, own));
      return {
        ...base,
        kind: "reservation",
        voids: [...voids, ...increments],
        reserved: reserved(booking, all),
        captures,
      };
    }
    case "CP":
    case "DB": {
      const kind = paymentType === "DB" ? "sale" : "capture";
      return {
        ...base,
        kind,
        voids: [targetOf(booking, paymentType, all)],
        captures: [capture(booking, paymentType, all, own)],
      };
    }
    case "CD":
    case "RF":
      return { ...base, kind: "refund", voids: [] };
    default:
      return undefined;
  }
}

export function idsIn(bookings: readonly Found[]): readonly string[] {
  return bookings.flatMap(({ id, referencedId }) => (referencedId === undefined ? [id] : [id, referencedId]));
}

/** While a refund, reversal, capture or increment is undecided, nobody knows how much is left: nothing may follow. */
function closedBy(id: string, all: readonly Found[]): string | undefined {
  if (isTakenBack(all, { id }, AS_SHOWN) && below(id, "CP", all).length === 0) return "is reversed already";
  const open = all.find(
    (one) => isOpen(one, all) && isBelow(one, id, all) && !isTakenBack(all, { id: one.id }, AS_SHOWN),
  );
  if (open === undefined) return undefined;
  const isHalfDone = HALF_DONE.includes(open.answer.is);
  return `has ${NAMES[open.paymentType]} ${isHalfDone ? "that the gateway left half done: look at it in its back office" : "that the gateway has not decided yet"}`;
}

const NAMES: Readonly<Record<string, string>> = {
  RF: "a refund",
  RV: "a reversal",
  DR: "a reversal",
  CP: "a capture",
  PA: "an increment",
};
const UNDECIDED: readonly Answer["is"][] = ["pending", "unknown"];
/** 000.400.030 and 900.100.301: the gateway tried to reverse the request, which may stand or not. */
const HALF_DONE: readonly Answer["is"][] = ["half-reversed", "auto-reversed"];

/** A half reversed increment blocks no follow-up: its amount is not counted, so at most too little is captured. */
function isOpen({ id, paymentType, referencedId, answer }: Found, all: readonly Found[]): boolean {
  if (NAMES[paymentType] === undefined) return false;
  if (answer.is === "duplicate")
    return !all.some((one) => one.id !== id && one.paymentType === paymentType && one.referencedId === referencedId);
  return UNDECIDED.includes(answer.is) || (paymentType !== "PA" && HALF_DONE.includes(answer.is));
}

function isReversalOf({ paymentType, referencedId }: Found, id: string): boolean {
  return (paymentType === "RV" || paymentType === "DR") && referencedId === id;
}

function lineOf(id: string, all: readonly Found[]): readonly string[] {
  const line = [id];
  for (let at: string | undefined = id; at !== undefined; ) {
    const from: string = at;
    at = all.find((one) => one.id === from)?.referencedId;
    if (at === undefined || line.includes(at)) return line;
    line.push(at);
  }
  return line;
}

function isBelow(one: Found, id: string, all: readonly Found[]): boolean {
  return one.id !== id && lineOf(one.id, all).includes(id);
}

function below(id: string, paymentType: string, all: readonly Found[]): readonly Found[] {
  return all.filter(
    (one) =>
      one.paymentType === paymentType &&
      one.answer.is === "approved" &&
      isBelow(one, id, all) &&
      !isTakenBack(all, { id: one.id }, AS_SHOWN),
  );
}

function raisedBy({ id }: Found, all: readonly Found[]): Found | undefined {
  return all.findLast((one) => one.id !== id && one.paymentType === "PA" && lineOf(id, all).includes(one.id));
}

function isIncrementCaptured(increment: Found, raised: Found, all: readonly Found[]): boolean {
  return sum(below(raised.id, "CP", all), all) > reserved(raised, all) - leftOf(increment, all);
}

function reserved(reservation: Found, all: readonly Found[]): Minor {
  return leftOf(reservation, all) + sum(below(reservation.id, "PA", all), all);
}

function capture(
  one: Found,
  paymentType: "CP" | "DB",
  all: readonly Found[],
  own: readonly Payment[],
): Standing["captures"][number] {
  const payment = own.find((other) => other.accepted.type === "CAPTURE" && followUpOf(other).id === one.id)?.accepted;
  const known = payment !== undefined && { payment: payment.id, ...(payment.last && { last: payment.last }) };
  return { ...targetOf(one, paymentType, all), refunded: sum(below(one.id, "RF", all), all), ...known };
}

function incrementBy({ id }: Found, own: readonly Payment[]): { readonly payment?: string } {
  const payment = own.find((other) => other.accepted.type === "INCREMENT" && followUpOf(other).id === id);
  return payment === undefined ? {} : { payment: payment.accepted.id };
}

function targetOf(one: Found, paymentType: Target["paymentType"], all: readonly Found[]): Target {
  return { id: one.id, paymentType, amount: leftOf(one, all) };
}

function leftOf({ id, answer }: Found, all: readonly Found[]): Minor {
  const reversals = all.filter((one) => isReversalOf(one, id));
  return amountOf(answer) - reversals.reduce((total, one) => total + amountOf(one.answer), 0);
}

function sum(bookings: readonly Found[], all: readonly Found[]): Minor {
  return bookings.reduce((total, one) => total + leftOf(one, all), 0);
}

function amountOf(answer: Answer): Minor {
  return answer.is === "approved" ? (answer.amount ?? 0) : 0;
}

const TYPES: Readonly<Record<FollowUpType, string>> = {
  CAPTURE: "CP",
  VOID: "RV",
  LINKED_REFUND: "RF",
  INCREMENT: "PA",
};

function unshown(payment: Payment, shown: readonly Found[]): readonly Found[] {
  const { type } = payment.accepted;
  const told = followUpOf(payment);
  const { amount, id = payment.accepted.id } = told;
  if (payment.concluded === undefined || !isFollowUp(type) || !isApproved(told)) return [];
  const names = payment.attempts.map(({ operation }) => operation.merchantTransactionId);
  const isShown = (target: Target): boolean =>
    shown.some((one) => {
      const isIt =
        one.id === id || (one.merchantTransactionId !== undefined && names.includes(one.merchantTransactionId));
      return isIt && one.referencedId === target.id && (one.answer.is === "approved" || isOpen(one, shown));
    });
  const answer = {
    is: "approved" as const,
    id,
    resultCode: "",
    description: "",
    currency: payment.accepted.currency,
    review: false,
    issuer: {},
  };
  return targetsOf(payment)
    .filter((target) => !isShown(target))
    .map((target) => ({
      id,
      paymentType: TYPES[type],
      referencedId: target.id,
      answer: type === "VOID" ? answer : { ...answer, amount },
    }));
}
