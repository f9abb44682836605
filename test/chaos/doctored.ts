import type { Row } from "./books.ts";
import { check, type Evidence } from "./checker.ts";
import type { JournalPayment } from "./journal.ts";
import { KIND_NAMES } from "./kinds.ts";
import { type Deletion, type Entry, newEntry, type Telling } from "./record.ts";

/** Histories for the checker's tests: what a gateway, a journal and a register would say, for each test to doctor. */

export const AT = "2026-01-02T10:00:00.000Z";
/** A second after everything in the ledger, unless a test says otherwise. */
export const TOLD_AT = Date.parse(AT) + 1_000;
export const LATER = "2026-01-02T10:00:05.000Z";
export const REGISTER = "register-1";

export function row(paymentType: string, by: string, more: Partial<Row> = {}): Row {
  return {
    id: `id-${by}`,
    entityId: "entity",
    paymentType,
    amount: "12.34",
    currency: "EUR",
    merchantTransactionId: by,
    resultCode: "000.100.110",
    receivedAt: AT,
    parameters: {},
    ...more,
  };
}

export function payment(
  reference: string,
  more: Partial<JournalPayment> = {},
  attempts: readonly string[] = [],
): JournalPayment {
  const gateway = { attempts: attempts.map((merchantTransactionId) => ({ merchantTransactionId, paymentType: "" })) };
  const same = {
    id: `pay-${reference}`,
    reference,
    register: REGISTER,
    type: "SALE",
    terminal: "till-1",
    amount: "12.34",
    currency: "EUR",
    createdAt: AT,
  };
  return { ...same, state: "FINAL", gateway, ...more };
}

export const APPROVED = {
  decision: "approved",
  outcome: "APPROVED",
  approvedAmount: "12.34",
  capturedAmount: "12.34",
  card: { entryMode: "ICC" },
  emv: { cryptogramType: "TC" },
};
export const ENDED = { decision: "not-approved", outcome: "FAILED", reason: { code: "completion-lost" } };

/** What a register knows that asked for just this payment, and heard its end. */
export function entry(
  { id, reference, type, state, decision, outcome }: JournalPayment,
  more: readonly Partial<Telling>[] = [],
): Entry {
  const kind = KIND_NAMES.find((name) => name === type) ?? "SALE";
  const one = newEntry({
    reference,
    register: REGISTER,
    kind,
    by: "card",
    terminal: "till-1",
    amount: kind === "SALE" ? "12.34" : undefined,
    currency: "EUR",
  });
  const told = {
    via: "change",
    connection: 1,
    at: TOLD_AT,
    id,
    state,
    ...(decision !== undefined && { decision }),
    ...(outcome !== undefined && { outcome }),
  } as const;
  one.tellings.push(
    ...more.map((telling) => ({
      via: "change" as const,
      connection: 1,
      at: TOLD_AT,
      id,
      state: "CREATED",
      ...telling,
    })),
    told,
  );
  one.created = 1;
  return one;
}

export function evidence(
  journal: readonly JournalPayment[],
  rows: readonly Row[],
  entries: readonly Entry[] = journal.map((one) => entry(one)),
  deletions: readonly Deletion[] = [],
): Evidence {
  return { entries, deletions, journal, listed: journal, open: [], words: [], rows };
}

export const problems = (seen: Evidence): readonly string[] =>
  check(seen).map(({ about, problem }) => `${about}: ${problem}`);
