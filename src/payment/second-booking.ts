import type { Answer, Found } from "./answer.ts";
import type { Attempt } from "./attempt.ts";
import { isTakenBack } from "./reversals-shown.ts";
import { RULES } from "./role.ts";

const TAKING = ["PA", "DB", "CP"] as const;
const GIVING = ["RF", "CD"] as const;
type BookingType = (typeof TAKING | typeof GIVING)[number];

/**
 * A booking that goes by the name of this payment's request and is not the one that the payment stands or falls with: a link that was paid in two browsers at once, a request
 * that something on the way to the gateway has sent twice, a booking of another type than was asked for. The payment is worth one booking (contract, truth 1).
 */
export interface SecondBooking {
  readonly id: string;
  readonly paymentType: BookingType;
  /** Minor units, where the gateway tells it. */
  readonly amount?: number;
  readonly currency?: string;
  /** When a query showed it first, and last. Epoch milliseconds. */
  readonly seenAt: number;
  readonly shownAt: number;
  /** The gateway has not decided it yet. */
  readonly isPending: boolean;
}

/** What one search showed, and when. */
interface Shown {
  readonly bookings: readonly Found[];
  readonly claimed: (id: string) => boolean;
  readonly at: number;
}

/**
 * Those that are known, after bookings that may show them and others: what they show counts, and of what they do not show nothing new is known. `claimed`: the gateway has
 * answered a reversal of that one with "already reversed" (isTakenBack).
 */
export function secondBookings(known: readonly SecondBooking[], attempt: Attempt, { bookings, claimed, at }: Shown): readonly SecondBooking[] {
  if (!RULES[attempt.role].isBooking || attempt.role === "registration") return known;
  const shown = bookings.flatMap((booking) => {
    const second = secondOf(attempt, booking, known.find(({ id }) => id === booking.id)?.seenAt ?? at, at);
    const original = { id: booking.id, amount: attempt.operation.amount };
    return second === undefined || isTakenBack(bookings, original, claimed(booking.id)) ? [] : [second];
  });
  const others = known.filter(({ id }) => bookings.every((booking) => booking.id !== id));
  return shown.length === 0 && others.length === known.length ? known : [...others, ...shown];
}

function secondOf({ role, operation, standing, answer }: Attempt, booking: Found, seenAt: number, shownAt: number): SecondBooking | undefined {
  const { id, merchantTransactionId, answer: said } = booking;
  const types: readonly BookingType[] = RULES[role].takenBackBy === "RV" ? TAKING : GIVING;
  const paymentType = types.find((type) => type === booking.paymentType);
  if (merchantTransactionId !== operation.merchantTransactionId || paymentType === undefined) return undefined;
  // As long as it is open which one counts, one of the right type is none too many.
  if (standing === "settled" ? id === answer?.id : paymentType === operation.paymentType) return undefined;
  const weight = weightOf(said);
  return weight === "nothing" ? undefined : { id, paymentType, ...moneyOf(said), seenAt, shownAt, isPending: weight === "pending" };
}

/** Money that a customer got twice is not taken back behind his back (role.ts): it is for people to settle. */
export function isGiven({ paymentType }: SecondBooking): boolean {
  return GIVING.some((type) => type === paymentType);
}

function weightOf({ is }: Answer): "held" | "pending" | "nothing" {
  if (is === "approved" || is === "half-reversed") return "held";
  return is === "pending" || is === "unknown" || is === "auto-reversed" ? "pending" : "nothing";
}

function moneyOf(said: Answer): Pick<SecondBooking, "amount" | "currency"> {
  if (said.is !== "approved") return {};
  return { ...(said.amount !== undefined && { amount: said.amount }), ...(said.currency !== undefined && { currency: said.currency }) };
}
