import { z } from "zod";

/* Replies of the sandbox gateway under /sandbox/v1/ (docs/sandbox.md), as far as this page shows them. */

const bookingSchema = z.object({
  id: z.string(),
  paymentType: z.string(),
  amount: z.string().optional(),
  currency: z.string().optional(),
  merchantTransactionId: z.string().optional(),
  referencedId: z.string().optional(),
  resultCode: z.string(),
  resultText: z.string(),
  receivedAt: z.string(),
  hiddenUntil: z.string().optional(),
});
export type Booking = z.infer<typeof bookingSchema>;
export const ledgerSchema = z.object({ bookings: z.array(bookingSchema) });

const requestSchema = z.object({
  n: z.number(),
  at: z.string(),
  method: z.string(),
  path: z.string(),
  paymentType: z.string().optional(),
  merchantTransactionId: z.string().optional(),
  amount: z.string().optional(),
  currency: z.string().optional(),
  faults: z.array(z.string()),
  status: z.number().optional(),
  resultCode: z.string().optional(),
  resultText: z.string().optional(),
});
export type Asked = z.infer<typeof requestSchema>;
export const requestsSchema = z.object({ requests: z.array(requestSchema) });

const faultSchema = z.object({ do: z.union([z.string(), z.object({ result: z.string() })]), times: z.number() });
export type OrderedFault = z.infer<typeof faultSchema>;
export const faultsSchema = z.object({ faults: z.array(faultSchema) });
