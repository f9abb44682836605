import type { Answer } from "../fact/answer.ts";
import type { Ask, CardWay } from "../fact/entry-request.ts";
import { isTap } from "../fact/operation.ts";
import { bookingOf, hasToPost, type Payment } from "../state/payment.ts";

/** What a payment does instead of ending: it asks for a card once more, or for the PIN of the card that was tapped. */
export type Another = { readonly do: "collect"; readonly ask: Ask } | { readonly do: "ask-pin" };

/** A card counts its own PIN tries; beyond these the payment ends all the same. */
const PIN_TRIES = 3;
/** A customer who goes on tapping or swiping a card that has to be inserted. */
const USE_CHIP_ASKED = 2;

/**
 * The fallback and PIN rules, all of them (architecture: they live here and not in drivers). Undefined: the payment
 * goes on, or ends, as it is.
 */
export function another(payment: Payment): Another | undefined {
  const { terminal, ending, concluded, cancelAskedAt, leased } = payment;
  if (ending !== undefined || concluded !== undefined || cancelAskedAt !== undefined || !leased) return undefined;
  switch (terminal.at) {
    case "holding":
      return takesPinAfterTap(payment) ? { do: "ask-pin" } : undefined;
    case "over":
      if (terminal.how.is === "no-card" && terminal.how.why === "chip-unreadable") return afterUnreadableChip(payment);
      if (terminal.how.is === "no-card" && terminal.how.why === "use-chip") return useChip(payment);
      if (terminal.how.is !== "verdict" || terminal.how.issuer.verdict !== "declined") return undefined;
      return wantsPinAgain(payment)
        ? collect("wrong-pin", ["chip"])
        : isSoftDeclinedTap(payment)
          ? useChip(payment)
          : undefined;
    case "none":
    case "queued":
    case "collecting":
    case "asking-pin":
    case "completing":
      return undefined;
  }
}

/**
 * The issuer said no, and what it wants can still be given within this payment, as long as nothing has ended it: the
 * card is told so, and the payment does not end.
 */
export function maySucceedYet(payment: Payment): boolean {
  return (
    wantsPinAgain(payment) ||
    takesPinAfterTap(payment) ||
    (isSoftDeclinedTap(payment) && useChip(payment) !== undefined)
  );
}

function collect(again: Ask["again"], interfaces: readonly CardWay[]): Another {
  return { do: "collect", ask: { again, interfaces: [...interfaces] } };
}

function waysOf({ accepted }: Payment): readonly CardWay[] {
  return accepted.interfaces ?? [];
}

/**
 * After so many tries with the chip the stripe, where that is allowed; the swipe has to come soon (limits.ts), or it is
 * no fallback.
 */
function afterUnreadableChip(payment: Payment): Another | undefined {
  const { fallback } = payment.accepted.rules;
  const ways = waysOf(payment);
  if (!ways.includes("chip")) return undefined;
  if (payment.chipFailures < (fallback?.chipTries ?? 1))
    return collect("chip-unreadable", payment.ask?.interfaces ?? ways);
  // Who has presented a card in this very payment is asked for its PIN, or for the chip that takes one: a stripe
  // instead would only leave that out.
  return fallback?.allowed === true && ways.includes("stripe") && payment.presented === 0
    ? collect("fallback", ["stripe"])
    : undefined;
}

function useChip(payment: Payment): Another | undefined {
  if (!waysOf(payment).includes("chip") || payment.chipAsked >= USE_CHIP_ASKED) return undefined;
  return collect("use-chip", ["chip"]);
}

/** A second PIN on a contact card is a new transaction: new ATC, new ARQC. */
function wantsPinAgain(payment: Payment): boolean {
  const answer = bookingOf(payment)?.answer;
  if (hasToPost(payment) || answer?.is !== "declined" || answer.why !== "wrong-pin" || answer.held) return false;
  if (answer.schemeAdvice?.is === "never-again") return false;
  return payment.card?.entryMode === "ICC" && mayHavePin(payment, payment.card) && wrongPins(payment) < PIN_TRIES;
}

/**
 * A device that seals chip data and PIN with the number shows neither: that its issuer calls the PIN wrong is then all
 * there is to know, where it has a PIN pad at all.
 */
function mayHavePin({ accepted }: Payment, { pinEntered, icc }: NonNullable<Payment["card"]>): boolean {
  return pinEntered || (icc === "" && accepted.device.pinEntry);
}

function wrongPins({ attempts }: Payment): number {
  return attempts.filter(({ answer }) => answer?.is === "declined" && answer.why === "wrong-pin").length;
}

export function isSoftDeclinedTap(payment: Payment): boolean {
  const booking = bookingOf(payment);
  if (hasToPost(payment) || booking?.standing !== "settled" || booking.answer === undefined) return false;
  return wasTapped(payment) && isSoftDecline(payment, booking.answer);
}

function wasTapped({ card }: Payment): boolean {
  return card !== undefined && isTap(card.entryMode);
}

/**
 * The issuer would have the cardholder identify. To a contact chip or a stripe, and of money that is given, what says
 * so beside an ordinary decline changes nothing.
 */
export function isSoftDecline(payment: Payment, answer: Answer): boolean {
  if (answer.is === "declined")
    return answer.wantsCardholder === true && wasTapped(payment) && payment.accepted.type !== "REFUND";
  return answer.is === "soft-declined";
}

/** The same ICC data once more, now with a PIN (single tap and PIN), where the terminal can. */
function takesPinAfterTap(payment: Payment): boolean {
  const { accepted, card } = payment;
  return (
    isSoftDeclinedTap(payment) &&
    accepted.pinAfterTap === true &&
    accepted.device.pinEntry &&
    card?.pinEntered === false
  );
}

/**
 * Whether what was asked for is a swipe in place of a chip that could not be read (`pos.entryMode`
 * MAGSTRIPE_AS_FALLBACK).
 */
export function isFallback(ask: Ask | undefined): boolean {
  return ask?.again === "fallback";
}
