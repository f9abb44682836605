import { z } from "zod";
import { toHex } from "../../kit/hex.ts";
import type { Random } from "../../kit/random.ts";
import type { Context } from "../context.ts";
import { jsonReply, type Reply } from "../exchange.ts";
import type { Booking } from "../ledger/booking.ts";
import { type Collection, collectionOf } from "../ledger/records.ts";
import { closingFields, type Stamp, stampOf } from "../replies.ts";
import { offeredTokenSchema } from "./offered-token.ts";

/** Specification, "Limits": how long a checkout is valid. */
const VALID_MS = 30 * 60_000;

/** What the widget's address and the status's end with. */
const checkoutKindSchema = z.enum(["payment", "registration"]);
export type CheckoutKind = z.infer<typeof checkoutKindSchema>;

const checkoutSchema = z.strictObject({
  id: z.string(),
  entityId: z.string(),
  /** Epoch milliseconds of the sandbox's clock. */
  createdAt: z.int(),
  kind: checkoutKindSchema,
  /** What the merchant's server said, at the creation and by updates. */
  parameters: z.record(z.string(), z.string()),
  /** The tokens of one-click payments as they were when they were sent: the script that shows them keeps its hash. */
  offered: z.array(offeredTokenSchema),
  /** The bookings that the shopper's tries left, oldest first. */
  tries: z.array(z.string()),
  /** The code of a try after all of these that was refused without a booking. */
  refusedWith: z.string().optional(),
  /** There once the shopper has pressed the button: where he was to be sent by the last try. */
  submitted: z.strictObject({ shopperResultUrl: z.string().optional() }).optional(),
  /** Whether the status was asked for since the last try, or the merchant reminded to ask. */
  isHeardOf: z.boolean().optional(),
  /** Whether a success was read: it is told once. */
  isOver: z.boolean().optional(),
});
export type Checkout = z.infer<typeof checkoutSchema>;

export function checkoutsOf({ store }: Pick<Context, "store">): Collection<Checkout> {
  return collectionOf(store, "checkout", checkoutSchema);
}

/** As the gateway's own look: 32 upper-case hexadecimal digits and the machine that keeps the session. */
export function newCheckoutId(random: Random): string {
  return `${toHex(random.bytes(16))}.uat01-vm-tx01`;
}

/** The checkout of that id as long as it is valid and its result was not read. */
export function openCheckout(context: Context, id: string): Checkout | undefined {
  const checkout = checkoutsOf(context).get(id);
  return checkout !== undefined && isOpen(checkout, context.clock.now()) ? checkout : undefined;
}

export function isOpen({ createdAt, isOver }: Checkout, now: number): boolean {
  return isOver !== true && now < createdAt + VALID_MS;
}

/**
 * The booking that tells what became of a checkout: that of its last try, because nothing is tried any more once it is paid. Undefined: there is none, or the last try was
 * refused without one.
 */
export function tellingTry({ store }: Pick<Context, "store">, { tries, refusedWith }: Checkout): Booking | undefined {
  return refusedWith === undefined ? store.byId(tries.at(-1) ?? "") : undefined;
}

/** What replies about a checkout are stamped with: its id is their ndc too (gateway facts, 2.2). */
export function stampOfCheckout(context: Context, id: string): Stamp {
  return { ...stampOf(context), ndc: id };
}

const NO_SESSION = "200.300.404";
const NO_SESSION_TEXT =
  "invalid or missing parameter: no payment session found for the requested id; were test and live mixed up, was it read before, or was it made more than 30 minutes ago?";

/** Unknown, expired and read before are not told apart (gateway facts, 1.2 and 2.6). */
export function noSession(context: Context, id: string): Reply {
  return jsonReply(400, { result: { code: NO_SESSION, description: NO_SESSION_TEXT }, ...closingFields(stampOfCheckout(context, id)) });
}
