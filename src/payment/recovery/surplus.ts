import type { Attempt } from "../attempt/attempt.ts";
import { isBooked, isExplicitRefusal } from "../attempt/definite-answer.ts";
import { isReversalShown } from "../attempt/observation.ts";
import { type Purpose, type Role, RULES } from "../attempt/retry-by-role.ts";
import type { Answer, Found } from "../fact/answer.ts";
import { isTakenBack } from "./evidence.ts";

const TAKING = ["PA", "DB", "CP"] as const;
const GIVING = ["RF", "CD"] as const;
const STORING = ["RG"] as const;
type BookingType = (typeof TAKING | typeof GIVING | typeof STORING)[number];

/**
 * A booking under a request's name that is not the request's own: it is reversed, or an operator settles it (decision
 * 12).
 */
export interface SecondBooking {
  readonly id: string;
  readonly request: string;
  readonly paymentType: BookingType;
  readonly amount?: number;
  readonly currency?: string;
  readonly registrationId?: string;
  /**
   * First seen, seen again after its reversal, or decided: an operator decision covers only bookings seen before it.
   */
  readonly seenAt: number;
  readonly shownAt: number;
  readonly isPending: boolean;
  readonly isTakenBack: boolean;
  readonly isOnlyOne: boolean;
}

interface Shown {
  readonly bookings: readonly Found[];
  readonly claimed: (id: string) => boolean;
  readonly named: string | undefined;
  readonly at: number;
}

/** A query may miss a booking: a known surplus one that is not shown stays, and is still reversed. */
export function secondBookings(
  known: readonly SecondBooking[],
  attempts: readonly Attempt[],
  { bookings, claimed, named, at }: Shown,
): readonly SecondBooking[] {
  const shown = bookings.flatMap((booking) => {
    const attempt = attempts.find(({ operation }) => operation.merchantTransactionId === booking.merchantTransactionId);
    const second = attempt && secondOf(attempt, booking);
    if (
      attempt === undefined ||
      second === undefined ||
      booking.id === named ||
      attempts.some((one) => isOwn(one, booking.id))
    )
      return [];
    const before = known.find(({ id }) => id === booking.id);
    const takenBack = isTakenBack(
      bookings,
      { id: booking.id, amount: attempt.operation.amount },
      { claimed: claimed(booking.id), byRefund: true },
    );
    const isNews =
      before === undefined || (before.isTakenBack && !takenBack) || (before.isPending && !second.isPending);
    const seenAt = isNews ? at : before.seenAt;
    const isOnlyOne = isAlone(attempt, bookings) && before?.isOnlyOne !== false;
    return [{ ...second, seenAt, shownAt: at, isTakenBack: takenBack, isOnlyOne }];
  });
  const others = known.filter(({ id }) => bookings.every((booking) => booking.id !== id));
  return shown.length === 0 && others.length === known.length ? known : [...others, ...shown];
}

function secondOf(
  attempt: Attempt,
  booking: Found,
): Omit<SecondBooking, "seenAt" | "shownAt" | "isTakenBack" | "isOnlyOne"> | undefined {
  const { role, operation } = attempt;
  const { id, answer: said } = booking;
  const paymentType = typesBeside(role).find((type) => type === booking.paymentType);
  if (paymentType === undefined) return undefined;
  // It refers to another original than the request: made by hand in the back office, it is left alone (decision 12).
  if (booking.referencedId !== undefined && booking.referencedId !== operation.referencedId) return undefined;
  // While the request is undecided, a booking of its type may be its own: a reversal could undo an approval.
  if (!isOver(attempt) && paymentType === operation.paymentType) return undefined;
  const weight = weightOf(said);
  if (weight === "nothing") return undefined;
  return {
    id,
    request: operation.merchantTransactionId,
    paymentType,
    ...contentOf(said),
    isPending: weight === "pending",
  };
}

/** A refused request owns no booking: one that stands under its id is surplus. */
function isOwn(attempt: Attempt, id: string): boolean {
  return isOver(attempt) && attempt.answer?.id === id && !isExplicitRefusal(attempt.answer);
}

function isOver(attempt: Attempt): boolean {
  return attempt.standing === "settled" || isReversalShown(attempt);
}

function isAlone({ standing, answer }: Attempt, bookings: readonly Found[]): boolean {
  return standing === "settled" && answer?.is === "approved" && bookings.every(({ id }) => id !== answer.id);
}

export function purposeOf({ paymentType }: SecondBooking): Purpose {
  switch (paymentType) {
    case "PA":
      return "reserving";
    case "DB":
      return "debiting";
    case "CP":
      return "capturing";
    case "RG":
      return "storing";
    case "RF":
    case "CD":
      return "refunding";
  }
}

function typesBeside(role: Role): readonly BookingType[] {
  const { isBooking, takenBackBy } = RULES[role];
  if (takenBackBy === "RV") return TAKING;
  if (takenBackBy === "DR") return STORING;
  return isBooking && takenBackBy === undefined ? GIVING : [];
}

export function isGiven({ paymentType }: SecondBooking): boolean {
  return GIVING.some((type) => type === paymentType);
}

export function givenBesides(seconds: readonly SecondBooking[], asked: number): number {
  return seconds.reduce(
    (sum, second) => sum + (isGiven(second) && !second.isPending && !second.isTakenBack ? (second.amount ?? asked) : 0),
    0,
  );
}

function weightOf(said: Answer): "held" | "pending" | "nothing" {
  if (isBooked(said)) return "held";
  const { is } = said;
  return is === "pending" || is === "unknown" || is === "auto-reversed" ? "pending" : "nothing";
}

function contentOf(said: Answer): Pick<SecondBooking, "amount" | "currency" | "registrationId"> {
  if (said.is !== "approved") return {};
  const { amount, currency, registrationId } = said;
  return {
    ...(amount !== undefined && { amount }),
    ...(currency !== undefined && { currency }),
    ...(registrationId !== undefined && { registrationId }),
  };
}
