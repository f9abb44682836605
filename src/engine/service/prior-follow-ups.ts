import type { FollowUp } from "../../payment/request.ts";
import { followUpOf, isClear, type Payment } from "../../payment/state.ts";
import type { Journal } from "../ports.ts";
import { recall } from "../shell/journal-replay.ts";
import { isFollowUpIn } from "./original-reference.ts";

/** What this journal booked on a booking as long as nobody knew whose it is. */
export interface FollowedBefore {
  /** The payment that the booking is of never heard of these. */
  readonly followed: readonly FollowUp[];
  /** One of them of which it is not known yet what it booked. */
  readonly undecided?: string;
}

/** A person names a booking; until then it was a stranger's, and could be refunded by its id. What is left of it is what those refunds left. */
export async function followedBefore(journal: Pick<Journal, "naming" | "facts">, gatewayId: string): Promise<FollowedBefore> {
  const known = await Promise.all((await journal.naming(gatewayId)).map((id) => recall(journal, id)));
  const strays = known.flatMap((one) => (one !== undefined && isStray(one.payment, gatewayId) ? [one.payment] : []));
  const undecided = strays.find((payment) => payment.concluded === undefined || (payment.ending !== undefined && !isClear(payment)));
  return { followed: strays.map(followUpOf), ...(undecided !== undefined && { undecided: undecided.accepted.reference }) };
}

/** Whoever asked for it by the payment has told the payment. */
function isStray(payment: Payment, gatewayId: string): boolean {
  return payment.accepted.of?.payment === undefined && isFollowUpIn(payment, [gatewayId]);
}
