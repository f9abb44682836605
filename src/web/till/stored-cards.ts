import type { PaymentView } from "../../payment/view-schema.ts";

/** A card stored at the gateway, and the standing instruction of its next payment. */
export interface StoredCard {
  readonly registration: string;
  /** A name by which people recognise it. */
  readonly name: string;
  readonly instruction: Readonly<Record<string, string>>;
}

/** Cards stored by these payments, newest first. */
export function storedCards(payments: readonly PaymentView[]): readonly StoredCard[] {
  const known = new Map<string, StoredCard>();
  for (const payment of payments) {
    const registration = payment.gateway?.registrationId;
    if (registration === undefined || payment.decision !== "approved" || known.has(registration)) continue;
    const { card, reference } = payment;
    const shown = card === undefined ? "Card" : `${card.brand} ···${card.last4 ?? "?"}`;
    known.set(registration, {
      registration,
      name: `${shown}, stored with ${reference}`,
      instruction: instructionOf(registration, payments),
    });
  }
  return [...known.values()];
}

export function cardById(registration: string): StoredCard {
  return { registration, name: registration, instruction: FIRST };
}

const FIRST = { type: "UNSCHEDULED", mode: "INITIAL", source: "CIT" };

/**
 * The first payment of an agreement is cardholder-initiated; later ones are merchant-initiated with the first one's
 * references.
 */
function instructionOf(registration: string, payments: readonly PaymentView[]): StoredCard["instruction"] {
  const first = payments.find(
    ({ gateway, registration: paid }) =>
      gateway?.initialTransactionId !== undefined && (gateway.registrationId === registration || paid === registration),
  );
  const { initialTransactionId, agreementId } = first?.gateway ?? {};
  if (initialTransactionId === undefined) return FIRST;
  return {
    type: "UNSCHEDULED",
    mode: "REPEATED",
    source: "MIT",
    initialTransactionId,
    ...(agreementId !== undefined && { agreementId }),
  };
}
