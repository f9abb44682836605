import type { Context } from "../context.ts";
import { type Checkout, checkoutsOf, isOpen } from "./checkout.ts";
import { resultAddress } from "./result-location.ts";

/**
 * Specification, "Limits": 29 minutes. "After submission" is whom it is for; what it counts from is the creation, as the 30 minutes beside it do. Counted from the button it
 * would come after those for everybody who took more than a minute to press it, and could only prompt for what is not told any more, while the checkout is to be "still valid".
 */
const REMIND_AFTER_MS = 29 * 60_000;
const TIMEOUT_MS = 30_000;

/** Where nobody asks what came of a checkout that was submitted, its shopperResultUrl is called as the shopper would have called it. */
export function setReminder(context: Context, { id, createdAt }: Checkout): void {
  context.clock.at(createdAt + REMIND_AFTER_MS, () => remind(context, id));
}

/** Sets again what was set when the sandbox was closed. */
export function resumeReminders(context: Context): void {
  const now = context.clock.now();
  const waiting = checkoutsOf(context).all();
  for (const checkout of waiting) if (checkout.submitted !== undefined && checkout.isHeardOf !== true && isOpen(checkout, now)) setReminder(context, checkout);
}

function remind(context: Context, id: string): void {
  const checkout = checkoutsOf(context).get(id);
  if (checkout?.submitted?.shopperResultUrl === undefined || checkout.isHeardOf === true) return;
  const url = resultAddress(checkout.submitted.shopperResultUrl, id, `/v1/checkouts/${id}/${checkout.kind}`);
  checkoutsOf(context).put(id, { ...checkout, isHeardOf: true });
  if (url !== undefined) void context.send({ method: "GET", url, headers: {}, body: "", timeoutMs: TIMEOUT_MS });
}
