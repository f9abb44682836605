import type { Minor } from "../../kit/money.ts";
import type { Found } from "../../payment/exchange.ts";
import { bookedAmount, bookingOf, capturedAmount, idByOperator, isBooked, isCardPresent, type Payment, takenBy, targetsOf } from "../../payment/state.ts";
import type { Journal } from "../ports.ts";
import { recall } from "../shell/journal-replay.ts";

/** What the gateway shows of the booking that an operator names, and whose request it was where this journal knows. */
export interface Named {
  readonly booking: Found | undefined;
  readonly owner: string | undefined;
  /** The gateway shows its reversal too. */
  readonly isTakenBack: boolean;
}

/**
 * Why a booking cannot be the one that closes a payment as approved: later refunds and voids would go to it. What this journal knows and what the gateway shows speaks
 * against it; what neither knows is what an operator's word is for.
 */
export function namedProblem(payment: Payment, gatewayId: string, { booking, owner, isTakenBack }: Named): string | undefined {
  if (takenBy(payment).some(({ id }) => id === gatewayId)) return `${gatewayId} is the capture that it has already: name what was booked besides`;
  if (owner !== undefined && owner !== payment.accepted.id) return `${gatewayId} was booked by another payment of this journal`;
  if (booking === undefined) return undefined;
  const types = typesOf(payment);
  if (!types.includes(booking.paymentType)) return `${gatewayId} is a ${booking.paymentType} at the gateway, and not a ${types.join(" or ")}`;
  const known = [...payment.attempts.map(({ answer }) => answer?.id), ...targetsOf(payment).map(({ id }) => id)];
  const isOther = booking.referencedId !== undefined && !known.includes(booking.referencedId);
  if (isOther) return `${gatewayId} is about another booking at the gateway: ${booking.referencedId}`;
  const { answer } = booking;
  if (!isBooked(answer)) return `${gatewayId} is not approved at the gateway (${answer.description})`;
  if (isTakenBack) return `${gatewayId} was taken back at the gateway`;
  return answer.is === "half-reversed" || isWorth(payment, answer) ? undefined : `${gatewayId} is of another amount at the gateway than is to be closed`;
}

/** What was voided may have been given back in another way, and not as a whole at once; where the gateway names no amount there is none to compare. */
function isWorth(payment: Payment, { amount, currency }: Extract<Found["answer"], { is: "approved" }>): boolean {
  const { accepted } = payment;
  if (accepted.type === "VOID" || amount === undefined) return true;
  const whole = partApproved(payment) ?? accepted.amount;
  const wanted = accepted.type === "SALE" ? (bookedAmount(payment) ?? whole) - (capturedAmount(payment) ?? 0) : whole;
  return amount === wanted && (currency === undefined || currency === accepted.currency);
}

/** The part of a card payment that its issuer approved, where the register takes a part; undefined where that is the whole. */
export function partApproved(payment: Payment): Minor | undefined {
  const { accepted } = payment;
  const answer = bookingOf(payment)?.answer;
  if (!isCardPresent(accepted) || !accepted.allowPartialApproval || answer?.is !== "approved" || answer.amount === undefined) return undefined;
  return answer.amount < accepted.amount ? answer.amount : undefined;
}

/** The payment of this journal whose booking that is, whether the gateway can be asked or not. */
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

/** One of its requests is that booking, or an operator has said so. */
export function hasBooked(payment: Payment, gatewayId: string): boolean {
  return payment.attempts.some(({ answer }) => answer?.id === gatewayId) || idByOperator(payment) === gatewayId;
}

/** What the gateway calls the booking that such a payment is approved by; what was voided may have been given back in another way. */
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
