import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { query } from "../../../../src/gateway/parameters/query.ts";
import { type Currency, currencyOf, type Minor } from "../../../../src/kit/money.ts";
import type { AccountAnswer, Asked } from "../accounts/account-answer.ts";
import { accountOf } from "../accounts/account-of.ts";
import { answerFor, answerForStored } from "../accounts/answer-for-account.ts";
import { isTapWithoutPin } from "../accounts/card-verification.ts";
import type { StoredAccount } from "../accounts/stored-account.ts";
import { shopperStepOf } from "../asynchronous/shopper-step.ts";
import { awaitShopper } from "../asynchronous/waiting.ts";
import type { Context } from "../context.ts";
import type { Call } from "../endpoint.ts";
import type { Reply } from "../exchange.ts";
import type { Booking, IssuerPart } from "../ledger/booking.ts";
import { isSuccess } from "../ledger/codes.ts";
import { book, ledgerEntry, settledCode, testModeOf } from "../ledger/ledger-entry.ts";
import { magicOutcome } from "../ledger/magic-amounts.ts";
import { type Outcome, outcomeOf } from "../ledger/outcome.ts";
import { minorOf } from "../parameters.ts";
import type { Bend, Prepared } from "../prepared.ts";
import { bareReply, stampOf } from "../replies.ts";
import { agreementPart } from "./card-on-file.ts";
import { answerTo } from "./payment-bodies.ts";
import { type Risk, riskOf } from "./risk.ts";

export interface Money {
  readonly minor: Minor;
  readonly currency: Currency;
}

/** The request's money, or the reply that refuses it. */
export function moneyOf(sent: Sent, context: Context): Money | Reply {
  const stamp = stampOf(context, sent);
  const currency = currencyOf(sent.get("currency") ?? "");
  if (currency === undefined) return bareReply(400, "100.550.401", stamp);
  const minor = minorOf(sent.get("amount") ?? "", currency);
  if (minor === undefined) return bareReply(400, "100.550.303", stamp);
  return minor === 0 ? bareReply(400, "100.550.300", stamp) : { minor, currency };
}

/** On channels that reject duplicates: refuses a merchantTransactionId used before. */
export function duplicateReply(context: Context, sent: Sent): Reply | undefined {
  const { rules, store } = context;
  const merchantTransactionId = sent.get("merchantTransactionId");
  if (rules.duplicates === "accept" || merchantTransactionId === undefined) return undefined;
  const isDuplicate = store
    .byMerchantTransactionId(merchantTransactionId)
    .some((other) => other.entityId === sent.get("entityId"));
  return isDuplicate ? bareReply(rules.declineStatus, "800.130.100", stampOf(context, sent)) : undefined;
}

/** Result of a payment request: a ledger row, or a refusal without one. */
export type Paid =
  | { readonly is: "booked"; readonly booking: Booking }
  | { readonly is: "refused"; readonly reply: Reply };

/** Origin of a payment that a merchant's server did not send as a whole. */
export interface Way {
  readonly checkoutId?: string;
  /** The job that makes the payment, or the payment it is linked to. */
  readonly referencedId?: string;
  /**
   * A stored account with its registration's id. The request then names no account, except a security code that the
   * shopper typed again.
   */
  readonly stored?: { readonly id: string; readonly account: StoredAccount };
}

/** Types that start a payment: reservation, debit, credit and stand-alone risk check. */
const INITIAL_TYPES = ["PA", "DB", "CD", "RI"] as const;
type InitialType = (typeof INITIAL_TYPES)[number];

/** POST /v1/payments with an account of any kind. The parameters are validated before. */
export function preparePayment(
  context: Context,
  { sent, base }: Pick<Call, "sent" | "base">,
  way: Way = {},
): Prepared | Reply {
  const paymentType = typeOf(sent);
  if (paymentType === undefined) return typeReply(context, sent);
  const money = moneyOf(sent, context);
  if ("is" in money) return money;
  const magic = magicOf(sent, paymentType, money.minor);
  const run = (bend: Bend): Reply => {
    const paid = carryOut(context, { sent, paymentType, money, magic, bend, way });
    return paid.is === "refused" ? paid.reply : answerTo(paid.booking, stampOf(context, sent), context.rules, base);
  };
  return { is: "prepared", outcome: magic, run };
}

const TYPE_WRONG = "600.200.300";
const TYPE_NOT_SUPPORTED = "600.200.400";
const NO_ACCOUNT = "100.100.100";

/**
 * The specification names the format "2 letters" but no values, so other types are refused by result code, not as
 * parameter errors.
 */
function typeReply(context: Context, sent: Sent): Reply {
  const listed = query.parameters.find(({ name }) => name === "paymentTypes");
  const isKnown = listed?.format.pattern.test(sent.get("paymentType") ?? "") ?? false;
  return bareReply(context.rules.declineStatus, isKnown ? TYPE_NOT_SUPPORTED : TYPE_WRONG, stampOf(context, sent));
}

function typeOf(sent: Sent): InitialType | undefined {
  return INITIAL_TYPES.find((type) => type === sent.get("paymentType"));
}

function magicOf(sent: Sent, paymentType: InitialType, minor: Minor): Outcome {
  return (
    (paymentType === "RI" ? undefined : magicOutcome(minor, { paymentType, isTapWithoutPin: isTapWithoutPin(sent) })) ??
    {}
  );
}

/** Books PA, DB, CD or RI. Applies the result part of magic amounts and faults; the caller applies the wire part. */
export function pay(
  context: Context,
  sent: Sent,
  { bend, way = {} }: { readonly bend: Bend; readonly way?: Way },
): Paid {
  const paymentType = typeOf(sent);
  if (paymentType === undefined) return { is: "refused", reply: typeReply(context, sent) };
  const money = moneyOf(sent, context);
  if ("is" in money) return { is: "refused", reply: money };
  return carryOut(context, { sent, paymentType, money, magic: magicOf(sent, paymentType, money.minor), bend, way });
}

/** A payment with valid type and money. */
interface Wanted {
  readonly sent: Sent;
  readonly paymentType: InitialType;
  readonly money: Money;
  readonly magic: Outcome;
  readonly bend: Bend;
  readonly way: Way;
}

function carryOut(context: Context, wanted: Wanted): Paid {
  const { sent, paymentType, money, way } = wanted;
  return context.store.atomically(() => {
    const duplicate = duplicateReply(context, sent);
    if (duplicate !== undefined) return { is: "refused", reply: duplicate };
    const answer = answerOf(context, sent, { paymentType, amount: money.minor, currency: money.currency }, way);
    if (answer === undefined) return { is: "refused", reply: bareReply(400, NO_ACCOUNT, stampOf(context, sent)) };
    return { is: "booked", booking: bookPayment(context, wanted, answer) };
  });
}

function answerOf(context: Context, sent: Sent, asked: Asked, { stored }: Way): AccountAnswer | undefined {
  if (stored !== undefined) return answerForStored(context, stored.account, sent, asked);
  const account = accountOf(sent);
  return account && answerFor(context, account, sent, asked);
}

/** Precedence: fault, account's refusal, risk check, magic amount. A payment refused so far waits for no shopper. */
function bookPayment(
  context: Context,
  { sent, paymentType, money, magic, bend, way }: Wanted,
  answer: AccountAnswer,
): Booking {
  const { minor, currency } = money;
  const risk = riskOf(sent, minor, paymentType === "RI");
  const refusal = answer.refusal ?? risk?.refusal;
  const own =
    refusal ?? (paymentType === "RI" ? { resultCode: answer.method === "DD" ? "000.300.101" : "000.300.100" } : magic);
  const outcome = bend.result ? outcomeOf(bend.result.code, bend.result.delayMs) : own;
  const row = ledgerEntry(context, {
    ...{ sent, paymentType, outcome, hideMs: bend.hideMs ?? magic.hideMs, amount: minor, currency: currency.code },
    ...{ parameters: answer.parameters, issuer: told(context, sent, answer, outcome, risk), stored: answer.stored },
    paymentMethod: paymentType === "RI" ? "RM" : answer.method,
    ...(way.checkoutId !== undefined && { checkoutId: way.checkoutId }),
    ...(way.referencedId !== undefined && { referencedId: way.referencedId }),
    ...(way.stored && { chargedRegistrationId: way.stored.id }),
  });
  const isOver =
    bend.result !== undefined || paymentType === "RI" || (refusal !== undefined && !isSuccess(row.resultCode));
  const step = isOver ? undefined : shopperStepOf(answer.paying, sent);
  const booking = step === undefined ? row : awaitShopper(context, row, step);
  book(context, booking, step === undefined ? outcome : {});
  if (risk !== undefined && paymentType !== "RI") context.announce({ type: "RISK", booking });
  return booking;
}

/** The reply's fields from account, risk check, and the agreement if an approval started one. */
function told(
  { random }: Context,
  sent: Sent,
  { issuer }: AccountAnswer,
  outcome: Outcome,
  risk: Risk | undefined,
): IssuerPart {
  const code = settledCode(outcome, testModeOf(sent));
  const part = issuer(outcome, code);
  const agreement = isSuccess(code) ? agreementPart(random, sent, part) : {};
  const resultDetails = { ...part.resultDetails, ...agreement.resultDetails };
  return {
    ...part,
    ...agreement,
    ...(Object.keys(resultDetails).length > 0 && { resultDetails }),
    ...(risk && { risk: { score: String(risk.score) } }),
  };
}
