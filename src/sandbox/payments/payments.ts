import type { Sent } from "../../gateway/parameters/chapter.ts";
import { type Currency, currencyOf, type Minor } from "../../kit/money.ts";
import type { Context } from "../context.ts";
import type { Reply } from "../exchange.ts";
import { isTapWithoutPin, recorded, verifyCard } from "../issuing/card-present.ts";
import { issuerPart } from "../issuing/issuer-part.ts";
import { book, ledgerEntry, settledCode, testModeOf } from "../ledger/ledger-entry.ts";
import { magicOutcome } from "../ledger/magic-amounts.ts";
import { declineOf, type Outcome, outcomeOf } from "../ledger/outcome.ts";
import { minorOf } from "../parameters.ts";
import type { Bend, Prepared } from "../prepared.ts";
import { bareReply, stampOf } from "../replies.ts";
import { answerTo } from "./payment-bodies.ts";

export interface Money {
  readonly minor: Minor;
  readonly currency: Currency;
}

type InitialType = "PA" | "DB" | "CD";

/** The money of a request, or the reply that refuses it. */
export function moneyOf(sent: Sent, context: Context): Money | Reply {
  const stamp = stampOf(context, sent);
  const currency = currencyOf(sent.get("currency") ?? "");
  if (currency === undefined) return bareReply(400, "100.550.401", stamp);
  const minor = minorOf(sent.get("amount") ?? "", currency);
  if (minor === undefined) return bareReply(400, "100.550.303", stamp);
  return minor === 0 ? bareReply(400, "100.550.300", stamp) : { minor, currency };
}

/** On a channel that looks for duplicates: the refusal of a merchantTransactionId that came before. */
export function duplicateReply(context: Context, sent: Sent): Reply | undefined {
  const { rules, store } = context;
  const merchantTransactionId = sent.get("merchantTransactionId");
  if (rules.duplicates === "accept" || merchantTransactionId === undefined) return undefined;
  const isDuplicate = store.byMerchantTransactionId(merchantTransactionId).some((other) => other.entityId === sent.get("entityId"));
  return isDuplicate ? bareReply(rules.declineStatus, "800.130.100", stampOf(context, sent)) : undefined;
}

/** POST /v1/payments with PA, DB or CD and a presented card. The parameters were found in order before. */
export function preparePayment(context: Context, sent: Sent): Prepared | Reply {
  const money = moneyOf(sent, context);
  if ("is" in money) return money;
  const paymentType = typeOf(sent);
  const outcome = magicOutcome(money.minor, { paymentType, isTapWithoutPin: isTapWithoutPin(sent) }) ?? {};
  return { is: "prepared", outcome, run: (bend) => pay(context, sent, paymentType, money, outcome, bend) };
}

function typeOf(sent: Sent): InitialType {
  const paymentType = sent.get("paymentType");
  return paymentType === "DB" || paymentType === "CD" ? paymentType : "PA";
}

function pay(context: Context, sent: Sent, paymentType: InitialType, { minor, currency }: Money, magic: Outcome, bend: Bend): Reply {
  return context.store.atomically(() => {
    const duplicate = duplicateReply(context, sent);
    if (duplicate !== undefined) return duplicate;
    const verification = verifyCard(context, sent, { amount: minor, currencyNumeric: currency.numeric, credit: paymentType === "CD" });
    const own = verification.refusal ? declineOf(verification.refusal) : magic;
    const outcome = bend.result ? outcomeOf(bend.result.code, bend.result.delayMs) : own;
    const booking = ledgerEntry(context, {
      ...{ sent, paymentType, outcome, hideMs: bend.hideMs ?? magic.hideMs, amount: minor, currency: currency.code },
      parameters: recorded(sent, verification),
      issuer: issuerPart(context, outcome, settledCode(outcome, testModeOf(sent)), verification),
    });
    book(context, booking, outcome);
    return answerTo(booking, stampOf(context, sent), context.rules);
  });
}
