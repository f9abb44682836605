import type { Context } from "../context.ts";
import { type Checkout, checkoutsOf, isOpen } from "./checkout.ts";
import { resultAddress } from "./result-location.ts";

/**
 * Specification, "Limits": 29 minutes "after submission". Counted from creation, like the checkout's 30 minutes.
 * Counted from submission, most reminders would come after expiry, although the specification says "still valid".
 */
const REMIND_AFTER_MS = 29 * 60_000;
const TIMEOUT_MS = 30_000;

/**
 * If nobody reads the status of a submitted checkout, the gateway calls its shopperResultUrl as the shopper would have.
 */
export function setReminder(context: Context, { id, createdAt }: Checkout): void {
  context.clock.at(createdAt + REMIND_AFTER_MS, () => remind(context, id));
}

/** Restores the reminders after a restart. */
export function resumeReminders(context: Context): void {
  const now = context.clock.now();
  const waiting = checkoutsOf(context).all();
  for (const checkout of waiting)
    if (checkout.submitted !== undefined && checkout.isHeardOf !== true && isOpen(checkout, now))
      setReminder(context, checkout);
}

function remind(context: Context, id: string): void {
  const checkout = checkoutsOf(context).get(id);
  if (checkout?.submitted?.shopperResultUrl === undefined || checkout.isHeardOf === true) return;
  const url = resultAddress(checkout.submitted.shopperResultUrl, id, `/v1/checkouts/${id}/${checkout.kind}`);
  checkoutsOf(context).put(id, { ...checkout, isHeardOf: true });
  if (url !== undefined) void context.send({ method: "GET", url, headers: {}, body: "", timeoutMs: TIMEOUT_MS });
}
