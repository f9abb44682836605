import { z } from "zod";

/** What the reply tells about the card and the issuer's answer; stored with the booking so that a query tells the same. */
const issuerPartSchema = z.strictObject({
  paymentBrand: z.string().optional(),
  card: z.record(z.string(), z.string()).optional(),
  pos: z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])).optional(),
  resultDetails: z.record(z.string(), z.string()).optional(),
});
export type IssuerPart = z.infer<typeof issuerPartSchema>;

/** RG is a card that was stored, DR the deletion of one; the gateway keeps both among its transactions. */
const sandboxPaymentTypeSchema = z.enum(["PA", "DB", "CD", "CP", "RV", "RF", "RG", "DR"]);
export type SandboxPaymentType = z.infer<typeof sandboxPaymentTypeSchema>;

/** One row of the ledger: an accepted POST, written before its reply and never edited. What changes with time is said beforehand, by `interim` and `hiddenUntil`. */
export const bookingSchema = z.strictObject({
  id: z.string(),
  entityId: z.string(),
  paymentType: sandboxPaymentTypeSchema,
  /** Minor units: what was approved, or what was asked for where nothing was. */
  amount: z.int().nonnegative().optional(),
  /** Minor units, as the request said. */
  requested: z.int().nonnegative().optional(),
  currency: z.string().optional(),
  merchantTransactionId: z.string().optional(),
  /** What it refers to: a booking, and for a DR the registration. A PA with it is an increment of that reservation. */
  referencedId: z.string().optional(),
  /** The stored card that came with it (createRegistration); only where it was approved. The card that an RG stored has the id of the row itself. */
  registrationId: z.string().optional(),
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
  /** As received; SRED data and PIN block replaced by what their verification said. */
  parameters: z.record(z.string(), z.string()),
  issuer: issuerPartSchema,
});
export type Booking = z.infer<typeof bookingSchema>;

/** What a query says of a booking at that time. */
export function resultCodeAt(booking: Booking, now: number): string {
  return isSettled(booking, now) ? booking.resultCode : (booking.interim?.resultCode ?? booking.resultCode);
}

/** Until then nothing may refer to it (700.400.570). */
export function isSettled(booking: Booking, now: number): boolean {
  return booking.interim === undefined || now >= booking.interim.until;
}

/** A PA that raises another one (referenceUuid). */
export function isIncrement({ paymentType, referencedId }: Booking): boolean {
  return paymentType === "PA" && referencedId !== undefined;
}

/** The stored card that this row brought about, or would have. */
export function registrationOf({ id, paymentType, registrationId }: Booking): string | undefined {
  return paymentType === "RG" ? id : registrationId;
}

/** Specification, "Basic payment parameters", sequence: the last one of its kind. */
export function isLast({ parameters: { sequence } }: Booking): boolean {
  return sequence === "FINAL";
}
