import { z } from "zod";
import type { Context } from "../context.ts";
import { type Booking, bookingSchema, isSettled } from "../ledger/booking.ts";
import { settle } from "../ledger/ledger-entry.ts";
import { type Collection, collectionOf } from "../ledger/records.ts";
import { newId } from "../replies.ts";
import { isLapse, SHOPPER_AWAITED, type ShopperStep } from "./shopper-step.ts";

/** What is kept beside a booking as long as its shopper is waited for. */
const waitingSchema = z.strictObject({
  is: z.enum(["bank", "challenge"]),
  brand: z.string(),
  /** What the payment comes to where its shopper says yes: what the amount's magic and the account say. */
  ifYes: z.strictObject({
    resultCode: z.string(),
    issuer: bookingSchema.shape.issuer,
    /** The acquirer takes longer even then. */
    interim: z.strictObject({ resultCode: z.string(), forMs: z.int() }).optional(),
  }),
  /** One-time codes that may still be tried. */
  triesLeft: z.int(),
});
export type Waiting = z.infer<typeof waitingSchema>;

export const CODE_TRIES = 3;
const SESSION = "session";
const STEP = "step";

/** By the booking's id. */
export function waitingOf({ store }: Pick<Context, "store">): Collection<Waiting> {
  return collectionOf(store, "waiting", waitingSchema);
}

/**
 * Makes a payment wait for its shopper. `row` is what would be booked if nobody had to be asked; what comes back is to be booked in its place, in the same transaction and
 * with an empty outcome. Where nobody answers it lapses by itself: its own result is that of the lapse.
 */
export function awaitShopper(context: Context, row: Booking, { is, brand, pendingCode, lapse }: ShopperStep): Booking {
  const { id, resultCode, issuer, interim, receivedAt } = row;
  waitingOf(context).put(id, {
    ...{ is, brand, triesLeft: CODE_TRIES },
    ifYes: { resultCode, issuer, ...(interim && { interim: { resultCode: interim.resultCode, forMs: interim.until - receivedAt } }) },
  });
  const parameters = [
    { name: SESSION, value: newId(context.random) },
    { name: STEP, value: is },
  ];
  return {
    ...{ ...row, resultCode: lapse.resultCode, answeredCode: pendingCode, interim: { resultCode: pendingCode, until: receivedAt + lapse.afterMs } },
    ...{ issuer: beforehand(issuer), redirect: { path: `/shopper/${is}/${id}`, parameters } },
  };
}

/** What is known of the account before anybody was asked about it. */
function beforehand({ threeDSecure, standingInstruction, avsResponse, cvvResponse, resultDetails, pos, ...known }: Booking["issuer"]): Booking["issuer"] {
  return known;
}

/**
 * Whether the answer of its shopper still counts: as long as nothing else is to come of the payment than its lapse. After an answer whose money takes longer it may be pending
 * with the very same code.
 */
export function isAwaited(booking: Booking, now: number): boolean {
  const { redirect, interim, resultCode } = booking;
  return redirect !== undefined && !isSettled(booking, now) && interim?.resultCode === SHOPPER_AWAITED && isLapse(resultCode);
}

/** Where the shopper of a payment finds its page, with what he has to bring, under this gateway's address; undefined once he is not waited for any more. */
export function shopperAddress(booking: Booking, now: number): string | undefined {
  const { redirect } = booking;
  if (redirect === undefined || !isAwaited(booking, now)) return undefined;
  return `${redirect.path}?${new URLSearchParams(Object.fromEntries(redirect.parameters.map(({ name, value }) => [name, value]))).toString()}`;
}

/** Whether a shopper brought what the redirect of his payment told him to bring. */
export function isShopperOf({ redirect }: Booking, brought: ReadonlyMap<string, string>): boolean {
  return redirect?.parameters.every(({ name, value }) => brought.get(name) === value) ?? false;
}

/** What the shopper said, as a result, and whether the money takes longer. */
export interface Answer {
  readonly resultCode: string;
  readonly issuer?: Booking["issuer"];
  readonly interim?: { readonly resultCode: string; readonly forMs: number } | undefined;
}

/** The shopper's answer. Only the first one counts, and only in time; false: it came too late. To be called inside a transaction. */
export function answerFor(context: Context, booking: Booking, { resultCode, issuer, interim }: Answer): boolean {
  const now = context.clock.now();
  if (!isAwaited(booking, now)) return false;
  waitingOf(context).remove(booking.id);
  return settle(context, booking, resultCode, issuer, interim && { resultCode: interim.resultCode, until: now + interim.forMs });
}
