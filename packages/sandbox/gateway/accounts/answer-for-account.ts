import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import type { Context } from "../context.ts";
import type { Account } from "./account.ts";
import type { AccountAnswer, Asked } from "./account-answer.ts";
import { answerBankAccount, answerStoredBankAccount } from "./bank-account.ts";
import { answerCard, answerStoredCard } from "./card.ts";
import { refused } from "./card-rules.ts";
import { answerPresentedCard } from "./presented-card.ts";
import type { StoredAccount } from "./stored-account.ts";
import { answerToken } from "./token-account.ts";
import { answerStoredVirtualAccount, answerVirtualAccount } from "./virtual-account.ts";
import { answerWallet } from "./wallet.ts";

/** Dispatches to the keeper of the account in the request. */
export function answerFor(context: Context, account: Account, sent: Sent, asked: Asked): AccountAnswer {
  return ofType(asked, ALLOWED[account.is], answerOf(context, account, sent, asked));
}

/** Same for a stored account; `sent` is the request that charges the account. */
export function answerForStored(context: Context, stored: StoredAccount, sent: Sent, asked: Asked): AccountAnswer {
  return ofType(asked, ALLOWED[stored.is], answerOfStored(context, stored, sent, asked));
}

const MONEY_BOTH_WAYS = ["PA", "DB", "CD", "RG", "RI"] as const;

/**
 * Payment types allowed for each account; all others get 600.200.310. Wallets, tokens and virtual accounts cannot
 * receive money.
 */
const ALLOWED: Readonly<Record<(Account | StoredAccount)["is"], readonly Asked["paymentType"][]>> = {
  card: MONEY_BOTH_WAYS,
  "stored-card": MONEY_BOTH_WAYS,
  "bank-account": MONEY_BOTH_WAYS,
  "stored-bank-account": MONEY_BOTH_WAYS,
  "presented-card": ["PA", "DB", "CD", "RG"],
  wallet: ["PA", "DB"],
  token: ["PA", "DB"],
  "virtual-account": ["PA", "DB", "RG"],
  "stored-virtual-account": ["PA", "DB"],
};

function ofType(
  { paymentType }: Asked,
  allowed: readonly Asked["paymentType"][],
  answer: AccountAnswer,
): AccountAnswer {
  if (allowed.includes(paymentType)) return answer;
  return { ...answer, refusal: refused("600.200.310", `${paymentType} is not possible with such an account`) };
}

function answerOf(context: Context, account: Account, sent: Sent, asked: Asked): AccountAnswer {
  switch (account.is) {
    case "card":
      return answerCard(context, account, sent, asked);
    case "wallet":
      return answerWallet(context, account, sent, asked);
    case "bank-account":
      return answerBankAccount(context, account, sent, asked);
    case "virtual-account":
      return answerVirtualAccount(context, account, sent);
    case "token":
      return answerToken(context, account, sent, asked);
    case "presented-card":
      return answerPresentedCard(context, sent, asked);
  }
}

function answerOfStored(context: Context, stored: StoredAccount, sent: Sent, asked: Asked): AccountAnswer {
  switch (stored.is) {
    case "stored-card":
      return answerStoredCard(context, stored, sent, asked);
    case "stored-bank-account":
      return answerStoredBankAccount(context, stored, sent, asked);
    case "stored-virtual-account":
      return answerStoredVirtualAccount(context, stored, sent);
  }
}
