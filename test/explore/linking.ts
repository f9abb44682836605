import type { LinkSight } from "../../src/payment/fact/answer.ts";
import type { Operation } from "../../src/payment/fact/operation.ts";
import { closedAtGateway } from "../../src/payment/state/link-sight.ts";
import { bookingOf, type Payment } from "../../src/payment/state/payment.ts";
import { answer, type Ledger, type Row, rowOf } from "./ledger.ts";
import type { PostOutcome } from "./posting.ts";

/** What may become of the request for a link: nothing is booked by it, and without its address nobody can pay. */
export function linkOutcomes({ merchantTransactionId }: Operation, ledger: Ledger): readonly PostOutcome[] {
  const said = { resultCode: "000.200.100", description: "" };
  const not = (name: string, is: "unknown" | "not-sent" | "throttled" | "gateway-down" | "refused"): PostOutcome => ({
    name,
    cost: 1,
    ledger,
    answer: answer(is),
  });
  return [
    {
      name: "a link is made",
      cost: 0,
      ledger,
      answer: { is: "link", id: `l-${merchantTransactionId}`, url: "https://gateway.example/l", ...said },
    },
    not("no answer, and nobody knows the link", "unknown"),
    not("connection refused", "not-sent"),
    not("throttled", "throttled"),
    not("gateway down", "gateway-down"),
    not("refused", "refused"),
  ];
}

/** By the bridge's clock as it was before a restart. */
function isWithinTime({ link, attempts }: Payment, now: number): boolean {
  const validity = attempts[0]?.operation.link;
  return (
    link !== undefined &&
    validity !== undefined &&
    now < closedAtGateway({ ...link, sight: { is: "open", opened: false } }, validity)
  );
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** After a restart the clock may be wrong by a day: by the gateway's clock the link may still be as new as at first. */
export function isPayableAt(payment: Payment, now: number): boolean {
  const { link, interruptedAt } = payment;
  if (isWithinTime(payment, now)) return true;
  return (
    link !== undefined &&
    link.sight.is !== "expired" &&
    interruptedAt !== undefined &&
    now < interruptedAt + HOUR_MS &&
    now < link.at + DAY_MS
  );
}

/** Of a booking made in a second browser, in which the link had been opened before it was paid in the first. */
function secondId(id: string): string {
  return `${id}-second`;
}

export function isSecond({ id }: Row): boolean {
  return id.endsWith("-second");
}

/**
 * The gateway closes what was opened before the link was paid after so long (gateway-facts 0: a checkout lives for 30
 * minutes).
 */
const OPENED_MS = 1_700_000;

/**
 * What the customer may do with the link on his phone, as long as the gateway takes payments by it and none has come or
 * is under way.
 */
export function customerOutcomes(
  payment: Payment,
  ledger: Ledger,
  now: number,
): readonly { readonly name: string; readonly cost: 0 | 1; readonly ledger: Ledger }[] {
  const operation = bookingOf(payment)?.operation;
  if (operation === undefined || !isPayableAt(payment, now)) return [];
  const own = ledger.filter(({ mtid }) => mtid === operation.merchantTransactionId);
  const [first] = own;
  if (
    own.length === 1 &&
    first?.state === "booked" &&
    !first.takenBack &&
    now - Math.max(first.at, payment.interruptedAt ?? 0) < OPENED_MS
  ) {
    const second = { ...rowOf(operation, now), id: secondId(first.id) };
    return [{ name: "pays a second time in another browser", cost: 1, ledger: [...ledger, second] }];
  }
  // One that was paid is closed for good; what the gateway itself has timed out on was never paid.
  const isTimedOut = ({ id }: Row): boolean => ledger.some(({ ref, mtid }) => ref === id && mtid === "");
  if (own.some((one) => one.state !== "refused" && !isTimedOut(one))) return [];
  const row = { ...rowOf(operation, now), id: `b-${operation.merchantTransactionId}-${own.length}` };
  const isWanted = payment.ending === undefined && payment.concluded === undefined;
  // Nobody is answered with 900.100.301 here: a query that shows the booking shows what became of it.
  const reversal = { ...row, id: `${row.id}-rv`, mtid: "", type: "RV" as const, ref: row.id, sight: "seen" as const };
  return [
    { name: "pays by the link", cost: isWanted ? 0 : 1, ledger: [...ledger, row] },
    { name: "pays, and it is decided later", cost: 1, ledger: [...ledger, { ...row, state: "pending" }] },
    { name: "pays, and the gateway is not sure", cost: 1, ledger: [...ledger, { ...row, state: "unsure" }] },
    ...(own.length > 0
      ? []
      : ([
          {
            name: "has his card declined",
            cost: 1,
            ledger: [...ledger, { ...row, state: "refused", says: answer("declined", row.id) }],
          },
          {
            name: "pays, and the gateway takes it back by itself",
            cost: 1,
            ledger: [...ledger, { ...row, takenBack: true }, reversal],
          },
        ] as const)),
  ];
}

/** What the gateway may tell of the link now, where that is news; the truth first. */
export function sights(
  payment: Payment,
  ledger: Ledger,
  now: number,
): readonly { readonly name: string; readonly cost: 0 | 1; readonly sight: LinkSight }[] {
  const { link } = payment;
  if (link === undefined) return [];
  const own = ledger.filter(
    ({ mtid, takenBack }) => mtid === bookingOf(payment)?.operation.merchantTransactionId && !takenBack,
  );
  const paid = own.find(({ state }) => state === "booked" || state === "unsure");
  const opened = own.some(({ state }) => state === "pending");
  const truth: LinkSight =
    paid !== undefined
      ? { is: "paid", transactionId: paid.id }
      : isPayableAt(payment, now) || opened
        ? { is: "open", opened }
        : { is: "expired" };
  const isNews =
    truth.is !== link.sight.is ||
    (truth.is === "open" && link.sight.is === "open" && truth.opened !== link.sight.opened);
  // Whether the clock was set nobody knows.
  const isOverAsWell = truth.is === "open" && !truth.opened && !isWithinTime(payment, now);
  return [
    ...(isNews ? [{ name: `it is ${truth.is}`, cost: 0, sight: truth } as const] : []),
    ...(isOverAsWell ? [{ name: "it is expired", cost: 0, sight: { is: "expired" } } as const] : []),
    ...(truth.is === "paid"
      ? [{ name: "it is paid, without saying by what", cost: 1, sight: { is: "paid" } } as const]
      : []),
    ...(link.sight.is === "no-answer"
      ? []
      : [{ name: "no answer", cost: 1, sight: { is: "no-answer", description: "" } } as const]),
  ];
}
