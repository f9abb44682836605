import { z } from "zod";

export const gatewayPaymentTypeSchema = z.enum(["PA", "DB", "CD", "CP", "RV", "RF", "RG", "DR"]);
export type GatewayPaymentType = z.infer<typeof gatewayPaymentTypeSchema>;

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

/** `dual`: a PA, then the CP once the card has approved, so that a refusing card is not charged. `single`: a DB. */
const settlementSchema = z.enum(["dual", "single"]);

/**
 * Fixed at acceptance: after a change of the configuration, captures and reversals must still go where the booking is.
 */
export const channelSchema = z.object({
  /** Base URL: no other gateway can query or reverse the booking. Absent in old journals. */
  gateway: z.string().optional(),
  environment: z.enum(["test", "live"]),
  entityId: z.string(),
  testMode: z.enum(["INTERNAL", "EXTERNAL"]).optional(),
  settlement: settlementSchema,
  settlementByBrand: z.record(z.string(), settlementSchema).optional(),
});
export type Channel = z.infer<typeof channelSchema>;

export const deviceSchema = z.object({
  terminalId: z.string(),
  deviceType: z.string().optional(),
  deviceId: z.string().optional(),
  location: z.object({ latitude: z.string(), longitude: z.string(), accuracy: z.string().optional() }).optional(),
  pinEntry: z.boolean(),
});
export type Device = z.infer<typeof deviceSchema>;

/** The journal keeps this for ever, so it holds no PAN or track data: only clear TLV in upper-case hexadecimal. */
export const presentedCardSchema = z.object({
  entryMode: entryModeSchema,
  icc: z.string().optional(),
  /** `icc` with the TC in place of the ARQC: captures send it, because the TC is the card's approval. */
  finalIcc: z.string().optional(),
  panSequenceNumber: z.string().optional(),
});
export type PresentedCard = z.infer<typeof presentedCardSchema>;

/**
 * On disk before it is sent, so that a restart knows of it. Encrypted card data must not be stored: the shell keeps it
 * in memory.
 */
export const operationSchema = z.object({
  merchantTransactionId: z.string(),
  paymentType: gatewayPaymentTypeSchema,
  /** Minor units. */
  amount: z.int().nonnegative().optional(),
  currency: z.string().optional(),
  /** Minor units that an RV must undo. Not sent: an answer that names less shows that the rest still stands. */
  reverses: z.int().nonnegative().optional(),
  entityId: z.string(),
  /** The booking of CP, RV and RF, the reservation that a PA raises, or the registration that DR deletes. */
  referencedId: z.string().optional(),
  industryPractice: z.literal("INCREMENTAL_AUTH").optional(),
  sequence: z.literal("FINAL").optional(),
  createRegistration: z.literal(true).optional(),
  registration: z.string().optional(),
  sequenceNumber: z.int().positive().optional(),
  numberOfCaptures: z.int().positive().optional(),
  holder: z.string().optional(),
  link: z.object({ validFor: z.int().positive(), unit: z.enum(["HOUR", "DAY"]) }).optional(),
});
export type Operation = z.infer<typeof operationSchema>;

export function isForPresentedCard({ paymentType, industryPractice, registration, link }: Operation): boolean {
  if (industryPractice !== undefined || registration !== undefined || link !== undefined) return false;
  return paymentType === "PA" || paymentType === "DB" || paymentType === "CD" || paymentType === "RG";
}

/** At least six digits, as a trace number has (ISO 8583, field 11). */
export function sequenceText(sequenceNumber: number): string {
  return String(sequenceNumber).padStart(6, "0");
}

/**
 * A request whose answer was lost has no known id: a query finds it by its name, or a follow-up by its original's id.
 */
export type SearchKey = { readonly merchantTransactionId: string } | { readonly id: string };

export interface NextRequest {
  readonly operation: Omit<Operation, "merchantTransactionId" | "sequenceNumber">;
  readonly at: number;
}

/** A request that is always refused falls due ever later, so it does not block the others. */
export function soonest(requests: readonly (NextRequest | undefined)[]): NextRequest | undefined {
  return requests.filter((one) => one !== undefined).sort((a, b) => a.at - b.at)[0];
}
