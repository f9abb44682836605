import { z } from "zod";
import { labelSchema } from "./schemas.ts";

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
export const challengeResultSchema = z.strictObject({ signature: signatureSchema });
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
