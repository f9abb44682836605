import type { Found, SearchResult } from "../payment/answer.ts";
import { isWaitingForOriginal, originalsOf } from "../payment/follow-up.ts";
import type { SearchKey } from "../payment/operation.ts";
import type { Payment } from "../payment/payment.ts";
import type { PaymentView } from "../payment/public.ts";
import { type Granted, granted, refused } from "../payment/refusal.ts";
import { type Resolution, resolutionProblem } from "../payment/resolution.ts";
import { AS_SHOWN, isTakenBack } from "../payment/reversals-shown.ts";
import { everyQueryOf } from "../payment/search.ts";
import { viewOf } from "../payment/view.ts";
import type { Budget } from "./budget.ts";
import { recall } from "./history.ts";
import type { Mailbox } from "./mailbox.ts";
import { hasBooked, namedProblem } from "./named-booking.ts";
import { familyOf } from "./original.ts";
import type { Gateway, Journal, PaymentRow } from "./ports.ts";
import { query } from "./query.ts";
import { type Held, notWrittenYet } from "./start.ts";

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
  readonly journal: Pick<Journal, "byReferenceOfAny" | "byMerchantTransactionId" | "naming" | "facts">;
  readonly gateway: Pick<Gateway, "search">;
  readonly budget: Budget;
  /** The mailbox of a payment of which something is owed; undefined where it is settled. */
  readonly open: (payment: string, as: Resolution) => Promise<Mailbox | undefined>;
  /** Every payment of which something is owed. */
  readonly active: () => Promise<readonly Payment[]>;
  /** Nothing that follows them is accepted until these families are let go of. */
  readonly hold: (families: readonly string[], reference: string) => Held;
}

/** Closes it, after the gateway was asked once more and still told nothing that settles it. A void or refund of it that began meanwhile would not know of that word. */
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
  const problem = mailbox === undefined ? settledText(named.value) : resolutionProblem(mailbox.payment(), mailbox.now(), order.as);
  if (mailbox === undefined || problem !== undefined) return refused("not-allowed", `reference "${key.reference}": ${problem}`, "fix-request");
  const held = ports.hold([familyOf(mailbox.payment())], key.reference);
  if (!held.ok)
    return refused("not-allowed", `reference "${key.reference}": ${held.by === key.reference ? ANOTHER_WORD : undecidedBeside(held.by)}`, "fix-request");
  try {
    return await resolveHeld(ports, key.reference, mailbox, order);
  } finally {
    held.letGo();
  }
}

async function resolveHeld(ports: ResolvePorts, reference: string, mailbox: Mailbox, order: OperatorOrder): Promise<Granted<PaymentView>> {
  const shown = await askOnceMore(ports, mailbox);
  if (shown === undefined) return notWrittenYet;
  const unfit = (await followUpProblem(ports, mailbox)) ?? (await idProblem(ports, mailbox, order, shown));
  if (unfit !== undefined) return refused("not-allowed", `reference "${reference}": ${unfit}`, "fix-request");
  const { gatewayId, ...rest } = order;
  const before = mailbox.payment().resolved;
  if (!(await mailbox.askNow({ on: "resolved", ...rest, ...(gatewayId !== undefined && { gatewayId }) }))) return notWrittenYet;
  const after = mailbox.payment();
  const { resolved } = after;
  const isOurs = resolved?.by === order.by && resolved.reason === order.reason && (resolved.as === order.as || before?.as === "approved");
  if (isOurs && resolved !== before) return granted(viewOf(after));
  const why = resolutionProblem(after, mailbox.now(), order.as) ?? "the bridge is stopping";
  return refused("not-allowed", `reference "${reference}": the gateway was asked once more, and now ${why}`, "fix-request");
}

/**
 * A void or refund that is under way goes by what it found when it began: what a person says was captured since, it would leave standing; and a capture that it has stopped goes on
 * where it fails, which any word would end.
 */
async function followUpProblem({ active }: ResolvePorts, { id }: Mailbox): Promise<string | undefined> {
  const other = (await active()).find((payment) => isAtWorkOn(payment, id));
  return other && undecidedBeside(other.accepted.reference);
}

const ANOTHER_WORD = "somebody else's word about it is being looked into just now: look at the payment in a minute";

function undecidedBeside(reference: string): string {
  return `reference "${reference}" about the same booking is not decided yet: wait for it`;
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

/** What the gateway shows of it; undefined where the journal cannot be written. */
async function askOnceMore(ports: ResolvePorts, mailbox: Mailbox): Promise<readonly Found[] | undefined> {
  const payment = mailbox.payment();
  const shown: Found[] = [];
  for (const { merchantTransactionId, original } of everyQueryOf(payment)) {
    const result = await search(ports, payment, original);
    if (!(await mailbox.askNow({ on: "searched", merchantTransactionId, result }))) return undefined;
    shown.push(...bookingsIn(result));
  }
  return shown;
}

/** Why the booking that is named cannot be what this payment booked. One that the gateway does not show with the payment is looked up by itself. */
async function idProblem(ports: ResolvePorts, mailbox: Mailbox, { as, gatewayId }: OperatorOrder, shown: readonly Found[]): Promise<string | undefined> {
  // With another word it is a note for people.
  if (as !== "approved" || gatewayId === undefined) return undefined;
  const payment = mailbox.payment();
  const isNamed = ({ id }: Found): boolean => id === gatewayId;
  // A gateway that shows nothing at all just now is not asked once more: nobody should have to wait for that.
  const others = shown.length === 0 || shown.some(isNamed) ? shown : bookingsIn(await search(ports, payment, { id: gatewayId }));
  const booking = others.find(isNamed);
  return namedProblem(payment, gatewayId, {
    booking,
    owner: await ownerOf(ports, payment, gatewayId, booking?.merchantTransactionId),
    isTakenBack: isTakenBack(others, { id: gatewayId }, AS_SHOWN),
  });
}

/** The payment of this journal whose booking that is, whether the gateway can be asked or not. */
async function ownerOf({ journal }: ResolvePorts, { accepted }: Payment, gatewayId: string, name: string | undefined): Promise<string | undefined> {
  const others = (await journal.naming(gatewayId)).filter((id) => id !== accepted.id);
  const known = await Promise.all(others.map((id) => recall(journal, id)));
  const owner = known.find((one) => one !== undefined && hasBooked(one.payment, gatewayId));
  return owner?.payment.accepted.id ?? (name === undefined ? undefined : await journal.byMerchantTransactionId(name));
}

function search(ports: ResolvePorts, { accepted: { channel, rules } }: Payment, of: SearchKey): Promise<SearchResult> {
  return new Promise((heard) => query(ports, { channel, of, urgency: "cashier", deadlineMs: rules.hostAnswerMs }, heard));
}

function bookingsIn(result: SearchResult): readonly Found[] {
  return result.is === "found" ? result.bookings : [];
}
