import { isoTime } from "../../kit/clock.ts";
import type { SearchKey, SearchResult } from "../../payment/exchange.ts";
import { everyQueryOf, evolve, type Fact } from "../../payment/machine.ts";
import { type Granted, granted, refused } from "../../payment/request.ts";
import { AS_SHOWN, isTakenBack, type Payment } from "../../payment/state.ts";
import { viewOf } from "../../payment/view.ts";
import type { AnyPaymentKey } from "../../register/ports.ts";
import { query } from "../gateway/query.ts";
import type { Budget } from "../gateway/query-budget.ts";
import {
  type Held,
  heldAsListed,
  heldAsShown,
  isUndecided,
  requestsOf,
  type SinceBackup,
} from "../gateway/since-backup.ts";
import type { Gateway, Journal } from "../ports.ts";
import { paymentNamed } from "../service/payment-named.ts";
import { recall } from "../shell/journal-replay.ts";
import { rowOf } from "../shell/payment-row.ts";
import { bookingsIn, gatewaySays } from "./gateway-findings.ts";
import { namedProblem, ownerOf, partApproved } from "./named-booking.ts";
import type { Closed, OperatorOrder } from "./resolve.ts";

/** Maximum tries of a throttled query; the budget waits half a minute before each repeat. */
const TRIES = 3;

export async function undecidedIn(
  journal: Pick<Journal, "openPayments" | "facts">,
  since: SinceBackup,
): Promise<readonly Payment[]> {
  const known = await Promise.all((await journal.openPayments()).map((id) => recall(journal, id)));
  return known.flatMap((one) => (one !== undefined && isUndecided(one.payment, since) ? [one.payment] : []));
}

interface UndecidedPorts {
  readonly journal: Pick<
    Journal,
    "append" | "byReferenceOfAny" | "byMerchantTransactionId" | "naming" | "list" | "facts"
  >;
  readonly gateway: Pick<Gateway, "search" | "reaches">;
  readonly budget: Pick<Budget, "ask" | "heard">;
  readonly since: SinceBackup;
  readonly now: () => number;
}

/**
 * An operator closes a payment undecided at the backup. The gateway's findings are written before the decision, so the
 * bridge reverses none of them.
 */
export async function closeUndecided(
  ports: UndecidedPorts,
  key: AnyPaymentKey,
  order: OperatorOrder,
): Promise<Granted<Closed>> {
  const { journal, now } = ports;
  const named = await paymentNamed({ journal }, key);
  if (!named.ok) return named;
  const { reference } = named.value;
  const known = await recall(journal, named.value.payment);
  const problem = known === undefined ? "it is not in the journal" : orderProblem(known.payment, order, ports.since);
  if (known === undefined || problem !== undefined) return notAllowed(reference, problem ?? "");
  const at = Math.max(now(), known.payment.updatedAt);
  const heard = await askAbout(ports, known.payment, order, at);
  const { as, reason, by, gatewayId } = order;
  const unfit = as === "approved" && gatewayId !== undefined ? await unfitProblem(ports, heard, gatewayId) : undefined;
  if (unfit !== undefined) return notAllowed(reference, unfit);
  const resolved: Fact = { fact: "resolved", at, as, reason, by, ...(gatewayId !== undefined && { gatewayId }) };
  const before = evolve(heard.payment, resolved);
  const approved = partApproved(heard.payment) === undefined ? "APPROVED" : "PARTIALLY_APPROVED";
  const concluded: Fact = { fact: "concluded", at, outcome: before.ending?.outcome ?? approved };
  const after = evolve(before, concluded);
  await journal.append([...heard.facts, resolved, concluded], isoTime(at), rowOf(after));
  return granted({
    payment: viewOf(after),
    gateway: gatewaySays(heard.payment, heard.answers, as === "approved" ? gatewayId : undefined),
  });
}

function notAllowed(reference: string, problem: string): Granted<never> {
  return refused("not-allowed", `reference "${reference}": ${problem}`, "fix-request");
}

function orderProblem(payment: Payment, { as, gatewayId }: OperatorOrder, since: SinceBackup): string | undefined {
  if (!isUndecided(payment, since))
    return "nothing of it has to be said: confirm the restored folder first, then the bridge goes on with it";
  if (payment.accepted.type === "VOID" && as === "reversed")
    return "of a void say approved (it was carried out) or declined (it was not)";
  return as === "approved" && gatewayId === undefined
    ? "--as approved needs the gateway's id of the booking: --gateway-id ID"
    : undefined;
}

interface Told {
  readonly merchantTransactionId: string;
  readonly result: SearchResult;
}

/** The gateway's report on a payment: as facts, as the resulting payment, and as answers. */
interface Heard {
  readonly facts: readonly Fact[];
  readonly payment: Payment;
  readonly answers: readonly SearchResult[];
}

/** Requests only the gateway knows are written first, as in the lost journal. Query results can then refer to them. */
function heardOf(known: Payment, held: readonly Held[], told: readonly Told[], at: number): Heard {
  const searched = told.map((one): Fact => ({ fact: "attempt-searched", at, ...one }));
  const facts: readonly Fact[] = [...requestsOf(known, held, at), { fact: "interrupted", at }, ...searched];
  return { facts, payment: facts.reduce(evolve, known), answers: told.map(({ result }) => result) };
}

async function askAbout(ports: UndecidedPorts, known: Payment, order: OperatorOrder, at: number): Promise<Heard> {
  const lost = ports.since.lostOf(known).map(heldAsListed);
  const before = heardOf(known, lost, [], at);
  if (!ports.gateway.reaches(known.accepted.channel)) return before;
  const told: Told[] = [];
  for (const { merchantTransactionId, original } of everyQueryOf(before.payment)) {
    told.push({ merchantTransactionId, result: await search(ports, known, original) });
  }
  const heard = heardOf(known, lost, told, at);
  const { as, gatewayId } = order;
  const isSilent = told.length > 0 && heard.answers.every(isUnheard);
  if (
    as !== "approved" ||
    gatewayId === undefined ||
    isSilent ||
    bookingsIn(heard.answers).some(({ id }) => id === gatewayId)
  )
    return heard;
  const result = await search(ports, known, { id: gatewayId });
  const booking = bookingsIn([result]).find(({ id }) => id === gatewayId);
  const name = booking?.merchantTransactionId;
  if (booking === undefined || name === undefined)
    return isUnheard(result) ? { ...heard, answers: [...heard.answers, result] } : heard;
  // A booking of another payment does not count, even if the operator names it.
  if (!ports.since.isNamed(known, name)) return heard;
  const isListed = lost.some(({ merchantTransactionId }) => merchantTransactionId === name);
  return heardOf(
    known,
    isListed ? lost : [...lost, heldAsShown(booking)],
    [...told, { merchantTransactionId: name, result }],
    at,
  );
}

function isUnheard({ is }: SearchResult): boolean {
  return is !== "found" && is !== "absent";
}

async function search(
  ports: UndecidedPorts,
  { accepted: { channel, rules } }: Payment,
  of: SearchKey,
): Promise<SearchResult> {
  for (let tries = 1; ; tries += 1) {
    const result = await new Promise<SearchResult>((heard) =>
      query(ports, { channel, of, turn: "cashier", deadlineMs: rules.hostAnswerMs }, heard),
    );
    if (result.is !== "throttled" || tries === TRIES) return result;
  }
}

/** Later refunds and voids refer to the named booking, so the gateway must show it with a fitting type. */
async function unfitProblem(
  { journal }: UndecidedPorts,
  { payment, answers }: Heard,
  gatewayId: string,
): Promise<string | undefined> {
  const shown = bookingsIn(answers);
  const booking = shown.find(({ id }) => id === gatewayId);
  if (booking === undefined) return unshownProblem(answers, gatewayId);
  const owner = await ownerOf(journal, payment, gatewayId, booking.merchantTransactionId);
  return namedProblem(payment, gatewayId, {
    booking,
    owner,
    isTakenBack: isTakenBack(shown, { id: gatewayId }, AS_SHOWN),
  });
}

function unshownProblem(answers: readonly SearchResult[], gatewayId: string): string {
  const unheard = answers.find(isUnheard);
  if (unheard === undefined)
    return `the gateway does not show ${gatewayId} as a booking of it; close it as reversed or declined and settle it in the back office, or name another`;
  const why =
    unheard.is === "no-answer"
      ? unheard.description
      : "it is asked too often, by this bridge or by others of the same entity";
  return `the gateway did not tell what it has of it (${why}): try again in a minute`;
}
