import { z } from "zod";
import { toHex } from "../../../../src/kit/hex.ts";
import type { Random } from "../../../../src/kit/random.ts";
import type { Context } from "../context.ts";
import { jsonReply, type Reply } from "../exchange.ts";
import type { Booking } from "../ledger/booking.ts";
import { type Collection, collectionOf } from "../ledger/records.ts";
import { closingFields, type Stamp, stampOf } from "../replies.ts";
import { offeredTokenSchema } from "./offered-token.ts";

/** Specification, "Limits": validity of a checkout. */
const VALID_MS = 30 * 60_000;

/** Last part of the paths that submit the form and read the status. */
const checkoutKindSchema = z.enum(["payment", "registration"]);
export type CheckoutKind = z.infer<typeof checkoutKindSchema>;

const checkoutSchema = z.strictObject({
  id: z.string(),
  entityId: z.string(),
  /** Epoch milliseconds of the sandbox's clock. */
  createdAt: z.int(),
  kind: checkoutKindSchema,
  /** The merchant's parameters, from creation and updates. */
  parameters: z.record(z.string(), z.string()),
  /** One-click tokens as of the request that sent them: the script that shows them must keep its hash. */
  offered: z.array(offeredTokenSchema),
  /** Bookings of the shopper's tries, oldest first. */
  tries: z.array(z.string()),
  /** Result code if the latest try was refused without a booking. */
  refusedWith: z.string().optional(),
  /** Set once the shopper has submitted; holds the latest shopperResultUrl. */
  submitted: z.strictObject({ shopperResultUrl: z.string().optional() }).optional(),
  /** Whether the status was read, or the merchant reminded, since the last try. */
  isHeardOf: z.boolean().optional(),
  /** Whether a success was read; it is reported once. */
  isOver: z.boolean().optional(),
});
export type Checkout = z.infer<typeof checkoutSchema>;

export function checkoutsOf({ store }: Pick<Context, "store">): Collection<Checkout> {
  return collectionOf(store, "checkout", checkoutSchema);
}

/** Looks like the gateway's ids: 32 upper-case hexadecimal digits and the session's machine. */
export function newCheckoutId(random: Random): string {
  return `${toHex(random.bytes(16))}.uat01-vm-tx01`;
}

/** Undefined once the checkout expired or its success was read. */
export function openCheckout(context: Context, id: string): Checkout | undefined {
  const checkout = checkoutsOf(context).get(id);
  return checkout !== undefined && isOpen(checkout, context.clock.now()) ? checkout : undefined;
}

export function isOpen({ createdAt, isOver }: Checkout, now: number): boolean {
  return isOver !== true && now < createdAt + VALID_MS;
}

/**
 * The last try decides: a paid checkout takes no more. Undefined: no try, or the last one was refused without a
 * booking.
 */
export function tellingTry({ store }: Pick<Context, "store">, { tries, refusedWith }: Checkout): Booking | undefined {
  return refusedWith === undefined ? store.byId(tries.at(-1) ?? "") : undefined;
}

/** The checkout's id is the ndc of its replies (gateway facts, 2.2). */
export function stampOfCheckout(context: Context, id: string): Stamp {
  return { ...stampOf(context), ndc: id };
}

const NO_SESSION = "200.300.404";
const NO_SESSION_TEXT =
  "invalid or missing parameter: no payment session found for the requested id; were test and live mixed up, was it read before, or was it made more than 30 minutes ago?";

/** The gateway does not tell unknown, expired and already read checkouts apart (gateway facts, 1.2 and 2.6). */
export function noSession(context: Context, id: string): Reply {
  return jsonReply(400, {
    result: { code: NO_SESSION, description: NO_SESSION_TEXT },
    ...closingFields(stampOfCheckout(context, id)),
  });
}
