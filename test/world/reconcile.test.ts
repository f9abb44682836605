import { expect, test } from "vitest";
import type { Found } from "../../src/payment/fact/answer.ts";
import { factSchema } from "../../src/payment/fact/fact.ts";
import { fold, type Payment } from "../../src/payment/state/payment.ts";
import { journalMoney } from "../../src/reconcile/journal-booking.ts";
import { match, type Reconciliation } from "../../src/reconcile/match.ts";
import { parseReconciliationFile } from "../../src/reconcile/reconciliation-file.ts";
import { findingsOf } from "../../src/reconcile/report.ts";
import { totalsOf } from "../../src/reconcile/totals.ts";
import { sampleOf } from "../support/dose.ts";
import { ELSEWHERE } from "./back-office.ts";
import { scriptOf } from "./batch.ts";
import { ENTITY, TOKEN } from "./life.ts";
import { type Remains, runWorld } from "./world.ts";

const WEEK_MS = 7 * 86_400_000;
/** The journal's days do not count here: its wall clock is set to and fro. */
const ALL_DAYS = { from: "2000-01-01", to: "2099-12-31" };

/** Lays the gateway's file of everything it ever settled beside the journal of the last life. */
async function reconciled({ journal, sandbox }: Remains): Promise<Reconciliation> {
  sandbox.advance(WEEK_MS);
  const query = new URLSearchParams({ entityId: ENTITY, "date.from": ALL_DAYS.from, "date.to": ALL_DAYS.to });
  const path = `/reports/v1/reconciliations/aggregations?${query}`;
  const handled = await sandbox.handle({
    method: "GET",
    path,
    headers: { authorization: `Bearer ${TOKEN}`, accept: "text/csv" },
    body: "",
  });
  if (handled.is !== "reply" || handled.status !== 200) throw new Error(`no file: ${JSON.stringify(handled)}`);
  const file = parseReconciliationFile(handled.body);
  if (!file.ok) throw new Error(JSON.stringify(file.problems));
  const payments: Payment[] = [];
  const seen: Found[] = [];
  for (const row of (await journal.list({ limit: 500 })).rows) {
    const facts = (await journal.facts(row.payment)).map(({ fact }) => factSchema.parse(fact));
    const payment = fold(facts);
    if (payment !== undefined) payments.push(payment);
    for (const fact of facts)
      if (fact.fact === "attempt-searched" && fact.result.is === "found") seen.push(...fact.result.bookings);
  }
  // What was sold without the bridge is missing in its journal, as it has to be; what followed by the bridge is not.
  const rows = file.rows.filter(({ merchantTransactionId }) => merchantTransactionId?.startsWith(ELSEWHERE) !== true);
  return match(rows, journalMoney(payments, seen), ALL_DAYS);
}

test.each(sampleOf([1, 2, 3, 4, 5, 6], 1))(
  "world %i: whatever broke, gateway and journal agree on every cent once all is settled",
  async (seed) => {
    const audits: Reconciliation[] = [];
    const { violations } = await runWorld(scriptOf(seed, 0, 100), {
      audit: async (remains) => void audits.push(await reconciled(remains)),
    });
    expect(violations).toEqual([]);
    const [audit] = audits;
    if (audit === undefined) throw new Error("nothing was audited");
    expect(findingsOf(audit).map(({ cells }) => cells.join(" "))).toEqual([]);
    expect(audit.matched.length).toBeGreaterThan(10);
    expect(totalsOf(audit).map(({ difference }) => difference)).toEqual(totalsOf(audit).map(() => 0n));
  },
);
