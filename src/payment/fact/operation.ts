import { z } from "zod";

/** Reservation, debit, credit, capture, reversal, refund, registration of a card, and its deletion. */
export const gatewayPaymentTypeSchema = z.enum(["PA", "DB", "CD", "CP", "RV", "RF", "RG", "DR"]);
export type GatewayPaymentType = z.infer<typeof gatewayPaymentTypeSchema>;

/** Specification, "Point of sale". */
export const entryModeSchema = z.enum([
  "MANUAL",
  "MAGSTRIPE",
  "MAGSTRIPE_AS_FALLBACK",
  "ICC",
  "NFC_ICC",
  "NFC_MAGSTRIPE",
]);
export type EntryMode = z.infer<typeof entryModeSchema>;

export function isTap(entryMode: EntryMode): boolean {
  return entryMode === "NFC_ICC" || entryMode === "NFC_MAGSTRIPE";
}

/** `dual`: PA, then CP once the card has approved; `single`: DB. */
const settlementSchema = z.enum(["dual", "single"]);

/** Fixed at acceptance. */
export const channelSchema = z.object({
  /** Only this gateway knows the payment. Absent in old journals. */
  gateway: z.string().optional(),
  environment: z.enum(["test", "live"]),
  entityId: z.string(),
  testMode: z.enum(["INTERNAL", "EXTERNAL"]).optional(),
  settlement: settlementSchema,
  settlementByBrand: z.record(z.string(), settlementSchema).optional(),
});
export type Channel = z.infer<typeof channelSchema>;

/** The terminal as the acquirer knows it; fixed at acceptance. */
export const deviceSchema = z.object({
  terminalId: z.string(),
  deviceType: z.string().optional(),
  deviceId: z.string().optional(),
  location: z.object({ latitude: z.string(), longitude: z.string(), accuracy: z.string().optional() }).optional(),
  pinEntry: z.boolean(),
});
export type Device = z.infer<typeof deviceSchema>;

/** Clear data only: upper-case hexadecimal TLV without sensitive tags. */
export const presentedCardSchema = z.object({
  entryMode: entryModeSchema,
  icc: z.string().optional(),
  /** `icc` with the TC instead of the ARQC: captures send it. */
  finalIcc: z.string().optional(),
  panSequenceNumber: z.string().optional(),
});
export type PresentedCard = z.infer<typeof presentedCardSchema>;

/** On disk before it is sent, without encrypted card data: the shell keeps that in memory. */
export const operationSchema = z.object({
  merchantTransactionId: z.string(),
  paymentType: gatewayPaymentTypeSchema,
  /** Minor units; a full reversal names none. */
  amount: z.int().nonnegative().optional(),
  currency: z.string().optional(),
  /** Minor units that a reversal must undo. Not sent; the answer is compared with it. */
  reverses: z.int().nonnegative().optional(),
  entityId: z.string(),
  /** The booking of CP, RV and RF, the reservation that a PA raises, or the registration that DR deletes. */
  referencedId: z.string().optional(),
  industryPractice: z.literal("INCREMENTAL_AUTH").optional(),
  sequence: z.literal("FINAL").optional(),
  createRegistration: z.literal(true).optional(),
  registration: z.string().optional(),
  /** Tells requests apart, on receipts too. Absent in old journals. */
  sequenceNumber: z.int().positive().optional(),
  numberOfCaptures: z.int().positive().optional(),
  /** For a card that was stored without its holder's name. */
  holder: z.string().optional(),
  link: z.object({ validFor: z.int().positive(), unit: z.enum(["HOUR", "DAY"]) }).optional(),
});
export type Operation = z.infer<typeof operationSchema>;

/** Only such a request carries the card data that a terminal encrypted. */
export function isForPresentedCard({ paymentType, industryPractice, registration, link }: Operation): boolean {
  if (industryPractice !== undefined || registration !== undefined || link !== undefined) return false;
  return paymentType === "PA" || paymentType === "DB" || paymentType === "CD" || paymentType === "RG";
}

/** At least six digits (ISO 8583, field 11). */
export function sequenceText(sequenceNumber: number): string {
  return String(sequenceNumber).padStart(6, "0");
}

/** A query finds a request by its name, or a booking by its gateway id. */
export type SearchKey = { readonly merchantTransactionId: string } | { readonly id: string };

export interface NextRequest {
  readonly operation: Omit<Operation, "merchantTransactionId" | "sequenceNumber">;
  readonly at: number;
}

/** The earliest request: one that is always refused must not block the others. */
export function soonest(requests: readonly (NextRequest | undefined)[]): NextRequest | undefined {
  return requests.filter((one) => one !== undefined).sort((a, b) => a.at - b.at)[0];
}
