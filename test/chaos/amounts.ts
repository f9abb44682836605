import { cents, isInPart, moved, netOf, type Row } from "./books.ts";
import type { JournalPayment, Listed } from "./journal.ts";
import type { Entry, Word } from "./record.ts";

/**
 * What was told to be captured and refunded against the ledger, where the gateway may do a part of what it was asked
 * for (000.400.040), and a person the rest.
 */

/** What is known besides a payment and its own rows. */
export interface Around {
  /** The whole ledger, and whose rows they are. */
  readonly rows: readonly Row[];
  readonly owned: ReadonlyMap<string, readonly Row[]>;
  readonly journal: readonly JournalPayment[];
  readonly words: readonly Word[];
  /** What stood open when the operator had gone. */
  readonly open: readonly Listed[];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function isApproved({ outcome }: Pick<JournalPayment, "outcome">): boolean {
  return outcome === "APPROVED" || outcome === "PARTIALLY_APPROVED";
}

function wordOn({ register, reference }: JournalPayment, words: readonly Word[]): Word | undefined {
  return words.find((word) => word.register === register && word.reference === reference);
}

/**
 * The second step of an approved sale in two messages: captured once and whole, unless the gateway refused it for good
 * or did a part, of which a person has the rest.
 */
export function captureProblems(
  payment: JournalPayment,
  rows: readonly Row[],
  approved: number,
  { words }: Pick<Around, "words">,
): readonly string[] {
  const { capture, voidedBy } = payment;
  const isSingle = rows.some((row) => row.paymentType === "DB" && moved(row));
  const captures = netOf(rows, ["CP"], ["RV", "RF"]).filter(({ left }) => left > 0);
  const captured = sum(captures.map(({ left }) => left));
  if (isSingle)
    return captured === 0 && capture === undefined
      ? []
      : [`took ${captured} cents by CP on top of a debit (capture ${capture})`];
  if (voidedBy !== undefined && capture !== "captured")
    return capture === undefined && captured === 0
      ? []
      : [`is voided, and its capture is ${capture} with ${captured} cents`];
  const word = wordOn(payment, words);
  const byHand = captures.filter(({ row }) => row.merchantTransactionId === undefined);
  const unsaid = byHand.filter(({ row }) => word?.as !== "approved" || word.gatewayId !== row.id);
  if (captures.length - byHand.length > 1) return [`was captured ${captures.length} times`];
  if (unsaid.length > 0)
    return [`was captured by hand, and nobody said so (${unsaid.map(({ row }) => row.id).join(", ")})`];
  if (captured > approved) return [`was captured with ${captured} of ${approved} cents`];
  if (capture === "captured" && captured !== approved)
    return inPartProblems(payment, rows, { captured, approved, word });
  if (capture === "failed" && captured !== 0)
    return [`says that the capture failed, and the ledger holds ${captured} cents`];
  if (capture === "failed" && !rows.some((row) => row.paymentType === "CP" && !moved(row)))
    return ["says that the capture failed, and the gateway never refused one"];
  if (capture === "failed" && word === undefined)
    return ["says that the capture failed, and no person was asked about it"];
  return capture === undefined ? ["is approved without a capture"] : [];
}

interface InPart {
  readonly captured: number;
  readonly approved: number;
  readonly word: Word | undefined;
}

/** Only a gateway that said so did a part; and what becomes of the rest a person says, unless the sale is voided. */
function inPartProblems(
  { voidedBy }: JournalPayment,
  rows: readonly Row[],
  { captured, approved, word }: InPart,
): readonly string[] {
  const parts = rows.filter((row) => row.paymentType === "CP" && isInPart(row));
  if (parts.length === 0 || captured === 0)
    return [`says captured, and the ledger holds ${captured} of ${approved} cents`];
  if (word?.as === "approved")
    return [`was captured with ${captured} of ${approved} cents, and its operator said that the rest was captured`];
  return word === undefined && voidedBy === undefined
    ? [`was captured with ${captured} of ${approved} cents, and no person was asked about the rest`]
    : [];
}

/** What the journal says was captured and given back, to the cent. */
export function amountProblems(payment: JournalPayment, around: Around): readonly string[] {
  if (!isApproved(payment)) return [];
  const { capturedAmount, refundedAmount, voidedBy } = payment;
  const takings = takingsOf(payment, around);
  const taken = sum(takings.map(({ left }) => left));
  const refunded = sum(refundsOf(takings, around).map(({ amount }) => cents(amount)));
  const isTaking = payment.type === "SALE" || payment.type === "CAPTURE" || payment.type === "PREAUTHORIZATION";
  const problems: string[] = [];
  if (isTaking && cents(capturedAmount) !== taken)
    problems.push(`says that ${cents(capturedAmount)} cents were captured, and the ledger holds ${taken}`);
  if (isTaking && cents(refundedAmount) !== refunded)
    problems.push(`says that ${cents(refundedAmount)} cents were refunded, and the ledger holds ${refunded}`);
  for (const { row } of takings) {
    const left = leftOf(row, around.rows);
    if (left < 0) problems.push(`gave back ${-left} cents more than ${row.paymentType} ${row.id} had taken`);
  }
  return [
    ...problems,
    ...(voidedBy === undefined ? [] : voidProblems(payment, around)),
    ...openProblems(payment, around),
  ];
}

interface Taking {
  readonly row: Row;
  /** Cents, without what the payment itself has taken back: a void or a refund is another payment's. */
  readonly left: number;
}

/**
 * What took the money of a payment: its debit or its captures; of a reservation those of the captures that refer to it
 * and were not voided.
 */
function takingsOf(payment: JournalPayment, { owned, journal, rows }: Around): readonly Taking[] {
  const own = owned.get(payment.id) ?? [];
  if (payment.type === "SALE" || payment.type === "CAPTURE")
    return netOf(own, ["CP", "DB"], ["RV", "RF"]).filter(({ left }) => left > 0);
  if (payment.type !== "PREAUTHORIZATION") return [];
  const reservations = own.filter((row) => row.paymentType === "PA").map(({ id }) => id);
  const captures = journal
    .filter((one) => one.type === "CAPTURE" && isApproved(one))
    .flatMap(({ id }) => owned.get(id) ?? []);
  const of = captures.filter(
    ({ paymentType, referencedId = "" }) => paymentType === "CP" && reservations.includes(referencedId),
  );
  return netOf([...of, ...rows.filter((row) => row.paymentType === "RV")], ["CP"], ["RV"]).filter(
    ({ left }) => left > 0,
  );
}

/** The bookings of approved refunds that gave these takings back. */
function refundsOf(takings: readonly Taking[], { owned, journal }: Around): readonly Row[] {
  const ids = takings.map(({ row }) => row.id);
  const refunds = journal
    .filter((one) => one.type === "LINKED_REFUND" && isApproved(one))
    .flatMap(({ id }) => owned.get(id) ?? []);
  return refunds.filter((row) => row.paymentType === "RF" && moved(row) && ids.includes(row.referencedId ?? ""));
}

function leftOf({ id, amount }: Row, rows: readonly Row[]): number {
  const back = rows.filter(
    (row) => row.referencedId === id && (row.paymentType === "RV" || row.paymentType === "RF") && moved(row),
  );
  return cents(amount) - sum(back.map((row) => cents(row.amount)));
}

/** A void leaves nothing of what took the money, nor of the reservation where nothing was captured. */
function voidProblems(payment: JournalPayment, { owned, rows }: Around): readonly string[] {
  const own = (owned.get(payment.id) ?? []).filter(moved);
  const takings = own.filter(({ paymentType }) => paymentType === "CP" || paymentType === "DB");
  const booked = takings.length > 0 ? takings : own.filter(({ paymentType }) => paymentType === "PA");
  const left = booked.map((row) => ({ row, left: leftOf(row, rows) })).filter((one) => one.left > 0);
  return left.map(
    ({ row, left: cent }) => `is voided, and the ledger holds ${cent} cents of ${row.paymentType} ${row.id}`,
  );
}

/** What a person has closed waits for nobody any more. */
function openProblems(payment: JournalPayment, { words, open }: Around): readonly string[] {
  const row = open.find(({ id }) => id === payment.id);
  if (row?.owed === undefined || row.mend === undefined || wordOn(payment, words) === undefined) return [];
  return [`was closed by its operator, and still waits for ${row.owed}`];
}

/** Each amount that a register was told was true at that moment, and the last one it asked for is the journal's. */
export function toldAmountProblems(
  { tellings }: Entry,
  payment: JournalPayment,
  { owned, rows, journal }: Around,
): readonly string[] {
  const problems = new Set<string>();
  const own = owned.get(payment.id) ?? [];
  const captures = journal.filter(({ type }) => type === "CAPTURE").flatMap(({ id }) => owned.get(id) ?? []);
  const isOfOwn = ({ referencedId }: Row): boolean => own.some(({ id }) => id === referencedId);
  const takings = payment.type === "PREAUTHORIZATION" ? captures.filter(isOfOwn) : own;
  const taken = takings.filter((row) => (row.paymentType === "CP" || row.paymentType === "DB") && moved(row));
  const given = rows.filter(
    (row) => row.paymentType === "RF" && moved(row) && taken.some(({ id }) => id === row.referencedId),
  );
  const until = (some: readonly Row[], at: number): number =>
    sum(some.filter((row) => Date.parse(row.receivedAt) <= at).map(({ amount }) => cents(amount)));
  for (const { at, capturedAmount, refundedAmount } of tellings) {
    if (cents(capturedAmount) > until(taken, at))
      problems.add(`was told that ${capturedAmount} was captured, when the ledger held ${until(taken, at)} cents`);
    if (cents(refundedAmount) > until(given, at))
      problems.add(`was told that ${refundedAmount} was refunded, when the ledger held ${until(given, at)} cents`);
  }
  const said = new Set(
    tellings.flatMap(({ decision, approvedAmount }) =>
      decision === "approved" && approvedAmount !== undefined ? [approvedAmount] : [],
    ),
  );
  if (said.size > 1) problems.add(`its approved amount changed: ${[...said].join(", ")}`);
  const last = tellings.findLast(({ via }) => via === "get");
  if (last === undefined) return [...problems];
  for (const what of ["approvedAmount", "capturedAmount", "refundedAmount"] as const)
    if (last[what] !== payment[what])
      problems.add(
        `was told last that its ${what} is ${last[what] ?? "none"}, and the journal says ${payment[what] ?? "none"}`,
      );
  return [...problems];
}
