import { isoTime } from "../kit/clock.ts";
import type { SearchResult } from "../payment/answer.ts";
import { isCardPresent } from "../payment/card-present.ts";
import type { Fact } from "../payment/fact.ts";
import { isBooked } from "../payment/last-word.ts";
import { evolve, type Payment } from "../payment/payment.ts";
import { type Granted, granted, refused } from "../payment/refusal.ts";
import { AS_SHOWN, isTakenBack } from "../payment/reversals-shown.ts";
import { everyQueryOf } from "../payment/search.ts";
import { decisionOf, viewOf } from "../payment/view.ts";
import type { AnyPaymentKey } from "../register/ports.ts";
import { bookingsIn, gatewaySays } from "./asked-once-more.ts";
import { recall } from "./history.ts";
import { paymentNamed } from "./payment-named.ts";
import type { Gateway, Journal } from "./ports.ts";
import type { Closed, OperatorOrder } from "./resolve.ts";
import { rowOf } from "./row.ts";

/**
 * A payment that a restored journal holds undecided. What is decided cannot have been decided otherwise since, because a journal only grows; this one may have been approved, and its register
 * may know it: nothing goes on with it by itself. A card that was only waited for is none of these: nothing of it was sent, so that there is nothing to reverse.
 */
export function isUndecided(payment: Payment): boolean {
  if (decisionOf(payment) !== undefined) return false;
  return payment.attempts.length > 0 || !isCardPresent(payment.accepted);
}

export async function undecidedIn(journal: Pick<Journal, "openPayments" | "facts">): Promise<readonly Payment[]> {
  const known = await Promise.all((await journal.openPayments()).map((id) => recall(journal, id)));
  return known.flatMap((one) => (one !== undefined && isUndecided(one.payment) ? [one.payment] : []));
}

interface UndecidedPorts {
  readonly journal: Pick<Journal, "append" | "byReferenceOfAny" | "list" | "facts">;
  readonly gateway: Pick<Gateway, "search" | "reaches">;
  readonly now: () => number;
}

/**
 * A person closes a payment that was undecided when the backup was made. The gateway is asked first, and what it shows is written before the word, so that the person has known of it: nothing
 * of that is reversed by the bridge.
 */
export async function closeUndecided({ journal, gateway, now }: UndecidedPorts, key: AnyPaymentKey, order: OperatorOrder): Promise<Granted<Closed>> {
  const named = await paymentNamed({ journal }, key);
  if (!named.ok) return named;
  const known = await recall(journal, named.value.payment);
  const problem = known === undefined ? "it is not in the journal" : orderProblem(known.payment, order);
  if (known === undefined || problem !== undefined) return notAllowed(named.value.reference, problem ?? "");
  const at = Math.max(now(), known.payment.updatedAt);
  const interrupted: Fact = { fact: "interrupted", at };
  const payment = evolve(known.payment, interrupted);
  const searches = await searched(gateway, payment);
  const answers = searches.map(({ result }) => result);
  const unfit = order.as === "approved" ? unfitProblem(order.gatewayId ?? "", answers) : undefined;
  if (unfit !== undefined) return notAllowed(named.value.reference, unfit);
  const { as, reason, by, gatewayId } = order;
  const told = searches.map(({ merchantTransactionId, result }): Fact => ({ fact: "attempt-searched", at, merchantTransactionId, result }));
  const resolved: Fact = { fact: "resolved", at, as, reason, by, ...(gatewayId !== undefined && { gatewayId }) };
  const heard = told.reduce(evolve, payment);
  const before = evolve(heard, resolved);
  const concluded: Fact = { fact: "concluded", at, outcome: before.ending?.outcome ?? "APPROVED" };
  const after = evolve(before, concluded);
  await journal.append([interrupted, ...told, resolved, concluded], isoTime(at), rowOf(after));
  return granted({ payment: viewOf(after), gateway: gatewaySays(heard, answers, as === "approved" ? gatewayId : undefined) });
}

function notAllowed(reference: string, problem: string): Granted<never> {
  return refused("not-allowed", `reference "${reference}": ${problem}`, "fix-request");
}

function orderProblem(payment: Payment, { as, gatewayId }: OperatorOrder): string | undefined {
  if (!isUndecided(payment)) return "it was decided when the backup was made: confirm the restored folder first, then the bridge goes on with it";
  if (payment.accepted.type === "VOID" && as === "reversed") return "of a void say approved (it was carried out) or declined (it was not)";
  return as === "approved" && gatewayId === undefined ? "--as approved needs the gateway's id of the booking: --gateway-id ID" : undefined;
}

async function searched(
  gateway: UndecidedPorts["gateway"],
  payment: Payment,
): Promise<readonly { readonly merchantTransactionId: string; readonly result: SearchResult }[]> {
  const { channel, rules } = payment.accepted;
  if (!gateway.reaches(channel)) return [];
  const found = [];
  for (const { merchantTransactionId, original } of everyQueryOf(payment)) {
    found.push({ merchantTransactionId, result: await gateway.search({ channel, of: original }, rules.hostAnswerMs) });
  }
  return found;
}

/** Later refunds and voids go to the booking that is named: the gateway has to show it. */
function unfitProblem(gatewayId: string, answers: readonly SearchResult[]): string | undefined {
  const shown = bookingsIn(answers);
  const booking = shown.find(({ id }) => id === gatewayId);
  if (booking === undefined)
    return `the gateway does not show ${gatewayId} as a booking of it; try again, or close it as reversed or declined and settle it in the back office`;
  if (!isBooked(booking.answer)) return `${gatewayId} is not approved at the gateway`;
  return isTakenBack(shown, { id: gatewayId }, AS_SHOWN) ? `${gatewayId} was reversed at the gateway` : undefined;
}
