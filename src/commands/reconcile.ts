import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { styleText } from "node:util";
import { Command } from "commander";
import type { ReadOnlyJournal } from "../journal/read-only.ts";
import { currencyOf } from "../kit/money.ts";
import type { Found } from "../payment/exchange.ts";
import type { Payment } from "../payment/state.ts";
import type { FileRow } from "../reconcile/file-row.ts";
import type { JournalMoney } from "../reconcile/journal-booking.ts";
import type { Reconciliation } from "../reconcile/match.ts";
import type { Period } from "../reconcile/period.ts";
import type { Scope } from "../reconcile/scope.ts";
import { type DataFolderOptions, withDataFolder } from "./data-folder-option.ts";
import { factsOfRow, paymentOf, withJournal } from "./payments.ts";
import { tableLines } from "./table.ts";
import { OperationFailed, type Output, UsageProblem } from "./terminal-output.ts";

const EXAMPLE = `
Lays the gateway's reconciliation file (semicolon-separated CSV) beside the journal. A row is found by the gateway's id, or by the merchantTransactionId where that
finds nothing. It reads only, and works while the daemon runs.

  matched          settled as it was booked
  amount differs   settled, but not as it was booked (or another currency, type, cashflow, or a settlement that failed)
  missing here     settled, and the journal has no such booking
  missing there    booked, and not in the file although the file covers its day

The file covers the days of trade that its settlement dates stand for: what is booked on a day (UTC) is settled on the next business day. --from and --to name them
where the clearing institute settles otherwise. Chargebacks and fees are listed and match nothing.
Exit code 1 where anything differs or is missing.

Example:
  posbridge reconcile settlement-2026-11-23.csv --config ./posbridge.yaml
  posbridge reconcile november.csv --from 2026-11-01 --to 2026-11-30 --json --data /var/lib/posbridge`;

/** Rows read from the journal at once. */
const PAGE = 500;
const SHOWN_PROBLEMS = 10;
const LINE_FEED = 0x0a;
/** Nobody reads more as a table, and the layout needs all rows at once. */
const SHOWN_FINDINGS = 5000;

interface Options extends DataFolderOptions {
  readonly from?: string;
  readonly to?: string;
  readonly entity?: string;
  readonly currency?: string;
  readonly json?: true;
}

/** `reconcile FILE.csv`: checks whether the gateway settled the journal's bookings (contract, section 1). */
export function reconcileCommand(output: Output): Command {
  return withDataFolder(new Command("reconcile"))
    .description("match the gateway's reconciliation file with the journal")
    .argument("<file.csv>", "the gateway's reconciliation file")
    .option("--from <day>", "the first day of trade (UTC) that the file covers, such as 2026-11-20")
    .option("--to <day>", "the last one; both or neither")
    .option(
      "--entity <id>",
      "only bookings of that entity, where the file is one channel's and the journal has several",
    )
    .option(
      "--currency <code>",
      "only bookings in that currency, where the file is one payout's and the journal has several currencies",
    )
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action(async (file: string, options: Options) => {
      const rows = await rowsOf(file);
      const period = await periodFor(file, rows, options);
      const scope = scopeOf(options);
      await withJournal(options, output, async (journal) =>
        print(await matched(rows, await moneyOf(journal, scope), period), options, output),
      );
    });
}

/** Throws a UsageProblem that names file, line and column. */
async function rowsOf(file: string): Promise<readonly FileRow[]> {
  const { MAX_FILE_BYTES, parseReconciliationFile } = await import("../reconcile/reconciliation-file.ts");
  const parsed = parseReconciliationFile(textOf(file, MAX_FILE_BYTES));
  if (parsed.ok) return parsed.rows;
  const [first, ...others] = parsed.problems.map(
    ({ line, column, problem }) => `line ${line}${column === undefined ? "" : `, column ${column}`}: ${problem}`,
  );
  const listed = others.slice(0, SHOWN_PROBLEMS - 1).map((one) => `; ${one}`);
  const more = others.length > listed.length ? `; and ${others.length - listed.length} more` : "";
  throw new UsageProblem(`${file}: ${first}${listed.join("")}${more}`);
}

function textOf(file: string, maxBytes: number): string {
  try {
    const { size } = statSync(file);
    if (size > maxBytes)
      throw new UsageProblem(`${file}: ${size} bytes; a reconciliation file has at most ${maxBytes}, so split it`);
    const bytes = readFileSync(file);
    if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
    throw new UsageProblem(
      `${file}: line ${lineNotUtf8(bytes)}: is not UTF-8 text; save the file as the gateway made it`,
    );
  } catch (cause) {
    if (cause instanceof UsageProblem) throw cause;
    throw new UsageProblem(`${file}: cannot be read (${cause instanceof Error ? cause.message : String(cause)})`);
  }
}

/** The first line, counted from 1, that is not UTF-8. No character contains the byte of a line feed. */
function lineNotUtf8(bytes: Buffer): number {
  let line = 1;
  for (let start = 0, end = 0; end !== -1; start = end + 1, line += 1) {
    end = bytes.indexOf(LINE_FEED, start);
    if (!isUtf8(bytes.subarray(start, end === -1 ? undefined : end))) break;
  }
  return line;
}

async function periodFor(file: string, rows: readonly FileRow[], { from, to }: Options): Promise<Period> {
  const { periodOf } = await import("../reconcile/period.ts");
  if (from === undefined && to === undefined) {
    const period = periodOf(rows);
    if (period === undefined)
      throw new UsageProblem(`${file}: has no rows; name the days that it covers with --from and --to`);
    return period;
  }
  for (const [name, day] of [["--from", from] as const, ["--to", to] as const]) {
    if (day === undefined) throw new UsageProblem(`${name} is missing: --from and --to go together`);
    const isDay =
      /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(day) &&
      !Number.isNaN(Date.parse(day)) &&
      new Date(day).toISOString().startsWith(day);
    if (!isDay) throw new UsageProblem(`${name} ${day}: use a day such as 2026-11-20`);
  }
  if (from === undefined || to === undefined || from > to) throw new UsageProblem(`--from ${from} is after --to ${to}`);
  return { from, to };
}

function scopeOf({ entity, currency }: Options): Scope {
  if (currency !== undefined && currencyOf(currency) === undefined)
    throw new UsageProblem(`--currency ${currency}: use a currency's three letters, such as EUR`);
  return { ...(entity !== undefined && { entity }), ...(currency !== undefined && { currency }) };
}

async function moneyOf(journal: ReadOnlyJournal, scope: Scope): Promise<JournalMoney> {
  const { journalMoney } = await import("../reconcile/journal-booking.ts");
  const { within } = await import("../reconcile/scope.ts");
  const payments: Payment[] = [];
  const seen: Found[] = [];
  let after: string | undefined;
  do {
    const page = await journal.list({ limit: PAGE, ...(after !== undefined && { after }) });
    for (const row of page.rows) {
      const facts = await factsOfRow(journal, row);
      payments.push(await paymentOf(facts, row));
      for (const fact of facts)
        if (fact.fact === "attempt-searched" && fact.result.is === "found") seen.push(...fact.result.bookings);
    }
    after = page.next;
  } while (after !== undefined);
  return within(scope, journalMoney(payments, seen));
}

async function matched(rows: readonly FileRow[], money: JournalMoney, period: Period): Promise<Reconciliation> {
  const { match } = await import("../reconcile/match.ts");
  return match(rows, money, period);
}

/** Prints everything, then throws an OperationFailed for the exit code 1. */
async function print(reconciliation: Reconciliation, { json }: Options, output: Output): Promise<void> {
  const { differencesIn, reportJson } = await import("../reconcile/report.ts");
  const differences = differencesIn(reconciliation);
  if (json === true) output.out(JSON.stringify(reportJson(reconciliation), null, 2));
  else await printTables(reconciliation, output);
  if (differences > 0)
    throw new OperationFailed(
      `${differences} ${differences === 1 ? "difference" : "differences"} between the file and the journal`,
    );
}

async function printTables(reconciliation: Reconciliation, output: Output): Promise<void> {
  const report = await import("../reconcile/report.ts");
  const all = report.findingsOf(reconciliation);
  const findings = all.slice(0, SHOWN_FINDINGS);
  const [headings = "", ...lines] = tableLines(
    report.FINDING_HEADINGS,
    findings.map(({ cells }) => cells.map(plain)),
    ["LINE", "AMOUNT"],
  );
  const found = lines.map((line, at) => (findings[at]?.isDifference === true ? coloured("red", line, output) : line));
  const totals = tableLines(report.TOTAL_HEADINGS, report.totalCells(reconciliation), report.TOTAL_HEADINGS.slice(1));
  const payouts = tableLines(
    report.PAYOUT_HEADINGS,
    report.payoutCells(reconciliation),
    report.PAYOUT_HEADINGS.slice(2),
  );
  const more = all.length > findings.length ? [`and ${all.length - findings.length} more; --json has all of them`] : [];
  for (const table of [found.length > 0 ? [headings, ...found, ...more] : [], totals, payouts]) {
    if (table.length <= 1) continue;
    for (const line of table) output.out(line);
    output.out("");
  }
  const { matched: pairs, missingHere, missingThere, differing, fees, period } = reconciliation;
  const counts = `${pairs.length} matched, ${differing.length} differ, ${missingHere.length} missing here, ${missingThere.length} missing there; ${fees.length} fees`;
  output.out(
    coloured(
      report.differencesIn(reconciliation) === 0 ? "green" : "red",
      `trade of ${period.from} to ${period.to}: ${counts}`,
      output,
    ),
  );
}

function coloured(colour: "red" | "green", line: string, { tty }: Output): string {
  return tty ? styleText(colour, line, { validateStream: false }) : line;
}

/** A file's text may hold anything; the terminal must not obey it. */
function plain(cell: string): string {
  return cell.replace(/\p{C}/gu, "?");
}
