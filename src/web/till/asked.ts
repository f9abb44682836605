import { z } from "zod";
import type { RegisterClient } from "../../client/client.ts";
import type { PaymentType } from "../../payment/public.ts";

const TYPES = ["SALE", "PREAUTHORIZATION", "REFUND", "REGISTRATION", "CAPTURE", "VOID", "LINKED_REFUND", "INCREMENT"] as const satisfies readonly PaymentType[];

const reference = z.string();
const amount = z.string();
const paid = { reference, amount, currency: z.string() };
const following = { of: z.union([z.string(), z.object({ id: z.string() })]), reference, cashier: z.string().exactOptional() };

const begun = { reference, terminal: z.string(), currency: z.string() };

/** The calls that begin a payment, with all that they send. Each gives the same payment however often it is sent under one reference. */
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

/** A call that is to be made, without its reference. */
export interface Ask {
  readonly call: z.output<typeof callSchema>["call"];
  readonly params: Readonly<Record<string, unknown>>;
  readonly title: Title;
}

/** What a person calls it, also while the bridge has not answered. */
export interface Title {
  readonly type: PaymentType;
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
}

/** What was asked, whole: enough to find the payment again, and to send the very same once more. */
export const askedSchema = callSchema.and(
  z.object({
    title: z.object({ type: z.enum(TYPES), amount: z.string().optional(), currency: z.string().optional() }),
    /** Whose reference it is, and in whose journal. */
    register: z.string(),
    bridge: z.string(),
    at: z.string(),
    /** The bridge has said that it accepted it. */
    isAccepted: z.literal(true).exactOptional(),
    /** The next customer was served before it was over: a reload does not show it first. */
    isLaidAside: z.literal(true).exactOptional(),
  }),
);
export type Asked = z.output<typeof askedSchema>;

export type AskingClient = Pick<RegisterClient, "startPayment" | "createLink" | "payRegistration" | "capture" | "refund" | "increment" | "void">;

/** Makes the call. */
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
