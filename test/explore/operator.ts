import { RULES } from "../../src/payment/attempt/retry-by-role.ts";
import type { Operation } from "../../src/payment/fact/operation.ts";
import { isWaitingForOriginal } from "../../src/payment/follow-up/follow-up.ts";
import { bookedAmount, capturedAmount, takenBy } from "../../src/payment/follow-up/totals.ts";
import { isResolvable, type Resolution } from "../../src/payment/operator/allowed-decisions.ts";
import type { Happening } from "../../src/payment/state/input.ts";
import { bookingOf, type Payment, targetsOf } from "../../src/payment/state/payment.ts";
import { idByOperator } from "../../src/payment/state/resolved.ts";
import { carryOut, isNet, type Ledger, leftOf, type Row, refundedOf, rowOf, ruleOf } from "./ledger.ts";
import type { System } from "./system.ts";

/**
 * What a person does in the gateway's back office, and what he then says of the payment (docs/payments.md, "Closing one
 * by hand"). He says what is so there.
 */
export interface Word {
  readonly name: string;
  readonly ledger: Ledger;
  readonly settled: readonly string[];
  readonly what: Happening;
}

/**
 * The back office as he leaves it. `settled`: what he has settled with the customer in another way, because nothing
 * takes it back.
 */
interface Office {
  readonly ledger: Ledger;
  readonly settled: readonly string[];
}

/** Everything that a person may truly say of that payment now. */
export function words({ parties, ledger, settled, now }: System, party: number): readonly Word[] {
  const payment = parties[party]?.payment;
  if (payment === undefined) return [];
  const may = (as: Resolution): boolean => isResolvable(payment, now, as);
  const isWorkedOn = parties.some((other) => isAtWorkOn(other.payment, payment));
  const office = { ledger, settled };
  return [
    ...(may("reversed") ? reversedWord(payment, office, now) : []),
    ...(may("declined") ? declinedWord(payment, office) : []),
    ...(may("approved") && !isWorkedOn ? approvedWord(payment, office, now) : []),
  ];
}

/** The shell's rule (src/engine/resolve): a void or refund that is under way goes by what it found when it began. */
function isAtWorkOn(other: Payment, { accepted }: Payment): boolean {
  return other.accepted.of?.payment === accepted.id && other.concluded === undefined && !isWaitingForOriginal(other);
}

/** Bookings of this payment that hold money and are not what it was told to have booked. */
export function surplus(payment: Payment, { ledger, settled }: Office): Ledger {
  const told = toldOf(payment);
  return ownRows(payment, ledger).filter(
    (row) => isNet(row) && leftOf(row) > refundedOf(row, ledger) && !told.includes(row.id) && !settled.includes(row.id),
  );
}

/** What the gateway has not decided of it. */
export function undecided(payment: Payment, ledger: Ledger): Ledger {
  return ownRows(payment, ledger).filter(({ state }) => state === "pending");
}

function ownRows({ accepted, attempts }: Payment, ledger: Ledger): Ledger {
  if (accepted.type === "VOID") return [];
  const names = attempts.flatMap(({ role, operation }) =>
    RULES[role].isBooking || role === "own-capture" ? [operation.merchantTransactionId] : [],
  );
  return ledger.filter(({ mtid }) => names.includes(mtid));
}

function toldOf(payment: Payment): readonly (string | undefined)[] {
  const isApproved = payment.concluded !== undefined && payment.ending === undefined;
  return isApproved
    ? [bookingOf(payment)?.answer?.id, idByOperator(payment), ...takenBy(payment).map(({ id }) => id)]
    : [];
}

function reversedWord(payment: Payment, office: Office, now: number): readonly Word[] {
  if (payment.accepted.type === "VOID") {
    const late = doneLate(payment, office.ledger);
    return late.length === 0
      ? []
      : [
          {
            name: "settles the void that was done after all, and says so",
            ...settling(office, late),
            what: said("reversed"),
          },
        ];
  }
  const rows = surplus(payment, office);
  const after = rows.reduce((before, row) => givenBack(before, row, now), office);
  return [
    {
      name: rows.length === 0 ? "says that nothing is booked" : "gives back what is booked, and says so",
      ...after,
      what: said("reversed"),
    },
  ];
}

/** Reversals by which a void was carried out that had been closed as not done. */
export function doneLate(payment: Payment, ledger: Ledger): Ledger {
  const { accepted, attempts, ending, concluded } = payment;
  if (accepted.type !== "VOID" || ending === undefined || concluded === undefined) return [];
  const names = attempts.map(({ operation }) => operation.merchantTransactionId);
  const ids = targetsOf(payment).map(({ id }) => id);
  const done = ledger.flatMap(({ id, takenBack, givenBack: part }) =>
    ids.includes(id) && (takenBack || part > 0) ? [id] : [],
  );
  return ledger.filter(
    (row) =>
      row.type === "RV" && isNet(row) && names.includes(row.mtid) && row.ref !== undefined && done.includes(row.ref),
  );
}

function settling(office: Office, rows: Ledger): Office {
  return { ...office, settled: [...new Set([...office.settled, ...rows.map(({ id }) => id)])].sort() };
}

function declinedWord(payment: Payment, office: Office): readonly Word[] {
  const isTouched = ({ id, takenBack, givenBack: part }: Row): boolean =>
    targetsOf(payment).some((target) => target.id === id) && (takenBack || part > 0) && !office.settled.includes(id);
  if (payment.accepted.type === "VOID" && office.ledger.some(isTouched)) return [];
  return surplus(payment, office).length > 0
    ? []
    : [{ name: "says that it was declined", ...office, what: said("declined") }];
}

/** Under the id of what is booked, or of what he books by hand where nothing is. */
function approvedWord(payment: Payment, office: Office, now: number): readonly Word[] {
  if (payment.accepted.type === "VOID") return voidedWord(payment, office, now);
  const wanted = wantedOf(payment);
  if (wanted === undefined) return [];
  const rows = surplus(payment, office);
  const named = rows.find(
    (row) =>
      row.type === wanted.paymentType && row.state !== "half" && row.amount === wanted.amount && row.givenBack === 0,
  );
  const after = rows.filter((row) => row !== named).reduce((before, row) => givenBack(before, row, now), office);
  if (named !== undefined) return [{ name: "names what is booked", ...after, what: said("approved", named.id) }];
  const made = byHand(wanted, after.ledger, now);
  return made === undefined
    ? []
    : [
        {
          name: "books it by hand, and names that",
          ...after,
          ledger: made.ledger,
          what: said("approved", made.row.id),
        },
      ];
}

/** What it would take for the payment to be what was asked for. */
function wantedOf(payment: Payment): Operation | undefined {
  const booking = bookingOf(payment);
  if (booking === undefined) return undefined;
  const { operation, answer } = booking;
  const booked = bookedAmount(payment);
  if (booked === undefined || payment.accepted.type !== "SALE") return operation;
  const amount = booked - (capturedAmount(payment) ?? 0);
  return answer?.id === undefined ? undefined : { ...operation, paymentType: "CP", amount, referencedId: answer.id };
}

function voidedWord(payment: Payment, office: Office, now: number): readonly Word[] {
  const ids = targetsOf(payment).map(({ id }) => id);
  // What the gateway has in hand he leaves to it.
  if (office.ledger.some(({ type, state, ref = "" }) => type === "RV" && state === "pending" && ids.includes(ref)))
    return [];
  const left = office.ledger.filter((row) => ids.includes(row.id) && leftOf(row) > refundedOf(row, office.ledger));
  const after = left.reduce((before, row) => givenBack(before, row, now), office);
  const name = after.ledger.findLast((row) => isNet(row) && row.ref !== undefined && ids.includes(row.ref))?.id;
  return name === undefined
    ? []
    : [{ name: "gives back what was to be voided, and names that", ...after, what: said("approved", name) }];
}

/** Reversed, or refunded where the gateway does not reverse it; of money that a customer got it is settled with him. */
function givenBack(office: Office, row: Row, now: number): Office {
  const settled = settling(office, [row]);
  if (row.type === "RF" || row.type === "CD") return settled;
  const about = { merchantTransactionId: "", entityId: "", referencedId: row.id };
  const rest = leftOf(row) - refundedOf(row, office.ledger);
  const reversal: Operation = { ...about, paymentType: "RV", ...(row.givenBack > 0 && { amount: rest }) };
  const refund: Operation = { ...about, paymentType: "RF", amount: rest };
  const made = byHand(reversal, office.ledger, now) ?? byHand(refund, office.ledger, now);
  return made === undefined ? settled : { ...office, ledger: made.ledger };
}

/**
 * Under the payment's own name where it is what was asked for: nothing forbids that. Undefined where the gateway does
 * not let it be done.
 */
function byHand(
  operation: Operation,
  ledger: Ledger,
  now: number,
): { readonly row: Row; readonly ledger: Ledger } | undefined {
  if (ruleOf(operation, ledger) !== "carried-out") return undefined;
  const id = `hand-${ledger.length}-${operation.paymentType}-${operation.referencedId ?? ""}`;
  const row = {
    ...rowOf(operation.merchantTransactionId === "" ? { ...operation, merchantTransactionId: id } : operation, now),
    id,
  };
  return { row, ledger: carryOut(ledger, row) };
}

function said(as: Resolution, gatewayId?: string): Happening {
  return { on: "resolved", as, by: "operator", reason: "looked", ...(gatewayId !== undefined && { gatewayId }) };
}
