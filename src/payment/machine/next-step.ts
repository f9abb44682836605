import { issuerResponseOf } from "../../emv/online.ts";
import { answerToCardBy, deviceOverdue } from "../admission/limits.ts";
import { isReversalShown } from "../attempt/observation.ts";
import { another, maySucceedYet } from "../card/card-retry.ts";
import { wantsSignature } from "../card/signature.ts";
import type { Answer } from "../fact/answer.ts";
import type { Accepted, Fact } from "../fact/fact.ts";
import type { GatewayPaymentType, NextRequest } from "../fact/operation.ts";
import { captureOf, nextCapture } from "../follow-up/capture.ts";
import { isFollowUp, nextFollowUp } from "../follow-up/follow-up.ts";
import { isAllVoided } from "../follow-up/void.ts";
import { isClear } from "../operator/late-booking.ts";
import {
  bookingEnding,
  cardNotPresentEnding,
  collectingEnding,
  type Ending,
  followUpEnding,
  terminalEnding,
} from "../outcome/outcome.ts";
import { nextTakeBack } from "../recovery/reversal.ts";
import { nextSecondTakeBack } from "../recovery/surplus-reversal.ts";
import { isCardPresent } from "../state/card-present.ts";
import type { Fresh } from "../state/input.ts";
import { validityOf } from "../state/link-sight.ts";
import { bookingOf, hasToPost, type Payment } from "../state/payment.ts";
import { nextDeletion } from "../stored-card/registration.ts";

/**
 * The first rule that applies wins: a second PIN or the chip is asked for before a decline ends the payment, and a
 * waiting card is answered before an RV is sent.
 */
export function nextStep(payment: Payment, now: number, fresh: Fresh): readonly Fact[] {
  return (
    overdue(payment, now) ??
    askedAgain(payment, now) ??
    ended(payment, now) ??
    closed(payment, now) ??
    asked(payment, now, fresh) ??
    charged(payment, now, fresh) ??
    toldCard(payment, now) ??
    intended(payment, nextTakeBack(payment), now, fresh) ??
    intended(payment, nextDeletion(payment), now, fresh) ??
    concluded(payment, now, fresh) ??
    intended(payment, nextFollowUp(payment), now, fresh) ??
    intended(payment, nextCapture(payment), now, fresh) ??
    intended(payment, nextSecondTakeBack(payment), now, fresh) ??
    []
  );
}

type Step = readonly Fact[] | undefined;

function overdue(payment: Payment, now: number): Step {
  const limit = deviceOverdue(payment);
  if (limit === undefined || now < limit) return undefined;
  const detail = "the terminal did not answer in time";
  return payment.terminal.at === "completing"
    ? [{ fact: "card-lost", at: now, detail }]
    : [{ fact: "terminal-failed", at: now, code: "no-answer", detail }];
}

function askedAgain(payment: Payment, now: number): Step {
  const next = another(payment);
  if (next === undefined) return undefined;
  return next.do === "ask-pin" ? [{ fact: "pin-asked", at: now }] : [{ fact: "collecting", at: now, ask: next.ask }];
}

function ended(payment: Payment, now: number): Step {
  if (payment.ending !== undefined || payment.concluded !== undefined) return undefined;
  const ending = endingOf(payment, now);
  return ending && [{ fact: "ending", at: now, outcome: ending.outcome, reason: ending.reason }];
}

function endingOf(payment: Payment, now: number): Ending | undefined {
  const { terminal, accepted } = payment;
  if (isFollowUp(accepted.type)) return followUpEnding(payment);
  if (!isCardPresent(accepted)) return cardNotPresentEnding(payment, now);
  switch (terminal.at) {
    case "none":
    case "queued":
    case "collecting":
    case "asking-pin":
      return collectingEnding(payment, now);
    case "holding":
      return bookingEnding(payment, terminal.since, now);
    case "completing":
      return undefined;
    case "over":
      return terminalEnding(payment, terminal.how, now);
  }
}

function closed(payment: Payment, now: number): Step {
  if (payment.resolved === undefined || payment.concluded !== undefined) return undefined;
  return [{ fact: "concluded", at: now, outcome: payment.ending?.outcome ?? "APPROVED" }];
}

function asked(payment: Payment, now: number, fresh: Fresh): Step {
  const { accepted, terminal, ending } = payment;
  const isPresented = terminal.at === "holding" || (terminal.at === "over" && terminal.how.is === "read");
  if (!isPresented || ending !== undefined || !hasToPost(payment)) return undefined;
  const { entityId } = accepted.channel;
  const paymentType = bookingTypeOf(payment);
  const money = paymentType === "RG" ? {} : { amount: accepted.amount, currency: accepted.currency };
  const stored = accepted.createRegistration && paymentType !== "RG" ? { createRegistration: true as const } : {};
  return [intent({ paymentType, ...money, entityId, ...stored, ...capturesOf(accepted) }, now, fresh)];
}

/** A stored card or link gets one request only: after a lost answer, a second could charge the customer twice. */
function charged(payment: Payment, now: number, fresh: Fresh): Step {
  const { accepted, ending, concluded } = payment;
  if (
    isFollowUp(accepted.type) ||
    isCardPresent(accepted) ||
    ending !== undefined ||
    concluded !== undefined ||
    bookingOf(payment) !== undefined
  )
    return undefined;
  const { registration, holder, link, amount, currency, channel } = accepted;
  const by = {
    paymentType: link === undefined ? bookingTypeOf(payment) : ("DB" as const),
    ...(registration !== undefined && { registration }),
    ...(holder !== undefined && { holder }),
    ...capturesOf(accepted),
    ...(link !== undefined && { link: validityOf(link.until - accepted.at) }),
  };
  return [intent({ amount, currency, entityId: channel.entityId, ...by }, now, fresh)];
}

function capturesOf({ numberOfCaptures }: Accepted): { readonly numberOfCaptures?: number } {
  return numberOfCaptures === undefined ? {} : { numberOfCaptures };
}

function bookingTypeOf({ accepted, card }: Payment): GatewayPaymentType {
  if (accepted.type === "REFUND") return "CD";
  if (accepted.type === "REGISTRATION") return "RG";
  const { settlement, settlementByBrand } = accepted.channel;
  // A stored card's brand is unknown: the channel's `settlement` decides, not `settlementByBrand`.
  const ofBrand = settlementByBrand?.[card?.brand ?? ""] ?? settlement;
  return accepted.type === "PREAUTHORIZATION" || ofBrand === "dual" ? "PA" : "DB";
}

/** A waiting card is always answered, if need be with `unable-to-go-online`, before its terminal gives up by itself. */
function toldCard(payment: Payment, now: number): Step {
  const booking = bookingOf(payment);
  if (payment.terminal.at !== "holding" || booking === undefined || hasToPost(payment)) return undefined;
  const answer = booking.standing === "settled" ? booking.answer : undefined;
  const icc = iccOf(answer);
  const isDeclined = answer?.is === "declined" || answer?.is === "soft-declined";
  if (payment.ending === undefined) {
    if (answer?.is === "approved") return tell(now, "approved", icc);
    return isDeclined && maySucceedYet(payment) ? tell(now, "declined", icc) : undefined;
  }
  // The payment has ended: the card need not wait longer if the outcome is known or the register cancelled.
  const isKnownOrCancelled =
    answer !== undefined ||
    isReversalShown(booking) ||
    booking.standing === "absent" ||
    payment.cancelAskedAt !== undefined;
  const isOver = isKnownOrCancelled || now >= answerToCardBy(payment, payment.terminal.since);
  if (answer?.is === "approved") return tell(now, "declined", undefined);
  if (isDeclined) return tell(now, "declined", icc);
  return isOver ? tell(now, "unable-to-go-online", undefined) : undefined;
}

export function toldDecline(payment: Payment, at: number): readonly Fact[] {
  return tell(at, "declined", iccOf(bookingOf(payment)?.answer));
}

function iccOf(answer: Answer | undefined): string | undefined {
  return answer?.is === "approved" || answer?.is === "declined" || answer?.is === "soft-declined"
    ? answer.issuer.iccDataResponse
    : undefined;
}

function tell(
  at: number,
  verdict: "approved" | "declined" | "unable-to-go-online",
  icc: string | undefined,
): readonly Fact[] {
  const { scripts, ...issuer } = issuerResponseOf(verdict, icc);
  return [{ fact: "issuer-told", at, issuer: { ...issuer, scripts: [...scripts] } }];
}

/**
 * Each input brings one new request name, so a second request waits: two requests under one name could not be told
 * apart (decision 4).
 */
function intended(payment: Payment, next: NextRequest | undefined, now: number, fresh: Fresh): Step {
  const isTaken = payment.attempts.some(
    ({ operation }) => operation.merchantTransactionId === fresh.merchantTransactionId,
  );
  if (next === undefined || now < next.at || isTaken) return undefined;
  return [intent(next.operation, now, fresh)];
}

function intent(operation: NextRequest["operation"], at: number, fresh: Fresh): Fact {
  return { fact: "attempt-intended", at, operation: { ...fresh, ...operation } };
}

function concluded(payment: Payment, now: number, fresh: Fresh): Step {
  if (payment.concluded !== undefined || !terminalIsOut(payment)) return undefined;
  if (payment.ending !== undefined)
    return isClear(payment) ? [{ fact: "concluded", at: now, outcome: payment.ending.outcome }] : undefined;
  if (payment.accepted.type === "VOID")
    return isAllVoided(payment) ? [{ fact: "concluded", at: now, outcome: "APPROVED" }] : undefined;
  return payment.terminal.at === "over" || !isCardPresent(payment.accepted) ? approved(payment, now, fresh) : undefined;
}

function terminalIsOut({ terminal }: Payment): boolean {
  return terminal.at === "none" || terminal.at === "queued" || terminal.at === "over";
}

/**
 * Approval needs issuer, card and any signature. The CP's intent is journaled together with the approval, so that a
 * crash cannot lose it.
 */
function approved(payment: Payment, now: number, fresh: Fresh): Step {
  const booking = bookingOf(payment);
  const { accepted } = payment;
  if (
    booking?.standing !== "settled" ||
    booking.answer?.is !== "approved" ||
    hasToPost(payment) ||
    wantsSignature(payment)
  )
    return undefined;
  const amount = booking.answer.amount ?? accepted.amount;
  const outcome = amount < accepted.amount ? ("PARTIALLY_APPROVED" as const) : ("APPROVED" as const);
  const conclusion = { fact: "concluded" as const, at: now, outcome };
  if (accepted.type !== "SALE" || booking.role !== "reservation") return [conclusion];
  return [conclusion, intent(captureOf(payment, booking.answer.id, amount), now, fresh)];
}
