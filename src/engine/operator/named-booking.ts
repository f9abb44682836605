import type { Minor } from "../../kit/money.ts";
import type { Found } from "../../payment/exchange.ts";
import {
  bookedAmount,
  bookingOf,
  capturedAmount,
  idByOperator,
  isBooked,
  isCardPresent,
  type Payment,
  takenBy,
  targetsOf,
} from "../../payment/state.ts";
import type { Journal } from "../ports.ts";
import { recall } from "../shell/journal-replay.ts";

/**
 * The gateway's view of the booking an operator names. `owner`: the payment of this journal that requested it, if
 * known.
 */
export interface Named {
  readonly booking: Found | undefined;
  readonly owner: string | undefined;
  /** The gateway also shows its reversal. */
  readonly isTakenBack: boolean;
}

/**
 * Why this journal or the gateway contradicts the named booking, which later refunds and voids would refer to. The
 * operator decides where neither knows.
 */
export function namedProblem(
  payment: Payment,
  gatewayId: string,
  { booking, owner, isTakenBack }: Named,
): string | undefined {
  if (takenBy(payment).some(({ id }) => id === gatewayId))
    return `${gatewayId} is the capture that it has already: name what was booked besides`;
  if (owner !== undefined && owner !== payment.accepted.id)
    return `${gatewayId} was booked by another payment of this journal`;
  if (booking === undefined) return undefined;
  const types = typesOf(payment);
  if (!types.includes(booking.paymentType))
    return `${gatewayId} is a ${booking.paymentType} at the gateway, and not a ${types.join(" or ")}`;
  const known = [...payment.attempts.map(({ answer }) => answer?.id), ...targetsOf(payment).map(({ id }) => id)];
  const isOther = booking.referencedId !== undefined && !known.includes(booking.referencedId);
  if (isOther) return `${gatewayId} is about another booking at the gateway: ${booking.referencedId}`;
  const { answer } = booking;
  if (!isBooked(answer)) return `${gatewayId} is not approved at the gateway (${answer.description})`;
  if (isTakenBack) return `${gatewayId} was taken back at the gateway`;
  return answer.is === "half-reversed" || isWorth(payment, answer)
    ? undefined
    : `${gatewayId} is of another amount at the gateway than is to be closed`;
}

/**
 * A void may have returned the money by other means and in parts, so its amount is not compared. Neither is a missing
 * amount.
 */
function isWorth(payment: Payment, { amount, currency }: Extract<Found["answer"], { is: "approved" }>): boolean {
  const { accepted } = payment;
  if (accepted.type === "VOID" || amount === undefined) return true;
  const whole = partApproved(payment) ?? accepted.amount;
  const wanted = accepted.type === "SALE" ? (bookedAmount(payment) ?? whole) - (capturedAmount(payment) ?? 0) : whole;
  return amount === wanted && (currency === undefined || currency === accepted.currency);
}

/** The approved part of a card payment that allows partial approval; undefined if the whole was approved. */
export function partApproved(payment: Payment): Minor | undefined {
  const { accepted } = payment;
  const answer = bookingOf(payment)?.answer;
  if (
    !isCardPresent(accepted) ||
    !accepted.allowPartialApproval ||
    answer?.is !== "approved" ||
    answer.amount === undefined
  )
    return undefined;
  return answer.amount < accepted.amount ? answer.amount : undefined;
}

/** The payment of this journal that made the booking. Works without the gateway too. */
export async function ownerOf(
  journal: Pick<Journal, "naming" | "facts" | "byMerchantTransactionId">,
  { accepted }: Payment,
  gatewayId: string,
  name: string | undefined,
): Promise<string | undefined> {
  const others = (await journal.naming(gatewayId)).filter((id) => id !== accepted.id);
  const known = await Promise.all(others.map((id) => recall(journal, id)));
  const owner = known.find((one) => one !== undefined && hasBooked(one.payment, gatewayId));
  return owner?.payment.accepted.id ?? (name === undefined ? undefined : await journal.byMerchantTransactionId(name));
}

/** True if the booking answers one of its requests, or an operator has named it. */
export function hasBooked(payment: Payment, gatewayId: string): boolean {
  return payment.attempts.some(({ answer }) => answer?.id === gatewayId) || idByOperator(payment) === gatewayId;
}

/** The gateway's payment types for a booking that approves such a payment. A void may also be a refund. */
function typesOf(payment: Payment): readonly string[] {
  const { accepted, concluded } = payment;
  switch (accepted.type) {
    case "SALE":
      if (accepted.link !== undefined) return ["DB", "CP"];
      if (concluded !== undefined) return ["CP"];
      return bookingOf(payment)?.role === "debit" ? ["DB"] : ["PA", "CP"];
    case "CAPTURE":
      return ["CP"];
    case "LINKED_REFUND":
      return ["RF"];
    case "REFUND":
      return ["CD"];
    case "INCREMENT":
    case "PREAUTHORIZATION":
      return ["PA"];
    case "VOID":
      return ["RV", "RF"];
    case "REGISTRATION":
      return ["RG"];
  }
}
