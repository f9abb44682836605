import type { Booking } from "../ledger/booking.ts";
import { sentAddress } from "../sent-address.ts";

/**
 * Path of the status request by the merchant's server (specification, "Other callbacks"): of the checkout, else of the
 * payment.
 */
export function resourcePath({
  id,
  checkoutId,
  paymentType,
}: Pick<Booking, "id" | "checkoutId" | "paymentType">): string {
  if (checkoutId === undefined) return `/v1/payments/${id}`;
  return `/v1/checkouts/${checkoutId}/${paymentType === "RG" ? "registration" : "payment"}`;
}

/**
 * shopperResultUrl with `id` and `resourcePath`. Undefined if no address is known; the shopper then reads the result
 * here.
 */
export function resultLocation(
  booking: Pick<Booking, "id" | "checkoutId" | "paymentType" | "parameters">,
): string | undefined {
  const { shopperResultUrl } = booking.parameters;
  return shopperResultUrl === undefined
    ? undefined
    : resultAddress(shopperResultUrl, booking.checkoutId ?? booking.id, resourcePath(booking));
}

/** Adds `id` and `resourcePath`; undefined if it is no address. Pure ASCII, as a header requires. */
export function resultAddress(shopperResultUrl: string, id: string, path: string): string | undefined {
  const url = sentAddress(shopperResultUrl);
  if (url === null) return undefined;
  const { hash } = url;
  url.hash = "";
  const joint = /[?&]$/.test(url.href) ? "" : url.search === "" ? "?" : "&";
  return `${url.href}${joint}id=${encodeURIComponent(id)}&resourcePath=${encodeURIComponent(path)}${hash}`;
}
