import { isWaitingForOriginal, originalsOf } from "../payment/follow-up.ts";
import { searchKeyOf } from "../payment/owed.ts";
import type { Payment } from "../payment/payment.ts";
import type { PaymentView } from "../payment/public.ts";
import { type Granted, granted, refused } from "../payment/refusal.ts";
import { type Resolution, resolutionProblem } from "../payment/resolution.ts";
import { viewOf } from "../payment/view.ts";
import type { Budget } from "./budget.ts";
import type { Mailbox } from "./mailbox.ts";
import type { Gateway, Journal, PaymentRow } from "./ports.ts";

/** What an operator says became of a payment (contract, section 1, `resolve`). */
export interface OperatorOrder {
  readonly as: Resolution;
  readonly reason: string;
  /** Who says so. */
  readonly by: string;
  /** The gateway's id of the booking; needed for `approved`. */
  readonly gatewayId?: string;
}

export interface ResolvePorts {
  readonly journal: Pick<Journal, "byReferenceOfAny">;
  readonly gateway: Pick<Gateway, "search">;
  readonly budget: Budget;
  /** The mailbox of a payment of which something is owed; undefined where it is settled. */
  readonly open: (payment: string, as: Resolution) => Promise<Mailbox | undefined>;
  /** Every payment of which something is owed. */
  readonly active: () => Promise<readonly Payment[]>;
}

/** Closes it, after the gateway was asked once more and still told nothing that settles it. */
export async function resolve(
  ports: ResolvePorts,
  key: { readonly reference: string; readonly register?: string },
  order: OperatorOrder,
): Promise<Granted<PaymentView>> {
  if (order.as === "approved" && order.gatewayId === undefined) {
    return refused("not-allowed", "--as approved needs the gateway's id of the booking: --gateway-id ID", "fix-request", "gatewayId");
  }
  const named = await paymentNamed(ports, key);
  if (!named.ok) return named;
  const mailbox = await ports.open(named.value.payment, order.as);
  const problem = mailbox === undefined ? settledText(named.value) : await problemOf(ports, mailbox, order);
  if (mailbox === undefined || problem !== undefined) return refused("not-allowed", `reference "${key.reference}": ${problem}`, "fix-request");
  await askOnceMore(ports, mailbox);
  const followed = await followUpProblem(ports, mailbox, order);
  if (followed !== undefined) return refused("not-allowed", `reference "${key.reference}": ${followed}`, "fix-request");
  const { gatewayId, ...rest } = order;
  await mailbox.ask({ on: "resolved", ...rest, ...(gatewayId !== undefined && { gatewayId }) });
  const after = mailbox.payment();
  if (after.resolved !== undefined) return granted(viewOf(after));
  const why = resolutionProblem(after, mailbox.now(), order.as) ?? "the bridge is stopping";
  return refused("not-allowed", `reference "${key.reference}": the gateway was asked once more, and now ${why}`, "fix-request");
}

async function problemOf(ports: ResolvePorts, mailbox: Mailbox, order: OperatorOrder): Promise<string | undefined> {
  return resolutionProblem(mailbox.payment(), mailbox.now(), order.as) ?? (await followUpProblem(ports, mailbox, order));
}

/** A void or refund that is under way goes by what it found when it began: what a person says was captured since, it would leave standing. */
async function followUpProblem({ active }: ResolvePorts, { id }: Mailbox, { as }: OperatorOrder): Promise<string | undefined> {
  const other = as === "approved" ? (await active()).find((payment) => isAtWorkOn(payment, id)) : undefined;
  return other && `reference "${other.accepted.reference}" about the same booking is not decided yet: wait for it`;
}

function isAtWorkOn(payment: Payment, original: string): boolean {
  const { of } = payment.accepted;
  return of !== undefined && originalsOf(of).includes(original) && payment.concluded === undefined && !isWaitingForOriginal(payment);
}

/** Of several registers' payments the one that is open. */
async function paymentNamed({ journal }: ResolvePorts, { reference, register }: { readonly reference: string; readonly register?: string }) {
  const rows = (await journal.byReferenceOfAny(reference)).filter((row) => register === undefined || row.register === register);
  const [row, other] = rows.length > 1 ? rows.filter(({ open }) => open) : rows;
  if (other !== undefined) return refused("not-allowed", `several registers have an open "${reference}": name one by --register`, "fix-request", "register");
  if (row !== undefined) return granted(row);
  const whose = register === undefined ? "" : ` of register "${register}"`;
  if (rows.length > 1) return refused("not-allowed", `reference "${reference}": none of the payments of several registers is open`, "fix-request", "reference");
  return refused("not-found", `no payment has the reference "${reference}"${whose}`, "fix-request", "reference");
}

function settledText({ outcome, state }: PaymentRow): string {
  return `it is final (${outcome ?? state}), and nothing of it is open`;
}

async function askOnceMore({ budget, gateway }: ResolvePorts, mailbox: Mailbox): Promise<void> {
  const payment = mailbox.payment();
  const last = payment.attempts.findLast(({ standing }) => standing !== "intended")?.operation.merchantTransactionId;
  const of = searchKeyOf(payment);
  if (last === undefined || of === undefined) return;
  const { channel, rules } = payment.accepted;
  await new Promise<void>((asked) => budget.ask(channel.entityId, "cashier", asked));
  const result = await gateway.search({ channel, of, linked: true }, rules.hostAnswerMs);
  if (result.is === "throttled") budget.throttled(channel.entityId);
  await mailbox.ask({ on: "searched", merchantTransactionId: last, result });
}
