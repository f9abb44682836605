import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { paymentsCommand } from "../../../src/commands/payments.ts";
import { runProgram } from "../../../src/commands/program.ts";
import { rowOf } from "../../../src/engine/shell/payment-row.ts";
import { openJournal } from "../../../src/journal/sqlite-journal.ts";
import { isoTime } from "../../../src/kit/clock.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemWallTime } from "../../../src/kit/system-local-time.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import type { Accepted } from "../../../src/payment/fact/fact.ts";
import { approval, approved, authorizing, refusal, Story, sale } from "../../support/sale.ts";
import { recordedOutput } from "./recorded-output.ts";

const MONDAY = Date.UTC(2026, 1, 2, 12);
const DAY = 86_400_000;

let data: string;

/** A story under a name of its own, with requests of its own. */
function told(reference: string, changes: Partial<Accepted>, tell: (accepted: Accepted) => Story): Story {
  const story = tell({ ...sale, at: MONDAY, id: `pay_${reference}`, reference, ...changes });
  const own = JSON.parse(JSON.stringify(story.facts).replaceAll("mtid-", `${reference}-`));
  return Object.assign(story, { facts: own });
}

const declined = (accepted: Accepted): Story =>
  authorizing(accepted).answer(refusal()).meets({ on: "finished", verdict: "declined", chip: {} });

beforeAll(async () => {
  data = fs.mkdtempSync(path.join(tmpdir(), "posbridge-filter-"));
  const journal = await openJournal({ dataDir: data, environment: "test", clock: systemClock, random: systemRandom });
  const stories = [
    told("a", {}, (accepted) => approved(accepted).answer(approval(1234, "cp"))),
    told("b", { at: MONDAY + DAY }, declined),
    told("c", { terminal: "till-2", register: "bar", amount: 1200 }, declined),
    told("d", { currency: "JPY", amount: 1200 }, declined),
    told("e", { currency: "JPY", amount: 12, at: MONDAY + DAY }, (accepted) =>
      new Story(accepted).meets({ on: "leased" }),
    ),
  ];
  for (const { facts, payment } of stories) await journal.append(facts, isoTime(payment.updatedAt), rowOf(payment));
  await journal.close();
});
afterAll(() => fs.rmSync(data, { recursive: true }));

async function list(...argv: readonly string[]) {
  const output = recordedOutput();
  const line = { name: "posbridge", description: "", commands: [() => paymentsCommand(output)] };
  const code = await runProgram(line, ["payments", "list", ...argv, "--data", data], output, false);
  return { code, stdout: output.stdout, stderr: output.stderr };
}

async function found(...argv: readonly string[]): Promise<string> {
  const { code, stdout } = await list(...argv, "--json");
  expect(code).toBe(0);
  const { payments } = JSON.parse(stdout.join("\n"));
  return payments
    .map(({ reference }: { reference: string }) => reference)
    .toSorted()
    .join("");
}

const monday = systemWallTime(MONDAY).date;
const tuesday = systemWallTime(MONDAY + DAY).date;

describe("payments list finds", () => {
  it.each([
    [["--day", monday], "acd"],
    [["--day", tuesday], "be"],
    [["--day", "2026-02-01"], ""],
    [["--terminal", "till-2"], "c"],
    [["--register", "bar"], "c"],
    [["--outcome", "DECLINED"], "bcd"],
    [["--amount", "12.34"], "ab"],
    [["--amount", "12"], "ce"],
    [["--amount", "1200"], "d"],
    [["--merchant-transaction-id", "b-2"], "b"],
    [["--merchant-transaction-id", "nobody's"], ""],
    [["--day", monday, "--outcome", "DECLINED", "--terminal", "till-1"], "d"],
    [["--merchant-transaction-id", "b-2", "--day", monday], ""],
    [["--open", "--day", tuesday, "--amount", "12"], "e"],
    [["--open", "--merchant-transaction-id", "b-2"], "b"],
    [["--open", "--merchant-transaction-id", "b-2", "--amount", "12"], ""],
  ])("by %j the payments %j", async (argv, references) => {
    expect(await found(...argv)).toBe(references);
  });

  it("the same page by page", async () => {
    const first = JSON.parse((await list("--outcome", "DECLINED", "--limit", "2", "--json")).stdout.join("\n"));
    expect(first.payments).toHaveLength(2);
    expect(await found("--outcome", "DECLINED", "--limit", "2", "--after", first.next)).toHaveLength(1);
  });

  it("them as a table too", async () => {
    const { stdout } = await list("--terminal", "till-2");
    expect(stdout).toHaveLength(2);
    expect(stdout[1]).toMatch(/ c .* till-2 .*12\.00 {2}EUR/);
  });
});

describe("payments list refuses, before it reads anything,", () => {
  it.each([
    [["--day", "2026-02-30"], "posbridge: --day 2026-02-30: use a day that there is, as 2026-01-31"],
    [["--day", "yesterday"], "posbridge: --day yesterday: use a day that there is, as 2026-01-31"],
    [
      ["--amount", "12,34"],
      "posbridge: --amount 12,34: use digits, and a dot with two decimals where there are any, as 12.34 or 1200",
    ],
    [["--limit", "0"], "posbridge: --limit 0: use a number from 1 to 500"],
  ])("%j", async (argv, line) => {
    expect(await list(...argv)).toEqual({ code: 2, stdout: [], stderr: [line] });
  });

  it("an outcome that there is not", async () => {
    const { code, stderr } = await list("--outcome", "PAID");
    expect(code).toBe(2);
    expect(stderr[0]).toMatch(
      /--outcome <outcome>' argument 'PAID' is invalid. Allowed choices are APPROVED, PARTIALLY_APPROVED, DECLINED, CANCELLED, FAILED/,
    );
  });
});
