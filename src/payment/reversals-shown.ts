import type { Answer, Found } from "./answer.ts";
import type { Attempt } from "./attempt.ts";
import { isBooked } from "./last-word.ts";
import { RULES } from "./role.ts";

/** A booking that may have been taken back. */
interface Original {
  readonly id: string;
  /** What was asked for, minor units: where the gateway does not say what it booked, no less than that is the whole. */
  readonly amount?: number | undefined;
}

interface Believed {
  /** The gateway has answered a reversal of ours with "already reversed". */
  readonly claimed: boolean;
  /** A person has closed the payment as not approved, who may have given the money back as a refund. */
  readonly byRefund: boolean;
}

/** Nothing besides what the gateway shows plainly. */
export const AS_SHOWN: Believed = { claimed: false, byRefund: false };

/**
 * Whether bookings show that the original was taken back. Where the gateway has answered one of our reversals with "already reversed", a reversal whose own outcome the
 * gateway is unsure of (000.400.030) is believed too, and that what was reversed was all of a booking whose amount it does not say.
 */
export function isTakenBack(bookings: readonly Found[], original: Original, believed: Believed): boolean {
  return reversalsOf(bookings, original, believed).length > 0;
}

/** Whether bookings show that the original was captured, or given back, and that this stands. */
export function isUsed(bookings: readonly Found[], original: string): boolean {
  return bookings.some(
    ({ id, paymentType, referencedId, answer }) =>
      referencedId === original && (paymentType === "CP" || paymentType === "RF") && isBooked(answer) && !isTakenBack(bookings, { id }, AS_SHOWN),
  );
}

const UNDECIDED: readonly Answer["is"][] = ["pending", "unknown", "half-reversed"];

/** Whether bookings show a reversal of the original of which nobody knows yet whether it is carried out. */
export function isReversalUndecided(bookings: readonly Found[], original: string): boolean {
  return bookings.some(
    ({ paymentType, referencedId, answer }) => (paymentType === "RV" || paymentType === "DR") && referencedId === original && UNDECIDED.includes(answer.is),
  );
}

/** The attempt after bookings that may show its reversal. `before`: as it stood before they told anything. */
export function reversed(before: Attempt, attempt: Attempt, bookings: readonly Found[], { claimed, byRefund }: Believed): Attempt {
  const { answer, operation, role, standing } = attempt;
  const believed = { claimed, byRefund: byRefund && RULES[role].isBooking };
  const reversals = answer?.id === undefined ? [] : reversalsOf(bookings, { id: answer.id, amount: operation.amount }, believed);
  if (reversals.length === 0) return attempt;
  const isFirstSeen = standing === "settled" && (before.standing === "intended" || before.standing === "open");
  return { ...attempt, takenBack: true, goneWhenSeen: attempt.goneWhenSeen || isFirstSeen };
}

/** None where they leave a part of it. */
function reversalsOf(bookings: readonly Found[], original: Original, { claimed, byRefund }: Believed): readonly Found[] {
  const types = byRefund ? ["RV", "DR", "RF"] : ["RV", "DR"];
  const reversals = bookings.filter(({ id, paymentType, referencedId, answer }) => {
    if (!types.includes(paymentType) || referencedId !== original.id) return false;
    return !isUndone(bookings, id) && (answer.is === "approved" || (claimed && answer.is === "half-reversed"));
  });
  // One that a query shows twice is one.
  const amounts = [...new Map(reversals.map(({ id, answer }) => [id, amountIn(answer)])).values()];
  const booked = amountIn(bookings.find(({ id }) => id === original.id)?.answer) ?? (claimed ? undefined : original.amount);
  // One that names no amount is of the whole.
  const isWhole = booked === undefined || amounts.includes(undefined) || amounts.reduce<number>((sum, amount = 0) => sum + amount, 0) >= booked;
  return isWhole ? reversals : [];
}

/** A reversal that was itself taken back takes nothing back. */
function isUndone(bookings: readonly Found[], reversal: string): boolean {
  return bookings.some(({ paymentType, referencedId, answer }) => paymentType === "RV" && referencedId === reversal && answer.is === "approved");
}

function amountIn(answer: Answer | undefined): number | undefined {
  return answer?.is === "approved" ? answer.amount : undefined;
}
