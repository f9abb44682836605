import { type Around, amountProblems, captureProblems, toldAmountProblems } from "./amounts.ts";
import { cents, isInDoubt, isInPart, isKeptDespiteDecline, moved, netOf, type Row, rowsByOwner } from "./books.ts";
import type { JournalPayment, Listed } from "./journal.ts";
import { BOOKED, HAS_CARD, KIND_NAMES, type Kind } from "./kinds.ts";
import { type Deletion, type Entry, isAccepted, type Word } from "./record.ts";
import { chargeProblems, deletionProblems, isDeletionAsked, lateProblems } from "./remote-rules.ts";
import { refusedForGood, toldProblems } from "./told.ts";

/** All that an outsider can see once everything is healed. */
export interface Evidence {
  readonly entries: readonly Entry[];
  readonly deletions: readonly Deletion[];
  readonly journal: readonly JournalPayment[];
  readonly listed: readonly Listed[];
  /** What stands open, and the operator's words on what stood open. */
  readonly open: readonly Listed[];
  readonly words: readonly Word[];
  readonly rows: readonly Row[];
}

export interface Violation {
  /** The payment's reference; where no payment is meant, what is. */
  readonly about: string;
  readonly problem: string;
  readonly payment?: JournalPayment;
  readonly rows: readonly Row[];
}

/**
 * Compares ledger, journal and what the registers were told (contract, section 3, truths 1 to 4 and 7). Shares nothing
 * with the code that it judges.
 */
export function check({ entries, deletions, journal, listed, open, words, rows }: Evidence): readonly Violation[] {
  const owners = new Map(
    journal.flatMap(({ id, gateway }) =>
      (gateway?.attempts ?? []).map(({ merchantTransactionId }) => [merchantTransactionId, id] as const),
    ),
  );
  const { owned, strange } = rowsByOwner(rows, owners);
  const around: Around = { rows, owned, journal, words, open };
  const byKey = new Map(journal.map((payment) => [keyOf(payment), payment] as const));
  const sent = new Map(entries.map((entry) => [keyOf(entry), entry] as const));
  const found: Violation[] = [];
  const say = (about: string, problems: readonly string[], payment?: JournalPayment): void => {
    const own = payment === undefined ? [] : (owned.get(payment.id) ?? []);
    found.push(
      ...problems.map((problem) => ({ about, problem, rows: own, ...(payment !== undefined && { payment }) })),
    );
  };
  for (const payment of journal) {
    const entry = sent.get(keyOf(payment));
    say(
      payment.reference,
      paymentProblems(payment, owned.get(payment.id) ?? [], { entry, deletions, around }),
      payment,
    );
    if (entry === undefined) say(payment.reference, ["is in the journal, and no register asked for it"], payment);
  }
  for (const entry of entries) {
    const payment = byKey.get(keyOf(entry));
    if (payment === undefined)
      say(
        entry.reference,
        isAccepted(entry) ? ["was accepted, and is missing from the journal"] : refusedForGood(entry),
      );
    if (payment === undefined) continue;
    const own = owned.get(payment.id) ?? [];
    const told = [
      ...toldProblems(entry, payment),
      ...toldTooSoon(entry, payment, own),
      ...lateProblems(entry, payment, own),
    ];
    say(
      entry.reference,
      [...told, ...toldAmountProblems(entry, payment, around), ...requestProblems(entry, payment)],
      payment,
    );
  }
  for (const deletion of deletions) say(deletion.reference, deletionProblems(deletion, { deletions, journal, rows }));
  found.push(
    ...strange.map((row) => ({
      about: row.parameters["merchantInvoiceId"] ?? "ledger",
      problem: "a row of the ledger that no payment explains",
      rows: [row],
    })),
  );
  found.push(...rows.filter((row) => isAfterItsReservation(row, rows)).map((row) => tooLate(row)));
  for (const problem of listProblems(journal, listed)) say("payments list", [problem]);
  return found;
}

const keyOf = ({ register, reference }: { readonly register: string; readonly reference: string }): string =>
  `${register} ${reference}`;

/**
 * What else is known of a payment: what its register did, where it is known at all, which cards were deleted, and
 * everything that may refer to it.
 */
interface Beside {
  readonly entry: Entry | undefined;
  readonly deletions: readonly Deletion[];
  readonly around: Around;
}

/** What the journal says of a payment against its rows of the ledger. */
function paymentProblems(
  payment: JournalPayment,
  rows: readonly Row[],
  { entry, deletions, around }: Beside,
): readonly string[] {
  const kind = KIND_NAMES.find((name) => name === payment.type);
  if (kind === undefined) return [`has the type ${payment.type}, which the contract does not know`];
  const foreign = rows.filter(
    ({ parameters: { merchantInvoiceId = payment.reference } }) => merchantInvoiceId !== payment.reference,
  );
  return [
    ...standing(payment),
    ...(isApproved(payment)
      ? approvedProblems(payment, kind, rows, { around, isCardDeleted: isDeletionAsked(payment, deletions) })
      : []),
    ...(isApproved(payment) ? [] : endedProblems(payment, kind, rows, isEndedForGood(payment))),
    ...everProblems(payment, kind, rows, 1 + (entry?.secondPages ?? 0)),
    ...amountProblems(payment, around),
    ...chargeProblems(payment, rows),
    ...foreign.map(({ id, parameters }) => `booking ${id} was made for ${parameters["merchantInvoiceId"]}`),
  ];
}

function isApproved({ outcome }: { readonly outcome?: string | undefined }): boolean {
  return outcome === "APPROVED" || outcome === "PARTIALLY_APPROVED";
}

/** Once everything is healed nothing is open any more. */
function standing(payment: JournalPayment): readonly string[] {
  const { state, outcome, decision, reason, capture, voidedBy } = payment;
  if (state !== "FINAL") return [`is still ${state} (${reason?.code ?? "no reason"}) after everything was healed`];
  const expected = isApproved(payment) ? "approved" : "not-approved";
  return [
    ...(outcome === undefined ? ["is FINAL without an outcome"] : []),
    ...(decision === expected ? [] : [`is ${outcome} with the decision ${decision}`]),
    ...(capture === "pending" && voidedBy === undefined
      ? ["has its capture still pending after everything was healed"]
      : []),
  ];
}

/** Truths 2 and 7: exactly one net booking of what was approved, and the card agreed. */
function approvedProblems(
  payment: JournalPayment,
  kind: Kind,
  rows: readonly Row[],
  { around, isCardDeleted }: { readonly around: Around; readonly isCardDeleted: boolean },
): readonly string[] {
  const { by, takenBackBy, several, withoutAmount } = BOOKED[kind];
  // Whether a card that its shop had deleted is gone by now is for the deletion to say.
  const standingBookings = netOf(rows, by, isCardDeleted ? [] : takenBackBy).filter(({ left }) => left > 0);
  const problems: string[] = [];
  const isCountRight = several === true ? standingBookings.length > 0 : standingBookings.length === 1;
  if (!isCountRight)
    problems.push(`is ${payment.outcome} with ${standingBookings.length} net bookings (${by.join(" or ")})`);
  if (kind !== "VOID" && standingBookings.some(({ row }) => isInDoubt(row)))
    problems.push(`is ${payment.outcome} by a booking that the gateway wanted to take back`);
  const left = standingBookings.reduce((total, one) => total + one.left, 0);
  if (withoutAmount !== true) {
    const approved = cents(payment.approvedAmount);
    if (left !== approved) problems.push(`has approved ${approved} cents, and the ledger holds ${left}`);
    const isPart = approved < cents(payment.amount);
    if (approved <= 0 || isPart !== (payment.outcome === "PARTIALLY_APPROVED"))
      problems.push(`is ${payment.outcome} with ${approved} of ${cents(payment.amount)} cents`);
  }
  return [
    ...problems,
    ...(kind === "SALE" ? captureProblems(payment, rows, left, around) : []),
    ...cardProblems(payment, kind),
  ];
}

function cardProblems({ card, emv }: JournalPayment, kind: Kind): readonly string[] {
  if (!HAS_CARD[kind] || card?.entryMode !== "ICC") return [];
  return emv?.cryptogramType === "TC"
    ? []
    : [`is approved, and the card's last word was ${emv?.cryptogramType ?? "nothing"}`];
}

/**
 * The money of what needs no terminal comes late as a matter of course, and all of it has gone back once everything was
 * healed.
 */
function isEndedForGood({ terminal }: JournalPayment): boolean {
  return terminal === "";
}

/** Truth 3: nothing is left. A late booking is exempt while it is being taken back (truth 4). */
function endedProblems(
  { outcome, state, held, lateBooking }: JournalPayment,
  kind: Kind,
  rows: readonly Row[],
  isForGood = false,
): readonly string[] {
  const { by, takenBackBy } = BOOKED[kind];
  const problems: string[] = [];
  const bookings = [...netOf(rows, by, takenBackBy), ...(kind === "SALE" ? netOf(rows, ["CP"], ["RV", "RF"]) : [])];
  for (const { row, left } of bookings) {
    if (left > 0 && (lateBooking !== true || isForGood))
      problems.push(`is ${outcome ?? state}, and the ledger holds ${left} cents of ${row.paymentType} ${row.id}`);
    if (left < 0) problems.push(`gave back ${-left} cents more than ${row.paymentType} ${row.id} had taken`);
  }
  const isReversed = ({ id }: Row): boolean =>
    rows.some((row) => row.paymentType === "RV" && row.referencedId === id && moved(row));
  const isKept = rows.some((row) => isKeptDespiteDecline(row) && !isReversed(row));
  if (isKept && state === "FINAL" && held !== true)
    problems.push("does not say that the issuer keeps the amount reserved");
  return problems;
}

/**
 * What was told holds from then on: of what is not approved nothing is left at that moment, and what is approved is
 * booked.
 */
function toldTooSoon(entry: Entry, payment: JournalPayment, rows: readonly Row[]): readonly string[] {
  const kind = KIND_NAMES.find((name) => name === payment.type);
  if (kind === undefined) return [];
  const { tellings } = entry;
  const until = (at: number): readonly Row[] => rows.filter(({ receivedAt }) => Date.parse(receivedAt) <= at);
  const ended = tellings.find(({ state, outcome }) => state === "FINAL" && !isApproved({ outcome }));
  const approved = tellings.find(({ decision }) => decision === "approved");
  const { by, takenBackBy } = BOOKED[kind];
  // A link is not over before nobody can pay by it any more; a second page of it may be noticed after that.
  const isForGood = entry.by === "link" && entry.secondPages === 0;
  const isBooked = approved === undefined || netOf(until(approved.at), by, takenBackBy).some(({ left }) => left > 0);
  return [
    ...(ended === undefined
      ? []
      : endedProblems(payment, kind, until(ended.at), isForGood).map(
          (problem) => `when it was told that it is ${ended.outcome} it ${problem}`,
        )),
    ...(isBooked ? [] : ["was told to be approved before it was booked"]),
  ];
}

/**
 * The gateway has a void's reversal of that reservation already: its capture was to be called off, or reversed in its
 * place (contract, truth 7).
 */
function isAfterItsReservation(row: Row, rows: readonly Row[]): boolean {
  if (row.paymentType !== "CP" || row.merchantTransactionId === undefined) return false;
  const isReversal = (other: Row): boolean =>
    other.paymentType === "RV" && other.referencedId === row.referencedId && other.merchantTransactionId !== undefined;
  return rows.some(
    (other) => isReversal(other) && moved(other) && Date.parse(other.receivedAt) < Date.parse(row.receivedAt),
  );
}

function tooLate(row: Row): Violation {
  const about = row.parameters["merchantInvoiceId"] ?? "ledger";
  return { about, problem: `CP ${row.id} was asked for after its reservation had been given back`, rows: [row] };
}

/**
 * Truth 1, after every single row of the ledger: never two net bookings at once (or as many as its customer has opened
 * pages to pay), and never more than was asked for.
 */
function everProblems({ amount }: JournalPayment, kind: Kind, rows: readonly Row[], most = 1): readonly string[] {
  const { by, takenBackBy, several, withoutAmount } = BOOKED[kind];
  const problems = new Set<string>();
  for (let count = 1; count <= rows.length; count += 1) {
    const until = rows.slice(0, count);
    const bookings = netOf(until, by, takenBackBy).filter(({ left }) => left > 0);
    if (several !== true && bookings.length > most) problems.add(`had ${bookings.length} net bookings at once`);
    const highest = Math.max(
      0,
      ...[...bookings, ...(kind === "SALE" ? netOf(until, ["CP"], ["RV", "RF"]) : [])].map(({ left }) => left),
    );
    if (withoutAmount !== true && highest > cents(amount))
      problems.add(`had ${highest} cents booked for ${cents(amount)}`);
  }
  const targets = rows
    .filter((row) => row.paymentType === "RV" && moved(row) && !isInPart(row))
    .map(({ referencedId }) => referencedId);
  if (new Set(targets).size < targets.length) problems.add("reversed a booking twice");
  return [...problems];
}

/** The journal holds what was asked for. */
function requestProblems(
  entry: Entry,
  { type, amount, currency, terminal, registration }: JournalPayment,
): readonly string[] {
  const problems: string[] = [];
  if (type !== entry.kind) problems.push(`was asked for as ${entry.kind}, and is ${type}`);
  if (entry.amount !== undefined && cents(amount) !== cents(entry.amount))
    problems.push(`was asked for with ${entry.amount}, and has ${amount}`);
  if (entry.amount !== undefined && currency !== entry.currency)
    problems.push(`was asked for in ${entry.currency}, and is in ${currency}`);
  if (registration !== entry.registration)
    problems.push(
      `was asked for by the card ${entry.registration ?? "presented"}, and is by ${registration ?? "none"}`,
    );
  if (HAS_CARD[entry.kind] && terminal !== entry.terminal)
    problems.push(`was asked for on ${entry.terminal}, and ran on ${terminal}`);
  return problems;
}

/** Both ways of reading the journal show the same payments. */
function listProblems(journal: readonly JournalPayment[], listed: readonly Listed[]): readonly string[] {
  const rows = new Map(listed.map((row) => [row.id, row] as const));
  const problems = journal.flatMap(({ id, reference, state, outcome }) => {
    const row = rows.get(id);
    if (row === undefined) return [`does not show ${reference}, which the export has`];
    return row.state === state && row.outcome === outcome
      ? []
      : [`shows ${reference} as ${row.state} ${row.outcome}, the export as ${state} ${outcome}`];
  });
  if (listed.length !== journal.length)
    problems.push(`shows ${listed.length} payments, the export has ${journal.length}`);
  const keys = journal.map(keyOf);
  return [
    ...problems,
    ...keys.filter((key, at) => keys.indexOf(key) !== at).map((key) => `has two payments of ${key}`),
  ];
}
