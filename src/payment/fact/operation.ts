import { z } from "zod";

/**
 * Gateway payment types this bridge uses (gateway-facts 2.1): reserve, debit, credit, capture, reverse, refund,
 * register a card, delete a registration.
 */
export const gatewayPaymentTypeSchema = z.enum(["PA", "DB", "CD", "CP", "RV", "RF", "RG", "DR"]);
export type GatewayPaymentType = z.infer<typeof gatewayPaymentTypeSchema>;

/** Specification, "Point of sale": the six entry modes. */
export const entryModeSchema = z.enum([
  "MANUAL",
  "MAGSTRIPE",
  "MAGSTRIPE_AS_FALLBACK",
  "ICC",
  "NFC_ICC",
  "NFC_MAGSTRIPE",
]);
export type EntryMode = z.infer<typeof entryModeSchema>;

/** The card was held against the reader. */
export function isTap(entryMode: EntryMode): boolean {
  return entryMode === "NFC_ICC" || entryMode === "NFC_MAGSTRIPE";
}

/** How a sale takes its money: `dual` reserves, lets the card decide, and captures; `single` debits at once. */
const settlementSchema = z.enum(["dual", "single"]);

/** Which channel the money takes; fixed when the payment is accepted. */
export const channelSchema = z.object({
  /**
   * The address of the gateway; absent in what an older version accepted. Only there anything is known of the payment.
   */
  gateway: z.string().optional(),
  environment: z.enum(["test", "live"]),
  entityId: z.string(),
  testMode: z.enum(["INTERNAL", "EXTERNAL"]).optional(),
  settlement: settlementSchema,
  /** Cards of these brands (src/emv/brand.ts) are taken otherwise; absent: none is. */
  settlementByBrand: z.record(z.string(), settlementSchema).optional(),
});
export type Channel = z.infer<typeof channelSchema>;

/** How the acquirer knows the terminal (specification, "Point of sale"); fixed when the payment is accepted. */
export const deviceSchema = z.object({
  terminalId: z.string(),
  deviceType: z.string().optional(),
  deviceId: z.string().optional(),
  location: z.object({ latitude: z.string(), longitude: z.string(), accuracy: z.string().optional() }).optional(),
  pinEntry: z.boolean(),
});
export type Device = z.infer<typeof deviceSchema>;

/**
 * What the card contributes to a request in clear: upper-case hexadecimal TLV without sensitive tags, and the card's
 * own number out of it.
 */
export const presentedCardSchema = z.object({
  entryMode: entryModeSchema,
  icc: z.string().optional(),
  /** The same once the card has said TC. */
  finalIcc: z.string().optional(),
  panSequenceNumber: z.string().optional(),
});
export type PresentedCard = z.infer<typeof presentedCardSchema>;

/**
 * One request to the gateway, as durable as it is before it leaves. The sealed card data that PA, DB and CD carry
 * besides never comes here: the shell keeps it
 * under the payment's id until the answer is known.
 */
export const operationSchema = z.object({
  merchantTransactionId: z.string(),
  paymentType: gatewayPaymentTypeSchema,
  /** Minor units; a full reversal names none. */
  amount: z.int().nonnegative().optional(),
  currency: z.string().optional(),
  /**
   * Of a reversal: what was booked, or was to be, and is to be gone, minor units. Nothing of it is sent; the answer is
   * held against it.
   */
  reverses: z.int().nonnegative().optional(),
  entityId: z.string(),
  /**
   * The gateway's id of the booking that CP, RV and RF refer to, of the reservation that an incremental PA raises, or
   * of the registration that DR deletes.
   */
  referencedId: z.string().optional(),
  /**
   * A PA that raises the reservation `referencedId` by `amount` (specification, "Card on file":
   * standingInstruction.industryPractice); no card is there.
   */
  industryPractice: z.literal("INCREMENTAL_AUTH").optional(),
  /** The last capture of its reservation (specification, "Basic payment parameters"). */
  sequence: z.literal("FINAL").optional(),
  /**
   * The gateway is to keep the card as well, and to name the registration in its answer (specification, "Tokenization
   * and registration parameters").
   */
  createRegistration: z.literal(true).optional(),
  /**
   * The stored card that a PA or DB is for, by the gateway's id of its registration: nobody presents it (specification,
   * "Resources"; gateway-facts 0).
   */
  registration: z.string().optional(),
  /**
   * The bridge's own number of the request, by which an acquirer tells those of a terminal apart. Absent in what an
   * older version asked.
   */
  sequenceNumber: z.int().positive().optional(),
  /** How often this reservation may be captured (specification, "Basic payment parameters"). */
  numberOfCaptures: z.int().positive().optional(),
  /** The holder of a stored card, for this payment alone (specification, "Tokenization rules": overrideHolder). */
  holder: z.string().optional(),
  /**
   * A DB that the customer makes himself, by a link that this request is for: how long the gateway takes payments by it
   * (gateway-facts 5).
   */
  link: z.object({ validFor: z.int().positive(), unit: z.enum(["HOUR", "DAY"]) }).optional(),
});
export type Operation = z.infer<typeof operationSchema>;

/** The request that a card was presented for, and the only one that carries what its terminal sealed. */
export function isForPresentedCard({ paymentType, industryPractice, registration, link }: Operation): boolean {
  if (industryPractice !== undefined || registration !== undefined || link !== undefined) return false;
  return paymentType === "PA" || paymentType === "DB" || paymentType === "CD" || paymentType === "RG";
}

/**
 * As it is sent (`pos.transactionSequenceNumber`) and printed: at least six digits, as acquirers number requests (ISO
 * 8583, field 11).
 */
export function sequenceText(sequenceNumber: number): string {
  return String(sequenceNumber).padStart(6, "0");
}

/**
 * What a query is asked by: our own name of a request, or the gateway's id of a booking; per entity either way
 * (gateway-facts 2.4).
 */
export type SearchKey = { readonly merchantTransactionId: string } | { readonly id: string };

/** What is to be asked of the gateway next, and the earliest moment for it. */
export interface NextRequest {
  readonly operation: Omit<Operation, "merchantTransactionId" | "sequenceNumber">;
  readonly at: number;
}

/** Of several the one that is due first, so that none which is refused again and again keeps another waiting. */
export function soonest(requests: readonly (NextRequest | undefined)[]): NextRequest | undefined {
  return requests.filter((one) => one !== undefined).sort((a, b) => a.at - b.at)[0];
}
