import { z } from "zod";
import { shownBankAccount, storedAccountSchema } from "../accounts/stored-account.ts";

/** A structure of the reply, one level deep or two: card, card.issuer. */
const structureSchema = z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())]));
export type Structure = z.infer<typeof structureSchema>;

/** What the reply tells about the account and its issuer's answer; stored with the booking so that a query tells the same. No number in here is whole. */
const issuerPartSchema = z.strictObject({
  paymentBrand: z.string().optional(),
  /** The brand, where the card's number told it (specification, "Response body"). */
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

/** Gateway facts, 2.1. RG is an account that was stored, DR the deletion of one; the gateway keeps both among its transactions. */
const sandboxPaymentTypeSchema = z.enum(["PA", "DB", "CD", "CP", "RV", "RF", "RB", "RC", "CB", "CR", "RG", "RR", "DR", "RI", "3D", "SD", "RS", "DS"]);
export type SandboxPaymentType = z.infer<typeof sandboxPaymentTypeSchema>;

/** Specification, "Query parameters", paymentMethods: those that this gateway gives. */
const paymentMethodSchema = z.enum(["CC", "DC", "DD", "VA", "OT", "PP", "IV", "RM"]);
export type PaymentMethod = z.infer<typeof paymentMethodSchema>;

/** One row of the ledger: an accepted POST, written before its reply and never edited. What changes with time is said beforehand, by `interim` and `hiddenUntil`. */
export const bookingSchema = z.strictObject({
  id: z.string(),
  entityId: z.string(),
  paymentType: sandboxPaymentTypeSchema,
  /** Absent: a card, as all were before others could be taken. */
  paymentMethod: paymentMethodSchema.optional(),
  /** Minor units: what was approved, or what was asked for where nothing was. */
  amount: z.int().nonnegative().optional(),
  /** Minor units, as the request said. */
  requested: z.int().nonnegative().optional(),
  currency: z.string().optional(),
  merchantTransactionId: z.string().optional(),
  /** What it refers to: a booking, for a DR, RR or SD the registration, for a payment that a job made the SD or RS. */
  referencedId: z.string().optional(),
  /** The checkout that the shopper paid in. */
  checkoutId: z.string().optional(),
  /** Where the shopper is sent to say yes or no (specification, "Asynchronous payments"); until then the booking is pending. */
  redirect: z.strictObject({ path: z.string(), parameters: z.array(z.strictObject({ name: z.string(), value: z.string() })) }).optional(),
  /** The stored card that came with it (createRegistration); only where it was approved. The card that an RG stored has the id of the row itself. */
  registrationId: z.string().optional(),
  /** What is kept of the account under that id. */
  stored: storedAccountSchema.optional(),
  /** The registration that was charged instead of an account that was sent. */
  chargedRegistrationId: z.string().optional(),
  testMode: z.enum(["INTERNAL", "EXTERNAL"]),
  /** The outcome once settled: what the acquirer's books say. */
  resultCode: z.string(),
  /** What the reply to the POST said. */
  answeredCode: z.string(),
  /** What a query says before it is settled. Epoch milliseconds of the sandbox's clock. */
  interim: z.strictObject({ resultCode: z.string(), until: z.int() }).optional(),
  /** Before this time queries know nothing of it. */
  hiddenUntil: z.int().optional(),
  receivedAt: z.int(),
  /** As received, but for what is secret: it is masked or left out, and of what was sealed stands what its verification said. */
  parameters: z.record(z.string(), z.string()),
  issuer: issuerPartSchema,
});
export type Booking = z.infer<typeof bookingSchema>;

/**
 * What became of a booking that waited for somebody: its shopper, a bank, a person. Written once and beside the row; whoever reads the booking sees it as settled by it
 * from then on. Without one the row's own `resultCode` counts from `interim.until` on.
 */
export const decisionSchema = z.strictObject({
  resultCode: z.string(),
  at: z.int(),
  issuer: issuerPartSchema.optional(),
  /** Minor units, where the decision approved another amount than was asked for. */
  amount: z.int().nonnegative().optional(),
  /** Where somebody decided and the money itself takes longer: pending with this code until then, and `resultCode` from then on. */
  interim: z.strictObject({ resultCode: z.string(), until: z.int() }).optional(),
});
export type Decision = z.infer<typeof decisionSchema>;

/** The booking as a decision left it. */
export function decided(booking: Booking, { resultCode, at, issuer, amount, interim }: Decision): Booking {
  const asDecided = interim ?? (booking.interim && { ...booking.interim, until: at });
  return { ...booking, resultCode, ...(asDecided && { interim: asDecided }), ...(issuer && { issuer }), ...(amount !== undefined && { amount }) };
}

/** What a query says of a booking at that time. */
export function resultCodeAt(booking: Booking, now: number): string {
  return isSettled(booking, now) ? booking.resultCode : (booking.interim?.resultCode ?? booking.resultCode);
}

/** Until then nothing may refer to it (700.400.570). */
export function isSettled(booking: Booking, now: number): boolean {
  return booking.interim === undefined || now >= booking.interim.until;
}

/** A PA that raises another one (referenceUuid); one that renews it, or that a job made, stands by itself. */
export function isIncrement({ paymentType, referencedId, parameters }: Booking): boolean {
  return paymentType === "PA" && referencedId !== undefined && parameters["standingInstruction.industryPractice"] === "INCREMENTAL_AUTH";
}

/** The stored card that this row brought about, or would have. */
export function registrationOf({ id, paymentType, registrationId }: Booking): string | undefined {
  return paymentType === "RG" ? id : registrationId;
}

/** Specification, "Basic payment parameters", sequence: the last one of its kind. */
export function isLast({ parameters: { sequence } }: Booking): boolean {
  return sequence === "FINAL";
}

/** How it was paid: what queries filter by, and what refers to a booking has of it. */
export function paymentMethodOf({ paymentMethod = "CC" }: Booking): PaymentMethod {
  return paymentMethod;
}

/** The short number that people read to each other on the telephone (specification, "Query parameters", shortId): "1234.5678.9012", always the same for the same id. */
export function shortIdOf({ id }: Pick<Booking, "id">): string {
  const digits = String(Number.parseInt(id.slice(0, 12), 16) % 1_000_000_000_000).padStart(12, "0");
  return `${digits.slice(0, 4)}.${digits.slice(4, 8)}.${digits.slice(8)}`;
}
