import type { FollowUp } from "../../payment/request.ts";
import { followUpOf, isClear, type Payment } from "../../payment/state.ts";
import type { Journal } from "../ports.ts";
import { recall } from "../shell/journal-replay.ts";
import { isFollowUpIn } from "./original-reference.ts";

/** Follow-ups of a booking made while its payment was unknown. */
export interface FollowedBefore {
  /** Follow-ups unknown to the booking's payment. */
  readonly followed: readonly FollowUp[];
  /** A follow-up whose booking is still uncertain. */
  readonly undecided?: string;
}

/**
 * Until an operator names a booking, it counts as foreign and can be refunded by its id. Those refunds reduce the
 * remaining amount.
 */
export async function followedBefore(
  journal: Pick<Journal, "naming" | "facts">,
  gatewayId: string,
): Promise<FollowedBefore> {
  const known = await Promise.all((await journal.naming(gatewayId)).map((id) => recall(journal, id)));
  const strays = known.flatMap((one) => (one !== undefined && isStray(one.payment, gatewayId) ? [one.payment] : []));
  const undecided = strays.find(
    (payment) => payment.concluded === undefined || (payment.ending !== undefined && !isClear(payment)),
  );
  return {
    followed: strays.map(followUpOf),
    ...(undecided !== undefined && { undecided: undecided.accepted.reference }),
  };
}

/** A follow-up requested by its payment is already recorded there. */
function isStray(payment: Payment, gatewayId: string): boolean {
  return payment.accepted.of?.payment === undefined && isFollowUpIn(payment, [gatewayId]);
}
