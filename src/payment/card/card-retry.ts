import type { Answer } from "../fact/answer.ts";
import type { Ask, CardWay } from "../fact/entry-request.ts";
import { isTap } from "../fact/operation.ts";
import { bookingOf, hasToPost, type Payment } from "../state/payment.ts";

export type Another = { readonly do: "collect"; readonly ask: Ask } | { readonly do: "ask-pin" };

const PIN_TRIES = 3;
/**
 * A customer who goes on tapping or swiping a card that must be inserted is asked for the chip this often; then the
 * payment ends.
 */
const USE_CHIP_ASKED = 2;

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

function afterUnreadableChip(payment: Payment): Another | undefined {
  const { fallback } = payment.accepted.rules;
  const ways = waysOf(payment);
  if (!ways.includes("chip")) return undefined;
  if (payment.chipFailures < (fallback?.chipTries ?? 1))
    return collect("chip-unreadable", payment.ask?.interfaces ?? ways);
  // Once a card was presented, the issuer may have asked for a PIN or the chip: the customer must not avoid it by a
  // swipe.
  return fallback?.allowed === true && ways.includes("stripe") && payment.presented === 0
    ? collect("fallback", ["stripe"])
    : undefined;
}

function useChip(payment: Payment): Another | undefined {
  if (!waysOf(payment).includes("chip") || payment.chipAsked >= USE_CHIP_ASKED) return undefined;
  return collect("use-chip", ["chip"]);
}

/**
 * The issuer has answered the first ARQC: a second PIN on a contact card takes a new transaction, with new ATC and
 * ARQC.
 */
function wantsPinAgain(payment: Payment): boolean {
  const answer = bookingOf(payment)?.answer;
  if (hasToPost(payment) || answer?.is !== "declined" || answer.why !== "wrong-pin" || answer.held) return false;
  if (answer.schemeAdvice?.is === "never-again") return false;
  return payment.card?.entryMode === "ICC" && mayHavePin(payment, payment.card) && wrongPins(payment) < PIN_TRIES;
}

/**
 * A terminal that encrypts the chip data (`icc` is empty) does not tell of a PIN: with a PIN pad, one may be entered.
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
 * The issuer wants a PIN or the chip. A plain decline says so only after a tap: response code 65 also means "used too
 * often". A refund takes no PIN.
 */
export function isSoftDecline(payment: Payment, answer: Answer): boolean {
  if (answer.is === "declined")
    return answer.wantsCardholder === true && wasTapped(payment) && payment.accepted.type !== "REFUND";
  return answer.is === "soft-declined";
}

/** Single tap and PIN: after a soft decline the tapped card's data is sent again with a PIN block. */
function takesPinAfterTap(payment: Payment): boolean {
  const { accepted, card } = payment;
  return (
    isSoftDeclinedTap(payment) &&
    accepted.pinAfterTap === true &&
    accepted.device.pinEntry &&
    card?.pinEntered === false
  );
}

export function isFallback(ask: Ask | undefined): boolean {
  return ask?.again === "fallback";
}
