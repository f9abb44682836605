import type { Minor } from "../kit/money.ts";
import type { Found } from "../payment/exchange.ts";
import {
  type Attempt,
  bookedAmount,
  bookingOf,
  isBooked,
  isReversalShown,
  isSecondGone,
  mayHoldMoney,
  type Payment,
  RULES,
  takenBy,
  targetsOf,
} from "../payment/state.ts";
import type { Cashflow } from "./file-row.ts";

/** Requests that move money between merchant and clearing institute; a PA only reserves it. */
const SETTLING: Readonly<
  Partial<
    Record<Attempt["operation"]["paymentType"], { readonly transactionType: string; readonly cashflow: Cashflow }>
  >
> = {
  DB: { transactionType: "DEBIT", cashflow: "POS" },
  CP: { transactionType: "DEBIT", cashflow: "POS" },
  CD: { transactionType: "CREDIT", cashflow: "NEG" },
  RF: { transactionType: "REFUND", cashflow: "NEG" },
};

/** One booked request to the gateway, from the journal. */
export interface JournalBooking {
  readonly register: string;
  readonly reference: string;
  readonly entityId: string;
  readonly gatewayId: string;
  readonly merchantTransactionId: string;
  readonly paymentType: Attempt["operation"]["paymentType"];
  readonly transactionType: string;
  readonly cashflow: Cashflow;
  /** Minor units of `currency`. */
  readonly amount: Minor;
  readonly currency: string;
  /**
   * The gateway booked it between these times; epoch milliseconds. Without `knownAt` the time is unknown, and no file
   * must contain it.
   */
  readonly intendedAt: number;
  readonly knownAt?: number;
  /** The booking that a reversal undoes. */
  readonly reverses?: string;
  /** Reversed by a void, a reversal, the gateway, or somebody else according to an operator. */
  readonly reversed?: true;
  /** An operator named the gateway's id, which may belong to another request. */
  readonly byOperator?: true;
}

/** A request without a booking in the journal; used for the remark if the file contains it. */
export interface JournalAttempt extends Pick<JournalBooking, "register" | "reference" | "merchantTransactionId"> {
  readonly gatewayId?: string;
  /** "declined (800.100.152)". */
  readonly says: string;
}

export interface JournalMoney {
  readonly bookings: readonly JournalBooking[];
  readonly others: readonly JournalAttempt[];
}

/**
 * Bookings of these payments. `seen`: results of queries, which also show reversals by the gateway or in its back
 * office.
 */
export function journalMoney(payments: readonly Payment[], seen: readonly Found[] = []): JournalMoney {
  const moved = payments.flatMap((payment) => [
    ...payment.attempts.flatMap((attempt) => movement(payment, attempt)),
    ...secondsTakenBack(payment),
  ]);
  const byId = new Map(moved.map((booking) => [booking.gatewayId, booking]));
  const own = payments.flatMap((payment) => payment.attempts.flatMap((attempt) => reversal(payment, attempt, byId)));
  const reversals = [...own, ...reversalsByOthers(seen, byId, new Set(own.map(({ gatewayId }) => gatewayId)))];
  const takenBack = new Set([
    ...reversals.map(({ reverses }) => reverses),
    ...payments.filter(isVoidDone).flatMap((one) => targetsOf(one).map(({ id }) => id)),
  ]);
  const bookings = [
    ...moved.map((one) => (takenBack.has(one.gatewayId) ? { ...one, reversed: true as const } : one)),
    ...reversals,
  ];
  const booked = new Set(bookings.map(({ merchantTransactionId }) => merchantTransactionId));
  const others = payments.flatMap((payment) => [
    ...payment.attempts.flatMap((attempt) => other(payment, attempt, booked)),
    ...secondsHeld(payment),
  ]);
  return { bookings, others };
}

/** Reversals without a payment in this journal. Their time is unknown, except that they follow their bookings. */
function reversalsByOthers(
  seen: readonly Found[],
  byId: ReadonlyMap<string, JournalBooking>,
  own: ReadonlySet<string>,
): readonly JournalBooking[] {
  const found = new Map<string, JournalBooking>();
  for (const { id, paymentType, referencedId = "", merchantTransactionId = "", answer } of seen) {
    const original = byId.get(referencedId);
    if (paymentType !== "RV" || original === undefined || own.has(id) || answer.is !== "approved") continue;
    const { register, reference, entityId, currency, intendedAt } = original;
    found.set(id, {
      ...{ register, reference, entityId, currency, intendedAt, gatewayId: id, merchantTransactionId, paymentType },
      ...{
        transactionType: "REFUND",
        cashflow: original.cashflow === "NEG" ? "POS" : "NEG",
        amount: answer.amount ?? original.amount,
        reverses: referencedId,
      },
    });
  }
  return [...found.values()];
}

function movement(payment: Payment, attempt: Attempt): readonly JournalBooking[] {
  const { accepted } = payment;
  const { operation, answer } = attempt;
  const kind = SETTLING[operation.paymentType];
  const own = bookedId(attempt);
  const gatewayId = own ?? operatorsId(payment, attempt);
  if (kind === undefined || gatewayId === undefined) return [];
  const said = answer?.is === "approved" ? answer.amount : answer?.is === "half-reversed" ? answer.reversed : undefined;
  const booking: JournalBooking = {
    ...{ ...kind, gatewayId, paymentType: operation.paymentType, ...namesOf(payment, attempt) },
    amount: said ?? operation.amount ?? bookedAmount(payment) ?? 0,
    currency: operation.currency ?? accepted.currency,
    ...((isReversalShown(attempt) || isGoneByWord(payment, attempt)) &&
      !isRefunded(payment, gatewayId) && { reversed: true }),
    ...(own === undefined && { byOperator: true }),
  };
  // The rest of a sale that an operator captured by hand has no name of the bridge.
  const [taken, rest] = takenBy(payment);
  if (rest === undefined || taken?.id !== gatewayId) return [booking];
  return [
    booking,
    { ...booking, gatewayId: rest.id, amount: rest.amount, merchantTransactionId: "", byOperator: true },
  ];
}

/**
 * An operator decided that it does not stand. Money paid to a customer is settled with the customer and stays in the
 * file.
 */
function isGoneByWord({ ending, resolved }: Payment, { role, since }: Attempt): boolean {
  if (ending === undefined || resolved === undefined || resolved.as === "approved") return false;
  return RULES[role].takenBackBy !== undefined && since <= resolved.at;
}

/** Returned by a refund: the file has both, because only captured money can be refunded (gateway-facts 1.3). */
function isRefunded({ attempts }: Payment, gatewayId: string): boolean {
  return attempts.some(
    (one) => one.role === "give-back" && one.operation.referencedId === gatewayId && bookedId(one) !== undefined,
  );
}

/** A surplus booking under a payment's name: the file has it with its reversal. It has no name of its own. */
function secondsTakenBack(payment: Payment): readonly JournalBooking[] {
  const booking = bookingOf(payment);
  return payment.seconds.flatMap((second) => {
    const kind = SETTLING[second.paymentType];
    if (booking === undefined || kind === undefined || !isSecondGone(payment, second)) return [];
    const {
      id: gatewayId,
      paymentType,
      amount = payment.accepted.amount,
      currency = payment.accepted.currency,
      seenAt: knownAt,
      isTakenBack,
    } = second;
    const names = { ...namesOf(payment, booking), merchantTransactionId: "", knownAt };
    return [
      {
        ...kind,
        ...names,
        gatewayId,
        paymentType,
        amount,
        currency,
        ...(isTakenBack && !isRefunded(payment, gatewayId) && { reversed: true }),
      },
    ];
  });
}

/** A surplus booking that still stands is a difference until it is reversed. */
function secondsHeld(payment: Payment): readonly JournalAttempt[] {
  const { register, reference } = payment.accepted;
  const held = payment.seconds.filter((second) => !isSecondGone(payment, second));
  return held.map(({ id, paymentType }) => ({
    register,
    reference,
    merchantTransactionId: "",
    gatewayId: id,
    says: `a second ${paymentType}, not taken back yet`,
  }));
}

/** A link may be paid long after it was made; a query shows the payment within this time. */
const LINK_LAG_MS = 3_600_000;

function namesOf({ accepted }: Payment, { operation, intendedAt, since }: Attempt) {
  const { register, reference } = accepted;
  const from = operation.link === undefined ? intendedAt : Math.max(intendedAt, since - LINK_LAG_MS);
  return {
    register,
    reference,
    entityId: operation.entityId,
    merchantTransactionId: operation.merchantTransactionId,
    intendedAt: from,
    knownAt: since,
  };
}

/** The gateway's id of a booking, also of one that the gateway could not reverse itself, or that was reversed later. */
function bookedId(attempt: Attempt): string | undefined {
  const { answer, standing } = attempt;
  if (standing === "settled" && mayHoldMoney(attempt)) return answer?.id;
  return isReversalShown(attempt) && isBooked(answer) ? answer.id : undefined;
}

/**
 * The gateway's id named by an operator. It belongs to the last request that was to move the money, if no answer
 * confirms a booking.
 */
function operatorsId({ resolved, attempts }: Payment, attempt: Attempt): string | undefined {
  if (resolved?.as !== "approved") return undefined;
  const moving = attempts.filter(
    ({ operation, role }) => SETTLING[operation.paymentType] !== undefined && role !== "give-back",
  );
  return attempt === moving.at(-1) && moving.every((one) => bookedId(one) === undefined)
    ? resolved.gatewayId
    : undefined;
}

/** A void, or a reversal of a failed payment, of a booking that moved money. Files contain no reversed reservations. */
function reversal(
  payment: Payment,
  attempt: Attempt,
  byId: ReadonlyMap<string, JournalBooking>,
): readonly JournalBooking[] {
  const { operation, answer } = attempt;
  const { paymentType, referencedId } = operation;
  const own = hasReversed(payment, attempt) ? attempt.answer?.id : undefined;
  const gatewayId = own ?? operatorsReversal(payment, attempt);
  if (paymentType !== "RV" || referencedId === undefined || gatewayId === undefined) return [];
  const said =
    own === undefined
      ? undefined
      : answer?.is === "half-reversed"
        ? answer.reversed
        : answer?.is === "approved"
          ? answer.amount
          : undefined;
  const original = byId.get(referencedId);
  const target = targetsOf(payment).find(({ id }) => id === referencedId);
  const taken =
    original ?? (target && SETTLING[target.paymentType] && { ...SETTLING[target.paymentType], amount: target.amount });
  if (taken?.amount === undefined) return [];
  const { knownAt, ...names } = namesOf(payment, attempt);
  return [
    {
      ...{
        gatewayId,
        paymentType,
        transactionType: "REFUND",
        cashflow: taken.cashflow === "NEG" ? "POS" : "NEG",
        reverses: referencedId,
      },
      ...{ ...names, amount: said ?? operation.amount ?? taken.amount },
      currency: original?.currency ?? operation.currency ?? payment.accepted.currency,
      ...(own === undefined ? { byOperator: true } : { knownAt }),
    },
  ];
}

/** It was booked, completely or partly. */
function hasReversed(payment: Payment, attempt: Attempt): boolean {
  const { standing, answer } = attempt;
  if (standing !== "settled") return false;
  return (
    answer?.is === "approved" ||
    (answer?.is === "half-reversed" && (answer.reversed !== undefined || isShownReversed(payment, attempt)))
  );
}

function isVoidDone({ accepted, concluded }: Payment): boolean {
  return accepted.type === "VOID" && concluded?.outcome === "APPROVED";
}

/**
 * The id with which an operator closed a void without a successful attempt: done, at an unknown time. The id of the
 * voided booking is not a reversal's.
 */
function operatorsReversal(payment: Payment, attempt: Attempt): string | undefined {
  const { resolved, attempts } = payment;
  if (!isVoidDone(payment) || resolved?.as !== "approved" || attempt !== attempts.at(-1)) return undefined;
  const isOther =
    attempts.some((one) => hasReversed(payment, one)) || targetsOf(payment).some(({ id }) => id === resolved.gatewayId);
  return isOther ? undefined : resolved.gatewayId;
}

/**
 * The gateway was unsure (000.400.030), but the void was approved: a query showed this attempt, and no later one, as
 * booked.
 */
function isShownReversed(payment: Payment, attempt: Attempt): boolean {
  const tries = payment.attempts.filter(({ operation }) => operation.referencedId === attempt.operation.referencedId);
  const isApproved = isVoidDone(payment) && !tries.some(({ answer }) => answer?.is === "approved");
  return isApproved && attempt === tries.findLast(({ answer }) => answer?.is === "half-reversed");
}

function other(payment: Payment, attempt: Attempt, booked: ReadonlySet<string>): readonly JournalAttempt[] {
  const { operation, answer, standing } = attempt;
  const { register, reference, merchantTransactionId } = namesOf(payment, attempt);
  if (booked.has(operation.merchantTransactionId)) return [];
  const result = answer?.resultCode === undefined || answer.resultCode === "" ? "" : ` (${answer.resultCode})`;
  const says =
    standing === "settled"
      ? `${answer?.is ?? "unknown"}${result}`
      : standing === "absent"
        ? "not found at the gateway"
        : `not decided yet${result}`;
  return [
    { register, reference, merchantTransactionId, ...(answer?.id !== undefined && { gatewayId: answer.id }), says },
  ];
}
