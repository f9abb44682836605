import { z } from "zod";

/**
 * A stored account (specification, "What the service does", 3). The security code is never stored, and of a card number
 * only the masked digits. They suffice: only published test cards are approved, and no two of them share their first
 * six and last four digits. A bank account is identified by its masked form.
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

/** Bank account fields that replies show and registrations keep. */
export const shownBankAccount = {
  /** Masked; either IBAN or account number. */
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
  /** Sent with the account, or created by this gateway. */
  mandate: z.strictObject({ id: z.string(), dateOfSignature: z.string() }),
});

const storedVirtualAccountSchema = z.strictObject({
  is: z.literal("stored-virtual-account"),
  brand: z.string(),
  accountId: z.string(),
});

export const storedAccountSchema = z.discriminatedUnion("is", [
  storedCardSchema,
  storedBankAccountSchema,
  storedVirtualAccountSchema,
]);

/** A stored account; later payments name it by the registration's id. */
export type StoredAccount = z.infer<typeof storedAccountSchema>;
export type StoredCard = z.infer<typeof storedCardSchema>;
export type StoredBankAccount = z.infer<typeof storedBankAccountSchema>;
export type StoredVirtualAccount = z.infer<typeof storedVirtualAccountSchema>;
