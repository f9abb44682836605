import { z } from "zod";
import { maskCardNumbers } from "../kit/card-number.ts";
import { isHex } from "../kit/hex.ts";

/** Longest reply that is read, in characters; a query for 500 transactions takes about half of it. */
export const MAX_REPLY_CHARACTERS = 1_048_576;

/**
 * A field that is not needed to trust a reply: an unexpected value counts as absent ("Clients must tolerate new fields
 * ... at any time").
 */
const loose = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

const word = z.string().min(1).max(2048);
/** Specification, "Point of sale", response fields. They are printed, and a printer obeys control characters. */
const printed = z.string().regex(/^[A-Za-z0-9]{1,2048}$/);
/** "Response body", resultDetails: free text. Only one line without markup is accepted. */
const line = word.regex(/^[^\p{C}\p{Zl}\p{Zp}<>]+$/u);
const id = z.string().regex(/^[A-Za-z0-9]{1,64}$/);
const paymentType = z.string().regex(/^[A-Z0-9]{2}$/);

const resultSchema = z.object({
  /** Specification, "Response body": 2-11 characters of digits and dots. */
  code: z.string().regex(/^[0-9.]{2,11}$/),
  description: loose(z.string()),
  /** gateway-facts 0. `value` is not read, because it may hold card data. */
  parameterErrors: loose(z.array(z.object({ name: z.string(), message: z.string() })).max(100)),
});

/**
 * One payment's reply, as far as the bridge reads it (specification, "Response body" and "Point of sale"). Only the
 * result code is required.
 */
export const replySchema = z.object({
  id: loose(id),
  referencedId: loose(id),
  paymentType: loose(paymentType),
  amount: loose(z.string().regex(/^[0-9]{1,10}(?:\.[0-9]{2})?$/)),
  currency: loose(z.string().regex(/^[A-Z]{3}$/)),
  merchantTransactionId: loose(word),
  /**
   * The stored card of a payment with createRegistration: "Resources" names the first form, "Tokenization and
   * registration parameters" the second.
   */
  registrationId: loose(id),
  registration: loose(z.object({ id })),
  /** "Card on file": returned by the first payment of an agreement and sent with all later ones, unchanged. */
  standingInstruction: loose(z.object({ initialTransactionId: loose(line), agreementId: loose(line.max(35)) })),
  result: resultSchema,
  /** Nothing else of the card is read. */
  card: loose(
    z.object({ bin: loose(z.string().regex(/^[0-9]{6}$/)), last4Digits: loose(z.string().regex(/^[0-9]{4}$/)) }),
  ),
  resultDetails: loose(
    z.object({
      AcquirerResponse: loose(line),
      AuthCode: loose(printed),
      /** Replies also use this name for `standingInstruction.initialTransactionId`. */
      CardholderInitiatedTransactionID: loose(line),
      MerchantAdviceCode: loose(z.string().regex(/^[0-9]{2}$/)),
      clearingInstituteName: loose(line),
    }),
  ),
  pos: loose(
    z.object({
      iccDataResponse: loose(word.refine(isHex)),
      merchantId: loose(printed),
      clearing: loose(
        z.object({
          authorizationIssuerCode: loose(printed),
          authorizationAcquirerCode: loose(printed),
          identifier: loose(printed),
        }),
      ),
    }),
  ),
});
export type Reply = z.infer<typeof replySchema>;

/** Absent has several forms. Any other unreadable value makes the whole entry unreadable. */
const readable = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === null || value === "" ? undefined : value), schema.optional());

/** Captures, reversals and refunds always refer to another payment (gateway-facts 2.1). */
const REFERRING: readonly string[] = ["CP", "RV", "RF"];

/** One payment of a query: its owner must never be guessed. */
export const entrySchema = replySchema
  .extend({ id, paymentType, merchantTransactionId: readable(word), referencedId: readable(id) })
  .refine((entry) => entry.referencedId !== undefined || !REFERRING.includes(entry.paymentType));
export type Entry = z.infer<typeof entrySchema>;

/** One payment in the list of a time frame. It may belong to anybody, so its references may be missing. */
export const listedSchema = replySchema.extend({
  id,
  paymentType,
  merchantTransactionId: readable(word),
  timestamp: loose(word),
});
export type ListedEntry = z.infer<typeof listedSchema>;

/**
 * The envelope of GET /v1/query (gateway-facts 0 and 2.4). Its payments are parsed one by one, so that a bad entry does
 * not hide the others.
 */
export const envelopeSchema = z.object({ result: resultSchema, payments: z.array(z.unknown()).max(1000).optional() });
export type Envelope = z.infer<typeof envelopeSchema>;

export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** Parses a body by the schema. Never throws, and never repeats the body: it may hold card data. */
export function parseReply<T>(body: string, schema: z.ZodType<T>): Parsed<T> {
  if (body.length > MAX_REPLY_CHARACTERS)
    return { ok: false, problem: `the reply is longer than ${MAX_REPLY_CHARACTERS} characters` };
  if (body.trim() === "") return { ok: false, problem: "the reply is empty" };
  const json = parseJson(body);
  if (!json.ok) return json;
  const parsed = schema.safeParse(json.value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const fields = [...new Set(parsed.error.issues.map((issue) => issue.path.join(".") || "the whole body"))];
  return { ok: false, problem: `the reply is not one of a payment gateway: ${fields.join(", ")} not as specified` };
}

function parseJson(body: string): Parsed<unknown> {
  try {
    return { ok: true, value: JSON.parse(body) };
  } catch {
    return { ok: false, problem: "the reply is not JSON" };
  }
}

const MAX_DESCRIPTION = 255;

/**
 * One printable line of at most 255 characters: result.description and the names of refused parameters. Either may
 * repeat a card number, which is masked.
 */
export function descriptionOf({ result }: Pick<Reply, "result">): string {
  const errors = (result.parameterErrors ?? []).map(({ name, message }) => `${name} ${message}`);
  const all = errors.length === 0 ? (result.description ?? "") : `${result.description ?? ""}: ${errors.join("; ")}`;
  return maskCardNumbers(all.replace(/\p{C}+/gu, " ")).slice(0, MAX_DESCRIPTION);
}
