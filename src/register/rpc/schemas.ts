import { z } from "zod";
import { paymentTypes, paymentViewSchema } from "../../payment/view-schema.ts";

/**
 * Messages of the register's socket (contract, section 3). Only strings, booleans and whole numbers, so that one schema
 * validates, documents and types both ends.
 */
const printable = (most: number) =>
  z
    .string()
    .regex(
      new RegExp(`^[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Zs}]{1,${most}}$`, "u"),
      `must be 1 to ${most} printable characters`,
    );

export const referenceSchema = printable(64);
export const labelSchema = printable(64);
export const descriptionSchema = printable(255);
export const terminalIdSchema = printable(64);
export const reasonSchema = printable(500);
export const cursorSchema = z.string().min(1).max(64);
/** Parsed once the currency, and with it the number of decimals, is known. */
export const amountSchema = z.string('must be a decimal string such as "12.34"').max(32);
export const currencySchema = z.string().regex(/^[A-Z]{3}$/, "must be three capital letters (ISO 4217)");
/** How often a PREAUTHORIZATION may be captured (specification, "Basic payment parameters"). */
export const numberOfCapturesSchema = z.int().min(1).max(98);
/** The gateway's id of a stored card: a payment's `gateway.registrationId`. */
export const registrationSchema = z
  .string()
  .regex(/^[A-Za-z0-9]{1,64}$/, "must be the gateway's id of a stored card: letters and digits");
const paymentIdSchema = z.string().min(1).max(64);
/** Specification, "Resources". Any other text would waste one of the gateway's two queries a minute. */
const gatewayIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9]{32}$/, "must be the gateway's id of a booking: 32 letters or digits");

/** A payment by the register's own reference or by the bridge's id: exactly one of the two. */
export const keyFields = { reference: referenceSchema.optional(), id: paymentIdSchema.optional() };

/**
 * The original of a capture, void, refund or increment. Text is this register's own reference, or else a payment's id.
 */
export const originalKeySchema = z.union(
  [
    referenceSchema,
    z.strictObject({ reference: referenceSchema }),
    z.strictObject({ id: paymentIdSchema }),
    z.strictObject({ gatewayId: gatewayIdSchema }),
  ],
  "must be a reference, a payment's id, or an object with exactly one of reference, id and gatewayId",
);

/** Half open on createdAt. */
const timeSchema = z.iso.datetime("must be ISO 8601 UTC, such as 2026-03-01T00:00:00.000Z").optional();
export const periodFields = { from: timeSchema, to: timeSchema };

export const terminalViewSchema = z.strictObject({
  id: z.string(),
  model: z.string(),
  state: z.enum(["ready", "busy", "offline", "out-of-service"]),
  reason: z.string().optional(),
  serialNumber: z.string().optional(),
  firmware: z.string().optional(),
  connection: z.string(),
  capabilities: z.array(z.string()),
  payment: z.string().optional(),
  queue: z.int().nonnegative(),
  /** Its name for people. */
  label: z.string().optional(),
  /** It is defined in the data folder, not in the configuration file. */
  paired: z.boolean(),
  /** Its device differs from the one in the configuration file. */
  replaced: z.literal(true).optional(),
});

/** The form of the configuration, which also checks the values. */
const connectionSchema = z.strictObject({
  serial: z.string().max(4096).optional(),
  tcp: z.string().max(300).optional(),
  websocket: z.string().max(300).optional(),
  usb: z
    .strictObject({ vendorId: z.int(), productId: z.int(), serialNumber: z.string().max(64).optional() })
    .optional(),
});
const deviceFields = {
  options: z.record(z.string(), z.string().max(64)).optional(),
  deviceType: z.string().max(32).optional(),
  deviceId: z.string().max(32).optional(),
};
export const terminalLabelSchema = z.string().max(64);
export const pairParamsSchema = z.strictObject({
  id: z.string().max(32),
  model: z.string().max(64),
  connection: connectionSchema,
  terminalId: z.string("is missing: it is pos.terminalId, from the acquirer").max(32),
  label: terminalLabelSchema.optional(),
  entityId: z.string().max(32).optional(),
  location: z
    .strictObject({
      latitude: z.string().max(32),
      longitude: z.string().max(32),
      accuracy: z.string().max(32).optional(),
    })
    .optional(),
  ...deviceFields,
});
export const replaceParamsSchema = z.strictObject({
  terminal: terminalIdSchema,
  model: z.string().max(64).optional(),
  connection: connectionSchema.optional(),
  terminalId: z.string().max(32).optional(),
  ...deviceFields,
});

export const openResultSchema = z.strictObject({
  register: z.string(),
  scopes: z.array(z.string()),
  cursor: cursorSchema,
});
export const pingResultSchema = z.strictObject({ now: z.string() });
export const terminalsResultSchema = z.strictObject({ terminals: z.array(terminalViewSchema) });
export const testResultSchema = z.strictObject({ terminal: terminalViewSchema });
/** `warnings`: steps before the terminal takes payments. */
export const pairResultSchema = z.strictObject({ terminal: terminalViewSchema, warnings: z.array(z.string()) });
export const unpairResultSchema = z.strictObject({});
/**
 * `likely`: models, the most likely first; `model`: the assumed one; `usedBy`: the terminal that uses it; `problem`:
 * why it cannot be opened.
 */
export const scanResultSchema = z.strictObject({
  devices: z.array(
    z.strictObject({
      connection: connectionSchema,
      name: z.string(),
      serialNumber: z.string().optional(),
      model: z.string().optional(),
      likely: z.array(z.strictObject({ model: z.string(), title: z.string(), why: z.string() })),
      usedBy: z.string().optional(),
      problem: z.string().optional(),
    }),
  ),
});
export const modelsResultSchema = z.strictObject({
  models: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      connections: z.array(z.enum(["serial", "tcp", "usb", "websocket"])),
      options: z.array(z.strictObject({ name: z.string(), meaning: z.string(), usual: z.string() })),
    }),
  ),
});
export const paymentResultSchema = z.strictObject({ payment: paymentViewSchema });
export const startResultSchema = z.strictObject({
  payment: paymentViewSchema,
  created: z.boolean(),
  warnings: z.array(z.string()),
});
export const cancelResultSchema = z.strictObject({
  cancellation: z.enum(["accepted", "too-late", "already-final"]),
  payment: paymentViewSchema,
});
export const deletionResultSchema = z.strictObject({
  registration: z.string(),
  reference: z.string(),
  deletion: z.enum(["deleted", "already-deleted", "unknown"]),
});
export const listResultSchema = z.strictObject({ payments: z.array(paymentViewSchema), next: z.string().optional() });
export const receiptSchema = z.strictObject({
  copy: z.enum(["merchant", "customer"]),
  lines: z.array(z.strictObject({ key: z.string(), label: z.string(), value: z.string() })),
  text: z.string(),
});
/** The object for `format: "json"`, else the receipt itself; escpos in base64. */
export const receiptResultSchema = z.strictObject({ receipt: z.union([z.string(), receiptSchema]) });
/** `type` is a payment's type; `amount` is in `currency`. */
export const totalsResultSchema = z.strictObject({
  rows: z.array(
    z.strictObject({
      terminal: z.string(),
      type: z.enum(paymentTypes),
      brand: z.string(),
      currency: z.string(),
      count: z.int().positive(),
      amount: z.string(),
    }),
  ),
});
export const subscribeResultSchema = z.strictObject({ cursor: cursorSchema });

/** `shown`: the furthest missing fact that each register knows. */
export const rollbackSchema = z.strictObject({
  number: z.int(),
  noticedAt: z.string(),
  last: z.int(),
  shown: z.array(z.strictObject({ register: z.string(), number: z.int(), at: z.string() })),
  confirmed: z.strictObject({ at: z.string(), by: z.string(), reason: z.string() }).optional(),
});
export const rollbacksResultSchema = z.strictObject({ rollbacks: z.array(rollbackSchema) });
export const rollbackResultSchema = z.strictObject({ rollback: rollbackSchema });

export const helloSchema = z.strictObject({
  bridge: z.strictObject({ name: z.string(), version: z.string(), id: z.string() }),
  environment: z.enum(["test", "live"]),
  api: z.strictObject({ min: z.int(), max: z.int() }),
  nonce: z.string(),
  /** The bridge's public key. */
  key: z.string(),
});
export type Hello = z.infer<typeof helloSchema>;

/** Messages by which a register proves itself with a key. Bytes are base64url without padding. */
const bytesSchema = (count: number, what: string) => {
  const length = Math.ceil((count * 4) / 3);
  return z
    .string()
    .regex(new RegExp(`^[A-Za-z0-9_-]{${length}}$`), `must be ${what} as base64url: ${length} characters`);
};

export const publicKeySchema = bytesSchema(65, "an uncompressed point of P-256");
export const signatureSchema = bytesSchema(64, "an ECDSA signature, r and s,");
const challengeSchema = bytesSchema(32, "32 bytes");

export const challengeParamsSchema = z.strictObject({ challenge: challengeSchema });
export const challengeResultSchema = z.strictObject({ signature: z.string() });
export const sessionPairParamsSchema = z.strictObject({
  name: labelSchema,
  key: publicKeySchema,
  secret: challengeSchema,
});
export const sessionPairResultSchema = z.strictObject({ code: z.string(), expiresAt: z.string() });

/** Notifications to the socket that asked. */
export const pairedSchema = z.strictObject({ register: z.string(), scopes: z.array(z.string()) });
export const pairingRefusedSchema = z.strictObject({ reason: z.enum(["refused", "expired"]) });

/** `known`: the name has a token or key already, so that the new key gets the payments of that register. */
const pendingRegisterSchema = z.strictObject({
  code: z.string(),
  name: z.string(),
  origin: z.string(),
  from: z.string(),
  address: z.string(),
  expiresAt: z.string(),
  known: z.boolean(),
});
export const pendingResultSchema = z.strictObject({ pending: z.array(pendingRegisterSchema), now: z.string() });
export const approveResultSchema = z.strictObject({
  register: z.string(),
  scopes: z.array(z.string()),
  origin: z.string(),
});
export const refuseResultSchema = z.strictObject({ name: z.string(), origin: z.string() });

export const changeSchema = z.strictObject({ cursor: cursorSchema, payment: paymentViewSchema });

export const errorSchema = z.object({
  code: z.int(),
  message: z.string(),
  data: z.object({
    code: z.string(),
    message: z.string(),
    advice: z.enum(["retry", "fix-request", "fix-config", "call-support"]),
    path: z.string().optional(),
    /** The payment in the way, and its register. */
    reference: z.string().optional(),
    register: z.string().optional(),
    /** For `refund-limit`: the limit that applies, and the remainder in the requested currency. */
    per: z.enum(["payment", "day"]).optional(),
    limit: z.string().optional(),
    left: z.string().optional(),
  }),
});
export type WireError = z.infer<typeof errorSchema>;

/** One frame of the bridge, as a register reads it. */
export const frameSchema = z.union([
  z.object({ id: z.union([z.int(), z.null()]), error: errorSchema }),
  z.object({ id: z.int(), result: z.unknown() }),
  z.object({ method: z.string(), params: z.unknown() }),
]);
