import type { Sent } from "../../gateway/parameters/chapter.ts";
import type { Minor } from "../../kit/money.ts";
import type { Context } from "../context.ts";
import { newId } from "../replies.ts";
import type { Booking, IssuerPart, SandboxPaymentType } from "./booking.ts";
import { isSuccess } from "./codes.ts";
import type { Outcome } from "./outcome.ts";

/** What one request is to leave in the ledger. */
export interface Entry {
  readonly sent: Sent;
  readonly paymentType: SandboxPaymentType;
  readonly outcome: Outcome;
  /** For how long queries know nothing of it. */
  readonly hideMs: number | undefined;
  /** Minor units; absent where no money is named. Half of it is booked where the outcome says so. */
  readonly amount?: Minor | undefined;
  /** Minor units, as the request said. */
  readonly requested?: Minor | undefined;
  readonly currency?: string | undefined;
  readonly referencedId?: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly issuer: IssuerPart;
}

/** Where a card is there that can be stored besides. */
const INITIAL: readonly SandboxPaymentType[] = ["PA", "DB", "CD"];

export function testModeOf(sent: Sent): "INTERNAL" | "EXTERNAL" {
  return sent.get("testMode") === "EXTERNAL" ? "EXTERNAL" : "INTERNAL";
}

/** The code that a request comes to once settled. Specification: 000.100.110 from the gateway's own simulators, 000.100.112 from the processor's test system. */
export function settledCode({ resultCode }: Outcome, testMode: "INTERNAL" | "EXTERNAL"): string {
  return resultCode ?? (testMode === "INTERNAL" ? "000.100.110" : "000.100.112");
}

/** The row of a request, not in the ledger yet. */
export function ledgerEntry({ clock, random }: Context, entry: Entry): Booking {
  const { sent, outcome, amount, currency, referencedId, hideMs } = entry;
  const now = clock.now();
  const testMode = testModeOf(sent);
  const resultCode = settledCode(outcome, testMode);
  const merchantTransactionId = sent.get("merchantTransactionId");
  const stores = sent.get("createRegistration") === "true" && INITIAL.includes(entry.paymentType) && isSuccess(resultCode);
  return {
    id: newId(random),
    entityId: sent.get("entityId") ?? "",
    paymentType: entry.paymentType,
    ...(amount !== undefined && { amount: outcome.half ? Math.ceil(amount / 2) : amount, requested: entry.requested ?? amount }),
    ...(currency !== undefined && { currency }),
    ...(merchantTransactionId !== undefined && { merchantTransactionId }),
    ...(referencedId !== undefined && { referencedId }),
    ...(stores && { registrationId: newId(random) }),
    testMode,
    resultCode,
    answeredCode: outcome.answeredCode ?? outcome.interim?.resultCode ?? resultCode,
    ...(outcome.interim && { interim: { resultCode: outcome.interim.resultCode, until: now + outcome.interim.forMs } }),
    ...(hideMs !== undefined && { hiddenUntil: now + hideMs }),
    receivedAt: now,
    parameters: { ...entry.parameters },
    issuer: entry.issuer,
  };
}

/** Writes a row, and after it the gateway's own reversal where it took the booking back (900.100.301): a row that nobody posted. */
export function book(context: Context, booking: Booking, { reversedByGateway }: Outcome): void {
  const { store, random, clock } = context;
  store.append(booking);
  if (!reversedByGateway) return;
  const { entityId, amount, currency, testMode } = booking;
  const resultCode = settledCode({}, testMode);
  store.append({
    ...{ id: newId(random), entityId, paymentType: "RV", ...(amount !== undefined && { amount }), ...(currency !== undefined && { currency }) },
    ...{ referencedId: booking.id, testMode, resultCode, answeredCode: resultCode, receivedAt: clock.now(), parameters: {}, issuer: {} },
  });
}
