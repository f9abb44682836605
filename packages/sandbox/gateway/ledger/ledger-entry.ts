import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import type { Minor } from "../../../../src/kit/money.ts";
import { masked } from "../accounts/masking.ts";
import type { StoredAccount } from "../accounts/stored-account.ts";
import type { Context } from "../context.ts";
import { newId } from "../replies.ts";
import { type Booking, decided, type IssuerPart, type PaymentMethod, type SandboxPaymentType } from "./booking.ts";
import { isSuccess } from "./codes.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { eventsOf } from "./telling.ts";

export interface Entry {
  readonly sent: Sent;
  readonly paymentType: SandboxPaymentType;
  readonly outcome: Outcome;
  /** Time during which queries do not find it. */
  readonly hideMs: number | undefined;
  /** Absent: as in the request. */
  readonly testMode?: Booking["testMode"];
  /** Minor units; absent if no money is named. Halved for partial approvals. */
  readonly amount?: Minor | undefined;
  /** Minor units, as requested. */
  readonly requested?: Minor | undefined;
  readonly currency?: string | undefined;
  readonly referencedId?: string;
  readonly checkoutId?: string;
  /** Where the shopper is sent, relative to this gateway's address. */
  readonly redirect?: Booking["redirect"];
  readonly parameters: Readonly<Record<string, string>>;
  readonly issuer: IssuerPart;
  /** Follow-ups inherit the booking's method. */
  readonly paymentMethod?: PaymentMethod;
  /** The part of the account that may be stored; it is stored if createRegistration asks for it. */
  readonly stored?: StoredAccount | undefined;
  readonly chargedRegistrationId?: string;
}

/** Payment types that may store their account as well. */
const INITIAL: readonly SandboxPaymentType[] = ["PA", "DB", "CD"];

/** Specification, "Test modes": default INTERNAL; a follow-up inherits the mode (gateway facts, 2.2). */
export function testModeOf(sent: Sent, referenced?: Pick<Booking, "testMode">): Booking["testMode"] {
  if (!sent.has("testMode")) return referenced?.testMode ?? "INTERNAL";
  return sent.get("testMode") === "EXTERNAL" ? "EXTERNAL" : "INTERNAL";
}

/**
 * The settled result code. Specification: 000.100.110 from the gateway's own simulators, 000.100.112 from the
 * processor's test system.
 */
export function settledCode({ resultCode }: Outcome, testMode: Booking["testMode"]): string {
  return resultCode ?? (testMode === "INTERNAL" ? "000.100.110" : "000.100.112");
}

/** The row of a request, not written yet. */
export function ledgerEntry({ clock, random }: Context, entry: Entry): Booking {
  const { sent, outcome, amount, currency, referencedId, checkoutId, redirect, hideMs } = entry;
  const now = clock.now();
  const testMode = entry.testMode ?? testModeOf(sent);
  const resultCode = settledCode(outcome, testMode);
  const merchantTransactionId = sent.get("merchantTransactionId");
  const { stored, chargedRegistrationId } = entry;
  const besides =
    sent.get("createRegistration") === "true" && INITIAL.includes(entry.paymentType) && isSuccess(resultCode);
  const keeps = stored !== undefined && (besides || entry.paymentType === "RG" || entry.paymentType === "RR");
  const row: Booking = {
    id: newId(random),
    entityId: sent.get("entityId") ?? "",
    paymentType: entry.paymentType,
    testMode,
    resultCode,
    answeredCode: outcome.answeredCode ?? outcome.interim?.resultCode ?? resultCode,
    receivedAt: now,
    parameters: masked(entry.parameters),
    issuer: entry.issuer,
  };
  if (entry.paymentMethod !== undefined) row.paymentMethod = entry.paymentMethod;
  if (amount !== undefined) {
    row.amount = outcome.half ? Math.ceil(amount / 2) : amount;
    row.requested = entry.requested ?? amount;
  }
  if (currency !== undefined) row.currency = currency;
  if (merchantTransactionId !== undefined) row.merchantTransactionId = merchantTransactionId;
  if (referencedId !== undefined) row.referencedId = referencedId;
  if (checkoutId !== undefined) row.checkoutId = checkoutId;
  if (redirect !== undefined) row.redirect = redirect;
  if (keeps && besides) row.registrationId = newId(random);
  if (keeps) row.stored = stored;
  if (chargedRegistrationId !== undefined) row.chargedRegistrationId = chargedRegistrationId;
  if (outcome.interim) row.interim = { resultCode: outcome.interim.resultCode, until: now + outcome.interim.forMs };
  if (hideMs !== undefined) row.hiddenUntil = now + hideMs;
  return row;
}

/** Writes the row, then the gateway's own reversal if it reversed the booking (900.100.301). */
export function book(context: Context, booking: Booking, { reversedByGateway }: Outcome): void {
  append(context, booking);
  if (reversedByGateway) takeBack(context, booking);
}

/** A reversal without a request. */
function takeBack(context: Context, { id, entityId, amount, currency, testMode }: Booking): void {
  const { random, clock } = context;
  const resultCode = settledCode({}, testMode);
  append(context, {
    ...{
      id: newId(random),
      entityId,
      paymentType: "RV",
      ...(amount !== undefined && { amount }),
      ...(currency !== undefined && { currency }),
    },
    ...{
      referencedId: id,
      testMode,
      resultCode,
      answeredCode: resultCode,
      receivedAt: clock.now(),
      parameters: {},
      issuer: {},
    },
  });
}

/**
 * Settles a waiting booking and announces it; true for the first decision only. With `interim` the caller announces it
 * again once the money arrives.
 */
export function settle(
  context: Context,
  booking: Booking,
  resultCode: string,
  issuer?: IssuerPart,
  interim?: Booking["interim"],
): boolean {
  const { store, announce, clock } = context;
  const { half, reversedByGateway } = outcomeOf(resultCode, undefined);
  const amount = half && booking.requested !== undefined ? Math.ceil(booking.requested / 2) : undefined;
  const decision = {
    resultCode,
    at: clock.now(),
    ...(issuer && { issuer }),
    ...(amount !== undefined && { amount }),
    ...(interim && { interim }),
  };
  if (!store.decide(booking.id, decision)) return false;
  const settled = decided(booking, decision);
  for (const event of eventsOf(settled, interim !== undefined)) announce(event);
  if (reversedByGateway) takeBack(context, settled);
  return true;
}

function append({ store, announce }: Context, booking: Booking): void {
  store.append(booking);
  for (const event of eventsOf(booking, booking.interim !== undefined)) announce(event);
}
