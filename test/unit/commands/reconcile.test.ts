import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runProgram } from "../../../src/commands/program.ts";
import { reconcileCommand } from "../../../src/commands/reconcile.ts";
import { rowOf } from "../../../src/engine/shell/payment-row.ts";
import { openJournal } from "../../../src/journal/sqlite-journal.ts";
import { isoTime } from "../../../src/kit/clock.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import type { Accepted } from "../../../src/payment/fact/fact.ts";
import { approved, sale } from "../../support/sale.ts";
import { recordedOutput } from "./recorded-output.ts";

/** A Friday: settled on Monday, 23 November. */
const BORN = Date.parse("2026-11-20T10:00:00Z");
const HEADER =
  "ReconciliationType;PaymentType;Cashflow;UniqueID;Amount;Currency;SettlementAmount;SettlementCurrency;SettlementFee;SettlementDate;SettlementStatus;TransactionId";

function folder(): string {
  const made = fs.mkdtempSync(path.join(tmpdir(), "posbridge-reconcile-"));
  onTestFinished(() => fs.rmSync(made, { recursive: true }));
  return made;
}

/**
 * A daemon's journal, open while the command reads it: three single-message sales of 12.34 EUR, 1200 JPY and 5.00 EUR,
 * the last of another channel.
 */
async function shop(): Promise<string> {
  const data = folder();
  const journal = await openJournal({ dataDir: data, environment: "test", clock: systemClock, random: systemRandom });
  onTestFinished(() => journal.close());
  const sold = async (n: number, changes: Partial<Accepted>): Promise<void> => {
    const channel = { ...sale.channel, settlement: "single" as const };
    const { facts, payment } = approved({
      ...sale,
      at: BORN + n,
      id: `pay_${n}`,
      reference: `R-${n}`,
      channel,
      ...changes,
    });
    const mine = JSON.stringify(facts)
      .replaceAll("booking-1", `booking-${n}`)
      .replaceAll('"currency":"EUR"', `"currency":"${changes.currency ?? "EUR"}"`)
      .replaceAll('"amount":1234', `"amount":${changes.amount ?? 1234}`)
      .replaceAll(/mtid-[0-9]+/g, `name-${n}`);
    await journal.append(JSON.parse(mine), isoTime(payment.updatedAt), { ...rowOf(payment), payment: `pay_${n}` });
  };
  await sold(1, {});
  await sold(2, { currency: "JPY", amount: 1200 });
  await sold(3, { amount: 500, channel: { ...sale.channel, settlement: "single", entityId: "f".repeat(32) } });
  return data;
}

const ROWS = [
  "SETTLED;DEBIT;POS;booking-1;12.34;EUR;12.14;EUR;0.20;2026-11-23;SUCCESS;name-1",
  "SETTLED;DEBIT;POS;booking-2;1200.00;JPY;1181.00;JPY;19.00;2026-11-23;SUCCESS;name-2",
  "SETTLED;DEBIT;POS;booking-3;5.00;EUR;4.89;EUR;0.11;2026-11-23;SUCCESS;name-3",
  "FEE;BATCH;NEG;;0.20;EUR;0.20;EUR;;2026-11-23;SUCCESS;",
] as const;

async function reconcile(rows: readonly string[] | Uint8Array, data: string, ...more: readonly string[]) {
  const file = path.join(folder(), "file.csv");
  fs.writeFileSync(file, rows instanceof Uint8Array ? rows : `${[HEADER, ...rows].join("\n")}\n`);
  const output = recordedOutput();
  const argv = ["reconcile", file, "--data", data, ...more];
  const code = await runProgram(
    { name: "posbridge", description: "", commands: [() => reconcileCommand(output)] },
    argv,
    output,
    false,
  );
  return { code, stdout: output.stdout, stderr: output.stderr.map((line) => line.replace(file, "FILE")) };
}

describe("reconcile", () => {
  it("ends with 0 where all is settled, and prints the totals", async () => {
    expect(await reconcile(ROWS, await shop())).toEqual({
      code: 0,
      stderr: [],
      stdout: [
        "CURRENCY   FILE  JOURNAL  DIFFERENCE  CHARGEBACKS  FEES  PAYOUT",
        "EUR       17.34    17.34        0.00         0.00  0.51   16.83",
        "JPY        1200     1200           0            0    19    1181",
        "",
        "PAID OUT ON  CURRENCY  ROWS  FEES  PAYOUT",
        "2026-11-23   EUR          3  0.51   16.83",
        "2026-11-23   JPY          1    19    1181",
        "",
        "trade of 2026-11-20 to 2026-11-22: 3 matched, 0 differ, 0 missing here, 0 missing there; 1 fees",
      ],
    });
  });

  it("ends with 1 and names what differs, is missing here and is missing there", async () => {
    const rows = [
      ROWS[0].replace(";12.34;", ";12.43;"),
      ROWS[1].replace("booking-2", "unheard\u001B[31m").replace("name-2", "unheard"),
      ROWS[3],
    ];
    const { code, stdout, stderr } = await reconcile(rows, await shop());
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: ["posbridge: 4 differences between the file and the journal"],
    });
    expect(stdout.slice(0, 5)).toEqual([
      "WHAT            LINE  REFERENCE  GATEWAY ID    TYPE   AMOUNT  CURRENCY  REMARK",
      "amount differs     2  R-1        booking-1     DEBIT   12.43  EUR       amount: file 12.43, journal 12.34",
      "missing here       3  -          unheard?[31m  DEBIT    1200  JPY       the journal knows nothing of it",
      "missing there      -  R-2        booking-2     DEBIT    1200  JPY       booked 2026-11-20T10:00:00.022Z",
      "missing there      -  R-3        booking-3     DEBIT    5.00  EUR       booked 2026-11-20T10:00:00.023Z",
    ]);
  });

  it("prints JSON for programs, with the same exit code", async () => {
    const { code, stdout } = await reconcile(ROWS.slice(1), await shop(), "--json");
    expect(code).toBe(1);
    expect(JSON.parse(stdout.join("\n"))).toMatchObject({
      reconciled: false,
      period: { from: "2026-11-20", to: "2026-11-22" },
      counts: { matched: 2, missingThere: 1, fees: 1 },
      missingThere: [
        { reference: "R-1", gatewayId: "booking-1", amount: "12.34", currency: "EUR", merchantTransactionId: "name-1" },
      ],
    });
  });

  it("takes one channel's bookings, and other days, where told to", async () => {
    const data = await shop();
    expect((await reconcile(ROWS.slice(0, 2), data, "--entity", sale.channel.entityId)).code).toBe(0);
    const euros = await reconcile(ROWS, data, "--currency", "EUR");
    expect([euros.code, euros.stdout[1]]).toEqual([
      1,
      expect.stringMatching(
        /^missing here +3 .* the journal has reference R-2 of register till as booked, but in JPY$/,
      ),
    ]);
    expect((await reconcile([ROWS[0], ROWS[2]], data, "--currency", "EUR")).code).toBe(0);
    expect((await reconcile([ROWS[1]], data, "--currency", "JPY")).code).toBe(0);
    expect((await reconcile([ROWS[1]], data)).code).toBe(1);
    expect((await reconcile([], data, "--from", "2026-11-21", "--to", "2026-11-30")).code).toBe(0);
    expect((await reconcile([], data, "--from", "2026-11-20", "--to", "2026-11-20")).code).toBe(1);
  });

  it.each<[string, readonly string[] | Uint8Array, readonly string[], string]>([
    [
      "a bad value",
      [ROWS[0].replace("12.34", "12,34")],
      [],
      'FILE: line 2, column Amount: "12,34" must be an amount of EUR with two decimals or none, such as 12.30',
    ],
    [
      "two of them",
      [ROWS[0].replace("POS", "?"), ROWS[1].replace("SUCCESS", "")],
      [],
      "; line 3, column SettlementStatus: is empty; it must be one of SUCCESS, FAILED",
    ],
    ["no rows and no days", [], [], "FILE: has no rows; name the days that it covers with --from and --to"],
    [
      "bytes that are no UTF-8",
      Uint8Array.of(0x52, 0xe4),
      [],
      "FILE: line 1: is not UTF-8 text; save the file as the gateway made it",
    ],
    [
      "such bytes further down",
      Buffer.from(`${HEADER}\n${ROWS[0]}\nM\u00fcller\n`, "latin1"),
      [],
      "FILE: line 3: is not UTF-8 text",
    ],
    ["half a period", ROWS, ["--from", "2026-11-20"], "--to is missing: --from and --to go together"],
    [
      "a currency that is none",
      ROWS,
      ["--currency", "euro"],
      "--currency euro: use a currency's three letters, such as EUR",
    ],
    ["no day", ROWS, ["--from", "2026-11-20", "--to", "2026-11-31"], "--to 2026-11-31: use a day such as 2026-11-20"],
    [
      "a period backwards",
      ROWS,
      ["--from", "2026-11-20", "--to", "2026-11-19"],
      "--from 2026-11-20 is after --to 2026-11-19",
    ],
  ])("ends with 2 and one line for %s", async (_, rows, more, problem) => {
    const { code, stderr, stdout } = await reconcile(rows, await shop(), ...more);
    expect({ code, stdout, lines: stderr.length }).toEqual({ code: 2, stdout: [], lines: 1 });
    expect(stderr[0]).toContain(problem);
  });

  it("bears the largest file, and says how many lines its table leaves out", async () => {
    const strange = Array.from({ length: 200_000 }, (_, n) =>
      ROWS[0].replace("booking-1", `strange-${n}`).replace("name-1", `strange-${n}`),
    );
    const { code, stdout, stderr } = await reconcile(strange, await shop());
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: ["posbridge: 200003 differences between the file and the journal"],
    });
    expect(stdout[5001]).toBe("and 195003 more; --json has all of them");
  });

  it("names a file or a data folder that is not there", async () => {
    const output = recordedOutput();
    const argv = ["reconcile", path.join(folder(), "none.csv"), "--data", folder()];
    expect(
      await runProgram(
        { name: "posbridge", description: "", commands: [() => reconcileCommand(output)] },
        argv,
        output,
        false,
      ),
    ).toBe(2);
    expect(output.stderr[0]).toContain("none.csv: cannot be read (ENOENT");
    const { code, stderr } = await reconcile(ROWS, folder());
    expect([code, stderr[0]]).toEqual([2, expect.stringContaining("holds no journal")]);
  });

  it("is coloured only where a person watches", async () => {
    expect((await reconcile(ROWS, await shop())).stdout.join("")).not.toContain("\u001B");
    const file = path.join(folder(), "file.csv");
    fs.writeFileSync(file, `${[HEADER, ...ROWS].join("\n")}\n`);
    const output = { ...recordedOutput(), tty: true };
    await runProgram(
      { name: "posbridge", description: "", commands: [() => reconcileCommand(output)] },
      ["reconcile", file, "--data", await shop()],
      output,
      false,
    );
    expect(output.stdout.at(-1)?.startsWith("\u001B[32mtrade of ")).toBe(true);
    expect(output.stdout.at(-1)?.endsWith("\u001B[39m")).toBe(true);
  });
});
