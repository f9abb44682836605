import type { Answer, Found } from "./answer.ts";
import type { Attempt } from "./attempt.ts";

/**
 * Whether bookings show that the original was taken back. Where the gateway has answered one of our reversals with "already reversed", a reversal whose own outcome the
 * gateway is unsure of (000.400.030) is believed too.
 */
export function isTakenBack(bookings: readonly Found[], original: string, claimed: boolean): boolean {
  return reversalsOf(bookings, original, claimed).length > 0;
}

/** Whether bookings show that the original was captured, or given back, and that this stands. */
export function isUsed(bookings: readonly Found[], original: string): boolean {
  return bookings.some(
    ({ id, paymentType, referencedId, answer }) =>
      referencedId === original &&
      (paymentType === "CP" || paymentType === "RF") &&
      (answer.is === "approved" || answer.is === "half-reversed") &&
      !isTakenBack(bookings, id, false),
  );
}

/** The attempt after bookings that may show its reversal. */
export function reversed(attempt: Attempt, bookings: readonly Found[], claimed: boolean): Attempt {
  const { answer } = attempt;
  const reversals = answer?.id === undefined ? [] : reversalsOf(bookings, answer.id, claimed);
  if (reversals.length === 0) return attempt;
  const isOwn = answer?.is === "auto-reversed" || reversals.every(({ merchantTransactionId }) => merchantTransactionId === undefined);
  return { ...attempt, takenBack: true, selfReversed: attempt.selfReversed || isOwn };
}

/** None where they leave a part of it. */
function reversalsOf(bookings: readonly Found[], original: string, claimed: boolean): readonly Found[] {
  const reversals = bookings.filter(({ paymentType, referencedId, answer }) => {
    if ((paymentType !== "RV" && paymentType !== "DR") || referencedId !== original) return false;
    return answer.is === "approved" || (claimed && answer.is === "half-reversed");
  });
  const amounts = reversals.map(({ answer }) => amountIn(answer));
  const booked = amountIn(bookings.find(({ id }) => id === original)?.answer);
  // One that names no amount is of the whole.
  const isWhole = booked === undefined || amounts.includes(undefined) || amounts.reduce<number>((sum, amount = 0) => sum + amount, 0) >= booked;
  return isWhole ? reversals : [];
}

function amountIn(answer: Answer | undefined): number | undefined {
  return answer?.is === "approved" ? answer.amount : undefined;
}
