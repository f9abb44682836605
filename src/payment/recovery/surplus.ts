import type { Attempt } from "../attempt/attempt.ts";
import { isBooked, isHeardNo } from "../attempt/heard.ts";
import { isReversalShown } from "../attempt/observation.ts";
import { type Purpose, type Role, RULES } from "../attempt/role.ts";
import type { Answer, Found } from "../fact/answer.ts";
import { isTakenBack } from "./evidence.ts";

const TAKING = ["PA", "DB", "CP"] as const;
const GIVING = ["RF", "CD"] as const;
const STORING = ["RG"] as const;
type BookingType = (typeof TAKING | typeof GIVING | typeof STORING)[number];

/**
 * A booking under the name of this payment's request that is not the payment's: a link paid in two browsers, an earlier
 * try, another type than was asked for.
 */
export interface SecondBooking {
  readonly id: string;
  /** Our name of the request that it goes by. */
  readonly request: string;
  readonly paymentType: BookingType;
  /** Minor units, where the gateway tells it. */
  readonly amount?: number;
  readonly currency?: string;
  /** The card that was stored with it, by the gateway's id of its registration. */
  readonly registrationId?: string;
  /** When a query showed it first, and last. Epoch milliseconds. */
  readonly seenAt: number;
  readonly shownAt: number;
  /** The gateway has not decided it yet. */
  readonly isPending: boolean;
  /** That query showed its reversal too. */
  readonly isTakenBack: boolean;
  /** The payment's own booking was not shown beside it: as far as queries tell, this is the only one. */
  readonly isOnlyOne: boolean;
}

/** What one search showed, and when. */
interface Shown {
  readonly bookings: readonly Found[];
  readonly claimed: (id: string) => boolean;
  /** What a person has said is the payment's, by the gateway's id. */
  readonly named: string | undefined;
  readonly at: number;
}

/**
 * Those that are known, after a query: what it shows counts, and what it does not show stays as it was. `claimed`: see
 * isTakenBack.
 */
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
    // Whoever refunds it gives it back: nothing of it is anybody's.
    const takenBack = isTakenBack(
      bookings,
      { id: booking.id, amount: attempt.operation.amount },
      { claimed: claimed(booking.id), byRefund: true },
    );
    // One that stands although it was shown reversed is news, and so is one that was decided since.
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
  // What was made of it by hand, in the back office, may go by its name too, and refers to it.
  if (booking.referencedId !== undefined && booking.referencedId !== operation.referencedId) return undefined;
  // As long as it is open which one counts, one of the right type is none too many.
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

/** What an attempt has come to. One that was answered with a no, and stands after all, is one too many. */
function isOwn(attempt: Attempt, id: string): boolean {
  return isOver(attempt) && attempt.answer?.id === id && !isHeardNo(attempt.answer);
}

function isOver(attempt: Attempt): boolean {
  return attempt.standing === "settled" || isReversalShown(attempt);
}

/** What it was approved as is not among them. */
function isAlone({ standing, answer }: Attempt, bookings: readonly Found[]): boolean {
  return standing === "settled" && answer?.is === "approved" && bookings.every(({ id }) => id !== answer.id);
}

/** What a second booking is, as the recovery table knows it. */
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

/** What moves money the same way as the payment's own booking. */
function typesBeside(role: Role): readonly BookingType[] {
  const { isBooking, takenBackBy } = RULES[role];
  if (takenBackBy === "RV") return TAKING;
  if (takenBackBy === "DR") return STORING;
  return isBooking && takenBackBy === undefined ? GIVING : [];
}

/** Money that a customer got twice is not taken back behind his back (role.ts): it is for people to settle. */
export function isGiven({ paymentType }: SecondBooking): boolean {
  return GIVING.some((type) => type === paymentType);
}

/** What a customer got besides, minor units: what was asked for where the gateway does not say it. */
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
