import { moved, type Row } from "./books.ts";
import type { JournalPayment } from "./journal.ts";
import type { Deletion, Entry } from "./record.ts";

/** What must hold of what has no terminal: stored cards, their deletions, and links that are paid too late. */

const TAKES: readonly string[] = ["PA", "DB"];

/** A stored card's payment takes money of that card, and no other payment takes money of any. */
export function chargeProblems({ registration }: JournalPayment, rows: readonly Row[]): readonly string[] {
  return rows
    .filter((row) => TAKES.includes(row.paymentType) && moved(row) && row.chargedRegistrationId !== registration)
    .map(
      ({ paymentType, id, chargedRegistrationId = "another" }) =>
        `is by the card ${registration ?? "presented"}, and ${paymentType} ${id} was taken of ${chargedRegistrationId}`,
    );
}

/**
 * Who pays by a link after its register was told that it is over hears that his money came, and goes back; what the
 * gateway took back by itself never came.
 */
export function lateProblems(
  { by, tellings }: Entry,
  { lateBooking }: JournalPayment,
  rows: readonly Row[],
): readonly string[] {
  const decided = tellings.find(({ decision }) => decision === "not-approved");
  if (by !== "link" || decided === undefined || lateBooking === true) return [];
  const isReturned = ({ id }: Row): boolean =>
    rows.some((row) => row.referencedId === id && row.paymentType === "RV" && row.merchantTransactionId === undefined);
  const late = rows.filter(
    (row) =>
      TAKES.includes(row.paymentType) && moved(row) && Date.parse(row.receivedAt) > decided.at && !isReturned(row),
  );
  return late.map(
    ({ paymentType, id }) =>
      `was paid by ${paymentType} ${id} after it had been told to be not approved, and does not say so`,
  );
}

interface Known {
  readonly deletions: readonly Deletion[];
  readonly journal: readonly JournalPayment[];
  readonly rows: readonly Row[];
}

export function isDeletionAsked({ gateway }: JournalPayment, deletions: readonly Deletion[]): boolean {
  return deletions.some(({ registration }) => registration === gateway?.registrationId);
}

/** Refusals after which a register asks again. */
const AGAIN: readonly string[] = ["shutting-down", "too-many-requests"];

/** A card that was told to be deleted is gone from then on, and charged no more; what was told once stands. */
export function deletionProblems(deletion: Deletion, { deletions, journal, rows }: Known): readonly string[] {
  const { registration, tellings, refusals } = deletion;
  const known = tellings.filter(({ says }) => says !== "unknown");
  const said = [...new Set(known.map(({ says }) => says))];
  const [first] = known.toSorted((a, b) => a.at - b.at);
  const refused = refusals.filter(({ code }) => !AGAIN.includes(code));
  const problems = [
    ...refused.map(({ code, message }) => `its deletion was refused (${code}: ${message})`),
    ...(said.length > 1 ? [`was told to be ${said.join(" and then ")}`] : []),
    ...(first === undefined && tellings.length > 0 ? ["is still unknown after everything was healed"] : []),
  ];
  if (first === undefined) return problems;
  const isStored = journal.some(
    ({ gateway, outcome }) => gateway?.registrationId === registration && outcome === "APPROVED",
  );
  const rivals = deletions.filter((other) => other.registration === registration);
  const gone = rows.find((row) => row.paymentType === "DR" && row.referencedId === registration && moved(row));
  const isLater = ({ receivedAt }: Row): boolean => Date.parse(receivedAt) > first.at;
  if (tellings.some(({ says, sentAt }) => says === "unknown" && sentAt > first.at))
    problems.push(`was told to be ${first.says}, and then unknown`);
  if (gone === undefined || isLater(gone))
    problems.push(
      `was told to be ${first.says}, and the gateway ${gone === undefined ? "keeps" : "then still kept"} the card`,
    );
  if (first.says === "already-deleted" && isStored && rivals.length === 1)
    problems.push("was told to be already-deleted, and nobody else had the card deleted");
  const charged = rows.filter((row) => row.chargedRegistrationId === registration && moved(row) && isLater(row));
  return [
    ...problems,
    ...charged.map(
      ({ paymentType, id }) => `was told to be ${first.says}, and then its card was charged by ${paymentType} ${id}`,
    ),
  ];
}
