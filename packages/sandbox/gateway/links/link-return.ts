import { resultAddress } from "../checkouts/result-location.ts";
import { type Booking, isSettled } from "../ledger/booking.ts";
import { books } from "../ledger/codes.ts";
import type { SandboxStore } from "../ledger/store.ts";
import { linkOfCheckout, linkPath, linkPaymentPath } from "./link.ts";

/**
 * The customer's next page: the shop, or the link's page if no address is known or a failed payment may be retried.
 * Undefined: no link.
 */
export function linkReturn(
  context: { readonly store: SandboxStore },
  booking: Booking,
  now: number,
): string | undefined {
  const { checkoutId } = booking;
  const link = linkOfCheckout(context, checkoutId);
  if (link === undefined || checkoutId === undefined) return undefined;
  const { shopperResultUrl } = link.parameters;
  const mayTryAgain = isSettled(booking, now) && !books(booking.resultCode) && now < link.validUntil;
  const shop =
    mayTryAgain || shopperResultUrl === undefined
      ? undefined
      : resultAddress(shopperResultUrl, link.id, linkPaymentPath(link.id, checkoutId));
  return shop === undefined ? linkPath(link.id) : withCheckout(shop, checkoutId);
}

/** The shop reads the payment by `id` and `checkoutId` (inferred from public clients). */
function withCheckout(address: string, checkoutId: string): string {
  const [before = "", ...hash] = address.split("#");
  return [`${before}&checkoutId=${checkoutId}`, ...hash].join("#");
}
