import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import type { Context } from "../context.ts";
import { type Booking, paymentMethodOf, shortIdOf } from "../ledger/booking.ts";
import type { Stamp } from "../replies.ts";

/** Who asks, and when. */
type Asking = Pick<Stamp, "entityId" | "now">;

/** Visible: belongs to the asking entity and is not hidden. */
export function isVisible(booking: Booking, { entityId, now }: Asking): boolean {
  return booking.entityId === entityId && (booking.hiddenUntil === undefined || now >= booking.hiddenUntil);
}

/** The booking of that id as a list, empty if not visible. */
export function visibleById({ store }: Context, id: string, asking: Asking): readonly Booking[] {
  const booking = store.byId(id);
  return booking === undefined || !isVisible(booking, asking) ? [] : [booking];
}

/**
 * Bookings by merchantTransactionId or time frame (gateway facts, 2.4), narrowed by shortId, in the order of
 * acceptance.
 */
export function searched(context: Context, sent: Sent, asking: Asking): readonly Booking[] {
  const merchantTransactionId = sent.get("merchantTransactionId");
  const shortId = sent.get("shortId");
  const found =
    merchantTransactionId === undefined
      ? inTimeFrame(context, sent)
      : context.store.byMerchantTransactionId(merchantTransactionId);
  return found.filter(
    (booking) => isVisible(booking, asking) && (shortId === undefined || shortIdOf(booking) === shortId),
  );
}

/** The bookings for the answer, with linked ones if requested, filtered by type and method. */
export function shown(context: Context, found: readonly Booking[], sent: Sent, asking: Asking): readonly Booking[] {
  const types = sent.get("paymentTypes")?.split(",");
  const methods = sent.get("paymentMethods")?.split(",");
  const fits = (booking: Booking): boolean =>
    (types?.includes(booking.paymentType) ?? true) &&
    (methods?.includes(paymentMethodOf(booking)) ?? true) &&
    isVisible(booking, asking);
  return (sent.get("includeLinkedTransactions") === "true" ? linked(context, found) : found).filter(fits);
}

/** All bookings of the same trees, including those of stored accounts, oldest first. */
function linked({ store }: Context, found: readonly Booking[]): readonly Booking[] {
  const seen = new Map<string, Booking>();
  const visit = (booking: Booking): void => {
    if (seen.has(booking.id)) return;
    seen.set(booking.id, booking);
    const { referencedId, registrationId } = booking;
    const parent =
      referencedId === undefined ? undefined : (store.byId(referencedId) ?? store.byRegistration(referencedId));
    if (parent !== undefined) visit(parent);
    for (const child of store.referringTo(booking.id)) visit(child);
    for (const deletion of registrationId === undefined ? [] : store.referringTo(registrationId)) visit(deletion);
  };
  for (const booking of found) visit(booking);
  return [...seen.values()].toSorted((a, b) => a.receivedAt - b.receivedAt);
}

/** Specification, "Query parameters": yyyy-MM-dd HH:mm:ss in UTC, both ends included. */
function inTimeFrame({ store }: Context, sent: Sent): readonly Booking[] {
  const from = timeOf(sent.get("date.from"));
  const to = timeOf(sent.get("date.to")) + 999;
  return store.all().filter((booking) => booking.receivedAt >= from && booking.receivedAt <= to);
}

function timeOf(text = ""): number {
  return Date.parse(`${text.replace(" ", "T")}Z`);
}
