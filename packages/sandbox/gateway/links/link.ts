import { z } from "zod";
import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { payByLink } from "../../../../src/gateway/parameters/pay-by-link.ts";
import { type Booking, isSettled, resultCodeAt } from "../ledger/booking.ts";
import { books } from "../ledger/codes.ts";
import { type Collection, collectionOf } from "../ledger/records.ts";
import type { SandboxStore } from "../ledger/store.ts";
import { isVisible } from "../payments/reads.ts";

/** A payment link, paid on the customer's phone (gateway facts, 5). */
const linkSchema = z.strictObject({
  /** 32 lower-case hexadecimal digits; anybody who knows the id may pay. */
  id: z.string(),
  entityId: z.string(),
  createdAt: z.int(),
  /** Epoch milliseconds of the sandbox's clock, like all times here. */
  validUntil: z.int(),
  /** As sent by the merchant, without secrets; the payment repeats them. */
  parameters: z.record(z.string(), z.string()),
  /** The latest opening's checkout; each lives as long as a merchant's checkout. */
  checkout: z.strictObject({ number: z.int(), openedAt: z.int() }).optional(),
  /** Payments tried, in order. */
  transactions: z.array(z.strictObject({ id: z.string(), checkoutId: z.string() })),
});
export type PaymentLink = z.infer<typeof linkSchema>;

/** Not published; inferred from a link's life. */
export type LinkStatus = "CREATED" | "OPENED" | "PENDING" | "PAID" | "EXPIRED";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Default validity (gateway facts, 5). */
const DEFAULT_DAYS = 90;
/** Specification, "Limits": a checkout id lives for 30 minutes. */
const CHECKOUT_MS = 30 * 60_000;

export function linksOf({ store }: { readonly store: SandboxStore }): Collection<PaymentLink> {
  return collectionOf(store, "link", linkSchema);
}

/** Validity of the link; the default unit is days (inferred). */
export function validityMs(sent: Sent): number {
  return (
    Number(sent.get("validUntil") ?? DEFAULT_DAYS) *
    (sent.has("validUntil") && sent.get("validUntilUnit") === "HOUR" ? HOUR_MS : DAY_MS)
  );
}

/** The link's parameters that belong to its payment, without those about the link itself. */
export function paymentParametersOf({ parameters }: PaymentLink): Sent {
  const own = new Set<string>(payByLink.parameters.map(({ name }) => name));
  return new Map(Object.entries(parameters).filter(([name]) => !own.has(name)));
}

/** The latest opening's checkout id, for the merchant's queries. */
export function checkoutIdOf({ id, checkout }: PaymentLink): string | undefined {
  return checkout === undefined ? undefined : `${id}.link${checkout.number}`;
}

/** Undefined: no checkout of a link. */
export function linkOfCheckout(
  context: { readonly store: SandboxStore },
  checkoutId: string | undefined,
): PaymentLink | undefined {
  const id = /^([0-9a-f]{32})\.link[0-9]+$/.exec(checkoutId ?? "")?.[1];
  return id === undefined ? undefined : linksOf(context).get(id);
}

/** The link after its page was opened: in the checkout still valid, or in a new one. */
export function opened(link: PaymentLink, now: number): PaymentLink {
  const { checkout } = link;
  if (checkout !== undefined && now < checkout.openedAt + CHECKOUT_MS) return link;
  return { ...link, checkout: { number: (checkout?.number ?? 0) + 1, openedAt: now } };
}

/** The link's status, result and deciding payment, if any. */
export interface LinkState {
  readonly status: LinkStatus;
  readonly resultCode: string;
  readonly booking: Booking | undefined;
}

const CREATED = "000.200.100";
const OPENED = "000.200.201";
export const UNDER_WAY = "000.200.000";
/** The code of an open transaction that ran out of time (inferred). */
const RAN_OUT = "100.396.103";

/** A payment under way at expiry still counts; a failed try does not end the link. */
export function stateOf({ store }: { readonly store: SandboxStore }, link: PaymentLink, now: number): LinkState {
  const last = link.transactions.at(-1);
  const booking = last && store.byId(last.id);
  if (booking !== undefined && !isSettled(booking, now))
    return { status: "PENDING", resultCode: resultCodeAt(booking, now), booking };
  if (booking !== undefined && books(booking.resultCode))
    return { status: "PAID", resultCode: booking.resultCode, booking };
  if (now >= link.validUntil) return { status: "EXPIRED", resultCode: RAN_OUT, booking: undefined };
  return link.checkout === undefined
    ? { status: "CREATED", resultCode: CREATED, booking: undefined }
    : { status: "OPENED", resultCode: OPENED, booking: undefined };
}

/** The state for the merchant: a payment hidden from queries appears as under way. */
export function toldStateOf(context: { readonly store: SandboxStore }, link: PaymentLink, now: number): LinkState {
  const state = stateOf(context, link, now);
  const { booking } = state;
  return booking === undefined || isVisible(booking, { entityId: link.entityId, now })
    ? state
    : { status: "PENDING", resultCode: UNDER_WAY, booking: undefined };
}

/** The customer's page, relative to this gateway's address. */
export function linkPath(id: string): string {
  return `/shopper/link/${id}`;
}

/** The merchant's query for a payment of the link. */
export function linkPaymentPath(id: string, checkoutId: string): string {
  return `/paybylink/v1/${id}/checkouts/${checkoutId}/payment`;
}
