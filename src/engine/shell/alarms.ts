import {
  type Attempt,
  attemptsAs,
  bookingOf,
  captureFailed,
  isBookedAfterClosing,
  isCaptured,
  isCapturedOtherwise,
  isCapturedTwice,
  isClear,
  isDone,
  isGiven,
  isGivenBackPerhaps,
  isLate,
  isOrphanLeft,
  isRefundWithheld,
  isRestRefused,
  isSecondGone,
  isSecondHeld,
  isStoredCardLost,
  isUndecidedForADay,
  mayHoldMoney,
  NO_TERMINAL,
  type Payment,
  RULES,
  secondStanding,
  takeBacks,
} from "../../payment/state.ts";
import type { Alarm } from "../ports.ts";

type PaymentAlarm = Pick<Alarm, "what" | "mend" | "afterRestart">;

/** A problem that holds now. It is raised again when its text changes; with `step`, only when the step changes. */
interface Watched extends PaymentAlarm {
  readonly step?: number;
  /** About one request only: it ends when the payment is final. */
  readonly isOfRequest?: true;
}

type Watch = (payment: Payment) => Watched | undefined;

/** Raised again each time the number of tries doubles: often at first, then rarely, never silent. */
const TRIES_TOLD = [3, 6, 12, 24, 48, 96, 192, 384, 768];

const backOffice = "in the gateway's back office";

const GIVEN_TWICE = {
  what: "a customer was given the money of one refund twice",
  mend: `settle it with the customer ${backOffice}, then: posbridge resolve`,
} as const;
const PERHAPS_GIVEN = {
  what: "the gateway has not decided whether a customer gets the money of one refund twice, or after all",
  mend: `wait: the bridge looks every hour; what stays undecided look up ${backOffice}, then: posbridge resolve`,
} as const;
const GIVEN_AFTER_ALL = {
  ...GIVEN_TWICE,
  what: "a customer was given money after all by a refund that is not approved",
} as const;

function secondIsHeld(payment: Payment): Watched | undefined {
  if (!isSecondHeld(payment)) return undefined;
  if (payment.seconds.some((second) => isGiven(second) && !isSecondGone(payment, second))) {
    if (secondStanding(payment) === "pending") return PERHAPS_GIVEN;
    const own = bookingOf(payment);
    return payment.ending === undefined && own !== undefined && isDone(own) ? GIVEN_TWICE : GIVEN_AFTER_ALL;
  }
  if (secondStanding(payment) === "pending")
    return {
      what: "the gateway has not decided a second booking of one payment",
      mend: "wait: the bridge looks every hour, and takes back what is booked",
    };
  if (secondStanding(payment) === "instead")
    return {
      what: "the gateway shows another booking instead of the one that a payment was approved by",
      mend: `the bridge takes nothing back before it has seen both; look ${backOffice} which of them stands, then: posbridge resolve`,
    };
  if (payment.accepted.type === "REGISTRATION")
    return {
      what:
        payment.ending === undefined
          ? "the gateway stored one card twice"
          : "the gateway stored a card of a payment that is not approved",
      mend: `the bridge deletes it; what the gateway refuses delete ${backOffice}, then: posbridge resolve`,
    };
  const mend = `the bridge takes it back; look ${backOffice} that no customer has paid too much; what the gateway refuses give back there, then: posbridge resolve`;
  return {
    what:
      payment.ending === undefined
        ? "the gateway holds a second booking of one payment"
        : "the gateway holds a booking of a payment that is not approved",
    mend,
  };
}

/** The recovery table's last step after a day of silence (payment/recovery/decision-table.ts). An unpaid link may stay open. */
function undecidedForADay(payment: Payment): Watched | undefined {
  const isOld = (attempt: Attempt): boolean =>
    attempt.operation.link === undefined && isUndecidedForADay(attempt, payment.updatedAt);
  if (!payment.attempts.some(isOld) || (payment.concluded !== undefined && isClear(payment))) return undefined;
  return {
    what: "the gateway has not decided a request for a day",
    mend: `the bridge looks every hour; look ${backOffice} what became of it, then: posbridge resolve`,
  };
}

function deletionFails(payment: Payment): Watched | undefined {
  return tried(attemptsAs(payment, "deletion").length, "deleting a stored card that nobody may keep", () =>
    isOrphanLeft(payment),
  );
}

function bookedAfterClosing(payment: Payment): Watched | undefined {
  return isBookedAfterClosing(payment)
    ? {
        what: "what had been closed as not done has been done at the gateway since",
        mend: `look at it ${backOffice}; what the bridge does not take back settle there, then: posbridge resolve`,
      }
    : undefined;
}

/** Each watch raises an alarm while its problem exists. */
const WATCHES: readonly Watch[] = [
  ({ ending }) =>
    ending?.reason === "offline-approved"
      ? {
          what: "a card approved offline, which this bridge does not accept",
          mend: "have the terminal's configuration set to always go online",
        }
      : undefined,
  ({ ending }) =>
    ending?.reason === "channel-not-set-up"
      ? {
          what: "the gateway's channel is not set up for a payment that was asked for",
          mend: "set `settlement` (the gateway's, the terminal's or the brand's) as the channel is, or have the gateway's people set it up; the payment's result code says what is missing",
        }
      : undefined,
  ({ attempts }) =>
    attempts.some(({ answer }) => answer?.is === "not-booked" && answer.lacks === "access")
      ? {
          what: "the gateway does not let the bridge in",
          mend: "look at its token, the entity's id and the list of allowed addresses; captures and reversals are asked for again",
          isOfRequest: true,
        }
      : undefined,
  (payment) => {
    const booking = bookingOf(payment);
    if (payment.ending?.reason !== "amount-mismatch" || booking === undefined) return undefined;
    const mend =
      RULES[booking.role].takenBackBy === undefined
        ? `settle it with the customer ${backOffice}`
        : `the bridge takes it back; look at it ${backOffice}`;
    return { what: "the gateway booked another amount or currency than was asked for", mend };
  },
  (payment) => {
    const answer = bookingOf(payment)?.answer;
    return answer?.is === "declined" && answer.held
      ? {
          what: "the issuer declined and keeps the amount reserved for days",
          mend: `reverse it ${backOffice} where the customer asks for it`,
        }
      : undefined;
  },
  (payment) =>
    captureFailed(payment)
      ? {
          what: "the gateway does not take the capture of an approved sale",
          mend: `look ${backOffice} whether it was captured; if not, capture or reverse it there`,
        }
      : undefined,
  (payment) => {
    const booking = bookingOf(payment);
    return payment.ending !== undefined &&
      booking !== undefined &&
      isLate(booking) &&
      RULES[booking.role].takenBackBy === undefined &&
      mayHoldMoney(booking)
      ? {
          what: "money given to a customer was booked after all, when the payment had been called failed",
          mend: `settle it with the customer ${backOffice}`,
        }
      : undefined;
  },
  (payment) =>
    isCapturedOtherwise(payment)
      ? {
          what: "the gateway captured another amount than was approved",
          mend: `look at the capture ${backOffice}: capture the rest there, or settle it with the customer, then: posbridge resolve`,
        }
      : undefined,
  secondIsHeld,
  bookedAfterClosing,
  undecidedForADay,
  (payment) =>
    isCapturedTwice(payment)
      ? {
          what: "the gateway holds two captures of one sale",
          mend: `have one of them given back ${backOffice}, then: posbridge resolve`,
        }
      : undefined,
  (payment) =>
    isStoredCardLost(payment)
      ? {
          what: "a card may be stored with a booking that was reversed, under an id that no query tells",
          mend: `look at the booking ${backOffice} and delete the card that was stored with it`,
        }
      : undefined,
  (payment) =>
    isGivenBackPerhaps(payment)
      ? {
          what: "the gateway refused a reversal and is unsure whether it refunded the money instead; the bridge does not refund it once more",
          mend: `look at the booking ${backOffice}, give the money back there if it was not, then: posbridge resolve`,
        }
      : undefined,
  (payment) =>
    isRefundWithheld(payment)
      ? {
          what: "the gateway does not reverse a booking that it said it had reversed, and shows as standing; the bridge does not refund it",
          mend: `look at the booking ${backOffice}, give the money back there if it stands, then: posbridge resolve`,
        }
      : undefined,
  (payment) =>
    payment.concluded === undefined && isRestRefused(payment)
      ? {
          what: "the gateway took back a part of what was to be voided, and refuses the rest",
          mend: `give the rest back ${backOffice}, then: posbridge resolve --as approved; the bridge goes on trying meanwhile`,
        }
      : undefined,
  deletionFails,
  (payment) =>
    tried(
      attemptsAs(payment, "void").length,
      "voiding",
      () => payment.accepted.type === "VOID" && payment.concluded === undefined,
    ),
  (payment) =>
    tried(
      takeBacks(payment).length,
      "taking a booking back",
      () => !isClear(payment) && !isGivenBackPerhaps(payment) && !isRefundWithheld(payment),
    ),
  (payment) =>
    tried(attemptsAs(payment, "own-capture").length, "capturing an approved sale", () => !isCaptured(payment)),
];

function tried(tries: number, what: string, isOpen: () => boolean): Watched | undefined {
  const step = TRIES_TOLD.findLast((count) => count <= tries);
  return step === undefined || !isOpen()
    ? undefined
    : {
        step,
        what: `${what} has not succeeded after ${tries} tries`,
        mend: `look at the booking ${backOffice}; the bridge goes on trying`,
      };
}

/** The alarm's payment, as fields of a log line. */
export function alarmed({
  id,
  reference,
  register,
  terminal,
}: Payment["accepted"]): Pick<Alarm, "payment" | "reference" | "register" | "terminal"> {
  return { payment: id, reference, register, ...(terminal !== NO_TERMINAL && { terminal }) };
}

/**
 * A restart raises existing problems again, marked. After an operator's decision, only later bookings and stored cards
 * do: the operator could not know them.
 */
export function alarmsOf(before: Payment, after: Payment): readonly PaymentAlarm[] {
  const isNewProcess = before.interruptedAt !== after.interruptedAt;
  const watches = after.resolved === undefined ? WATCHES : [secondIsHeld, bookedAfterClosing, deletionFails];
  return watches.flatMap((watch) => {
    const alarm = watch(after);
    if (alarm === undefined) return [];
    const held = watch(before);
    const isSame =
      held !== undefined && (alarm.step === undefined ? held.what === alarm.what : held.step === alarm.step);
    if (isSame && (!isNewProcess || (alarm.isOfRequest === true && after.concluded !== undefined))) return [];
    return [{ what: alarm.what, mend: alarm.mend, ...(isSame && { afterRestart: true as const }) }];
  });
}
