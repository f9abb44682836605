import { Command, Option } from "commander";
import { type ListFilter, PageUnknown, type PaymentRow } from "../engine/ports.ts";
import type { ReadOnlyJournal } from "../journal/read-only.ts";
import { currencyOf, formatAmount } from "../kit/money.ts";
import type { Fact } from "../payment/machine.ts";
import type { Payment } from "../payment/state.ts";
import type { PaymentView } from "../payment/view-schema.ts";
import { type DataFolderOptions, dataFolderOf, withDataFolder } from "./data-folder-option.ts";
import { journalProblem } from "./journal-problem.ts";
import { type ListChoice, listFilterOf, MAX_LIMIT, OUTCOMES } from "./list-filter.ts";
import { tableLines } from "./table.ts";
import { OperationFailed, type Output, UsageProblem } from "./terminal-output.ts";

const EXAMPLE = `
All of it reads only, and works while the daemon runs.

Example:
  posbridge payments list --open --config ./posbridge.yaml
  posbridge payments list --day 2026-01-31 --terminal till-1 --amount 12.34 --config ./posbridge.yaml
  posbridge payments show 4711 --register till-1 --data /var/lib/posbridge
  posbridge payments export --data /var/lib/posbridge > payments.jsonl`;

interface Where extends DataFolderOptions {
  readonly json?: true;
}

/** `payments list | show | export`: the content of the journal. */
export function paymentsCommand(output: Output): Command {
  const command = new Command("payments").description("read the journal").addHelpText("after", EXAMPLE);
  withDataFolder(command.command("list"))
    .description("list payments, newest first")
    .option("--open", "only those of which something is still owed, with what that is and why")
    .option("--day <day>", "only those of that day, 2026-01-31 say, by this machine's time zone")
    .option("--terminal <id>", "only those of that terminal")
    .option("--register <name>", "only those of that register")
    .addOption(new Option("--outcome <outcome>", "only those that ended so").choices(OUTCOMES))
    .option("--amount <amount>", "only those of that amount, 12.34 say, in whatever currency")
    .option("--merchant-transaction-id <id>", "only the one whose request went to the gateway under that name")
    .option("--limit <count>", `at most so many, 1 to ${MAX_LIMIT}`, "50")
    .option("--after <next>", "go on after a page: the next that it ended with")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action(async (options: ListChoice & Where) => {
      const filter = listFilterOf(options);
      await withJournal(options, output, (journal) => listPayments(journal, filter, options, output));
    });
  withDataFolder(command.command("show"))
    .description("show one payment")
    .argument("<reference>", "the register's reference")
    .option("--register <name>", "the register, where several used the reference")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action((reference: string, { register, json, ...where }: Where & { register?: string }) =>
      withJournal(where, output, async (journal) => {
        const shown = await showPayment(journal, await findRow(journal, reference, register));
        if (json === true) return output.out(JSON.stringify(shown, null, 2));
        for (const line of tableLines(["FIELD", "VALUE"], fieldsOf(shown, ""))) output.out(line);
      }),
    );
  withDataFolder(command.command("export"))
    .description("print every payment as one line of JSON, newest first")
    .addHelpText("after", EXAMPLE)
    .action((where: Where) => withJournal(where, output, (journal) => exportPayments(journal, output)));
  return command;
}

/** Opens the journal for reading while `run` runs. */
export async function withJournal(
  where: DataFolderOptions,
  output: Output,
  run: (journal: ReadOnlyJournal) => Promise<void>,
): Promise<void> {
  const { openReadOnly } = await import("../journal/read-only.ts");
  const dataDir = await dataFolderOf(where, output);
  let journal: ReadOnlyJournal | undefined;
  try {
    journal = openReadOnly(dataDir);
    await run(journal);
  } catch (cause) {
    throw journalProblem(cause);
  } finally {
    journal?.close();
  }
}

async function listPayments(
  journal: ReadOnlyJournal,
  filter: ListFilter,
  options: ListChoice & Where,
  output: Output,
): Promise<void> {
  const { merchantTransactionId, json } = options;
  const payment =
    merchantTransactionId === undefined
      ? undefined
      : ((await journal.byMerchantTransactionId(merchantTransactionId)) ?? NO_PAYMENT);
  const wanted = payment === undefined ? filter : { ...filter, payment };
  if (filter.open === true) return listOpen(journal, wanted, json === true, output);
  const { rows, next } = await journal.list(wanted).catch(rejectPage);
  if (json === true)
    return output.out(JSON.stringify({ payments: rows.map(listed), ...(next !== undefined && { next }) }, null, 2));
  const cells = rows.map((row) => [
    row.createdAt,
    row.register,
    row.reference,
    row.terminal,
    row.type,
    amountOf(row),
    row.currency,
    row.state,
    row.outcome ?? "-",
  ]);
  const headings = ["CREATED", "REGISTER", "REFERENCE", "TERMINAL", "TYPE", "AMOUNT", "CURRENCY", "STATE", "OUTCOME"];
  for (const line of tableLines(headings, cells, ["AMOUNT"])) output.out(line);
  if (next !== undefined) output.out(`more: --after ${next}`);
}

/** No payment has this id. */
const NO_PAYMENT = "";

function rejectPage(cause: unknown): never {
  throw cause instanceof PageUnknown
    ? new UsageProblem("--after: not the next of a page; start again without it")
    : cause;
}

/** Adds the event that each payment waits for, and why it is not approved. */
async function listOpen(journal: ReadOnlyJournal, filter: ListFilter, json: boolean, output: Output): Promise<void> {
  const [{ pageOf }, { listedOpen }, { reasonNow }] = await Promise.all([
    import("../engine/shell/paging.ts"),
    import("../agent/open.ts"),
    import("../payment/view.ts"),
  ]);
  const { found: open, next } = await pageOf(journal.list, filter, async (row) => {
    const payment = await paymentOfRow(journal, row);
    const waits = listedOpen(payment);
    return waits && { row, ...waits, reason: reasonNow(payment) };
  }).catch(rejectPage);
  if (json) {
    const payments = open.map(({ row, owed, mend, reason }) => ({
      ...listed(row),
      owed,
      ...(mend !== undefined && { mend }),
      ...(reason !== undefined && { reason }),
    }));
    return output.out(JSON.stringify({ payments, ...(next !== undefined && { next }) }, null, 2));
  }
  const cells = open.map(({ row, owed, reason }) => [
    ...[row.createdAt, row.register, row.reference, row.type, amountOf(row), row.currency, row.state],
    ...[owed, reason === undefined ? "-" : `${reason.code}: ${reason.message}`],
  ]);
  const headings = [
    "OPEN SINCE",
    "REGISTER",
    "REFERENCE",
    "TYPE",
    "AMOUNT",
    "CURRENCY",
    "STATE",
    "WAITS FOR",
    "REASON",
  ];
  for (const line of tableLines(headings, cells, ["AMOUNT"])) output.out(line);
  if (next !== undefined) output.out(`more: --after ${next}`);
}

function amountOf({ type, amount, currency }: PaymentRow): string {
  if (type === "REGISTRATION") return "-";
  const known = currencyOf(currency);
  return known === undefined ? String(amount) : formatAmount(amount, known);
}

/** A row in the words of the register API. */
function listed(row: PaymentRow): Record<string, string | boolean> {
  const { payment, order, outcome, amount: _, ...rest } = row;
  const amount = amountOf(row);
  return {
    id: payment,
    ...rest,
    ...(amount !== "-" && { amount }),
    ...(order !== null && { order }),
    ...(outcome !== null && { outcome }),
  };
}

async function findRow(journal: ReadOnlyJournal, reference: string, register: string | undefined): Promise<PaymentRow> {
  const found = await journal.byReferenceOfAny(reference);
  const rows = register === undefined ? found : found.filter((row) => row.register === register);
  const [row, ...others] = rows;
  if (row === undefined)
    throw new OperationFailed(
      `no payment of ${register === undefined ? "any register" : `register ${register}`} has the reference ${reference}`,
    );
  if (others.length > 0) {
    const names = rows.map((one) => one.register).join(", ");
    throw new UsageProblem(`reference ${reference} was used by registers ${names}; name one with --register`);
  }
  return row;
}

/** All facts of a payment. */
export async function factsOfRow(journal: ReadOnlyJournal, row: PaymentRow): Promise<readonly Fact[]> {
  const { factSchema } = await import("../payment/machine.ts");
  return (await journal.facts(row.payment)).map(({ fact, number }) => {
    const parsed = factSchema.safeParse(fact);
    if (!parsed.success)
      throw new OperationFailed(
        `fact ${number} of payment ${row.reference} is not one that this version knows; use the version that runs as daemon`,
      );
    return parsed.data;
  });
}

/** The payment folded from its facts. */
export async function paymentOf(facts: readonly Fact[], { reference }: PaymentRow): Promise<Payment> {
  const { fold } = await import("../payment/machine.ts");
  const payment = fold(facts);
  if (payment === undefined)
    throw new OperationFailed(
      `payment ${reference} does not begin with its acceptance; the journal was written by something else`,
    );
  return payment;
}

async function paymentOfRow(journal: ReadOnlyJournal, row: PaymentRow): Promise<Payment> {
  return paymentOf(await factsOfRow(journal, row), row);
}

async function viewOfRow(journal: ReadOnlyJournal, row: PaymentRow): Promise<PaymentView> {
  const { viewOf } = await import("../payment/view.ts");
  return viewOf(await paymentOfRow(journal, row));
}

/** The register's view; and an operator decision with its author, time and reason (contract, section 1, `resolve`). */
async function showPayment(journal: ReadOnlyJournal, row: PaymentRow): Promise<object> {
  const [{ viewOf }, { isoTime }] = await Promise.all([import("../payment/view.ts"), import("../kit/clock.ts")]);
  const payment = await paymentOfRow(journal, row);
  const { resolved } = payment;
  return { ...viewOf(payment), ...(resolved !== undefined && { resolved: { ...resolved, at: isoTime(resolved.at) } }) };
}

async function exportPayments(journal: ReadOnlyJournal, output: Output): Promise<void> {
  let after: string | undefined;
  do {
    const page = await journal.list({ limit: MAX_LIMIT, ...(after !== undefined && { after }) });
    for (const row of page.rows) output.out(JSON.stringify(await viewOfRow(journal, row)));
    after = page.next;
  } while (after !== undefined);
}

/**
 * A nested value as rows of dotted names: `card.brand`, `gateway.attempts.1.id`. Undefined members are absent
 * (payment/outcome/view.ts).
 */
function fieldsOf(value: object, prefix: string): readonly (readonly [string, string])[] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    if (inner === undefined) return [];
    const name = `${prefix}${Array.isArray(value) ? Number(key) + 1 : key}`;
    return typeof inner === "object" && inner !== null ? fieldsOf(inner, `${name}.`) : [[name, String(inner)] as const];
  });
}
