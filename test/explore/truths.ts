import { type Attempt, isRefused } from "../../src/payment/attempt/attempt.ts";
import { isExplicitRefusal } from "../../src/payment/attempt/definite-answer.ts";
import { isLate, isReversalShown, lookedAt, stoodFor } from "../../src/payment/attempt/observation.ts";
import { RULES } from "../../src/payment/attempt/retry-by-role.ts";
import type { Fact } from "../../src/payment/fact/fact.ts";
import type { Operation } from "../../src/payment/fact/operation.ts";
import { captureFailed, isCaptured } from "../../src/payment/follow-up/capture.ts";
import { bookedAmount, followUpOf, isCapturedOtherwise } from "../../src/payment/follow-up/totals.ts";
import { isSettled, owed } from "../../src/payment/machine/owed.ts";
import { isBookedAfterClosing } from "../../src/payment/operator/late-booking.ts";
import { decisionOf, viewOf } from "../../src/payment/outcome/view.ts";
import { isCardPresent } from "../../src/payment/state/card-present.ts";
import { bookingOf, evolve, type Payment, targetsOf } from "../../src/payment/state/payment.ts";
import { isNet, type Ledger, leftOf, mayBeNet, type Row, refundedOf } from "./ledger.ts";
import { isPayableAt, isSecond } from "./linking.ts";
import { LIMBO_MS } from "./querying.ts";
import { isSame } from "./same.ts";
import type { News, System } from "./system.ts";
import { brokenAfterWord } from "./word-truths.ts";

/** The first truth of contract section 3 that this step broke, in words; undefined where all hold. */
export function brokenByStep(system: System): string | undefined {
  for (const news of system.news) {
    const payment = system.parties[news.party]?.payment;
    const broken = payment && brokenByFacts(system, news, payment);
    if (broken !== undefined) return broken;
  }
  return undefined;
}

/** The same for what must hold in a state, however it came about. */
export function brokenInState(system: System): string | undefined {
  for (const { payment } of system.parties) {
    const broken = brokenNow(system, payment);
    if (broken !== undefined) return broken;
  }
  return toldNothing(system);
}

function brokenByFacts(system: System, { before, facts }: News, payment: Payment): string | undefined {
  const folded = facts.reduce((state, fact) => evolve(state, reread(fact)), before);
  if (!isSame(folded, payment)) return "the fold of the facts as the journal gives them back is not the live state";
  if (decisionOf(before) !== undefined && decisionOf(before) !== decisionOf(payment)) return "a decision changed";
  if (before.concluded !== undefined && before.concluded.outcome !== payment.concluded?.outcome)
    return "an outcome changed";
  for (const fact of facts) {
    if (fact.fact === "attempt-intended") {
      const broken = brokenByPosting(payment, fact.operation, system);
      if (broken !== undefined) return broken;
    }
    if (fact.fact === "attempt-searched" && isGivenUpTooSoon(before, payment, fact.at))
      return "called absent before the unknown window has passed";
    if (fact.fact === "concluded" && payment.ending === undefined && payment.resolved === undefined) {
      const broken = brokenByApproval(system, payment);
      if (broken !== undefined) return broken;
    }
  }
  return undefined;
}

/** Truth 4: "not there" is final only after the whole window, and once nobody can pay any more. */
function isGivenUpTooSoon(before: Payment, after: Payment, at: number): boolean {
  return after.attempts.some(
    ({ standing, intendedAt, operation }, index) =>
      standing === "absent" &&
      // A link that nobody knows can be paid by nobody.
      (operation.link === undefined || after.link !== undefined) &&
      before.attempts[index]?.standing !== "absent" &&
      (at - intendedAt < after.accepted.rules.unknownWindowMs ||
        (operation.link !== undefined && isPayableAt(before, at))),
  );
}

function reread(fact: Fact): Fact {
  const copy: Fact = JSON.parse(JSON.stringify(fact));
  return copy;
}

/** What may be posted, and when. */
function brokenByPosting(payment: Payment, operation: Operation, system: System): string | undefined {
  const { paymentType, amount = 0, merchantTransactionId, referencedId } = operation;
  const role = payment.attempts.find(
    (attempt) => attempt.operation.merchantTransactionId === merchantTransactionId,
  )?.role;
  if (role === undefined) return "an intent without an attempt";
  if (payment.resolved !== undefined && (RULES[role].isBooking || role === "own-capture"))
    return `${paymentType} for a payment that a person has closed`;
  if (role !== "give-back" && role !== "own-capture" && amount > payment.accepted.amount)
    return `${paymentType} for more than the payment's amount`;
  if (RULES[role].again !== "freely" && isPerhapsBooked(payment, operation, system.ledger))
    return `${paymentType} posted again while the first may be booked`;
  switch (role) {
    case "reservation":
    case "debit":
    case "credit":
    case "registration":
      return payment.attempts.filter((attempt) => attempt.role === role).length >
        (isCardPresent(payment.accepted) ? system.presented : 1)
        ? `${paymentType} posted twice for one card`
        : undefined;
    case "reversal":
    case "deregistration":
    case "deletion":
      return payment.ending === undefined && !isBesides(payment, referencedId, system.ledger)
        ? `${paymentType} for a payment that has not ended`
        : undefined;
    case "give-back":
      if (
        !payment.attempts.some(
          ({ role: other, answer }) =>
            other === "reversal" && (answer?.is === "not-reversible" || answer?.is === "declined"),
        )
      )
        return "RF in place of an RV that was not refused";
      return amount > leftAsHeard(payment, referencedId, system.ledger)
        ? "RF for more than reversals have left"
        : undefined;
    case "own-capture":
      if (payment.captureWithdrawnBy !== undefined) return "CP after the capture was withdrawn";
      return payment.ending !== undefined ? "CP for a payment that ended" : undefined;
    case "void":
      if (!targetsOf(payment).some(({ id }) => id === referencedId)) return "a void's RV on what it does not void";
      return isCaptureUnderWay(payment, system)
        ? "a void's RV while the capture of its original is under way"
        : undefined;
    case "increment":
    case "capture":
    case "refund":
      return undefined;
  }
}

/**
 * Of two arrivals the one that the payment has not settled on, what stands although it was answered with a no, or the
 * card that was stored with either.
 */
function isBesides(payment: Payment, referencedId: string | undefined, ledger: Ledger): boolean {
  const id = referencedId?.replace(/-card$/, "");
  const booking = bookingOf(payment);
  const isOther = booking?.standing === "settled" && booking.answer?.id !== id;
  const isNo = ({ mtid }: Row): boolean =>
    payment.attempts.some((one) => one.operation.merchantTransactionId === mtid && isAnsweredNo(one));
  return ledger.some(
    (row) =>
      row.id === id &&
      (isSecond(row) || isNo(row) || (isOther && row.mtid === booking.operation.merchantTransactionId)),
  );
}

/** An earlier request of the same kind may be on the ledger, and was not missing there for the whole unknown window. */
function isPerhapsBooked(payment: Payment, { paymentType, merchantTransactionId }: Operation, ledger: Ledger): boolean {
  return payment.attempts.some((attempt) => {
    if (
      attempt.operation.paymentType !== paymentType ||
      attempt.operation.merchantTransactionId === merchantTransactionId
    )
      return false;
    const row = rowOfAttempt(ledger, attempt);
    // A refund that is known to be of a part is followed by one of the rest.
    const isPart =
      attempt.role === "give-back" && attempt.answer?.is === "half-reversed" && attempt.answer.reversed === row?.amount;
    // Of what the gateway took back by itself a twin may yet arrive: whichever comes first takes all there is.
    // What no query showed for the whole window the gateway did not let be known; and of what takes all there is, a
    // second one is booked beside none.
    const isHidden = isAnsweredNo(attempt) && (row?.sight !== "seen" || RULES[attempt.role].again === "when-absent");
    const isGone = (attempt.role === "own-capture" || attempt.role === "give-back") && isReversalShown(attempt);
    return !isGone && !isHidden && attempt.standing !== "absent" && row !== undefined && mayBeNet(row) && !isPart;
  });
}

/** What is left of a booking after refunds, and after the reversals of which the payment has heard. */
function leftAsHeard({ attempts }: Payment, id: string | undefined, ledger: Ledger): number {
  const row = ledger.find((one) => one.id === id);
  const isHeard = ({ mtid }: Row): boolean =>
    attempts.some(
      (attempt) =>
        attempt.operation.merchantTransactionId === mtid && attempt.standing === "settled" && !isRefused(attempt),
    );
  const unheard = ledger.filter((one) => one.type === "RV" && one.ref === id && !isHeard(one));
  // A reversal of the whole names no amount.
  return row === undefined
    ? 0
    : unheard.reduce(
        (left, { amount }) => left + (amount === 0 ? row.amount : amount),
        leftOf(row) - refundedOf(row, ledger),
      );
}

/** That is all that reversals have left of it. */
function isRefunded(row: Row, ledger: Ledger): boolean {
  return refundedOf(row, ledger) >= leftOf(row);
}

function isCaptureUnderWay({ accepted }: Payment, { parties }: System): boolean {
  const original = parties[1]?.payment;
  if (original === undefined || accepted.of?.capturing !== true) return false;
  return original.captureWithdrawnBy !== accepted.id && !isCaptured(original);
}

/** Truths 2 and 7: exactly one booking, and the card agreed. */
function brokenByApproval(system: System, payment: Payment): string | undefined {
  const { accepted, concluded } = payment;
  if (accepted.type === "VOID") {
    const standing = targetsOf(payment).filter(({ id }) =>
      system.ledger.some((row) => row.id === id && !row.takenBack),
    );
    return standing.length === 0 ? undefined : "a void is APPROVED and its target stands";
  }
  const rows = bookingRows(payment, system.ledger).filter((row) => isNet(row) && row.state === "booked");
  if (rows.length !== 1) return `${concluded?.outcome} with ${rows.length} net bookings`;
  const booked = bookedAmount(payment) ?? 0;
  if (accepted.type !== "REGISTRATION" && rows[0]?.amount !== booked)
    return `${concluded?.outcome} with ${booked} told and ${rows[0]?.amount} booked`;
  if (booked > accepted.amount) return "APPROVED for more than the payment's amount";
  const isPart = accepted.type !== "REGISTRATION" && booked < accepted.amount;
  if (isPart !== (concluded?.outcome === "PARTIALLY_APPROVED"))
    return `${concluded?.outcome} with ${booked} of ${accepted.amount}`;
  if (!isCardPresent(accepted)) return undefined;
  const needsCard =
    accepted.type === "SALE" || accepted.type === "PREAUTHORIZATION" || accepted.type === "REGISTRATION";
  if (needsCard && system.cardWord !== "agreed") return `${concluded?.outcome} although the card has not agreed`;
  const isSigned = payment.chip?.cvm !== "signature" || payment.signature?.accepted === true;
  return needsCard && !isSigned ? `${concluded?.outcome} without the signature` : undefined;
}

/** The one that it has settled on, as long as that stands; the other of two arrivals is one too many. */
function rowOfAttempt(ledger: Ledger, { operation, standing, answer }: Attempt): Row | undefined {
  const all = ledger.filter((row) => row.mtid === operation.merchantTransactionId);
  const settled = standing === "settled" ? all.find((row) => row.id === answer?.id && isNet(row)) : undefined;
  if (settled !== undefined) return settled;
  const own = all.filter((row) => !isSecond(row));
  return own.find(isNet) ?? own.at(-1);
}

/** What the gateway keeps of the requests that this payment stands or falls with. */
function bookingRows({ attempts }: Payment, ledger: Ledger): Ledger {
  return attempts.flatMap((attempt) =>
    RULES[attempt.role].isBooking && !isAnsweredNo(attempt) ? (rowOfAttempt(ledger, attempt) ?? []) : [],
  );
}

/** Whatever stands under its name all the same is one too many, which only a later look tells. */
function isAnsweredNo({ standing, answer }: Attempt): boolean {
  return standing === "settled" && isExplicitRefusal(answer);
}

/** What must hold in every state. */
function brokenNow(system: System, payment: Payment): string | undefined {
  const { ledger } = system;
  const rows = bookingRows(payment, ledger);
  if (rows.filter(mayBeNet).length > 1) return "two bookings for one payment";
  const own = payment.attempts.flatMap((attempt) =>
    attempt.role === "own-capture" ? (rowOfAttempt(ledger, attempt) ?? []) : [],
  );
  if (own.filter(isNet).length > 1) return "two captures of one sale";
  const isVoided = payment.followUps.length > 0 || system.parties.length > 1;
  if (isCaptured(payment) && payment.resolved === undefined && !own.some(isNet) && !isVoided)
    return "told as captured, and no capture is booked";
  if (own.some(isNet) && payment.ending !== undefined) return "a capture of a sale that ended";
  const over = rows.find((row) => refundedOf(row, ledger) > leftOf(row));
  if (over !== undefined) return over.takenBack ? "reversed and refunded" : "given back twice";
  const isApproved = payment.concluded !== undefined && payment.ending === undefined && payment.resolved === undefined;
  const isWhole = rows.some((row) => isNet(row) && row.givenBack === 0);
  if (isApproved && payment.accepted.type !== "VOID" && !isVoided && !isWhole)
    return "APPROVED, and its booking is gone";
  const owing = owed(payment);
  const attemptOf = ({ mtid }: Row): Attempt | undefined =>
    payment.attempts.find(({ operation }) => operation.merchantTransactionId === mtid);
  const isOwn = (row: Row): boolean => attemptOf(row) !== undefined;
  const isTooMany = (row: Row): boolean => {
    const attempt = attemptOf(row);
    if (
      attempt === undefined ||
      (attempt.standing === "settled" && attempt.answer?.id === row.id && !isAnsweredNo(attempt))
    )
      return false;
    return isSecond(row) || (RULES[attempt.role].isBooking && isAnsweredNo(attempt));
  };
  const isLeft = ledger.some((row) => isTooMany(row) && !rows.includes(row) && isNet(row) && !isRefunded(row, ledger));
  if (isLeft && owing.length === 0 && payment.resolved === undefined) return "booked twice, and nothing is owed for it";
  const isCardLeft = ledger.some(
    (row) => row.id.endsWith("-second") && isOwn(row) && row.state === "booked" && row.card === "stored",
  );
  if (isCardLeft && owing.length === 0 && payment.resolved === undefined)
    return "the card that was stored with a second booking is left";
  if (payment.concluded === undefined)
    return owing.length === 0 ? "a dead end: nothing is owed, and it is not final" : viewed(payment);
  const isWaitedFor = captureFailed(payment) || isCapturedOtherwise(payment) || isBookedAfterClosing(payment);
  if (owing.length === 0 && !isSettled(payment) && !isWaitedFor)
    return "a dead end: nothing is owed, and it is not settled";
  if (payment.resolved !== undefined) return brokenAfterWord(system, payment) ?? viewed(payment);
  if (payment.ending === undefined) return viewed(payment);
  return brokenByEnd(payment, system, rows) ?? viewed(payment);
}

/** "Not there" is looked for so long (truth 4). */
const LOOKED_FOR_MS = 72 * 3_600_000;

/**
 * Truth 3, with the late bookings of truth 4: no net booking, unless the gateway hid it for the whole window, it is
 * looked for, and reversed when seen.
 */
function brokenByEnd(payment: Payment, { ledger, now }: System, rows: Ledger): string | undefined {
  const outcome = payment.concluded?.outcome;
  if (payment.accepted.type === "VOID") {
    const isTaken = (row: Row): boolean => row.takenBack || row.givenBack > 0;
    const gone = targetsOf(payment).find(
      ({ id }) => ledger.some((row) => row.id === id && isTaken(row)) && !isLongHidden(payment, ledger, id),
    );
    return gone === undefined || isBookedAfterClosing(payment)
      ? undefined
      : `a void is ${outcome} and its target, or a part of it, was taken back`;
  }
  const storedBy = rows.find(({ card, id }) => card === "stored" && isToldOf(payment, id));
  if (storedBy !== undefined && owed(payment).length === 0)
    return `${outcome}, and the card that was stored besides is left`;
  const row = rows.find(mayBeNet);
  if (row === undefined || (isNet(row) && isRefunded(row, ledger))) return undefined;
  const attempt = payment.attempts.find(({ operation }) => operation.merchantTransactionId === row.mtid);
  if (attempt === undefined) return "a booking that the payment does not know";
  // What is not there after so long never comes; and of two arrivals one was taken back, so that a last look is left
  // for the other.
  const isLost = row.state === "limbo" && now - row.at >= LIMBO_MS;
  if (isReversalShown(attempt) && (isLost || owed(payment).length > 0)) return undefined;
  if (isLate(attempt) || attempt.standing === "absent") {
    const isLookedFor = isLate(attempt) || stoodFor(attempt, lookedAt(attempt) ?? attempt.since) >= LOOKED_FOR_MS;
    if (owed(payment).length > 0 || (isLookedFor && isLost)) return undefined;
    // Money given to a customer is adopted, never taken back behind his back; it is told as `lateBooking`.
    return RULES[attempt.role].takenBackBy === undefined && isLate(attempt)
      ? undefined
      : `${outcome}, a late booking, and nothing is owed for it`;
  }
  return row.state === "limbo" ? `${outcome} while its request is still on its way` : `${outcome} with a net booking`;
}

/** The gateway has named the registration that was made with that booking. */
function isToldOf({ attempts }: Payment, id: string): boolean {
  return attempts.some(
    ({ answer }) => answer?.is === "approved" && answer.id === id && answer.registrationId !== undefined,
  );
}

/**
 * The reversal that took it back was in no query for the whole window, or the bridge was told no and no query shows
 * another answer yet: the gateway did not let it be known
 * (truth 4).
 */
function isLongHidden(payment: Payment, ledger: Ledger, target: string): boolean {
  const { accepted, concluded, attempts } = payment;
  const reversal = ledger.find((row) => row.type === "RV" && row.ref === target);
  const isDenied = attempts.some((one) => one.operation.merchantTransactionId === reversal?.mtid && isRefused(one));
  if (isDenied && reversal?.sight !== "seen") return owed(payment).some((one) => one.do === "search");
  const isOld = reversal !== undefined && (concluded?.at ?? 0) - reversal.at >= accepted.rules.unknownWindowMs;
  // One that was decided later still is looked for.
  return isOld && (reversal.sight !== "seen" || owed(payment).some((one) => one.do === "search"));
}

/** What the register is shown exists for every state, and says FINAL with an outcome and nothing else. */
function viewed(payment: Payment): string | undefined {
  const { state, outcome, decision } = viewOf(payment);
  if ((state === "FINAL") !== (outcome !== undefined)) return "FINAL and an outcome do not come together";
  return state === "FINAL" && decision === undefined ? "FINAL without a decision" : undefined;
}

function toldNothing({ parties: [follower, original] }: System): string | undefined {
  if (follower === undefined || original === undefined || !isSettled(follower.payment)) return undefined;
  const { accepted, concluded } = follower.payment;
  const heard = original.payment.followUps.find(({ payment }) => payment === accepted.id);
  return concluded !== undefined && heard?.outcome === followUpOf(follower.payment).outcome
    ? undefined
    : "a follow-up is settled and its original does not know the end";
}
