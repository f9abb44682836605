import { dayOf, nextBusinessDay } from "../../../../src/kit/business-day.ts";
import { type Currency, currencyOf, type Minor } from "../../../../src/kit/money.ts";
import { type Booking, isSettled, shortIdOf } from "../ledger/booking.ts";
import { movesMoney } from "../ledger/codes.ts";
import { madeId } from "./identifiers.ts";
import type { SettledPayment, SettlementRecord } from "./settlement-record.ts";

/**
 * Fee on captured money: 1.2 %, commercially rounded, plus 0.05 (5 without decimals), at most the amount. Refunds have
 * none.
 */
export function feeOf(amount: Minor): Minor {
  return Math.min(amount, Math.floor((amount * 12 + 500) / 1000) + 5);
}

type Kind = Pick<SettlementRecord, "recordType" | "transactionType" | "cashflow">;

const DEBIT: Kind = { recordType: "SETTLED", transactionType: "DEBIT", cashflow: "POS" };

/**
 * Bookings that move money between clearing institute and merchant. A receipt does so only as the payment itself;
 * otherwise it is a note.
 */
const KINDS: Readonly<Partial<Record<Booking["paymentType"], Kind>>> = {
  DB: DEBIT,
  CP: DEBIT,
  RB: DEBIT,
  RC: DEBIT,
  CD: { recordType: "SETTLED", transactionType: "CREDIT", cashflow: "NEG" },
  RF: { recordType: "SETTLED", transactionType: "REFUND", cashflow: "NEG" },
  CB: { recordType: "CHARGEBACK", transactionType: "DEBIT", cashflow: "NEG" },
  CR: { recordType: "CHARGEBACK REVERSAL", transactionType: "DEBIT", cashflow: "POS" },
};

/**
 * Records settled by that time (epoch milliseconds), in ledger order. A day (UTC) is paid out on the next business day.
 * Only same-day reversals reduce a record, so settled days never change.
 */
export function settlements(ledger: readonly Booking[], entityId: string, now: number): readonly SettlementRecord[] {
  const moved = ledger.filter(
    (booking) => booking.entityId === entityId && movesMoney(booking) && isSettled(booking, now),
  );
  const byId = new Map(ledger.map((booking) => [booking.id, booking]));
  const reversals = new Map<string, readonly Booking[]>();
  for (const booking of moved) {
    const { paymentType, referencedId = "" } = booking;
    if (paymentType === "RV") reversals.set(referencedId, [...(reversals.get(referencedId) ?? []), booking]);
  }
  const today = dayOf(now);
  return moved
    .flatMap((booking) =>
      booking.paymentType === "RV"
        ? laterReversal(booking, byId)
        : movement(booking, reversals.get(booking.id) ?? [], byId),
    )
    .filter(({ settlementDate }) => settlementDate <= today);
}

/** Time of the money: for a booking that waited, the decision. */
function movedAt({ interim, receivedAt }: Booking): number {
  return interim?.until ?? receivedAt;
}

type Ledger = ReadonlyMap<string, Booking>;

function movement(booking: Booking, reversals: readonly Booking[], byId: Ledger): readonly SettlementRecord[] {
  const kind = kindOf(booking, byId);
  if (kind === undefined) return [];
  const day = dayOf(movedAt(booking));
  const reversed = reversals
    .filter((one) => dayOf(movedAt(one)) === day)
    .reduce((total, { amount = 0 }) => total + amount, 0);
  return record(booking, kind, (booking.amount ?? 0) - reversed, byId);
}

/**
 * Reverses the direction of a record in an earlier file. A released amount that an issuer held despite a decline was in
 * none.
 */
function laterReversal(reversal: Booking, byId: Ledger): readonly SettlementRecord[] {
  const original = byId.get(reversal.referencedId ?? "");
  const kind = original && movesMoney(original) ? kindOf(original, byId) : undefined;
  if (original === undefined || kind === undefined || dayOf(movedAt(original)) === dayOf(movedAt(reversal))) return [];
  return record(
    reversal,
    { recordType: "SETTLED", transactionType: "REFUND", cashflow: kind.cashflow === "POS" ? "NEG" : "POS" },
    reversal.amount ?? 0,
    byId,
  );
}

function kindOf(booking: Booking, byId: Ledger): Kind | undefined {
  const isNote = booking.paymentType === "RC" && byId.get(booking.referencedId ?? "")?.paymentType !== "PA";
  return isNote ? undefined : KINDS[booking.paymentType];
}

function record(booking: Booking, kind: Kind, amount: Minor, byId: Ledger): readonly SettlementRecord[] {
  const currency = currencyOf(booking.currency ?? "");
  if (currency === undefined || amount <= 0) return [];
  const isChargeback = kind.recordType !== "SETTLED";
  return [
    {
      ...kind,
      ...amounts(kind, amount, currency),
      settlementId: madeId("settlement", booking.id),
      entityId: booking.entityId,
      settlementDate: nextBusinessDay(dayOf(movedAt(booking))),
      requestedAt: booking.receivedAt,
      payment: paymentOf(isChargeback ? chargedBack(booking, byId) : booking, byId),
      ...(isChargeback && { chargeback: { id: booking.id, reasonCode: reasonOf(booking, byId) } }),
    },
  ];
}

function amounts(kind: Kind, amount: Minor, currency: Currency): Pick<SettlementRecord, "amount" | "fee" | "currency"> {
  return { amount, fee: kind === DEBIT ? feeOf(amount) : 0, currency };
}

/** The payment charged back: a CB refers to it, a CR to the CB. */
function chargedBack(booking: Booking, byId: Ledger): Booking {
  const parent = byId.get(booking.referencedId ?? "");
  if (parent === undefined) return booking;
  return parent.paymentType === "CB" || parent.paymentType === "CR" ? chargedBack(parent, byId) : parent;
}

/** The chargeback's result is its reason (specification, "Chargeback"); its reversal repeats it. */
function reasonOf(booking: Booking, byId: Ledger): string {
  const parent = byId.get(booking.referencedId ?? "");
  return booking.paymentType === "CR" && parent !== undefined
    ? reasonOf(parent, byId)
    : (booking.parameters["chargebackResultCode"] ?? booking.resultCode);
}

function paymentOf(booking: Booking, byId: Ledger): SettledPayment {
  const root = rootOf(booking, byId);
  const { merchantTransactionId, parameters, issuer } = booking;
  return {
    id: booking.id,
    shortId: shortIdOf(booking),
    merchantTransactionId,
    merchantInvoiceId: parameters["merchantInvoiceId"] ?? root.parameters["merchantInvoiceId"],
    brand: issuer.paymentBrand ?? root.issuer.paymentBrand,
    descriptor: parameters["descriptor"] ?? root.parameters["descriptor"],
    connectorTxIds: connectorTxIds(issuer.resultDetails ?? root.issuer.resultDetails ?? {}),
    account: accountOf(booking, byId),
  };
}

/** The first booking of the sale, along the references. */
function rootOf(booking: Booking, byId: Ledger): Booking {
  const parent = byId.get(booking.referencedId ?? "");
  return parent === undefined ? booking : rootOf(parent, byId);
}

function connectorTxIds(details: Readonly<Record<string, string>>): readonly string[] {
  return ["ConnectorTxID1", "ConnectorTxID2", "ConnectorTxID3"].map((name) => details[name] ?? "");
}

/** The booking's own account, else that of its referenced booking. */
function accountOf(
  { paymentMethod, referencedId = "", issuer: { card, bankAccount } }: Booking,
  byId: Ledger,
): SettledPayment["account"] {
  const parent = byId.get(referencedId);
  if (card === undefined && bankAccount === undefined && parent !== undefined) return accountOf(parent, byId);
  if (paymentMethod !== "DD") return { is: "card", last4: card?.last4Digits, holder: card?.holder };
  const number = bankAccount?.iban ?? bankAccount?.number;
  return { is: "bankAccount", last4: number?.slice(-4), holder: bankAccount?.holder, bankCode: bankAccount?.bankCode };
}
