import { currencyOf, type Minor, parseAmount } from "../../kit/money.ts";
import { type Found, gatewayPaymentTypeSchema } from "../../payment/exchange.ts";
import type { Fact } from "../../payment/machine.ts";
import { isCardPresent, type Payment, RULES, roleOf } from "../../payment/state.ts";
import { decisionOf } from "../../payment/view.ts";
import type { LostBooking, NameBegins, Restoration } from "../ports.ts";

/** A request known to the gateway. */
export interface Held extends Pick<LostBooking, "merchantTransactionId" | "paymentType" | "currency" | "referencedId"> {
  readonly amount?: Minor | undefined;
}

/** The gateway's report on a payment's requests since the backup of a restored journal. */
export interface SinceBackup {
  /** False if the gateway did not list the payment's entity. */
  isTold(payment: Payment): boolean;
  /** Requests of the payment that may have moved money and are missing in the journal. */
  lostOf(payment: Payment): readonly LostBooking[];
  /** Whether a request with this name belongs to the payment. */
  isNamed(payment: Payment, merchantTransactionId: string | undefined): boolean;
}

export function sinceBackup(read: Restoration["read"], nameBegins: NameBegins): SinceBackup {
  const isNamed: SinceBackup["isNamed"] = ({ accepted }, name) => name?.startsWith(nameBegins(accepted)) === true;
  return {
    isNamed,
    isTold: ({ accepted: { channel } }) =>
      read !== undefined && !(read.untold ?? []).some(({ entityId }) => entityId === channel.entityId),
    lostOf: (payment) => {
      const lost = read?.bookings ?? [];
      return lost.filter(
        (one) => one.is !== "refused" && isNamed(payment, one.merchantTransactionId) && !isKnown(payment, one),
      );
    },
  };
}

/**
 * True if the payment may have been approved after the backup: it must not continue automatically. A decision is final,
 * because a journal only grows.
 */
export function isUndecided(payment: Payment, since: SinceBackup): boolean {
  if (decisionOf(payment) !== undefined) return false;
  // Without a request, the payment was only waiting for a card.
  const wasSent = payment.attempts.length > 0 || !isCardPresent(payment.accepted);
  return wasSent || !since.isTold(payment) || since.lostOf(payment).length > 0;
}

/**
 * The requests of the lost journal, as facts of this one. Reversals are left out: a query shows them with the booking
 * they reverse.
 */
export function requestsOf(payment: Payment, held: readonly Held[], at: number): readonly Fact[] {
  const { accepted } = payment;
  return held.flatMap((one): readonly Fact[] => {
    const paymentType = gatewayPaymentTypeSchema.safeParse(one.paymentType);
    const { merchantTransactionId, referencedId } = one;
    if (!paymentType.success || merchantTransactionId === undefined || isKnown(payment, one)) return [];
    const type = paymentType.data;
    const raises =
      accepted.type === "INCREMENT" && type === "PA" ? ({ industryPractice: "INCREMENTAL_AUTH" } as const) : {};
    const role = roleOf(accepted.type, { paymentType: type, ...raises });
    if (!RULES[role].isBooking && role !== "own-capture" && role !== "void") return [];
    // A full reversal names no amount.
    const amount = role === "void" ? undefined : one.amount;
    const operation = {
      ...{ merchantTransactionId, paymentType: type, entityId: accepted.channel.entityId, ...raises },
      ...(amount !== undefined && { amount, currency: one.currency ?? accepted.currency }),
      ...(referencedId !== undefined && { referencedId }),
      ...(accepted.registration !== undefined && RULES[role].isBooking && { registration: accepted.registration }),
    };
    return [{ fact: "attempt-intended", at, operation }];
  });
}

export function heldAsListed({ amount, currency, ...rest }: LostBooking): Held {
  const known = currency === undefined ? undefined : currencyOf(currency);
  return {
    ...rest,
    currency,
    amount: amount === undefined || known === undefined ? undefined : parseAmount(amount, known),
  };
}

export function heldAsShown({ answer, ...rest }: Found): Held {
  return { ...rest, ...(answer.is === "approved" && { amount: answer.amount, currency: answer.currency }) };
}

function isKnown({ attempts }: Payment, { merchantTransactionId }: Pick<Held, "merchantTransactionId">): boolean {
  return attempts.some(({ operation }) => operation.merchantTransactionId === merchantTransactionId);
}
