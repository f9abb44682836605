import { expect, test } from "vitest";
import type { Found } from "../../src/payment/answer.ts";
import { factSchema } from "../../src/payment/fact.ts";
import { fold, type Payment } from "../../src/payment/payment.ts";
import { journalMoney } from "../../src/reconcile/journal-booking.ts";
import { match, type Reconciliation } from "../../src/reconcile/match.ts";
import { parseReconciliationFile } from "../../src/reconcile/reconciliation-file.ts";
import { findingsOf } from "../../src/reconcile/report.ts";
import { totalsOf } from "../../src/reconcile/totals.ts";
import { scriptOf } from "./batch.ts";
import { ENTITY, TOKEN } from "./life.ts";
import { type Remains, runWorld } from "./world.ts";

const MINUTE = 60_000;
const WEEK_MS = 7 * 86_400_000;
/** The journal's days do not count here: its wall clock is set to and fro. */
const ALL_DAYS = { from: "2000-01-01", to: "2099-12-31" };

/** Of a finding: the line of the file, and the gateway's id, by which nobody knows it beforehand. */
const PLACES: readonly number[] = [1, 3];

/** Lays the gateway's file of everything it ever settled beside the journal of the last life. */
async function reconciled({ journal, sandbox }: Remains): Promise<Reconciliation> {
  sandbox.advance(WEEK_MS);
  const query = new URLSearchParams({ entityId: ENTITY, "date.from": ALL_DAYS.from, "date.to": ALL_DAYS.to });
  const path = `/reports/v1/reconciliations/aggregations?${query}`;
  const handled = await sandbox.handle({ method: "GET", path, headers: { authorization: `Bearer ${TOKEN}`, accept: "text/csv" }, body: "" });
  if (handled.is !== "reply" || handled.status !== 200) throw new Error(`no file: ${JSON.stringify(handled)}`);
  const file = parseReconciliationFile(handled.body);
  if (!file.ok) throw new Error(JSON.stringify(file.problems));
  const payments: Payment[] = [];
  const seen: Found[] = [];
  for (const row of (await journal.list({ limit: 500 })).rows) {
    const facts = (await journal.facts(row.payment)).map(({ fact }) => factSchema.parse(fact));
    const payment = fold(facts);
    if (payment !== undefined) payments.push(payment);
    for (const fact of facts) if (fact.fact === "attempt-searched" && fact.result.is === "found") seen.push(...fact.result.bookings);
  }
  return match(file.rows, journalMoney(payments, seen), ALL_DAYS);
}

test.each([1, 2, 3, 4, 5, 6])(
  "world %i: whatever broke, gateway and journal agree on every cent once all is settled",
  { timeout: 2 * MINUTE },
  async (seed) => {
    const audits: Reconciliation[] = [];
    const script = scriptOf(seed, 0, 100);
    const { violations } = await runWorld(script, { audit: async (remains) => void audits.push(await reconciled(remains)) });
    expect(violations).toEqual([]);
    const [audit] = audits;
    if (audit === undefined) throw new Error("nothing was audited");
    // What the shop sold without the bridge, and nothing else: a reservation of that sort is in the file once the bridge has captured it, who knows of the capture.
    const elsewhere = script.steps.flatMap(({ does, amount, elsewhere }) => (elsewhere === true && does === "SALE" ? [amount] : []));
    const findings = findingsOf(audit).map(({ cells }) => cells.filter((_, at) => !PLACES.includes(at)).join(" "));
    expect(findings.toSorted()).toEqual(
      elsewhere.map((amount) => `missing here - DEBIT ${(amount / 100).toFixed(2)} EUR the journal knows nothing of it`).toSorted(),
    );
    expect(audit.matched.length).toBeGreaterThan(10);
    expect(totalsOf(audit).map(({ difference }) => difference)).toEqual(totalsOf(audit).map(() => BigInt(elsewhere.reduce((sum, amount) => sum + amount, 0))));
  },
);
