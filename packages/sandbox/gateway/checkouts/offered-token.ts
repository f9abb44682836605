import { z } from "zod";
import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import type { StoredAccount } from "../accounts/stored-account.ts";
import type { Context } from "../context.ts";
import { chargeable, NO_SUCH_REGISTRATION, registrationAt } from "../registrations/stored-accounts.ts";

/** A stored account as the hosted form shows it. */
export const offeredTokenSchema = z.strictObject({
  id: z.string(),
  brand: z.string(),
  /** Only cards have a security code to ask for. */
  isCard: z.boolean(),
  /** Tells the account from others; never a whole card or account number. */
  number: z.string(),
  holder: z.string().optional(),
  /** Month and year as printed on a card. */
  expiry: z.string().optional(),
});
export type OfferedToken = z.infer<typeof offeredTokenSchema>;

const TOKEN = /^registrations\[([0-9]+)\]\.id$/;

/** Whether a parameter passes a stored token to the checkout (gateway facts, 0). */
export function isTokenName(name: string): boolean {
  return TOKEN.test(name);
}

/** The merchant's tokens in the order of their index, or the refusal code of the first that cannot be charged. */
export function offeredTokens(context: Context, sent: Sent): OfferedToken[] | string {
  const named = [...sent].filter(([name]) => isTokenName(name)).toSorted(([a], [b]) => indexOf(a) - indexOf(b));
  const found = named.map(([, id]) => offeredToken(context, id, sent.get("entityId") ?? ""));
  return found.find((one) => typeof one === "string") ?? found.filter((one) => typeof one !== "string");
}

function indexOf(name: string): number {
  return Number(TOKEN.exec(name)?.[1]);
}

function offeredToken(context: Context, id: string, entityId: string): OfferedToken | string {
  const registration = registrationAt(context, id, entityId);
  if (registration === undefined) return NO_SUCH_REGISTRATION;
  const account = chargeable(context, registration);
  return typeof account === "string" ? account : { id, brand: account.brand, ...shownOf(account) };
}

function shownOf(account: StoredAccount): Omit<OfferedToken, "id" | "brand"> {
  switch (account.is) {
    case "stored-card": {
      const { last4, expiryMonth, expiryYear, holder } = account;
      return {
        isCard: true,
        number: `\u2022\u2022\u2022\u2022 ${last4}`,
        expiry: `${expiryMonth} / ${expiryYear.slice(2)}`,
        ...(holder !== undefined && { holder }),
      };
    }
    case "stored-bank-account":
      return { isCard: false, number: account.iban ?? account.number ?? "", holder: account.holder };
    case "stored-virtual-account":
      return { isCard: false, number: account.accountId };
  }
}
