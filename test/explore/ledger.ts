import { answerOfReply } from "../../src/gateway/verdict.ts";
import type { Answer } from "../../src/payment/fact/answer.ts";
import type { GatewayPaymentType, Operation } from "../../src/payment/fact/operation.ts";

/**
 * One request as the modelled gateway keeps it.
 * - `booked`; - `refused`: kept without a booking; - `limbo`: on its way, may still be carried out;
 * - `pending`: decided later, either way; - `half`: booked, and the gateway says 000.400.030; - `unsure`: booked, and
 * the gateway does not know it yet (900.100.300).
 */
export interface Row {
  readonly id: string;
  readonly mtid: string;
  readonly type: GatewayPaymentType;
  /** Minor units; nothing of a reversal of the whole. */
  readonly amount: number;
  readonly ref: string | undefined;
  readonly at: number;
  readonly state: "booked" | "refused" | "limbo" | "pending" | "half" | "unsure";
  /** What a query says of a row that is refused. */
  readonly says: Answer | undefined;
  readonly takenBack: boolean;
  /** Minor units of it that reversals gave back, each of them a part. */
  readonly givenBack: number;
  /** The gateway has said that it does not reverse it any more. */
  readonly irreversible: boolean;
  /**
   * `seen`: a query has shown it, and from then on every query does; `hidden`: one has not shown it, which goes on as
   * long as the gateway likes, within a day.
   */
  readonly sight: "new" | "hidden" | "seen";
  /** A card that was stored besides. */
  readonly card: "none" | "stored" | "deleted";
}

export type Ledger = readonly Row[];

export const CURRENCY = "EUR";
const said = { resultCode: "000", description: "" };

const approvals = new Map<string, Answer>();

/** The approval of a booking; the same object for the same booking, so that digests of it are taken once. */
export function approval(
  { id, amount, type, card }: Pick<Row, "id" | "amount" | "type" | "card">,
  icc: boolean,
): Answer {
  const name = `${id} ${type} ${amount} ${icc} ${card === "none"}`;
  const known = approvals.get(name);
  if (known !== undefined) return known;
  const isUnnamed = type === "RG" || type === "DR" || (type === "RV" && amount === 0);
  const money = isUnnamed ? {} : { amount, currency: CURRENCY };
  const stored = type === "RG" ? { registrationId: id } : card === "none" ? {} : { registrationId: `${id}-card` };
  const made: Answer = {
    is: "approved",
    id,
    ...said,
    ...money,
    ...stored,
    review: false,
    issuer: icc ? { iccDataResponse: "8A023030" } : {},
  };
  approvals.set(name, made);
  return made;
}

const named = new Map<string, Answer>();

/** Any other answer, likewise one object for each. */
export function answer(is: AnswerName, id?: string): Answer {
  const name = `${is} ${id ?? ""}`;
  const known = named.get(name);
  if (known !== undefined) return known;
  const made = makeAnswer(is, id === undefined ? {} : { id });
  named.set(name, made);
  return made;
}

export type AnswerName =
  | "declined"
  | "wrong-pin"
  | "held"
  | "soft-declined"
  | "pending"
  | "not-sent"
  | "not-acquired"
  | "refused"
  | "nothing-left"
  | "gateway-down"
  | "throttled"
  | "duplicate"
  | "duplicate-request"
  | "already-reversed"
  | "not-reversible"
  | "still-pending"
  | "auto-reversed"
  | "half-reversed"
  | "unknown";

/**
 * What the gateway says, in its own codes: the product's reading of them is part of what is walked through. Where there
 * is no reply there is no code.
 */
const CODES: Readonly<Record<Exclude<AnswerName, "not-sent">, string>> = {
  declined: "800.100.152",
  "wrong-pin": "800.100.166",
  held: "800.100.192",
  "soft-declined": "300.100.100",
  pending: "000.200.000",
  "not-acquired": "900.100.310",
  refused: "200.300.404",
  "nothing-left": "700.400.200",
  "gateway-down": "900.100.600",
  throttled: "800.120.100",
  duplicate: "800.110.100",
  "duplicate-request": "800.120.402",
  "already-reversed": "700.300.300",
  "not-reversible": "700.400.530",
  "still-pending": "700.400.570",
  "auto-reversed": "900.100.301",
  "half-reversed": "000.400.030",
  unknown: "900.100.300",
};

function makeAnswer(is: AnswerName, id: { readonly id?: string }): Answer {
  if (is === "not-sent") return { is: "not-booked", why: is, ...id, ...said };
  if (is === "unknown" && id.id === undefined) return { is, description: "" };
  const paymentType = is === "already-reversed" || is === "not-reversible" || is === "still-pending" ? "RV" : "PA";
  const reply = { paymentType, amount: "12.34", currency: CURRENCY, result: { code: CODES[is] } };
  return { ...answerOfReply(reply, { environment: "test", paymentType }), ...id };
}

export function rowOf(
  { merchantTransactionId, paymentType, amount, referencedId, createRegistration }: Operation,
  at: number,
): Row {
  return {
    id: `b-${merchantTransactionId}`,
    mtid: merchantTransactionId,
    type: paymentType,
    amount: amount ?? 0,
    ref: referencedId,
    at,
    state: "booked",
    says: undefined,
    takenBack: false,
    givenBack: 0,
    irreversible: false,
    sight: "new",
    card: createRegistration === true ? "stored" : "none",
  };
}

/** Money or a stored card that the gateway holds. */
export function isNet({ state, takenBack }: Row): boolean {
  return !takenBack && (state === "booked" || state === "half" || state === "unsure");
}

/** The same, or it may come to that. */
export function mayBeNet({ state, takenBack }: Row): boolean {
  return !takenBack && state !== "refused";
}

/**
 * How the gateway's own rules stand to a request that refers to a booking (gateway-facts 1.3 and 2.1); `carried-out`
 * where nothing is against it.
 */
export function ruleOf(
  { paymentType, referencedId, amount = 0 }: Operation,
  ledger: Ledger,
): "carried-out" | AnswerName {
  if (referencedId === undefined) return "carried-out";
  const target = ledger.find(({ id }) => id === referencedId);
  if (paymentType === "DR") return deletionRule(ledger, referencedId);
  if (target === undefined || target.state === "refused") return "refused";
  if (target.state === "pending" || target.state === "limbo") return "still-pending";
  if (target.takenBack) return "already-reversed";
  const following = ledger.filter((row) => row.ref === referencedId && isNet(row));
  if (paymentType === "RV") {
    if (following.some(({ type }) => type === "CP" || type === "RF")) return "already-reversed";
    return target.irreversible && target.type === "DB" ? "not-reversible" : "carried-out";
  }
  if (paymentType === "PA") return "carried-out";
  const sum = (type: Row["type"]): number =>
    following.filter((row) => row.type === type).reduce((total, row) => total + row.amount, 0);
  const room = target.amount - target.givenBack + (paymentType === "CP" ? sum("PA") : 0) - sum(paymentType);
  return amount <= room ? "carried-out" : "nothing-left";
}

function deletionRule(ledger: Ledger, referencedId: string): "carried-out" | AnswerName {
  const owner = ledger.find(({ id }) => id === referencedId || `${id}-card` === referencedId);
  if (owner === undefined || owner.state === "refused") return "already-reversed";
  const isGone = owner.id === referencedId ? owner.takenBack : owner.card === "deleted";
  return isGone ? "already-reversed" : "carried-out";
}

/**
 * The ledger once a row is carried out: a reversal takes its target back, or that much of it, a deletion its stored
 * card.
 */
export function carryOut(ledger: Ledger, row: Row): Ledger {
  const after = ledger.map((other) => {
    if (row.type === "RV" && other.id === row.ref) return takenBackBy(row, other);
    if (row.type === "DR" && other.id === row.ref) return { ...other, takenBack: true };
    return row.type === "DR" && `${other.id}-card` === row.ref ? { ...other, card: "deleted" as const } : other;
  });
  return [...after, row];
}

function takenBackBy({ amount }: Row, target: Row): Row {
  if (amount === 0) return { ...target, takenBack: true };
  const givenBack = target.givenBack + amount;
  return { ...target, givenBack, takenBack: givenBack >= target.amount };
}

/** What is left of a booking after reversals of parts of it, minor units. */
export function leftOf({ takenBack, amount, givenBack }: Row): number {
  return takenBack ? 0 : amount - givenBack;
}

/** What refunds have given back of it, minor units. */
export function refundedOf({ id }: Row, ledger: Ledger): number {
  return ledger.reduce((sum, one) => sum + (one.type === "RF" && one.ref === id && isNet(one) ? one.amount : 0), 0);
}

export function replaced(ledger: Ledger, id: string, change: Partial<Row>): Ledger {
  return ledger.map((row) => (row.id === id ? { ...row, ...change } : row));
}
