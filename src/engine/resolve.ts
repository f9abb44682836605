import type { SearchKey } from "../payment/operation.ts";
import { bookingOf, type Payment, targetsOf } from "../payment/payment.ts";
import type { PaymentView } from "../payment/public.ts";
import { type Granted, granted, refused } from "../payment/refusal.ts";
import { type Resolution, resolutionProblem } from "../payment/resolution.ts";
import { viewOf } from "../payment/view.ts";
import type { Mailbox } from "./mailbox.ts";
import type { PaymentsPorts } from "./payments-ports.ts";

/** What an operator says became of a payment (contract, section 1, `resolve`). */
export interface OperatorOrder {
  readonly as: Resolution;
  readonly reason: string;
  /** Who says so. */
  readonly by: string;
  /** The gateway's id of the booking; needed for `approved`. */
  readonly gatewayId?: string;
}

/** Closes it, after the gateway was asked once more and still told nothing that settles it. */
export async function resolve(
  ports: PaymentsPorts,
  key: { readonly reference: string; readonly register?: string },
  order: OperatorOrder,
): Promise<Granted<PaymentView>> {
  if (order.as === "approved" && order.gatewayId === undefined) {
    return refused("not-allowed", "--as approved needs the gateway's id of the booking: --gateway-id ID", "fix-request", "gatewayId");
  }
  const named = ports.engine
    .active()
    .filter(({ accepted }) => accepted.reference === key.reference && (key.register === undefined || accepted.register === key.register));
  const [payment, other] = named;
  if (payment === undefined) return refused("not-found", `no open payment has the reference "${key.reference}"`, "fix-request", "reference");
  if (other !== undefined)
    return refused("not-allowed", `several registers have an open "${key.reference}": name one by --register`, "fix-request", "register");
  const mailbox = ports.engine.find(payment.accepted.id);
  const problem = mailbox && resolutionProblem(mailbox.payment(), mailbox.now(), order.as);
  if (mailbox === undefined || problem !== undefined) return refused("not-allowed", `reference "${key.reference}": ${problem ?? "is settled"}`, "fix-request");
  await askOnceMore(ports, mailbox);
  const { gatewayId, ...rest } = order;
  await mailbox.ask({ on: "resolved", ...rest, ...(gatewayId !== undefined && { gatewayId }) });
  const after = mailbox.payment();
  if (after.resolved !== undefined) return granted(viewOf(after));
  const why = resolutionProblem(after, mailbox.now(), order.as) ?? "the bridge is stopping";
  return refused("not-allowed", `reference "${key.reference}": the gateway was asked once more, and now ${why}`, "fix-request");
}

async function askOnceMore({ engine, gateway }: PaymentsPorts, mailbox: Mailbox): Promise<void> {
  const payment = mailbox.payment();
  const last = payment.attempts.at(-1)?.operation.merchantTransactionId;
  const of = searchKeyOf(payment);
  if (last === undefined || of === undefined) return;
  const { channel, rules } = payment.accepted;
  await new Promise<void>((asked) => engine.budget.ask(channel.entityId, "cashier", asked));
  const result = await gateway.search({ channel, of, linked: true }, rules.hostAnswerMs);
  if (result.is === "throttled") engine.budget.throttled(channel.entityId);
  await mailbox.ask({ on: "searched", merchantTransactionId: last, result });
}

function searchKeyOf(payment: Payment): SearchKey | undefined {
  const [target] = targetsOf(payment);
  const booking = bookingOf(payment);
  return target === undefined ? booking && { merchantTransactionId: booking.operation.merchantTransactionId } : { id: target.id };
}
