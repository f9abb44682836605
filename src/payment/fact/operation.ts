import { z } from "zod";

/** Gateway-facts 2.1: reserve, debit, credit, capture, reverse, refund, register a card, delete a registration. */
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

/** `dual` reserves, lets the card decide, then captures; `single` debits at once. */
const settlementSchema = z.enum(["dual", "single"]);

/** Fixed at acceptance. */
export const channelSchema = z.object({
  /** Only this gateway knows the payment. Absent in old journals. */
  gateway: z.string().optional(),
  environment: z.enum(["test", "live"]),
  entityId: z.string(),
  testMode: z.enum(["INTERNAL", "EXTERNAL"]).optional(),
  settlement: settlementSchema,
  /** Exceptions by brand (src/emv/brand.ts). */
  settlementByBrand: z.record(z.string(), settlementSchema).optional(),
});
export type Channel = z.infer<typeof channelSchema>;

/** The acquirer's view of the terminal (specification, "Point of sale"); fixed at acceptance. */
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
  /** `icc` with the TC. */
  finalIcc: z.string().optional(),
  panSequenceNumber: z.string().optional(),
});
export type PresentedCard = z.infer<typeof presentedCardSchema>;

/** Durable before it leaves. Sealed card data never comes here: the shell keeps it until the answer is known. */
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
  /**
   * A PA that raises `referencedId` by `amount` (specification, "Card on file": standingInstruction.industryPractice).
   */
  industryPractice: z.literal("INCREMENTAL_AUTH").optional(),
  /** The reservation's last capture (specification, "Basic payment parameters"). */
  sequence: z.literal("FINAL").optional(),
  /** The answer names the stored card (specification, "Tokenization and registration parameters"). */
  createRegistration: z.literal(true).optional(),
  /** The stored card's gateway id (specification, "Resources"; gateway-facts 0). */
  registration: z.string().optional(),
  /** The acquirer tells a terminal's requests apart by it. Absent in old journals. */
  sequenceNumber: z.int().positive().optional(),
  /** Specification, "Basic payment parameters". */
  numberOfCaptures: z.int().positive().optional(),
  /** For this payment alone (specification, "Tokenization rules": overrideHolder). */
  holder: z.string().optional(),
  /** How long the gateway takes payments by the link (gateway-facts 5). */
  link: z.object({ validFor: z.int().positive(), unit: z.enum(["HOUR", "DAY"]) }).optional(),
});
export type Operation = z.infer<typeof operationSchema>;

/** Only this request carries the data that the terminal sealed. */
export function isForPresentedCard({ paymentType, industryPractice, registration, link }: Operation): boolean {
  if (industryPractice !== undefined || registration !== undefined || link !== undefined) return false;
  return paymentType === "PA" || paymentType === "DB" || paymentType === "CD" || paymentType === "RG";
}

/** At least six digits, as acquirers number requests (ISO 8583, field 11; `pos.transactionSequenceNumber`). */
export function sequenceText(sequenceNumber: number): string {
  return String(sequenceNumber).padStart(6, "0");
}

/** The request's name or the booking's gateway id, per entity (gateway-facts 2.4). */
export type SearchKey = { readonly merchantTransactionId: string } | { readonly id: string };

export interface NextRequest {
  readonly operation: Omit<Operation, "merchantTransactionId" | "sequenceNumber">;
  readonly at: number;
}

/** The earliest first: a request that is always refused must not block others. */
export function soonest(requests: readonly (NextRequest | undefined)[]): NextRequest | undefined {
  return requests.filter((one) => one !== undefined).sort((a, b) => a.at - b.at)[0];
}
