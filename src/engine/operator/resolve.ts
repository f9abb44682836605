import type { SearchKey, SearchResult } from "../../payment/exchange.ts";
import { everyQueryOf } from "../../payment/machine.ts";
import {
  type Granted,
  granted,
  isWaitingForOriginal,
  nameOf,
  originalsOf,
  type PaymentName,
  type Resolution,
  refused,
  resolutionProblem,
} from "../../payment/request.ts";
import { AS_SHOWN, isTakenBack, type Payment } from "../../payment/state.ts";
import { viewOf } from "../../payment/view.ts";
import type { PaymentView } from "../../payment/view-schema.ts";
import type { AnyPaymentKey } from "../../register/ports.ts";
import { query } from "../gateway/query.ts";
import type { Budget } from "../gateway/query-budget.ts";
import type { Gateway, Journal, PaymentRow } from "../ports.ts";
import { familyOf } from "../service/original-reference.ts";
import { paymentNamed } from "../service/payment-named.ts";
import { type FollowedBefore, followedBefore } from "../service/prior-follow-ups.ts";
import { type Held, notWrittenYet } from "../service/start.ts";
import type { Mailbox } from "../shell/mailbox.ts";
import { bookingsIn, type GatewaySays, gatewaySays } from "./gateway-findings.ts";
import { namedProblem, ownerOf } from "./named-booking.ts";

/** An operator's decision on a payment (contract, section 1, `resolve`). */
export interface OperatorOrder {
  readonly as: Resolution;
  readonly reason: string;
  /** Name of the operator. */
  readonly by: string;
  /** The gateway's id of the booking; required for `approved`. */
  readonly gatewayId?: string;
}

export interface ResolvePorts {
  readonly journal: Pick<Journal, "byReferenceOfAny" | "byMerchantTransactionId" | "naming" | "facts" | "list">;
  readonly gateway: Pick<Gateway, "search" | "reaches">;
  readonly budget: Budget;
  /** The mailbox of an open payment; undefined once settled. */
  readonly open: (payment: string, as: Resolution) => Promise<Mailbox | undefined>;
  /** All open payments. */
  readonly active: () => Promise<readonly Payment[]>;
  /** Blocks new follow-ups of these families until released. */
  readonly hold: (families: readonly string[], payment: PaymentName) => Held;
}

/** The payment after the operator's decision, and the gateway's view before it. */
export interface Closed {
  readonly payment: PaymentView;
  readonly gateway: GatewaySays;
}

/**
 * Closes a payment that one more query leaves undecided. Holds its family: a void or refund accepted meanwhile would
 * not know the decision.
 */
export async function resolve(ports: ResolvePorts, key: AnyPaymentKey, order: OperatorOrder): Promise<Granted<Closed>> {
  if (order.as === "approved" && order.gatewayId === undefined) {
    return refused(
      "not-allowed",
      "--as approved needs the gateway's id of the booking: --gateway-id ID",
      "fix-request",
      "gatewayId",
    );
  }
  const named = await paymentNamed(ports, key);
  if (!named.ok) return named;
  const { reference } = named.value;
  const mailbox = await ports.open(named.value.payment, order.as);
  const problem =
    mailbox === undefined ? settledText(named.value) : resolutionProblem(mailbox.payment(), mailbox.now(), order.as);
  if (mailbox === undefined || problem !== undefined)
    return refused("not-allowed", `reference "${reference}": ${problem}`, "fix-request");
  const bookings = order.as === "approved" && order.gatewayId !== undefined ? [order.gatewayId] : [];
  const own = nameOf(mailbox.payment().accepted);
  const held = ports.hold([familyOf(mailbox.payment()), ...bookings], own);
  if (!held.ok) {
    const isOwn = held.by.reference === own.reference && held.by.register === own.register;
    return refused(
      "not-allowed",
      `reference "${reference}": ${isOwn ? ANOTHER_WORD : undecidedBeside(held.by.reference)}`,
      "fix-request",
    );
  }
  try {
    return await resolveHeld(ports, reference, mailbox, order);
  } finally {
    held.letGo();
  }
}

async function resolveHeld(
  ports: ResolvePorts,
  reference: string,
  mailbox: Mailbox,
  order: OperatorOrder,
): Promise<Granted<Closed>> {
  const heard = await askOnceMore(ports, mailbox);
  if (heard === undefined) return notWrittenYet;
  const inTheWay = await followUpProblem(ports, mailbox);
  const answers = inTheWay === undefined ? [...heard, ...(await askForNamed(ports, mailbox, order, heard))] : heard;
  const unfit = inTheWay ?? (await idProblem(ports, mailbox, order, answers));
  if (unfit !== undefined) return refused("not-allowed", `reference "${reference}": ${unfit}`, "fix-request");
  const { gatewayId, ...rest } = order;
  const { followed, undecided } =
    order.as === "approved" && gatewayId !== undefined ? await followedBefore(ports.journal, gatewayId) : NOTHING;
  if (undecided !== undefined)
    return refused("not-allowed", `reference "${reference}": ${undecidedBeside(undecided)}`, "fix-request");
  const before = mailbox.payment().resolved;
  const gateway = gatewaySays(mailbox.payment(), answers, order.as === "approved" ? gatewayId : undefined);
  const word = {
    ...rest,
    ...(gatewayId !== undefined && { gatewayId }),
    ...(followed.length > 0 && { followed: [...followed] }),
  };
  if (!(await mailbox.askNow({ on: "resolved", ...word }))) return notWrittenYet;
  const after = mailbox.payment();
  const { resolved } = after;
  const isOurs =
    resolved?.by === order.by &&
    resolved.reason === order.reason &&
    (resolved.as === order.as || before?.as === "approved");
  if (isOurs && resolved !== before) return granted({ payment: viewOf(after), gateway });
  const why = resolutionProblem(after, mailbox.now(), order.as) ?? "the bridge is stopping";
  return refused(
    "not-allowed",
    `reference "${reference}": the gateway was asked once more, and now ${why}`,
    "fix-request",
  );
}

/**
 * A void or refund under way would miss a capture an operator reports now. If it fails, it resumes the stopped capture,
 * which a decision would end.
 */
async function followUpProblem({ active }: ResolvePorts, { id }: Mailbox): Promise<string | undefined> {
  const other = (await active()).find((payment) => isAtWorkOn(payment, id));
  return other && undecidedBeside(other.accepted.reference);
}

const NOTHING: FollowedBefore = { followed: [] };

const ANOTHER_WORD = "somebody else's word about it is being looked into just now: look at the payment in a minute";

function undecidedBeside(reference: string): string {
  return `reference "${reference}" about the same booking is not decided yet: wait for it`;
}

function isAtWorkOn(payment: Payment, original: string): boolean {
  const { of } = payment.accepted;
  return (
    of !== undefined &&
    originalsOf(of).includes(original) &&
    payment.concluded === undefined &&
    !isWaitingForOriginal(payment)
  );
}

function settledText({ outcome, state }: PaymentRow): string {
  return `it is final (${outcome ?? state}), and nothing of it is open`;
}

/** The gateway's answers; undefined if the journal cannot be written. */
async function askOnceMore(ports: ResolvePorts, mailbox: Mailbox): Promise<readonly SearchResult[] | undefined> {
  const payment = mailbox.payment();
  const heard: SearchResult[] = [];
  for (const { merchantTransactionId, original } of everyQueryOf(payment)) {
    const result = await search(ports, payment, original);
    if (!(await mailbox.askNow({ on: "searched", merchantTransactionId, result }))) return undefined;
    heard.push(result);
  }
  return heard;
}

/**
 * Queries the named booking too, if not shown with the payment. Skipped if the gateway answered nothing, to avoid
 * another timeout.
 */
async function askForNamed(
  ports: ResolvePorts,
  mailbox: Mailbox,
  { as, gatewayId }: OperatorOrder,
  heard: readonly SearchResult[],
): Promise<readonly SearchResult[]> {
  const isAnswering = heard.some(({ is }) => is === "found" || is === "absent");
  if (
    as !== "approved" ||
    gatewayId === undefined ||
    !isAnswering ||
    bookingsIn(heard).some(({ id }) => id === gatewayId)
  )
    return [];
  return [await search(ports, mailbox.payment(), { id: gatewayId })];
}

/** Why the named booking cannot belong to this payment. */
async function idProblem(
  ports: ResolvePorts,
  mailbox: Mailbox,
  { as, gatewayId }: OperatorOrder,
  answers: readonly SearchResult[],
): Promise<string | undefined> {
  // With other decisions the id is only a note.
  if (as !== "approved" || gatewayId === undefined) return undefined;
  const payment = mailbox.payment();
  const shown = bookingsIn(answers);
  const booking = shown.find(({ id }) => id === gatewayId);
  return namedProblem(payment, gatewayId, {
    booking,
    owner: await ownerOf(ports.journal, payment, gatewayId, booking?.merchantTransactionId),
    isTakenBack: isTakenBack(shown, { id: gatewayId }, AS_SHOWN),
  });
}

function search(ports: ResolvePorts, { accepted: { channel, rules } }: Payment, of: SearchKey): Promise<SearchResult> {
  return new Promise((heard) => query(ports, { channel, of, turn: "cashier", deadlineMs: rules.hostAnswerMs }, heard));
}
