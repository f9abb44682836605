import type { Answer } from "../../src/payment/fact/answer.ts";
import type { Operation } from "../../src/payment/fact/operation.ts";
import {
  type AnswerName,
  answer,
  approval,
  carryOut,
  type Ledger,
  leftOf,
  type Row,
  replaced,
  rowOf,
  ruleOf,
} from "./ledger.ts";
import { linkOutcomes } from "./linking.ts";

/** One thing that may become of a request: what the gateway's ledger holds afterwards, and what the bridge hears. */
export interface PostOutcome {
  readonly name: string;
  /** 0: what is to be expected; 1: a misfortune. */
  readonly cost: 0 | 1;
  readonly ledger: Ledger;
  readonly answer: Answer;
}

/** What the shopper's card lets an issuer say besides. */
export interface Presented {
  readonly tapped: boolean;
  readonly pinned: boolean;
}

/** Everything that may become of a request that is on its way, the expected first. */
export function postOutcomes(
  operation: Operation,
  ledger: Ledger,
  now: number,
  presented: Presented,
): readonly PostOutcome[] {
  const nothing = (is: AnswerName, name: string = is): PostOutcome => ({ name, cost: 1, ledger, answer: answer(is) });
  const never = [
    nothing("unknown", "no answer, and it never arrived"),
    nothing("not-sent", "connection refused"),
    nothing("throttled"),
    nothing("gateway-down", "gateway down"),
    nothing("not-acquired", "nothing sent to the acquirer (900.100.310)"),
  ];
  if (operation.link !== undefined) return linkOutcomes(operation, ledger);
  const rule = ruleOf(operation, ledger);
  if (rule !== "carried-out") return [{ name: rule, cost: 0, ledger, answer: answer(rule) }, ...never];
  const row = rowOf(operation, now);
  return operation.paymentType === "RV" || operation.paymentType === "DR"
    ? [...reversals(row, ledger), ...never]
    : [...bookings(row, ledger, presented), ...never];
}

/** What a reversal in part gives back, minor units. */
const PART = 300;

/** Of what was given back in part the rest; the gateway names its amount then. */
function reversals(asked: Row, ledger: Ledger): readonly PostOutcome[] {
  const target = ledger.find(({ id }) => id === asked.ref);
  const isRest = target !== undefined && target.givenBack > 0;
  const row = isRest ? { ...asked, amount: leftOf(target) } : asked;
  const done = carryOut(ledger, row);
  const half = { ...row, state: "half" as const };
  const outcome = (name: string, after: Ledger, is: AnswerName, id?: string): PostOutcome => ({
    name,
    cost: 1,
    ledger: after,
    answer: answer(is, id),
  });
  const both = [
    { name: "approved", cost: 0 as const, ledger: done, answer: approval(row, false) },
    outcome("no answer, carried out", done, "unknown"),
    outcome("no answer, still on its way", [...ledger, { ...row, state: "limbo" }], "unknown"),
    outcome("refused", ledger, "refused"),
  ];
  if (row.type === "DR") return both;
  both.push(outcome("gateway down, and carried out after all", done, "gateway-down"));
  return [
    ...both,
    outcome("decided later", [...ledger, { ...row, state: "pending" }], "pending", row.id),
    outcome("000.400.030, carried out", carryOut(ledger, half), "half-reversed", row.id),
    outcome("000.400.030, not carried out", [...ledger, half], "half-reversed", row.id),
    outcome(
      "not reversible",
      row.ref === undefined ? ledger : replaced(ledger, row.ref, { irreversible: true }),
      "not-reversible",
    ),
    outcome(
      "declined",
      [...ledger, { ...row, state: "refused", says: answer("declined", row.id) }],
      "declined",
      row.id,
    ),
    outcome("the original is called pending", ledger, "still-pending"),
    ...(target === undefined || isRest || target.amount <= PART ? [] : inPart({ ...row, amount: PART }, ledger)),
  ];
}

/** 000.400.040: successfully processed, and the amounts differ. */
function inPart(row: Row, ledger: Ledger): readonly PostOutcome[] {
  const after = carryOut(ledger, row);
  return [
    { name: "carried out in part", cost: 1, ledger: after, answer: approval(row, false) },
    { name: "no answer, carried out in part", cost: 1, ledger: after, answer: answer("unknown") },
  ];
}

function bookings(row: Row, ledger: Ledger, { tapped, pinned }: Presented): readonly PostOutcome[] {
  const { id, type } = row;
  const outcome = (name: string, kept: Row, said: Answer, cost: 0 | 1 = 1): PostOutcome => ({
    name,
    cost,
    ledger: [...ledger, kept],
    answer: said,
  });
  const refused = (is: AnswerName): PostOutcome =>
    outcome(is, { ...row, state: "refused", says: answer(is, id) }, answer(is, id));
  const byItself: Row = { ...row, id: `${id}-rv`, mtid: "", type: "RV", ref: id };
  /** The second one is refused as a duplicate, and the first still on its way. */
  const twice = (is: AnswerName): PostOutcome => {
    const twin: Row = { ...row, id: `${id}-2`, state: "refused", says: answer(is, `${id}-2`) };
    return {
      name: `arrived twice, the second ${is}, the first still on its way`,
      cost: 1,
      ledger: [...ledger, { ...row, state: "limbo" }, twin],
      answer: answer(is, twin.id),
    };
  };
  const always: PostOutcome[] = [
    outcome("approved", row, approval(row, true), 0),
    refused("declined"),
    outcome("no answer, booked", row, answer("unknown")),
    outcome("no answer, still on its way", { ...row, state: "limbo" }, answer("unknown")),
    outcome("pending", { ...row, state: "pending" }, answer("pending", id)),
    outcome("000.400.030, money held", { ...row, state: "half" }, answer("half-reversed", id)),
    outcome("000.400.030 without an id, money held", { ...row, state: "half" }, answer("half-reversed")),
    outcome("900.100.300, booked", { ...row, state: "unsure" }, answer("unknown", id)),
    {
      name: "reversed by the gateway itself",
      cost: 1,
      ledger: carryOut([...ledger, row], byItself),
      answer: answer("auto-reversed", id),
    } as const,
    {
      name: "no answer, booked, and the gateway has not decided its own reversal",
      cost: 1,
      // Where a query shows the booking without it, nothing else tells of it.
      ledger: [...ledger, row, { ...byItself, state: "pending", sight: "seen" }],
      answer: answer("unknown"),
    } as const,
    outcome("said to be reversed by the gateway, and is not", row, answer("auto-reversed", id)),
    refused("duplicate"),
    outcome("duplicate, and booked", row, answer("duplicate", id)),
    ...(["duplicate-request", "duplicate"] as const).map(twice),
    refused("refused"),
  ];
  if (type === "RG") return always;
  // Of what refers to a booking an answer with another amount is none (src/gateway/verdict): a query tells it.
  if (row.ref !== undefined)
    return row.amount <= PART
      ? always
      : [...always, outcome("booked in part", { ...row, amount: PART }, answer("unknown", id))];
  return [
    ...always,
    refused("held"),
    ...(tapped ? [refused("soft-declined")] : []),
    ...(pinned ? [refused("wrong-pin")] : []),
    ...(type === "CD"
      ? []
      : [outcome("approved in part", { ...row, amount: 500 }, approval({ ...row, amount: 500 }, true))]),
    outcome("booked more than asked", { ...row, amount: 9_999 }, answer("unknown", id)),
  ];
}
