import { z } from "zod";
import type { Context } from "../context.ts";
import { type Booking, bookingSchema, isSettled } from "../ledger/booking.ts";
import { settle } from "../ledger/ledger-entry.ts";
import { type Collection, collectionOf } from "../ledger/records.ts";
import { newId } from "../replies.ts";
import { isLapse, SHOPPER_AWAITED, type ShopperStep } from "./shopper-step.ts";

/** Kept beside a booking while its shopper is awaited. */
const waitingSchema = z.strictObject({
  is: z.enum(["bank", "challenge"]),
  brand: z.string(),
  /** The result if the shopper confirms: from magic amount and account. */
  ifYes: z.strictObject({
    resultCode: z.string(),
    issuer: bookingSchema.shape.issuer,
    /** The acquirer takes longer even after the shopper's yes. */
    interim: z.strictObject({ resultCode: z.string(), forMs: z.int() }).optional(),
  }),
  /** Remaining tries for the one-time code. */
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
 * Makes a payment wait for its shopper, else lapse. Book the returned row in place of `row`, in the same transaction
 * and with an empty outcome.
 */
export function awaitShopper(context: Context, row: Booking, { is, brand, pendingCode, lapse }: ShopperStep): Booking {
  const { id, resultCode, issuer, interim, receivedAt } = row;
  waitingOf(context).put(id, {
    ...{ is, brand, triesLeft: CODE_TRIES },
    ifYes: {
      resultCode,
      issuer,
      ...(interim && { interim: { resultCode: interim.resultCode, forMs: interim.until - receivedAt } }),
    },
  });
  const parameters = [
    { name: SESSION, value: newId(context.random) },
    { name: STEP, value: is },
  ];
  return {
    ...{
      ...row,
      resultCode: lapse.resultCode,
      answeredCode: pendingCode,
      interim: { resultCode: pendingCode, until: receivedAt + lapse.afterMs },
    },
    ...{ issuer: beforehand(issuer), redirect: { path: `/shopper/${is}/${id}`, parameters } },
  };
}

/** The account's fields that are known before anybody is asked. */
function beforehand({
  threeDSecure,
  standingInstruction,
  avsResponse,
  cvvResponse,
  resultDetails,
  pos,
  ...known
}: Booking["issuer"]): Booking["issuer"] {
  return known;
}

/**
 * Whether the shopper's answer still counts: only the lapse is outstanding. After an answer with late money the pending
 * code may be the same.
 */
export function isAwaited(booking: Booking, now: number): boolean {
  const { redirect, interim, resultCode } = booking;
  return (
    redirect !== undefined && !isSettled(booking, now) && interim?.resultCode === SHOPPER_AWAITED && isLapse(resultCode)
  );
}

/**
 * Path of the shopper's page with the redirect's parameters, relative to this gateway; undefined once the shopper is
 * not awaited.
 */
export function shopperAddress(booking: Booking, now: number): string | undefined {
  const { redirect } = booking;
  if (redirect === undefined || !isAwaited(booking, now)) return undefined;
  return `${redirect.path}?${new URLSearchParams(Object.fromEntries(redirect.parameters.map(({ name, value }) => [name, value]))).toString()}`;
}

/** Whether the shopper brought the redirect's parameters. */
export function isShopperOf({ redirect }: Booking, brought: ReadonlyMap<string, string>): boolean {
  return redirect?.parameters.every(({ name, value }) => brought.get(name) === value) ?? false;
}

/** The shopper's answer as a result; `interim` if the money takes longer. */
export interface Answer {
  readonly resultCode: string;
  readonly issuer?: Booking["issuer"];
  readonly interim?: { readonly resultCode: string; readonly forMs: number } | undefined;
}

/** Settles with the shopper's answer; false: it came too late or second. Call inside a transaction. */
export function answerFor(context: Context, booking: Booking, { resultCode, issuer, interim }: Answer): boolean {
  const now = context.clock.now();
  if (!isAwaited(booking, now)) return false;
  waitingOf(context).remove(booking.id);
  return settle(
    context,
    booking,
    resultCode,
    issuer,
    interim && { resultCode: interim.resultCode, until: now + interim.forMs },
  );
}
