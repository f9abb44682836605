import { resultAddress } from "../checkouts/result-location.ts";
import { type Booking, isSettled } from "../ledger/booking.ts";
import { books } from "../ledger/codes.ts";
import type { SandboxStore } from "../ledger/store.ts";
import { linkOfCheckout, linkPath, linkPaymentPath } from "./link.ts";

/**
 * Where a customer goes after a payment of a link: on to the shop, or back to the link's page where there is no address of one, and also where the payment failed and he may
 * try again. Undefined: the payment is no link's.
 */
export function linkReturn(context: { readonly store: SandboxStore }, booking: Booking, now: number): string | undefined {
  const { checkoutId } = booking;
  const link = linkOfCheckout(context, checkoutId);
  if (link === undefined || checkoutId === undefined) return undefined;
  const { shopperResultUrl } = link.parameters;
  const mayTryAgain = isSettled(booking, now) && !books(booking.resultCode) && now < link.validUntil;
  const shop = mayTryAgain || shopperResultUrl === undefined ? undefined : resultAddress(shopperResultUrl, link.id, linkPaymentPath(link.id, checkoutId));
  return shop === undefined ? linkPath(link.id) : withCheckout(shop, checkoutId);
}

/** What the shop needs beside the link's id to read the payment (inferred from public clients, which expect `id` and `checkoutId`). */
function withCheckout(address: string, checkoutId: string): string {
  const [before = "", ...hash] = address.split("#");
  return [`${before}&checkoutId=${checkoutId}`, ...hash].join("#");
}
