import type { Booking } from "../ledger/booking.ts";
import { sentAddress } from "../sent-address.ts";

/** The path of the status request, which the merchant's server sends (specification, "Other callbacks"): of the checkout that was paid in, or else of the payment itself. */
export function resourcePath({ id, checkoutId, paymentType }: Pick<Booking, "id" | "checkoutId" | "paymentType">): string {
  if (checkoutId === undefined) return `/v1/payments/${id}`;
  return `/v1/checkouts/${checkoutId}/${paymentType === "RG" ? "registration" : "payment"}`;
}

/**
 * Where the shopper goes once there is something to be read: shopperResultUrl with `id` and `resourcePath`. Undefined where no such address is known, so that he is told
 * here.
 */
export function resultLocation(booking: Pick<Booking, "id" | "checkoutId" | "paymentType" | "parameters">): string | undefined {
  const { shopperResultUrl } = booking.parameters;
  return shopperResultUrl === undefined ? undefined : resultAddress(shopperResultUrl, booking.checkoutId ?? booking.id, resourcePath(booking));
}

/** shopperResultUrl with what a merchant's server needs to read the status; undefined where it is no address. In ASCII, as a header has to be. */
export function resultAddress(shopperResultUrl: string, id: string, path: string): string | undefined {
  const url = sentAddress(shopperResultUrl);
  if (url === null) return undefined;
  const { hash } = url;
  url.hash = "";
  const joint = /[?&]$/.test(url.href) ? "" : url.search === "" ? "?" : "&";
  return `${url.href}${joint}id=${encodeURIComponent(id)}&resourcePath=${encodeURIComponent(path)}${hash}`;
}
