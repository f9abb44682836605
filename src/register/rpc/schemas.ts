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

export const referenceSchema = printable(64).describe(
  "The register's own key of this payment: written down first, never used twice.",
);
export const labelSchema = printable(64);
export const descriptionSchema = printable(255);
export const terminalIdSchema = printable(64).describe("The terminal's id.");
export const reasonSchema = printable(500);
export const cursorSchema = z
  .string()
  .min(1)
  .max(64)
  .describe("Where this register is in the stream of changes. Keep the highest.");
/** Parsed once the currency, and with it the number of decimals, is known. */
export const amountSchema = z
  .string('must be a decimal string such as "12.34"')
  .max(32)
  .describe('With exactly the currency\'s decimals: "12.34" EUR, "1200" JPY.');
export const currencySchema = z
  .string()
  .regex(/^[A-Z]{3}$/, "must be three capital letters (ISO 4217)")
  .describe("ISO 4217, without or with two decimals.");
/** How often a PREAUTHORIZATION may be captured (specification, "Basic payment parameters"). */
export const numberOfCapturesSchema = z
  .int()
  .min(1)
  .max(98)
  .describe("PREAUTHORIZATION: how often it may be captured. `unsupported` above 1 if the channel takes one capture.");
/** The gateway's id of a stored card: a payment's `gateway.registrationId`. */
export const registrationSchema = z
  .string()
  .regex(/^[A-Za-z0-9]{1,64}$/, "must be the gateway's id of a stored card: letters and digits")
  .describe("The stored card: `gateway.registrationId` of the payment that stored it.");
const paymentIdSchema = z.string().min(1).max(64);
/** Specification, "Resources". Any other text would waste one of the gateway's two queries a minute. */
const gatewayIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9]{32}$/, "must be the gateway's id of a booking: 32 letters or digits");

/** A payment by the register's own reference or by the bridge's id: exactly one of the two. */
export const keyFields = {
  reference: referenceSchema.describe("Of a payment of this register. One of `reference` and `id`.").optional(),
  id: paymentIdSchema.describe("The bridge's id of any payment that this session may read.").optional(),
};

/**
 * The original of a capture, void, refund or increment. Text is this register's own reference, or else a payment's id.
 */
export const originalKeySchema = z
  .union(
    [
      referenceSchema,
      z.strictObject({ reference: referenceSchema.describe("Of this register.") }),
      z.strictObject({ id: paymentIdSchema.describe("A payment's id.") }),
      z.strictObject({ gatewayId: gatewayIdSchema.describe("A booking at the gateway.") }),
    ],
    "must be a reference, a payment's id, or an object with exactly one of reference, id and gatewayId",
  )
  .describe(
    "The original: a reference of this register, or a payment's id, as text; or an object that says which. `gatewayId` names a booking at the gateway.",
  );

/** Half open on createdAt. */
const timeSchema = z.iso.datetime("must be ISO 8601 UTC, such as 2026-03-01T00:00:00.000Z");
export const periodFields = {
  from: timeSchema.describe("Payments created at this time or later.").optional(),
  to: timeSchema.describe("Payments created before this time.").optional(),
};

export const terminalViewSchema = z
  .strictObject({
    id: z.string().describe("Its id. It never changes: payments name it."),
    model: z.string().describe("Its model."),
    state: z.enum(["ready", "busy", "offline", "out-of-service"]).describe("Whether it takes a payment now."),
    reason: z.string().describe("Why it is not ready.").optional(),
    serialNumber: z.string().describe("As the device told it.").optional(),
    firmware: z.string().describe("As the device told it.").optional(),
    connection: z.string().describe("How it is connected."),
    capabilities: z
      .array(z.string())
      .describe("What it can do: `chip`, `contactless`, `online-pin`, `display` and more."),
    payment: z.string().describe("The reference of the payment that holds it.").optional(),
    queue: z.int().nonnegative().describe("How many payments wait for it."),
    label: z.string().describe("Its name for people.").optional(),
    paired: z.boolean().describe("Whether it is defined in the data folder instead of the configuration file."),
    replaced: z.literal(true).describe("Its device is another one than the configuration file says.").optional(),
  })
  .describe("The terminal as it stands.");

/** The form of the configuration, which also checks the values. */
const connectionSchema = z
  .strictObject({
    serial: z.string().max(4096).describe("An absolute path: `/dev/serial/by-id/...`.").optional(),
    tcp: z.string().max(300).describe("`host:port`.").optional(),
    websocket: z.string().max(300).describe("`host:port`.").optional(),
    usb: z
      .strictObject({
        vendorId: z.int().describe("USB vendor."),
        productId: z.int().describe("USB product."),
        serialNumber: z.string().max(64).describe("Of the device, if several are alike.").optional(),
      })
      .describe("A USB device.")
      .optional(),
  })
  .describe("The device's connection: exactly one of its members.");
const deviceFields = {
  options: z
    .record(z.string(), z.string().max(64))
    .describe("Options of the model, as in the configuration.")
    .optional(),
  deviceType: z.string().max(32).describe("The device as the acquirer names it.").optional(),
  deviceId: z.string().max(32).describe("The device's number at the acquirer, digits.").optional(),
};
export const terminalLabelSchema = z.string().max(64).describe("Its name for people. Empty: none.");
const modelSchema = z.string().max(64).describe("An `id` of `terminals.models`.");
export const pairParamsSchema = z.strictObject({
  id: z.string().max(32).describe("The terminal's id from now on."),
  model: modelSchema,
  connection: connectionSchema,
  terminalId: z
    .string("is missing: it is pos.terminalId, from the acquirer")
    .max(32)
    .describe("The terminal's number at the acquirer (`pos.terminalId`)."),
  label: terminalLabelSchema.optional(),
  entityId: z.string().max(32).describe("The gateway's channel, if not the shop's.").optional(),
  location: z
    .strictObject({
      latitude: z.string().max(32).describe("Degrees."),
      longitude: z.string().max(32).describe("Degrees."),
      accuracy: z.string().max(32).describe("Metres.").optional(),
    })
    .describe("Where it stands.")
    .optional(),
  ...deviceFields,
});
export const replaceParamsSchema = z.strictObject({
  terminal: terminalIdSchema,
  model: modelSchema.optional(),
  connection: connectionSchema.optional(),
  terminalId: z.string().max(32).describe("The terminal's number at the acquirer, if it is new.").optional(),
  ...deviceFields,
});

const warningsSchema = z.array(z.string());
export const openResultSchema = z.strictObject({
  register: z.string().describe("The token's register."),
  scopes: z.array(z.string()).describe("What the token allows."),
  cursor: cursorSchema,
});
export const pingResultSchema = z.strictObject({ now: z.string().describe("The bridge's time.") });
export const terminalsResultSchema = z.strictObject({
  terminals: z.array(terminalViewSchema).describe("Every terminal."),
});
export const testResultSchema = z.strictObject({ terminal: terminalViewSchema });
export const pairResultSchema = z.strictObject({
  terminal: terminalViewSchema,
  warnings: warningsSchema.describe("What is left to do before it takes payments."),
});
export const unpairResultSchema = z.strictObject({});
const likelySchema = z.strictObject({
  model: z.string().describe("A model."),
  title: z.string().describe("Its name."),
  why: z.string().describe("What speaks for it."),
});
const deviceSchema = z.strictObject({
  connection: connectionSchema,
  name: z.string().describe("The device's name on this machine."),
  serialNumber: z.string().describe("As the system tells it.").optional(),
  model: z.string().describe("The model, if one is likely enough.").optional(),
  likely: z.array(likelySchema).describe("Possible models, the most likely first."),
  usedBy: z.string().describe("The terminal that uses it.").optional(),
  problem: z.string().describe("Why the bridge cannot open it, and what to do.").optional(),
});
export const scanResultSchema = z.strictObject({ devices: z.array(deviceSchema).describe("What is plugged in.") });
const optionSchema = z.strictObject({
  name: z.string().describe("Its name."),
  meaning: z.string().describe("What it sets."),
  usual: z.string().describe("Its value if nothing is said."),
});
const modelViewSchema = z.strictObject({
  id: z.string().describe("What `model` takes."),
  title: z.string().describe("Its name."),
  connections: z.array(z.enum(["serial", "tcp", "usb", "websocket"])).describe("How it can be connected."),
  options: z.array(optionSchema).describe("What can be set for it."),
});
export const modelsResultSchema = z.strictObject({ models: z.array(modelViewSchema).describe("Every model.") });
export const paymentResultSchema = z.strictObject({ payment: paymentViewSchema });
export const startResultSchema = z.strictObject({
  payment: paymentViewSchema,
  created: z.boolean().describe("`false`: it had been accepted before, and this call changed nothing."),
  warnings: warningsSchema.describe("Show them to the cashier: an undecided payment of the same amount, for example."),
});
export const cancelResultSchema = z.strictObject({
  cancellation: z
    .enum(["accepted", "too-late", "already-final"])
    .describe("`accepted`: it ends as not approved. `too-late`: its own outcome counts."),
  payment: paymentViewSchema,
});
export const deletionResultSchema = z.strictObject({
  registration: z.string().describe("The stored card."),
  reference: z.string().describe("The call's own key."),
  deletion: z
    .enum(["deleted", "already-deleted", "unknown"])
    .describe("`already-deleted`: no channel of the shop has it. `unknown`: the bridge goes on; ask again later."),
});
export const listResultSchema = z.strictObject({
  payments: z.array(paymentViewSchema).describe("Newest first."),
  next: z.string().describe("`after` of the next page. Absent on the last one.").optional(),
});
const receiptLineSchema = z.strictObject({
  key: z.string().describe("The same in every language."),
  label: z.string().describe("What the line is, in the receipt's language."),
  value: z.string().describe("Its content."),
});
export const receiptSchema = z
  .strictObject({
    copy: z.enum(["merchant", "customer"]).describe("Whose copy it is."),
    lines: z.array(receiptLineSchema).describe("To lay out oneself."),
    text: z.string().describe("The same as plain text."),
  })
  .describe("The receipt of the format `json`.");
export const receiptResultSchema = z.strictObject({
  receipt: z.union([z.string(), receiptSchema]).describe("An object for `json`, else text; `escpos` is in base64."),
});
const totalsRowSchema = z.strictObject({
  terminal: z.string().describe("Empty for payments without a terminal."),
  type: z.enum(paymentTypes).describe("A payment's type."),
  brand: z.string().describe("The card's brand. `UNKNOWN` if no card was presented, or this journal does not know it."),
  currency: z.string().describe("ISO 4217."),
  count: z.int().positive().describe("How many payments."),
  amount: z.string().describe("The sum of their `approvedAmount`."),
});
export const totalsResultSchema = z.strictObject({
  rows: z.array(totalsRowSchema).describe("One row for each terminal, type, brand and currency."),
});
export const subscribeResultSchema = z.strictObject({ cursor: cursorSchema });

const shownSchema = z.strictObject({
  register: z.string().describe("A register."),
  number: z.int().describe("The furthest missing fact that it has heard of."),
  at: z.string().describe("When it said so."),
});
export const rollbackSchema = z
  .strictObject({
    number: z.int().describe("1 for the first."),
    noticedAt: z.string().describe("When it was noticed."),
    last: z.int().describe("The last fact that was there."),
    shown: z.array(shownSchema).describe("What registers have heard of and the folder lacks."),
    confirmed: z
      .strictObject({
        at: z.string().describe("When."),
        by: z.string().describe("By whom, and at which register."),
        reason: z.string().describe("Why."),
      })
      .describe("A technician's confirmation, kept for ever.")
      .optional(),
  })
  .describe("One time that the data folder was put back.");
export const rollbacksResultSchema = z.strictObject({
  rollbacks: z
    .array(rollbackSchema)
    .describe("Oldest first. While the last one has no `confirmed`, no payment starts."),
});
export const rollbackResultSchema = z.strictObject({ rollback: rollbackSchema });

export const helloSchema = z.strictObject({
  bridge: z
    .strictObject({
      name: z.string().describe("`posbridge`."),
      version: z.string().describe("The program's version."),
      id: z.string().describe("The data folder's id."),
    })
    .describe("Who answers."),
  environment: z.enum(["test", "live"]).describe("In `test` no money moves."),
  api: z
    .strictObject({ min: z.int().describe("The oldest."), max: z.int().describe("The newest.") })
    .describe("Versions of the API that it speaks."),
  nonce: z.string().describe("A random text, new on every socket."),
  key: z.string().describe("The bridge's public key. A page that was paired proves the bridge by it."),
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

export const challengeParamsSchema = z.strictObject({
  challenge: challengeSchema.describe("Before pairing the SHA-256 of the commitment; later 32 random bytes."),
});
export const challengeResultSchema = z.strictObject({
  signature: z.string().describe("The bridge's signature of challenge, nonce and address."),
});
export const sessionPairParamsSchema = z.strictObject({
  name: labelSchema.describe("The register's name."),
  key: publicKeySchema.describe("The register's public key."),
  secret: challengeSchema.describe("What the challenge committed to."),
});
export const sessionPairResultSchema = z.strictObject({
  code: z.string().describe("Compute it instead of believing it."),
  expiresAt: z.string().describe("When it ends."),
});

/** Notifications to the socket that asked. */
export const pairedSchema = z.strictObject({
  register: z.string().describe("Its name from now on."),
  scopes: z.array(z.string()).describe("What its sessions allow."),
});
export const pairingRefusedSchema = z.strictObject({
  reason: z.enum(["refused", "expired"]).describe("Whether a technician refused it, or its time was over."),
});

const pendingRegisterSchema = z.strictObject({
  code: z.string().describe("What its screen shows too."),
  name: z.string().describe("The name that it asks for."),
  origin: z.string().describe("The page's origin, or `none`."),
  from: z.string().describe("The other side's address and port."),
  address: z.string().describe("The bridge's address that it connected to."),
  expiresAt: z.string().describe("When its code ends."),
  known: z.boolean().describe("The name has a token or key already: the new key gets that register's payments."),
});
export const pendingResultSchema = z.strictObject({
  pending: z.array(pendingRegisterSchema).describe("None or one."),
  now: z.string().describe("The bridge's time."),
});
export const approveResultSchema = z.strictObject({
  register: z.string().describe("The register's name."),
  scopes: z.array(z.string()).describe("What its sessions allow."),
  origin: z.string().describe("The origin for which its key works."),
});
export const refuseResultSchema = z.strictObject({
  name: z.string().describe("The name that it asked for."),
  origin: z.string().describe("Its origin."),
});

export const changeSchema = z.strictObject({ cursor: cursorSchema, payment: paymentViewSchema });

const errorDataSchema = z.object({
  code: z.string().describe("Read this one. The errors below; the list grows."),
  message: z.string().describe("What was wrong with which field, and what to do. In English."),
  advice: z
    .enum(["retry", "fix-request", "fix-config", "call-support"])
    .describe("What helps. `retry`: the same call again, later, with the same reference."),
  path: z.string().describe("The field.").optional(),
  reference: z.string().describe("The payment in the way, if this session may know it.").optional(),
  register: z.string().describe("The register of that payment.").optional(),
  per: z.enum(["payment", "day"]).describe("`refund-limit`: which limit.").optional(),
  limit: z.string().describe("`refund-limit`: how much it is.").optional(),
  left: z.string().describe("`refund-limit`: how much may still be given back, in the currency asked for.").optional(),
});
export const errorSchema = z
  .object({
    code: z.int().describe("The number of JSON-RPC."),
    message: z.string().describe("As in `data`."),
    data: errorDataSchema.describe("What a program reads."),
  })
  .describe("A call that was refused.");
export type WireError = z.infer<typeof errorSchema>;

/** One frame of the bridge, as a register reads it. */
export const frameSchema = z.union([
  z.object({ id: z.union([z.int(), z.null()]), error: errorSchema }),
  z.object({ id: z.int(), result: z.unknown() }),
  z.object({ method: z.string(), params: z.unknown() }),
]);
