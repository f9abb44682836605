import { currencyOf, formatAmount, parseAmount } from "../../kit/money.ts";
import type { PaymentView } from "../../payment/view-schema.ts";
import type { Ask } from "./asked.ts";

/** A possible follow-up of an approved payment; the bridge decides. */
export interface FollowUp {
  readonly call: Extract<Ask["call"], "payment.capture" | "payment.void" | "payment.refund" | "payment.increment">;
  readonly label: string;
  readonly question: string;
  readonly amount: "none" | "all-or-part" | "needed";
  /** Meaning of an empty amount. */
  readonly hint?: string;
  /** Remaining amount, if the payment contains it. */
  readonly left?: string;
}

export function followUpsOf(payment: PaymentView): readonly FollowUp[] {
  if (payment.decision !== "approved" || payment.voidedBy !== undefined) return [];
  switch (payment.type) {
    case "SALE":
    case "CAPTURE":
      return [...refunds(payment), ...(isRefunded(payment) ? [] : [voiding(payment)])];
    case "PREAUTHORIZATION":
      return isCaptured(payment) ? [capturing(), raising()] : [capturing(), raising(), voiding(payment)];
    case "INCREMENT":
    case "REFUND":
    case "REGISTRATION":
    case "VOID":
    case "LINKED_REFUND":
      return [];
  }
}

/** The follow-up's call; `amount` undefined: the whole remainder. */
export function askFor(payment: PaymentView, { call }: FollowUp, amount: string | undefined, cashier: string): Ask {
  const params = {
    of: { id: payment.id },
    ...(amount !== undefined && { amount }),
    ...(cashier.trim() !== "" && { cashier: cashier.trim() }),
  };
  return { call, params, title: { type: TYPES[call], amount, currency: payment.currency } };
}

const TYPES = {
  "payment.capture": "CAPTURE",
  "payment.void": "VOID",
  "payment.refund": "LINKED_REFUND",
  "payment.increment": "INCREMENT",
} as const;

function refunds(payment: PaymentView): readonly FollowUp[] {
  if (payment.capture === "pending" || payment.capture === "failed") return [];
  const left = leftToRefund(payment);
  if (left === undefined) return [];
  return [
    {
      call: "payment.refund",
      label: "Refund",
      question: "How much goes back?",
      amount: "all-or-part",
      hint: "Leave it empty to give all of it back.",
      left,
    },
  ];
}

function voiding({ type }: PaymentView): FollowUp {
  const question =
    type === "PREAUTHORIZATION"
      ? "The whole reservation is let go of."
      : "The whole payment is taken back. Best on the same day.";
  return { call: "payment.void", label: "Void", question, amount: "none" };
}

function capturing(): FollowUp {
  return {
    call: "payment.capture",
    label: "Capture",
    question: "How much is taken of what is reserved?",
    amount: "all-or-part",
    hint: "Leave it empty to take all of it.",
  };
}

function raising(): FollowUp {
  return { call: "payment.increment", label: "Raise", question: "How much is reserved besides?", amount: "needed" };
}

/** In the currency's smallest unit. */
export function minor(amount: string | undefined, code: string): number {
  const currency = currencyOf(code);
  return amount === undefined || currency === undefined ? 0 : (parseAmount(amount, currency) ?? 0);
}

/** The unpaid remainder of a partial approval. */
export function restOf({ amount, approvedAmount, currency: code }: PaymentView): string {
  return formatAmount(
    Math.max(0, minor(amount, code) - minor(approvedAmount, code)),
    currencyOf(code) ?? { decimals: 2 },
  );
}

function isCaptured({ capturedAmount, currency }: PaymentView): boolean {
  return minor(capturedAmount, currency) > 0;
}

function isRefunded({ refundedAmount, currency }: PaymentView): boolean {
  return minor(refundedAmount, currency) > 0;
}

/** Remaining reservation: the original amount and later increments, minus captures. */
export function leftToCapture(
  { id, approvedAmount, capturedAmount, currency: code }: PaymentView,
  later: readonly PaymentView[],
): string {
  const added = later.filter(
    ({ type, of, decision, voidedBy }) =>
      type === "INCREMENT" && of === id && decision === "approved" && voidedBy === undefined,
  );
  const reserved = added.reduce(
    (sum, increment) => sum + minor(increment.approvedAmount, code),
    minor(approvedAmount, code),
  );
  return formatAmount(Math.max(0, reserved - minor(capturedAmount, code)), currencyOf(code) ?? { decimals: 2 });
}

/** Undefined: nothing is left. */
function leftToRefund({
  capturedAmount,
  approvedAmount,
  refundedAmount,
  currency: code,
}: PaymentView): string | undefined {
  const currency = currencyOf(code);
  const left = minor(capturedAmount ?? approvedAmount, code) - minor(refundedAmount, code);
  return currency === undefined || left <= 0 ? undefined : formatAmount(left, currency);
}
