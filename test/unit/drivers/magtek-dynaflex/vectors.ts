import { readFileSync } from "node:fs";
import { z } from "zod";

const hex = z.string().regex(/^([0-9A-F]{2})*$/);
const messageSchema = z.object({
  hex,
  ref: z.int(),
  number: hex,
  is: z.enum(["request", "response", "notification"]),
  summary: z.int().optional(),
  detail: hex.optional(),
  code: hex.optional(),
  payload: hex,
  meaning: z.string(),
  source: z.string(),
});
const fileSchema = z.object({
  messages: z.array(messageSchema),
  realArqc: z.object({
    blob: hex,
    serialNumber: z.string(),
    masked: z.string(),
    cardType: hex,
    ksn: hex,
    encryptedBytes: z.int(),
  }),
  maskedSample: z.object({ clear: z.string(), masked: z.string() }),
  synthetic: z.object({
    bdk: hex,
    ksn: hex,
    dataKeyVariant: hex,
    macKeyVariant: hex,
    arqcPlain: hex,
    arqcPadBytes: z.int(),
    arqcCipher: hex,
    arqcBlob: hex,
    arqcNotification: hex,
    arqcHidReports: z.array(hex),
    batchBlobApproved: hex,
    batchNotification: hex,
    startTxnFullEmv: hex,
    resumeTxn: hex,
    cancel: hex,
    notifInserted: hex,
    notifApproved: hex,
    notifDeclined: hex,
    notifTimeout: hex,
    notifCancelHost: hex,
    notifMsrFallback: hex,
    pin: z.object({ pin: z.string(), pan: z.string(), ksn: hex, epb: hex }),
    pinNotification: hex,
  }),
});

/**
 * Published messages of MagTek devices, and a synthetic set under published keys that neither driver nor simulator
 * made; every part names its source.
 */
export const vectors = fileSchema.parse(
  JSON.parse(readFileSync(new URL("../../../vectors/magtek-dynaflex.json", import.meta.url), "utf8")),
);
