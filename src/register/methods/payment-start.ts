import { z } from "zod";
import { passthroughShape } from "../../gateway/parameters/passthrough.ts";
import type { StartRequest } from "../../payment/request.ts";
import { acceptUnder } from "../rpc/accept-payment.ts";
import type { Ran } from "../rpc/call-result.ts";
import { fingerprintOf } from "../rpc/fingerprint.ts";
import { LIMITS } from "../rpc/limits.ts";
import { type Context, defineMethod, refuse } from "../rpc/method.ts";
import {
  amountSchema,
  currencySchema,
  labelSchema,
  numberOfCapturesSchema,
  referenceSchema,
  startResultSchema,
  terminalIdSchema,
} from "../rpc/schemas.ts";
import { cardNumberIn, sentSchema } from "../rpc/sent-fields.ts";
import { readMoney } from "./start-money.ts";

const ENTRY_MODES = ["chip", "contactless", "magstripe", "manual"] as const;

export const startParams = z.strictObject({
  reference: referenceSchema,
  type: z
    .enum(["SALE", "PREAUTHORIZATION", "REFUND", "REGISTRATION"])
    .describe("REFUND: a credit to a presented card, scope `unlinked-refunds`. REGISTRATION: stores a card."),
  terminal: terminalIdSchema,
  currency: currencySchema,
  amount: amountSchema
    .describe("More than zero, with exactly the currency's decimals. Required, but for a REGISTRATION, which has none.")
    .optional(),
  tip: amountSchema.describe("SALE, PREAUTHORIZATION: the part of `amount` that is a tip.").optional(),
  entryModes: z
    .array(z.enum(ENTRY_MODES))
    .min(1)
    .max(ENTRY_MODES.length)
    .describe(
      "How the card may be read. Absent: every way of the terminal but `manual`, which has to be asked for alone.",
    )
    .optional(),
  allowPartialApproval: z
    .boolean()
    .describe("SALE, PREAUTHORIZATION: the issuer may approve less. Absent: a part is reversed.")
    .optional(),
  createRegistration: z.boolean().describe("SALE, PREAUTHORIZATION: also stores the card.").optional(),
  numberOfCaptures: numberOfCapturesSchema.optional(),
  ...passthroughShape,
  cashier: labelSchema.describe("Shown with the payment.").optional(),
  order: labelSchema.describe("What is sold. No second payment of an order starts while one is undecided.").optional(),
  expiresInMs: z
    .int()
    .min(LIMITS.expiryMinMs)
    .max(LIMITS.expiryMaxMs)
    .describe("How long it may wait for its terminal or for the disk before it ends with `request-expired`.")
    .optional(),
  queue: z.boolean().describe("Wait for a busy terminal instead of `terminal-busy`.").optional(),
  despite: referenceSchema.describe("The undecided payment of the same order that the cashier knows about.").optional(),
});
type Params = z.output<typeof startParams>;

/** Types that the session may not start, checked first. */
function notStartable({ type }: Params, scopes: readonly string[]): Ran<never> | undefined {
  if (type !== "REFUND" || scopes.includes("unlinked-refunds")) return undefined;
  return refuse(
    "forbidden",
    "a REFUND without its payment needs the scope unlinked-refunds: ask for a token that has it",
    "fix-config",
    "type",
  );
}

/** Refuses fields without meaning for the type, so that no register believes they took effect. */
function meaningless({
  type,
  tip,
  allowPartialApproval,
  createRegistration,
  numberOfCaptures,
  taxAmount,
  discountAmount,
}: Params): Ran<never> | undefined {
  const invalid = (path: string, message: string): Ran<never> => ({ ok: false, invalid: { path, message } });
  if (type !== "PREAUTHORIZATION" && numberOfCaptures !== undefined)
    return invalid("numberOfCaptures", `means nothing for a ${type}: leave it out`);
  if (type === "SALE" || type === "PREAUTHORIZATION") return undefined;
  if (tip !== undefined) return invalid("tip", `is no part of a ${type}: leave it out`);
  if (allowPartialApproval === true)
    return invalid("allowPartialApproval", `means nothing for a ${type}: leave it out`);
  if (type === "REGISTRATION" && taxAmount !== undefined)
    return invalid("taxAmount", "is no part of a REGISTRATION: leave it out");
  if (type === "REGISTRATION" && discountAmount !== undefined)
    return invalid("discountAmount", "is no part of a REGISTRATION: leave it out");
  if (createRegistration !== true) return undefined;
  return invalid(
    "createRegistration",
    type === "REGISTRATION"
      ? "is what a REGISTRATION does anyway: leave it out"
      : "means nothing for a REFUND: leave it out",
  );
}

function requestOf(given: Params): Ran<StartRequest> {
  const { reference, type, terminal, entryModes, tip: _tip, amount: _amount, currency: _currency, ...rest } = given;
  const {
    allowPartialApproval = false,
    createRegistration,
    numberOfCaptures,
    cashier,
    order,
    expiresInMs,
    queue = false,
    despite,
    ...passed
  } = rest;
  const money = readMoney(given);
  if (!money.ok) return money;
  const request: StartRequest = {
    reference,
    type,
    terminal,
    ...money.value,
    ...(entryModes && { entryModes: [...new Set(entryModes)] }),
    allowPartialApproval,
    ...(createRegistration === true && { createRegistration }),
    ...(numberOfCaptures !== undefined && { numberOfCaptures }),
    ...(cashier !== undefined && { cashier }),
    ...(order !== undefined && { order }),
    ...(expiresInMs !== undefined && { expiresInMs }),
    queue,
    ...(despite !== undefined && { despite }),
    parameters: sentSchema.parse(passed),
    fingerprint: fingerprintOf(sentSchema.parse(given)),
  };
  return { ok: true, value: request };
}

async function start(context: Context, given: Params): Promise<Ran<z.input<typeof startResultSchema>>> {
  const { payments, caller, session } = context;
  const refusal = cardNumberIn(given) ?? notStartable(given, session.scopes) ?? meaningless(given);
  if (refusal !== undefined) return refusal;
  const request = requestOf(given);
  if (!request.ok) return request;
  return acceptUnder(context, given.reference, () => payments.start(caller, request.value));
}

export const paymentStart = defineMethod({
  name: "payment.start",
  summary:
    "Starts a payment. Answers as soon as it is on disk; the same reference with the same content gives the same payment, for ever.",
  notes: [
    "The reply says that the payment is on disk, not that anything is paid.",
    "The same content is the same JSON in any order of members; `queue`, `expiresInMs` and `despite` do not count.",
    "A field that means nothing for the type, such as a `tip` of a REFUND, is refused with its name.",
    "A terminal belongs to a payment until its card is out, a moment longer than until FINAL. A start in that moment gets `terminal-busy`; with `queue` it waits.",
    "`queue` also waits while a terminal starts anew by itself, and for at most 15 s after a start of the bridge until the terminal is connected. The reply comes then.",
    "Without `order`, `warnings` names an undecided payment of the same register and amount: ask the customer whether it is the same purchase.",
    "A `despite` that names no undecided payment of the order is refused with `not-allowed`: that payment may have ended meanwhile, approved perhaps.",
    "A terminal that takes no typed number refuses `manual` with `unsupported`. A number is never typed at the till.",
    "If a payment with `createRegistration` fails, the stored card is deleted again.",
    "A REFUND whose answer is lost is never reversed: it stays in RESOLVING until the gateway tells what became of it.",
    "Texts are searched for card numbers: valid ones of 14, 15, 16 or 19 digits of any script that begin as a brand's do, with up to four characters between their groups and zeros before. Of 14 digits only the usual groups count (14, 4-6-4, by four, or single ones). Numbers of 13 digits pass, since every tenth EAN-13 of German goods looks like one. Item codes and the 15-digit references of a `standingInstruction` are not searched.",
  ],
  scopes: ["payments"],
  params: startParams,
  result: startResultSchema,
  run: start,
});
