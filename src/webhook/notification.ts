import { z } from "zod";

/**
 * The used part of a notification (specification, "Webhook notifications"). New fields may come at any time and are
 * ignored.
 */
const notificationSchema = z.looseObject({
  type: z.string().regex(/^[A-Za-z_]{1,32}$/),
  payload: z.looseObject({
    id: z
      .string()
      .regex(/^[A-Za-z0-9]{1,64}$/)
      .optional(),
    merchantTransactionId: z.string().max(255).optional(),
    referencedId: z
      .string()
      .regex(/^[A-Za-z0-9]{1,64}$/)
      .optional(),
    timestamp: z.string().max(64).optional(),
    result: z.looseObject({ code: z.string().regex(/^[0-9.]{2,11}$/) }).optional(),
  }),
});
export type Notification = z.infer<typeof notificationSchema>;

/** Undefined: the bytes hold no notification. */
export function readNotification(plain: Uint8Array): Notification | undefined {
  try {
    return notificationSchema.safeParse(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(plain))).data;
  } catch {
    // Neither text nor JSON.
    return undefined;
  }
}
