import { z } from "zod";
import { entryModeSchema } from "./fact/operation.ts";

/** The register's view of a payment; openrpc.json is generated from it. */
export const paymentTypes = [
  "SALE",
  "PREAUTHORIZATION",
  "REFUND",
  "REGISTRATION",
  "CAPTURE",
  "VOID",
  "LINKED_REFUND",
  "INCREMENT",
] as const;
export type PaymentType = (typeof paymentTypes)[number];
export const states = [
  "CREATED",
  "QUEUED",
  "AWAITING_CARD",
  "AUTHORIZING",
  "COMPLETING",
  "RESOLVING",
  "REVERSING",
  "FINAL",
] as const;
export const outcomes = ["APPROVED", "PARTIALLY_APPROVED", "DECLINED", "CANCELLED", "FAILED"] as const;
export const advices = [
  "retry",
  "other-card",
  "use-chip",
  "wait",
  "retry-later",
  "do-not-retry",
  "refund",
  "call-support",
] as const;

const reasonSchema = z
  .strictObject({
    code: z.string().describe("One of the reasons below. The list grows."),
    message: z.string().describe("For the cashier, in English."),
    advice: z
      .enum(advices)
      .describe("What to do now. The list may grow: take one that you do not know for `call-support`."),
  })
  .describe("Why it is not approved, or why it is still open.");
export type Reason = z.infer<typeof reasonSchema>;
export const outcomeSchema = z.enum(outcomes);
export type Outcome = z.infer<typeof outcomeSchema>;

const promptSchema = z
  .strictObject({
    code: z.string().describe("One of the prompts below. The list grows."),
    text: z.string().describe("The same in English. Show it."),
    removeCard: z.literal(true).describe("The card must come out as well.").optional(),
  })
  .describe("What the cashier sees now, while a terminal works for the payment.");

const linkSchema = z
  .strictObject({
    url: z.string().describe("The page on which the customer pays."),
    qr: z.string().describe("The same as a QR code: the text of an SVG image. A list leaves it out.").optional(),
    validUntil: z.string().describe("When it expires."),
  })
  .describe("The payment link, while the customer can pay by it.");

const cardSchema = z
  .strictObject({
    brand: z.string().describe("As the gateway names it: VISA, MASTER, AMEX."),
    bin: z.string().describe("The first six digits.").optional(),
    last4: z.string().describe("The last four digits. Absent if neither terminal nor gateway tells them.").optional(),
    entryMode: entryModeSchema.describe("How the card was read."),
    applicationLabel: z.string().describe("The application's name on the chip.").optional(),
    cvm: z.string().describe("How the customer was verified.").optional(),
  })
  .describe("The presented card. Never more of its number than this.");

const authorizationSchema = z
  .strictObject({
    code: z.string().describe("The approval code.").optional(),
    responseCode: z.string().describe("The issuer's response code.").optional(),
    rrn: z.string().describe("The retrieval reference number.").optional(),
    merchantId: z.string().describe("The shop's number at the acquirer.").optional(),
    terminalId: z.string().describe("The terminal's number at the acquirer. Empty without a terminal."),
    sequenceNumber: z
      .string()
      .describe("The bridge's own number of this request; no other request has it. Empty without a terminal."),
  })
  .describe("What issuer and acquirer told of an approval, as far as the gateway passes it on.");

const attemptSchema = z.strictObject({
  merchantTransactionId: z.string().describe("The bridge's name of the request."),
  id: z.string().describe("The gateway's id of it.").optional(),
  paymentType: z.string().describe("The gateway's payment type: PA, CP, DB, RV, RF, CD, RG."),
  amount: z.string().describe("Its amount.").optional(),
  resultCode: z.string().describe("The gateway's result code.").optional(),
});

const gatewaySchema = z
  .strictObject({
    id: z.string().describe("The gateway's id of the booking. Its back office finds the payment by it.").optional(),
    resultCode: z.string().describe("The gateway's result code.").optional(),
    resultDescription: z.string().describe("The gateway's text for it.").optional(),
    registrationId: z.string().describe("The stored card: `registration` of later calls.").optional(),
    initialTransactionId: z
      .string()
      .describe("The first payment of an agreement: repeat it in `standingInstruction` of the later ones.")
      .optional(),
    agreementId: z.string().describe("The same with Mastercard.").optional(),
    attempts: z.array(attemptSchema).describe("The requests to the gateway, oldest first."),
  })
  .describe("How the gateway knows the payment.");

const emvSchema = z
  .strictObject({
    aid: z.string().describe("The application's identifier (4F)."),
    applicationLabel: z.string().describe("The application's name (50).").optional(),
    tvr: z.string().describe("Terminal verification results (95).").optional(),
    tsi: z.string().describe("Transaction status information (9B).").optional(),
    cryptogram: z.string().describe("The card's last cryptogram (9F26).").optional(),
    cryptogramType: z
      .enum(["ARQC", "TC", "AAC"])
      .describe("What the cryptogram is: request, approval or refusal.")
      .optional(),
    arc: z.string().describe("Authorization response code (8A).").optional(),
  })
  .describe("What a receipt says of a chip.");

export const paymentViewSchema = z
  .strictObject({
    id: z.string().describe("The bridge's id of it."),
    reference: z.string().describe("The register's own key of it."),
    type: z.enum(paymentTypes).describe("What it does."),
    register: z.string().describe("The register that asked for it."),
    terminal: z.string().describe("Its terminal. Empty without one."),
    registration: z.string().describe("The stored card that pays.").optional(),
    cashier: z.string().describe("As the register said it.").optional(),
    order: z.string().describe("As the register said it.").optional(),
    amount: z.string().describe("What was asked for. A REGISTRATION has none.").optional(),
    currency: z.string().describe("ISO 4217."),
    tip: z.string().describe("The part of `amount` that is a tip.").optional(),
    approvedAmount: z.string().describe("What was approved. Less than `amount` after a partial approval.").optional(),
    capturedAmount: z.string().describe("What was captured so far.").optional(),
    refundedAmount: z.string().describe("What was refunded so far.").optional(),
    environment: z.enum(["test", "live"]).describe("In `test` no money moves."),
    state: z.enum(states).describe("Where it stands. Only FINAL is the end."),
    decision: z
      .enum(["approved", "not-approved"])
      .describe("There as soon as it can no longer change. Goods leave on `approved` alone.")
      .optional(),
    outcome: outcomeSchema.describe("How it ended. Only with FINAL.").optional(),
    reason: reasonSchema.optional(),
    prompt: promptSchema.optional(),
    link: linkSchema.optional(),
    capture: z
      .enum(["pending", "captured", "failed"])
      .describe("The second message of a sale. The goods need not wait for it; the shop looks at a `failed` one.")
      .optional(),
    review: z
      .boolean()
      .describe("Approved, and marked by the gateway's risk check: look before goods are sent.")
      .optional(),
    held: z.boolean().describe("Declined, and the issuer keeps the amount reserved for some days.").optional(),
    lateBooking: z
      .boolean()
      .describe("A booking showed up after the payment was closed without one. It is reversed; the outcome stays.")
      .optional(),
    voidedBy: z.string().describe("The id of the void that reversed it.").optional(),
    of: z.string().describe("Of a follow-up: the id of its original.").optional(),
    card: cardSchema.optional(),
    authorization: authorizationSchema.optional(),
    gateway: gatewaySchema.optional(),
    emv: emvSchema.optional(),
    createdAt: z.string().describe("When it was accepted."),
    updatedAt: z.string().describe("When it last changed. Of two views the later one counts."),
  })
  .describe("The payment as it stands.");
export type PaymentView = z.infer<typeof paymentViewSchema>;
