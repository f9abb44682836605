import { z } from "zod";
import { shownBankAccount, storedAccountSchema } from "../accounts/stored-account.ts";

/** A structure of the reply, at most two levels deep: card, card.issuer. */
const structureSchema = z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())]));
export type Structure = z.infer<typeof structureSchema>;

/**
 * Account and issuer's answer as the reply shows them; stored, so queries show the same. Contains no whole account
 * number.
 */
const issuerPartSchema = z.strictObject({
  paymentBrand: z.string().optional(),
  /** The brand detected from the card's number (specification, "Response body"). */
  brandResult: z.string().optional(),
  avsResponse: z.string().optional(),
  cvvResponse: z.string().optional(),
  card: z
    .strictObject({
      bin: z.string().optional(),
      last4Digits: z.string().optional(),
      holder: z.string().optional(),
      expiryMonth: z.string().optional(),
      expiryYear: z.string().optional(),
      type: z.string().optional(),
      level: z.string().optional(),
      regulatedFlag: z.string().optional(),
      issuer: z.strictObject({ bank: z.string(), phone: z.string(), website: z.string() }).optional(),
    })
    .optional(),
  bankAccount: z
    .strictObject({
      holder: z.string().optional(),
      ...shownBankAccount,
      mandate: z.strictObject({ id: z.string(), dateOfSignature: z.string() }).optional(),
    })
    .optional(),
  virtualAccount: z.strictObject({ accountId: z.string() }).optional(),
  merchant: structureSchema.optional(),
  threeDSecure: structureSchema.optional(),
  standingInstruction: structureSchema.optional(),
  risk: structureSchema.optional(),
  pos: structureSchema.optional(),
  resultDetails: z.record(z.string(), z.string()).optional(),
});
export type IssuerPart = z.infer<typeof issuerPartSchema>;

/** Gateway facts, 2.1. RG stores an account, DR deletes one; the gateway keeps both among its transactions. */
const sandboxPaymentTypeSchema = z.enum([
  "PA",
  "DB",
  "CD",
  "CP",
  "RV",
  "RF",
  "RB",
  "RC",
  "CB",
  "CR",
  "RG",
  "RR",
  "DR",
  "RI",
  "3D",
  "SD",
  "RS",
  "DS",
]);
export type SandboxPaymentType = z.infer<typeof sandboxPaymentTypeSchema>;

/** Specification, "Query parameters", paymentMethods: the ones this gateway returns. */
const paymentMethodSchema = z.enum(["CC", "DC", "DD", "VA", "OT", "PP", "IV", "RM"]);
export type PaymentMethod = z.infer<typeof paymentMethodSchema>;

/**
 * One ledger row: an accepted POST, written before its reply and never edited. Planned changes are in `interim` and
 * `hiddenUntil`.
 */
export const bookingSchema = z.strictObject({
  id: z.string(),
  entityId: z.string(),
  paymentType: sandboxPaymentTypeSchema,
  /** Absent in older ledgers: a card. */
  paymentMethod: paymentMethodSchema.optional(),
  /** Minor units: the approved amount, or the requested one if nothing was approved. */
  amount: z.int().nonnegative().optional(),
  /** Minor units, as requested. */
  requested: z.int().nonnegative().optional(),
  currency: z.string().optional(),
  merchantTransactionId: z.string().optional(),
  /** The booking referred to; for DR, RR and SD the registration; for a job's payment the SD or RS. */
  referencedId: z.string().optional(),
  checkoutId: z.string().optional(),
  /** The shopper confirms or refuses there (specification, "Asynchronous payments"); pending until then. */
  redirect: z
    .strictObject({ path: z.string(), parameters: z.array(z.strictObject({ name: z.string(), value: z.string() })) })
    .optional(),
  /** The account stored along with an approved payment (createRegistration). An RG's account has the row's own id. */
  registrationId: z.string().optional(),
  /** The stored account behind that id. */
  stored: storedAccountSchema.optional(),
  /** The registration that was charged in place of a sent account. */
  chargedRegistrationId: z.string().optional(),
  testMode: z.enum(["INTERNAL", "EXTERNAL"]),
  /** The settled outcome, as in the acquirer's books. */
  resultCode: z.string(),
  /** Result code in the reply to the POST. */
  answeredCode: z.string(),
  /** Result code of queries before settlement. Epoch milliseconds of the sandbox's clock. */
  interim: z.strictObject({ resultCode: z.string(), until: z.int() }).optional(),
  /** Queries do not find the booking before this time. */
  hiddenUntil: z.int().optional(),
  receivedAt: z.int(),
  /** As received, but secrets are masked or removed; sealed data is replaced by the result of its verification. */
  parameters: z.record(z.string(), z.string()),
  issuer: issuerPartSchema,
});
export type Booking = z.infer<typeof bookingSchema>;

/**
 * The decision on a waiting booking, written once beside its row; it settles the booking for all readers. Without it
 * `resultCode` applies from `interim.until`.
 */
export const decisionSchema = z.strictObject({
  resultCode: z.string(),
  at: z.int(),
  issuer: issuerPartSchema.optional(),
  /** Minor units, if the decision approved an amount other than the requested one. */
  amount: z.int().nonnegative().optional(),
  /** Decided, but the money takes longer: pending with this code until then, `resultCode` afterwards. */
  interim: z.strictObject({ resultCode: z.string(), until: z.int() }).optional(),
});
export type Decision = z.infer<typeof decisionSchema>;

export function decided(booking: Booking, { resultCode, at, issuer, amount, interim }: Decision): Booking {
  const asDecided = interim ?? (booking.interim && { ...booking.interim, until: at });
  return {
    ...booking,
    resultCode,
    ...(asDecided && { interim: asDecided }),
    ...(issuer && { issuer }),
    ...(amount !== undefined && { amount }),
  };
}

/** Result code that a query shows at that time. */
export function resultCodeAt(booking: Booking, now: number): string {
  return isSettled(booking, now) ? booking.resultCode : (booking.interim?.resultCode ?? booking.resultCode);
}

/** Until settlement nothing may refer to the booking (700.400.570). */
export function isSettled(booking: Booking, now: number): boolean {
  return booking.interim === undefined || now >= booking.interim.until;
}

/** A PA that raises another (referenceUuid). Renewals and a job's payments stand alone. */
export function isIncrement({ paymentType, referencedId, parameters }: Booking): boolean {
  return (
    paymentType === "PA" &&
    referencedId !== undefined &&
    parameters["standingInstruction.industryPractice"] === "INCREMENTAL_AUTH"
  );
}

/** The id of the account that this row stored or tried to store. */
export function registrationOf({ id, paymentType, registrationId }: Booking): string | undefined {
  return paymentType === "RG" ? id : registrationId;
}

/** Specification, "Basic payment parameters", sequence: the last of its kind. */
export function isLast({ parameters: { sequence } }: Booking): boolean {
  return sequence === "FINAL";
}

/** The payment method; queries filter by it, and follow-ups inherit it. */
export function paymentMethodOf({ paymentMethod = "CC" }: Booking): PaymentMethod {
  return paymentMethod;
}

/**
 * A short number for the telephone (specification, "Query parameters", shortId): "1234.5678.9012", derived from the id.
 */
export function shortIdOf({ id }: Pick<Booking, "id">): string {
  const digits = String(Number.parseInt(id.slice(0, 12), 16) % 1_000_000_000_000).padStart(12, "0");
  return `${digits.slice(0, 4)}.${digits.slice(4, 8)}.${digits.slice(8)}`;
}
