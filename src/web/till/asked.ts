import { z } from "zod";
import type { RegisterClient } from "../../client/client.ts";
import type { PaymentType } from "../../payment/view-schema.ts";

const TYPES = [
  "SALE",
  "PREAUTHORIZATION",
  "REFUND",
  "REGISTRATION",
  "CAPTURE",
  "VOID",
  "LINKED_REFUND",
  "INCREMENT",
] as const satisfies readonly PaymentType[];

const reference = z.string();
const amount = z.string();
const paid = { reference, amount, currency: z.string() };
const following = {
  of: z.union([z.string(), z.object({ id: z.string() })]),
  reference,
  cashier: z.string().exactOptional(),
};

const begun = { reference, terminal: z.string(), currency: z.string() };

/** Calls that start a payment, with all their parameters. Each is idempotent under its reference. */
const callSchema = z.discriminatedUnion("call", [
  z.object({
    call: z.literal("payment.start"),
    params: z.union([
      z.looseObject({ ...begun, type: z.enum(["SALE", "PREAUTHORIZATION", "REFUND"]), amount }),
      z.looseObject({ ...begun, type: z.literal("REGISTRATION") }),
    ]),
  }),
  z.object({ call: z.literal("link.create"), params: z.looseObject(paid) }),
  z.object({ call: z.literal("registration.pay"), params: z.looseObject({ ...paid, registration: z.string() }) }),
  z.object({ call: z.literal("payment.capture"), params: z.object({ ...following, amount: amount.exactOptional() }) }),
  z.object({ call: z.literal("payment.refund"), params: z.object({ ...following, amount: amount.exactOptional() }) }),
  z.object({ call: z.literal("payment.increment"), params: z.object({ ...following, amount }) }),
  z.object({ call: z.literal("payment.void"), params: z.object(following) }),
]);

/** A planned call without its reference. */
export interface Ask {
  readonly call: z.output<typeof callSchema>["call"];
  readonly params: Readonly<Record<string, unknown>>;
  readonly title: Title;
}

/** The payment's title, also before the bridge answers. */
export interface Title {
  readonly type: PaymentType;
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
}

/** The whole request: enough to find the payment, and to send the identical request again. */
export const askedSchema = callSchema.and(
  z.object({
    title: z.object({ type: z.enum(TYPES), amount: z.string().optional(), currency: z.string().optional() }),
    /** Register and journal of the reference. */
    register: z.string(),
    bridge: z.string(),
    at: z.string(),
    /** The bridge has confirmed the acceptance. */
    isAccepted: z.literal(true).exactOptional(),
    /** Laid aside for the next customer before its end, so a reload does not show it first. */
    isLaidAside: z.literal(true).exactOptional(),
  }),
);
export type Asked = z.output<typeof askedSchema>;

export type AskingClient = Pick<
  RegisterClient,
  "startPayment" | "createLink" | "payRegistration" | "capture" | "refund" | "increment" | "void"
>;

export function sendAsked(client: AskingClient, asked: Asked): ReturnType<RegisterClient["startPayment"]> {
  switch (asked.call) {
    case "payment.start":
      return client.startPayment(asked.params);
    case "link.create":
      return client.createLink(asked.params);
    case "registration.pay":
      return client.payRegistration(asked.params);
    case "payment.capture":
      return client.capture(asked.params);
    case "payment.refund":
      return client.refund(asked.params);
    case "payment.increment":
      return client.increment(asked.params);
    case "payment.void":
      return client.void(asked.params);
  }
}
