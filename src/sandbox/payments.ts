import type { Sent } from "../gateway/parameters/chapter.ts";
import { type Currency, currencyOf, type Minor } from "../kit/money.ts";
import { entryModeSchema } from "../payment/operation.ts";
import type { Verification } from "../testbed/issuer.ts";
import { type Booking, sandboxPaymentTypeSchema } from "./booking.ts";
import type { Context } from "./context.ts";
import type { Reply } from "./exchange.ts";
import { issuerPart } from "./issuer-part.ts";
import { magicOutcome } from "./magic-amounts.ts";
import { declineOf, type Outcome, outcomeOf } from "./outcome.ts";
import { minorOf } from "./parameters.ts";
import { answerTo } from "./payment-bodies.ts";
import type { Bend, Prepared } from "./prepared.ts";
import { bareReply, newId } from "./replies.ts";

/** The money of a request, or the reply that refuses it. */
export function moneyOf(sent: Sent, context: Context): { readonly minor: Minor; readonly currency: Currency } | Reply {
  const stamp = { now: context.clock.now(), random: context.random, entityId: sent.get("entityId") };
  const currency = currencyOf(sent.get("currency") ?? "");
  if (currency === undefined) return bareReply(400, "100.550.401", stamp);
  const minor = minorOf(sent.get("amount") ?? "", currency);
  if (minor === undefined) return bareReply(400, "100.550.303", stamp);
  return minor === 0 ? bareReply(400, "100.550.300", stamp) : { minor, currency };
}

/** POST /v1/payments with PA, DB or CD. The parameters were found in order before. */
export function preparePayment(context: Context, sent: Sent): Prepared | Reply {
  const money = moneyOf(sent, context);
  if ("is" in money) return money;
  const outcome = magicOutcome(money.minor, sent.get("paymentType") ?? "") ?? {};
  return { is: "prepared", outcome, run: (bend) => pay(context, sent, money, outcome, bend) };
}

function pay(context: Context, sent: Sent, money: { minor: Minor; currency: Currency }, magic: Outcome, bend: Bend): Reply {
  const { clock, random, rules, store } = context;
  const stamp = { now: clock.now(), random, entityId: sent.get("entityId") };
  const merchantTransactionId = sent.get("merchantTransactionId");
  return store.atomically(() => {
    const sameBefore = merchantTransactionId === undefined ? [] : store.byMerchantTransactionId(merchantTransactionId);
    const duplicate = sameBefore.some((other) => other.entityId === sent.get("entityId"));
    if (duplicate && rules.duplicates === "reject") return bareReply(rules.declineStatus, "800.130.100", stamp);
    const verification = verify(context, sent, money);
    const own = verification.refusal ? declineOf(verification.refusal) : magic;
    const decided = bend.result ? outcomeOf(bend.result.code, bend.result.delayMs) : own;
    const booking = bookingOf(context, sent, money, decided, verification, bend.hideMs ?? magic.hideMs);
    store.append(booking);
    if (decided.reversedByGateway) store.append(ownReversal(booking, context));
    return answerTo(booking, stamp, rules);
  });
}

function verify({ issuer, clock }: Context, sent: Sent, { minor, currency }: { minor: Minor; currency: Currency }): Verification {
  return issuer.verify({
    amount: minor,
    currencyNumeric: currency.numeric,
    credit: sent.get("paymentType") === "CD",
    entryMode: entryModeSchema.parse(sent.get("pos.entryMode")),
    deviceType: sent.get("pos.deviceType"),
    sred: { data: sent.get("pos.encryptedSred.data") ?? "", ksn: sent.get("pos.encryptedSred.ksn") ?? "" },
    pin: sent.has("pos.encryptedPin.data") ? { data: sent.get("pos.encryptedPin.data") ?? "", ksn: sent.get("pos.encryptedPin.ksn") ?? "" } : undefined,
    icc: sent.get("pos.iccDataRequest"),
    panSequenceNumber: sent.get("pos.panSequenceNumber"),
    now: clock.now(),
  });
}

function bookingOf(
  context: Context,
  sent: Sent,
  { minor, currency }: { minor: Minor; currency: Currency },
  outcome: Outcome,
  verification: Verification,
  hideMs: number | undefined,
): Booking {
  const now = context.clock.now();
  const testMode = sent.get("testMode") === "EXTERNAL" ? "EXTERNAL" : "INTERNAL";
  const resultCode = outcome.resultCode ?? successCode(testMode);
  const merchantTransactionId = sent.get("merchantTransactionId");
  return {
    id: newId(context.random),
    entityId: sent.get("entityId") ?? "",
    paymentType: sandboxPaymentTypeSchema.parse(sent.get("paymentType")),
    amount: outcome.half ? Math.ceil(minor / 2) : minor,
    requested: minor,
    currency: currency.code,
    ...(merchantTransactionId !== undefined && { merchantTransactionId }),
    ...(sent.get("createRegistration") === "true" && { registrationId: newId(context.random) }),
    testMode,
    resultCode,
    answeredCode: outcome.answeredCode ?? outcome.interim?.resultCode ?? resultCode,
    ...(outcome.interim && { interim: { resultCode: outcome.interim.resultCode, until: now + outcome.interim.forMs } }),
    ...(hideMs !== undefined && { hiddenUntil: now + hideMs }),
    receivedAt: now,
    parameters: recorded(sent, verification),
    issuer: issuerPart(context, outcome, resultCode, verification),
  };
}

/** Specification: 000.100.110 from the gateway's own simulators, 000.100.112 from the processor's test system. */
export function successCode(testMode: "INTERNAL" | "EXTERNAL"): string {
  return testMode === "INTERNAL" ? "000.100.110" : "000.100.112";
}

/** As received, but for what was sealed: instead of the ciphertext stands what its verification said. */
function recorded(sent: Sent, verification: Verification): Record<string, string> {
  const sealed = { "pos.encryptedSred.data": verification.sred, "pos.encryptedPin.data": verification.pin };
  const entries = [...sent].map(([name, value]) => {
    if (name === "pos.encryptedSred.data" || name === "pos.encryptedPin.data") return [name, sealed[name] ?? "not verified"] as const;
    return [name, value] as const;
  });
  return Object.fromEntries(entries);
}

/** The gateway's own reversal after its time-out (900.100.301): a row of its own, that nobody posted. */
function ownReversal(booking: Booking, { random, clock }: Context): Booking {
  const { entityId, amount, currency, testMode } = booking;
  const resultCode = successCode(testMode);
  return {
    id: newId(random),
    entityId,
    paymentType: "RV",
    ...(amount !== undefined && { amount }),
    ...(currency !== undefined && { currency }),
    referencedId: booking.id,
    testMode,
    resultCode,
    answeredCode: resultCode,
    receivedAt: clock.now(),
    parameters: {},
    issuer: {},
  };
}
