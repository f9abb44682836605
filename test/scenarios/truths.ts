import type { PaymentView } from "../../src/payment/view-schema.ts";
import { cents, type LedgerRow, movedMoney, rowsNamed, type StoredCard } from "./ledger.ts";

type Type = LedgerRow["paymentType"];

/** What a payment of each kind is at the gateway when it is approved. */
const BOOKED_AS: Readonly<Record<PaymentView["type"], readonly Type[]>> = {
  SALE: ["PA", "DB"],
  PREAUTHORIZATION: ["PA"],
  REFUND: ["CD"],
  REGISTRATION: ["RG"],
  CAPTURE: ["CP"],
  VOID: ["RV"],
  LINKED_REFUND: ["RF"],
  INCREMENT: ["PA"],
};

/**
 * Everything in which a ledger contradicts what registers were told (contract, section 3, truths 1, 2, 3 and 7): an
 * empty list is what an outsider wants to see. Shares
 * nothing with the product.
 */
export function contradictions(
  payments: readonly PaymentView[],
  rows: readonly LedgerRow[],
  stored: readonly StoredCard[],
): readonly string[] {
  const ownOf = ({ gateway }: PaymentView): readonly LedgerRow[] =>
    rowsNamed(new Set(gateway?.attempts.map(({ merchantTransactionId }) => merchantTransactionId) ?? []), rows, stored);
  const known = new Set(payments.flatMap(ownOf).map(({ id }) => id));
  // What the gateway, or its people, reversed without being asked by a payment.
  const besides = rows.filter(({ id, paymentType }) => paymentType === "RV" && !known.has(id));
  return [
    ...payments.flatMap((payment) =>
      problemsOf(payment, ownOf(payment), besides, stored).map(
        (problem) => `${payment.type} ${payment.reference} (${payment.outcome ?? payment.state}) ${problem}`,
      ),
    ),
    // What the gateway did by itself refers to a booking of ours.
    ...rows
      .filter(({ id, referencedId = "" }) => !known.has(id) && !known.has(referencedId))
      .map(({ id, paymentType }) => `${paymentType} ${id} belongs to no payment`),
    ...overdrawn(rows),
  ];
}

function problemsOf(
  payment: PaymentView,
  own: readonly LedgerRow[],
  besides: readonly LedgerRow[],
  stored: readonly StoredCard[],
): readonly string[] {
  if (payment.state !== "FINAL") return ["is not final"];
  const isApproved = payment.outcome === "APPROVED" || payment.outcome === "PARTIALLY_APPROVED";
  if ((payment.decision === "approved") !== isApproved) return [`has the decision ${payment.decision}`];
  const bookings = own.filter((row) => BOOKED_AS[payment.type].includes(row.paymentType) && movedMoney(row));
  const left = bookings.map((row) => {
    const back = takingBack(row, [...own, ...besides]);
    return { row, cents: cents([row]) - cents(back), isBack: back.length > 0 };
  });
  const standing = left.filter((one) => (one.row.amount === undefined ? !one.isBack : one.cents !== 0));
  const cards = stored.filter((card) => card.stored && own.some(({ id }) => id === card.booking));
  if (!isApproved) {
    return [
      ...standing.map(({ row }) => `has ${row.paymentType} ${row.id} of ${row.amount} standing`),
      ...cards.map(({ id }) => `left the card ${id} stored`),
    ];
  }
  const { registrationId } = payment.gateway ?? {};
  return [
    ...bookedOnce(payment, standing),
    ...(payment.type === "SALE" ? captureProblems(payment, own) : []),
    ...(payment.card?.entryMode === "ICC" &&
    (payment.type === "SALE" || payment.type === "PREAUTHORIZATION") &&
    payment.emv?.cryptogramType !== "TC"
      ? [`without its card's TC (${payment.emv?.cryptogramType})`]
      : []),
    ...(registrationId === undefined || cards.some(({ id }) => id === registrationId)
      ? []
      : [`names the card ${registrationId}, which is not stored`]),
  ];
}

function bookedOnce(
  payment: PaymentView,
  standing: readonly { readonly row: LedgerRow; readonly cents: number }[],
): readonly string[] {
  const { type, approvedAmount } = payment;
  if (type === "VOID") {
    const targets = standing.map(({ row }) => row.referencedId);
    return targets.length > 0 && new Set(targets).size === targets.length
      ? []
      : [`has the reversals of ${targets.join(", ") || "nothing"}`];
  }
  if (standing.length !== 1) return [`has ${standing.length} net bookings`];
  if (type === "REGISTRATION") return [];
  const booked = standing[0]?.cents;
  if (booked !== cents([{ amount: approvedAmount }]))
    return [`was told ${approvedAmount}, and ${booked} cents are booked`];
  return cents([{ amount: approvedAmount }]) > cents([payment]) ? ["took more than was asked for"] : [];
}

function captureProblems(
  { capture, approvedAmount, voidedBy }: PaymentView,
  own: readonly LedgerRow[],
): readonly string[] {
  const captures = own.filter((row) => row.paymentType === "CP" && movedMoney(row));
  if (own.some((row) => row.paymentType === "DB" && movedMoney(row)))
    return captures.length === 0 ? [] : ["was captured on top of a debit"];
  const expected = capture === "captured" ? cents([{ amount: approvedAmount }]) : 0;
  if (capture === undefined && voidedBy === undefined) return ["is approved without a capture"];
  const taken = cents(captures);
  return captures.length <= 1 && taken === expected
    ? []
    : [`says capture ${capture}, and ${taken} cents are captured by ${captures.length}`];
}

const takingBack = ({ id }: LedgerRow, rows: readonly LedgerRow[]): readonly LedgerRow[] =>
  rows.filter((row) => row.referencedId === id && ["RV", "RF", "DR"].includes(row.paymentType) && movedMoney(row));

/** No booking gave more than it had: captures within the reservation and its increments, refunds within the capture. */
function overdrawn(rows: readonly LedgerRow[]): readonly string[] {
  const moved = rows.filter(movedMoney);
  const on = (row: LedgerRow, ...types: readonly Type[]): number =>
    cents(moved.filter((one) => one.referencedId === row.id && types.includes(one.paymentType)));
  const net = (row: LedgerRow): number => cents([row]) - on(row, "RV");
  return moved.flatMap((row) => {
    if (row.paymentType === "PA" && row.referencedId === undefined) {
      const increments = moved.filter((one) => one.paymentType === "PA" && one.referencedId === row.id);
      const captures = moved.filter((one) => one.paymentType === "CP" && one.referencedId === row.id);
      const reserved = [row, ...increments].reduce((total, one) => total + net(one), 0);
      const taken = captures.reduce((total, one) => total + net(one), 0);
      return taken > reserved ? [`PA ${row.id} holds ${reserved} cents, and ${taken} are captured`] : [];
    }
    const back = on(row, "RV", "RF");
    return (row.paymentType === "CP" || row.paymentType === "DB") && back > cents([row])
      ? [`${row.paymentType} ${row.id} took ${row.amount}, and ${back} cents were given back`]
      : [];
  });
}
