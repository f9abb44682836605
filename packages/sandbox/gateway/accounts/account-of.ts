import { accountsOf } from "../../../../src/gateway/parameters/accounts.ts";
import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { isDecrypted, WALLETS } from "../../../../src/gateway/parameters/wallets.ts";
import { asynchronousMethodOf } from "../asynchronous/methods.ts";
import type { Account, BankAccount, CardAccount, TokenAccount, WalletKey } from "./account.ts";

/**
 * The account of a valid form, which has at most one account structure. Undefined: the form names a registration or no
 * account.
 */
export function accountOf(sent: Sent): Account | undefined {
  // Checked first, because a card waits at the terminal.
  if (sent.has("pos.encryptedSred.data")) return { is: "presented-card" };
  const structures = accountsOf(sent);
  const wallet = WALLETS.find((key) => sent.has(`${key}.paymentToken`) || sent.has(`${key}.source`));
  if (wallet !== undefined && !isDecrypted(sent, wallet)) {
    return {
      is: "wallet",
      wallet,
      brand: sent.get("paymentBrand"),
      paymentToken: sent.get(`${wallet}.paymentToken`) ?? "",
    };
  }
  if (wallet !== undefined || structures.has("card")) return cardOf(sent, wallet);
  if (structures.has("bankAccount")) return bankAccountOf(sent);
  if (structures.has("tokenAccount")) return tokenOf(sent);
  if (structures.has("token")) return undefined;
  const brand = sent.get("paymentBrand") ?? "";
  if (structures.has("virtualAccount"))
    return { is: "virtual-account", brand, accountId: sent.get("virtualAccount.accountId") };
  if (sent.has("pos.entryMode")) return { is: "presented-card" };
  return asynchronousMethodOf(brand) === undefined ? undefined : { is: "virtual-account", brand, accountId: undefined };
}

function cardOf(sent: Sent, wallet: WalletKey | undefined): CardAccount {
  return {
    is: "card",
    number: sent.get("card.number") ?? "",
    brand: sent.get("paymentBrand"),
    expiryMonth: sent.get("card.expiryMonth") ?? "",
    expiryYear: sent.get("card.expiryYear") ?? "",
    holder: sent.get("card.holder"),
    cvv: sent.get("card.cvv"),
    wallet,
  };
}

function bankAccountOf(sent: Sent): BankAccount {
  const of = (name: string): string | undefined => sent.get(`bankAccount.${name}`);
  return {
    is: "bank-account",
    brand: sent.get("paymentBrand") ?? "",
    holder: of("holder"),
    iban: of("iban")?.toUpperCase(),
    number: of("number"),
    bankCode: of("bankCode"),
    bic: of("bic")?.toUpperCase(),
    bankName: of("bankName"),
    country: of("country")?.toUpperCase(),
    mandate: { id: of("mandate.id"), dateOfSignature: of("mandate.dateOfSignature") },
    dueDate: sent.get("transactionDueDate"),
  };
}

function tokenOf(sent: Sent): TokenAccount {
  const of = (name: string): string | undefined => sent.get(`tokenAccount.${name}`);
  return {
    is: "token",
    number: of("number") ?? "",
    type: of("type") === "NETWORK" ? "NETWORK" : "EXTERNAL",
    brand: sent.get("paymentBrand"),
    expiryMonth: of("expiryMonth"),
    expiryYear: of("expiryYear"),
    cryptogram: of("cryptogram"),
    dtvc: of("dtvc"),
  };
}
