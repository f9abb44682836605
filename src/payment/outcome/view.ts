import { isoTime } from "../../kit/clock.ts";
import { currencyOf, formatAmount, type Minor } from "../../kit/money.ts";
import { oncePer } from "../../kit/once-per.ts";
import { qrSvg } from "../../kit/qr.ts";
import { type Attempt, mayHoldMoney } from "../attempt/attempt.ts";
import { RULES } from "../attempt/retry-by-role.ts";
import { signatureBy } from "../card/signature.ts";
import type { Agreement, Answer } from "../fact/answer.ts";
import { isForPresentedCard, sequenceText } from "../fact/operation.ts";
import { type Prompt, promptView } from "../fact/prompt.ts";
import { captureFailed, isCaptured } from "../follow-up/capture.ts";
import { bookedAmount, capturedAmount, refundedAmount, voidedBy } from "../follow-up/totals.ts";
import { isPaid, isUnpaid } from "../link/link.ts";
import { isClear } from "../operator/late-booking.ts";
import { isCardPresent } from "../state/card-present.ts";
import { attemptsAs, bookingOf, type Payment, targetsOf } from "../state/payment.ts";
import { idByOperator } from "../state/resolved.ts";
import { registrationIdOf } from "../stored-card/registration.ts";
import type { PaymentView } from "../view-schema.ts";
import { cardView, emvView } from "./card-view.ts";
import { isBookedLate, reasonNow } from "./current-reason.ts";

/** `prompt`: what the terminal shows. `listed`: without the link's QR code, which is large and slow to draw. */
export function viewOf(payment: Payment, prompt?: Prompt, shown: "whole" | "listed" = "whole"): PaymentView {
  if (shown === "listed") return drawn(payment, prompt, shown);
  const views = wholeViews(payment);
  const key = prompt && JSON.stringify(promptView(prompt));
  const view = views.get(key) ?? drawn(payment, prompt, shown);
  views.set(key, view);
  return view;
}

export type ReceiptView = PaymentView & { readonly terminalId?: string };

/** The customer signs a slip with the approved amount; a view tells that amount only once the payment is decided. */
export function viewForReceipt(payment: Payment): ReceiptView {
  const approved = signatureBy(payment) === undefined ? undefined : approval(payment)?.amount;
  const { terminalId } = payment.accepted.device;
  return {
    ...viewOf(payment),
    ...(approved !== undefined && { approvedAmount: money(payment.accepted, approved) }),
    ...(terminalId !== "" && { terminalId }),
  };
}

const wholeViews = oncePer((_: Payment) => new Map<string | undefined, PaymentView>());

function drawn(payment: Payment, prompt: Prompt | undefined, shown: "whole" | "listed"): PaymentView {
  const { accepted, concluded } = payment;
  const prompted = signatureBy(payment) === undefined ? prompt : ({ code: "SIGN" } as const);
  const { approvedAmount, capturedAmount, refundedAmount } = amounts(payment);
  return {
    id: accepted.id,
    reference: accepted.reference,
    type: accepted.type,
    register: accepted.register,
    terminal: accepted.terminal,
    registration: accepted.registration,
    cashier: accepted.cashier,
    order: accepted.order,
    amount: accepted.type === "REGISTRATION" ? undefined : money(accepted, accepted.amount),
    currency: accepted.currency,
    tip: money(accepted, accepted.tip),
    approvedAmount,
    capturedAmount,
    refundedAmount,
    environment: accepted.channel.environment,
    state: stateOf(payment),
    decision: decisionOf(payment),
    outcome: concluded?.outcome,
    reason: reasonNow(payment),
    prompt: prompted && promptView(prompted),
    link: linkView(payment, shown),
    capture: captureView(payment),
    review: reviewed(payment) || undefined,
    held: held(payment) || undefined,
    lateBooking: isBookedLate(payment) || undefined,
    voidedBy: voidedBy(payment),
    of: accepted.of && (accepted.of.payment ?? targetsOf(payment)[0]?.id),
    card: cardView(payment),
    authorization: authorization(payment),
    gateway: gatewayView(payment),
    emv: emvView(payment),
    createdAt: isoTime(accepted.at),
    updatedAt: isoTime(payment.updatedAt),
  };
}

export function stateOf(payment: Payment): PaymentView["state"] {
  if (payment.concluded !== undefined) return "FINAL";
  if (!isCardPresent(payment.accepted)) return stateWithoutCard(payment);
  const booking = bookingOf(payment);
  switch (payment.terminal.at) {
    case "none":
      return "CREATED";
    case "queued":
      return "QUEUED";
    case "collecting":
    case "asking-pin":
      return "AWAITING_CARD";
    case "holding":
      return booking === undefined ? "AWAITING_CARD" : "AUTHORIZING";
    case "completing":
      return "COMPLETING";
    case "over":
      if (signatureBy(payment) !== undefined) return "COMPLETING";
      if (payment.terminal.how.is === "read" && booking?.standing === "intended") return "AUTHORIZING";
      return isReversing(payment, booking) ? "REVERSING" : "RESOLVING";
  }
}

function isReversing(payment: Payment, booking: Attempt | undefined): boolean {
  if (booking === undefined || payment.ending === undefined || RULES[booking.role].takenBackBy === undefined)
    return false;
  return mayHoldMoney(booking) && !isClear(payment);
}

function stateWithoutCard(payment: Payment): PaymentView["state"] {
  if (payment.link !== undefined && payment.ending === undefined)
    return isUnpaid(payment) ? "AWAITING_CARD" : isPaid(payment) ? "AUTHORIZING" : "RESOLVING";
  const { accepted, attempts, ending } = payment;
  const last = attempts.at(-1);
  if (last === undefined) return "CREATED";
  if (ending !== undefined) return isReversing(payment, bookingOf(payment)) ? "REVERSING" : "RESOLVING";
  if (accepted.type === "VOID" && attempts.length > 1) return "REVERSING";
  return last.standing === "intended" && attempts.length === 1 ? "AUTHORIZING" : "RESOLVING";
}

export function decisionOf({ concluded, ending }: Payment): "approved" | "not-approved" | undefined {
  if (ending !== undefined) return "not-approved";
  return concluded === undefined ? undefined : "approved";
}

interface In {
  readonly currency: string;
}

function money(of: In, minor: Minor): string;
function money(of: In, minor: Minor | undefined): string | undefined;
function money({ currency: code }: In, minor: Minor | undefined): string | undefined {
  if (minor === undefined) return undefined;
  const currency = currencyOf(code);
  return currency === undefined ? String(minor) : formatAmount(minor, currency);
}

function approval(payment: Payment): Extract<Answer, { is: "approved" }> | undefined {
  const answer = bookingOf(payment)?.answer;
  return answer?.is === "approved" ? answer : undefined;
}

function amounts(payment: Payment): Pick<PaymentView, "approvedAmount" | "capturedAmount" | "refundedAmount"> {
  if (payment.accepted.type === "REGISTRATION" || payment.accepted.type === "VOID") return {};
  return {
    approvedAmount: money(payment.accepted, bookedAmount(payment)),
    capturedAmount: money(payment.accepted, capturedAmount(payment)),
    refundedAmount: money(payment.accepted, refundedAmount(payment)),
  };
}

function linkView({ accepted, link, ending, concluded }: Payment, shown: "whole" | "listed"): PaymentView["link"] {
  if (
    accepted.link === undefined ||
    link === undefined ||
    link.sight.is === "paid" ||
    ending !== undefined ||
    concluded !== undefined
  )
    return undefined;
  return {
    url: link.url,
    qr: shown === "whole" ? qrSvg(link.url) : undefined,
    validUntil: isoTime(accepted.link.until),
  };
}

function captureView(payment: Payment): PaymentView["capture"] {
  if (attemptsAs(payment, "own-capture").length === 0) return undefined;
  if (isCaptured(payment)) return "captured";
  if (payment.captureWithdrawnBy !== undefined) return undefined;
  return captureFailed(payment) ? "failed" : "pending";
}

function reviewed(payment: Payment): boolean {
  return approval(payment)?.review === true && payment.ending === undefined;
}

function held(payment: Payment): boolean {
  const answer = bookingOf(payment)?.answer;
  return answer?.is === "declined" && answer.held;
}

function authorization(payment: Payment): PaymentView["authorization"] {
  const booking = bookingOf(payment);
  const issuer = approval(payment)?.issuer;
  if (booking === undefined || issuer === undefined) return undefined;
  const { approvalCode: code, responseCode, rrn, merchantId } = issuer;
  const told = { code, responseCode, rrn, merchantId };
  if (!isForPresentedCard(booking.operation) && Object.values(told).every((part) => part === undefined))
    return undefined;
  const { terminalId } = payment.accepted.device;
  return { ...told, terminalId, sequenceNumber: terminalId === "" ? "" : sequenceNumberOf(payment, booking) };
}

/** Old journals lack the number: the terminal's counter (9F41) stands in, if a chip was read. */
function sequenceNumberOf({ card }: Payment, { operation: { sequenceNumber } }: Attempt): string {
  return sequenceNumber === undefined ? (card?.chip.transactionSequenceNumber ?? "") : sequenceText(sequenceNumber);
}

/** Only an approved payment names its card-on-file agreement: later payments refer to it. */
function agreementOf(payment: Payment): Agreement | undefined {
  return payment.ending === undefined ? approval(payment)?.agreement : undefined;
}

function gatewayView(payment: Payment): PaymentView["gateway"] {
  const { accepted } = payment;
  if (payment.attempts.length === 0) return undefined;
  const answer = bookingOf(payment)?.answer ?? payment.attempts.at(-1)?.answer;
  const agreement = agreementOf(payment);
  return {
    id: idByOperator(payment) ?? bookingIdOf(answer),
    resultCode: codeOf(answer),
    resultDescription: answer?.description,
    registrationId: registrationIdOf(payment),
    initialTransactionId: agreement?.initialTransactionId,
    agreementId: agreement?.agreementId,
    attempts: payment.attempts.map(({ operation, answer: said }) => ({
      merchantTransactionId: operation.merchantTransactionId,
      id: bookingIdOf(said),
      paymentType: operation.paymentType,
      amount: money({ currency: operation.currency ?? accepted.currency }, operation.amount),
      resultCode: codeOf(said),
    })),
  };
}

function codeOf(answer: Answer | undefined): string | undefined {
  return answer?.resultCode === "" ? undefined : answer?.resultCode;
}

function bookingIdOf(answer: Answer | undefined): string | undefined {
  return answer?.is === "link" ? undefined : answer?.id;
}
