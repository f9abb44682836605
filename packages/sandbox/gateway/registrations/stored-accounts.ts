import type { StoredAccount } from "../accounts/stored-account.ts";
import type { Context } from "../context.ts";
import { type Booking, isSettled } from "../ledger/booking.ts";
import { books, isSuccess } from "../ledger/codes.ts";

/** Gateway facts, 1.1, class "registration". */
export const NO_SUCH_REGISTRATION = "100.150.200";
const NOT_CONFIRMED = "100.150.201";
export const REMOVED = "100.150.202";
const NEVER_VALID = "100.150.203";
const NO_ACCOUNT = "100.150.205";

/** A stored account that payments name by an id; `whyNotUsable` tells whether it can be charged. */
export interface Registration {
  readonly id: string;
  /** The row that first stored it: an RG of that id, or a payment that stored its account. */
  readonly booking: Booking;
  /** As of the latest update. */
  readonly account: StoredAccount | undefined;
  /** The latest row that set the account. */
  readonly latest: Booking;
}

/** Undefined: no account of this channel has that id. */
export function registrationAt(
  { store }: Pick<Context, "store">,
  id: string,
  entityId: string | undefined,
): Registration | undefined {
  const booking = store.byRegistration(id);
  if (booking === undefined || booking.entityId !== entityId) return undefined;
  const latest = store.referringTo(id).findLast(isUpdate) ?? booking;
  return { id, booking, latest, account: latest.stored ?? cardTold(latest) };
}

/** Older ledgers keep of a stored card only the reply's fields; they suffice to charge it. */
function cardTold({ resultCode, issuer: { paymentBrand: brand, card } }: Booking): StoredAccount | undefined {
  const { bin, last4Digits: last4, expiryMonth, expiryYear } = card ?? {};
  if (!isSuccess(resultCode) || brand === undefined || bin === undefined || last4 === undefined) return undefined;
  return expiryMonth === undefined || expiryYear === undefined
    ? undefined
    : { is: "stored-card", brand, bin, last4, expiryMonth, expiryYear };
}

/** The code that refuses to charge, change or delete it; undefined: usable. */
export function whyNotUsable(
  { store, clock }: Pick<Context, "store" | "clock">,
  { id, booking }: Registration,
): string | undefined {
  if (!isSettled(booking, clock.now())) return NOT_CONFIRMED;
  if (!isSuccess(booking.resultCode)) return NEVER_VALID;
  return store.referringTo(id).some(isDeletion) ? REMOVED : undefined;
}

/** The account to charge, or the refusal code. */
export function chargeable(
  context: Pick<Context, "store" | "clock">,
  registration: Registration,
): StoredAccount | string {
  return whyNotUsable(context, registration) ?? registration.account ?? NO_ACCOUNT;
}

/** A successful deletion. */
export function isDeletion({ paymentType, resultCode }: Booking): boolean {
  return paymentType === "DR" && books(resultCode);
}

function isUpdate({ paymentType, resultCode }: Booking): boolean {
  return paymentType === "RR" && books(resultCode);
}
