import { z } from "zod";

/** What the reply tells about the card and the issuer's answer; stored with the booking so that a query tells the same. */
const issuerPartSchema = z.strictObject({
  paymentBrand: z.string().optional(),
  card: z.record(z.string(), z.string()).optional(),
  pos: z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])).optional(),
  resultDetails: z.record(z.string(), z.string()).optional(),
});
export type IssuerPart = z.infer<typeof issuerPartSchema>;

export const sandboxPaymentTypeSchema = z.enum(["PA", "DB", "CD", "CP", "RV", "RF"]);

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
  referencedId: z.string().optional(),
  /** Where a registration was asked for (createRegistration). */
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
