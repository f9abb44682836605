import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { accountOf } from "../accounts/account-of.ts";
import { answerFor } from "../accounts/answer-for-account.ts";
import type { Context } from "../context.ts";
import { book, ledgerEntry, settledCode, testModeOf } from "../ledger/ledger-entry.ts";
import { type Outcome, outcomeOf } from "../ledger/outcome.ts";
import { duplicateReply, type Paid } from "../payments/payments.ts";
import type { Bend } from "../prepared.ts";
import { bareReply, stampOf } from "../replies.ts";
import { type Registration, whyNotUsable } from "./stored-accounts.ts";

/** Gateway facts, 1.1, class "registration". */
const NO_ACCOUNT_GIVEN = "100.150.100";
/** An account that no later payment could use: an encrypted wallet pays once. */
const NOT_STORABLE = "100.350.201";

export interface Storing {
  readonly bend: Bend;
  /** The checkout in which the shopper stored it. */
  readonly checkoutId?: string;
  /** The registration to replace, under the same id. */
  readonly before?: Registration;
}

/** Stores the form's account after an authorization of nothing: an RG, or an RR for an existing registration. */
export function registerAccount(context: Context, sent: Sent, { bend, checkoutId, before }: Storing): Paid {
  const account = accountOf(sent);
  if (account === undefined)
    return { is: "refused", reply: bareReply(context.rules.declineStatus, NO_ACCOUNT_GIVEN, stampOf(context, sent)) };
  return context.store.atomically(() => {
    const duplicate = duplicateReply(context, sent);
    if (duplicate !== undefined) return { is: "refused", reply: duplicate };
    const answer = answerFor(context, account, sent, { paymentType: "RG", amount: 0, currency: undefined });
    const gone = before && whyNotUsable(context, before);
    const own: Outcome = answer.refusal ?? (answer.stored === undefined ? { resultCode: NOT_STORABLE } : {});
    const outcome = gone === undefined ? bent(own, bend) : { resultCode: gone };
    const booking = ledgerEntry(context, {
      ...{
        sent,
        paymentType: before ? "RR" : "RG",
        outcome,
        hideMs: bend.hideMs,
        paymentMethod: answer.method,
        stored: answer.stored,
      },
      ...{ parameters: answer.parameters, issuer: answer.issuer(outcome, settledCode(outcome, testModeOf(sent))) },
      ...(before && { referencedId: before.id }),
      ...(checkoutId !== undefined && { checkoutId }),
    });
    book(context, booking, {});
    return { is: "booked", booking };
  });
}

/** A fault overrides the outcome. */
export function bent(own: Outcome, { result }: Bend): Outcome {
  return result ? outcomeOf(result.code, result.delayMs) : own;
}
