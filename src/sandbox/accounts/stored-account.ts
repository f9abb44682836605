import { z } from "zod";

/**
 * What the gateway keeps of an account that was stored (specification, "What the service does", 3): never a security code, and of a number only what its replies tell. That
 * is enough here, because only published test cards are ever approved and none of them shares its first six and last four digits with another; a bank account is known by
 * its masked form.
 */
const storedCardSchema = z.strictObject({
  is: z.literal("stored-card"),
  /** As in paymentBrand. */
  brand: z.string(),
  /** First six digits. */
  bin: z.string(),
  last4: z.string(),
  /** Two digits. */
  expiryMonth: z.string(),
  /** Four digits. */
  expiryYear: z.string(),
  holder: z.string().optional(),
});

/** What is told of a bank account, and kept of it. */
export const shownBankAccount = {
  /** Masked; which of the two it was. */
  iban: z.string().optional(),
  number: z.string().optional(),
  bankCode: z.string().optional(),
  bic: z.string().optional(),
  bankName: z.string().optional(),
  country: z.string().optional(),
};

const storedBankAccountSchema = z.strictObject({
  ...shownBankAccount,
  is: z.literal("stored-bank-account"),
  brand: z.string(),
  holder: z.string(),
  /** Sent with the account, or made by this gateway. */
  mandate: z.strictObject({ id: z.string(), dateOfSignature: z.string() }),
});

const storedVirtualAccountSchema = z.strictObject({
  is: z.literal("stored-virtual-account"),
  brand: z.string(),
  accountId: z.string(),
});

export const storedAccountSchema = z.discriminatedUnion("is", [storedCardSchema, storedBankAccountSchema, storedVirtualAccountSchema]);

/** An account that later payments name by a registration's id. */
export type StoredAccount = z.infer<typeof storedAccountSchema>;
export type StoredCard = z.infer<typeof storedCardSchema>;
export type StoredBankAccount = z.infer<typeof storedBankAccountSchema>;
export type StoredVirtualAccount = z.infer<typeof storedVirtualAccountSchema>;
