import { isClosedByPerson } from "./after-closing.ts";
import type { Payment } from "./payment.ts";
import { isOrphanLeft, isStoredCardUnknown } from "./registration.ts";
import { areSecondsGone } from "./second-take-back.ts";
import { isBookingClear } from "./take-back.ts";

/** Nothing of this payment is left at the gateway, as far as it can be known: no money, and no stored card. An operator's word ends all doubt. */
export function isClear(payment: Payment): boolean {
  return isClosedByPerson(payment) || (isBookingClear(payment) && areSecondsGone(payment) && !isOrphanLeft(payment) && !isStoredCardUnknown(payment));
}
