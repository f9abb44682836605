import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { paymentsCommand } from "../../../src/commands/payments.ts";
import { runProgram } from "../../../src/commands/program.ts";
import { rowOf } from "../../../src/engine/shell/payment-row.ts";
import { SCHEMA_VERSION } from "../../../src/journal/schema.ts";
import { type OpenJournal, openJournal } from "../../../src/journal/sqlite-journal.ts";
import { isoTime } from "../../../src/kit/clock.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import type { Accepted, Fact } from "../../../src/payment/fact/fact.ts";
import { fold } from "../../../src/payment/state/payment.ts";
import { paymentViewSchema } from "../../../src/payment/view-schema.ts";
import { putRecorded, versionIn } from "../journal/recorded.ts";
import { recordedOutput } from "./recorded-output.ts";

const BORN = Date.UTC(2026, 1, 3, 4, 5, 6, 0);

function folder(): string {
  const made = fs.mkdtempSync(path.join(tmpdir(), "posbridge-payments-"));
  onTestFinished(() => fs.rmSync(made, { recursive: true }));
  return made;
}

async function payments(...argv: readonly string[]) {
  const output = recordedOutput();
  const code = await runProgram(
    { name: "posbridge", description: "", commands: [() => paymentsCommand(output)] },
    ["payments", ...argv],
    output,
    false,
  );
  return { code, stdout: output.stdout, stderr: output.stderr };
}

function accepted(n: number, changes: Partial<Accepted> = {}): Accepted {
  return {
    ...{
      fact: "accepted",
      at: BORN + n,
      id: `pay_${String(n).padStart(24, "0")}`,
      reference: `sale ${n}`,
      register: "till-1",
      type: "SALE",
      terminal: "counter",
    },
    ...{ amount: 1234, currency: "EUR", allowPartialApproval: false, parameters: {}, fingerprint: "f".repeat(64) },
    channel: { environment: "test", entityId: "8a8294174b7ecb28014b9699220015ca", settlement: "dual" },
    device: { terminalId: "12345678", pinEntry: true },
    rules: { cardMs: 60_000, pinMs: 60_000, hostAnswerMs: 45_000, hostWaitMs: 60_000, unknownWindowMs: 1_800_000 },
    ...changes,
  };
}

/** A sale whose customer cancelled at the terminal. */
function cancelled(start: Accepted): readonly Fact[] {
  return [
    start,
    { fact: "collecting", at: start.at },
    { fact: "collecting-cancelled", at: start.at + 1000, by: "customer" },
    { fact: "ending", at: start.at + 1000, outcome: "CANCELLED", reason: "customer-cancelled" },
    { fact: "released", at: start.at + 1001 },
    { fact: "concluded", at: start.at + 1002, outcome: "CANCELLED" },
  ];
}

/** A sale of which the bridge was restarted while the gateway had not answered. */
const lost: readonly Fact[] = [
  accepted(5, { reference: "lost" }),
  { fact: "collecting", at: BORN + 5 },
  {
    fact: "attempt-intended",
    at: BORN + 6,
    operation: {
      paymentType: "PA",
      merchantTransactionId: "m5",
      entityId: "8a8294174b7ecb28014b9699220015ca",
      amount: 1234,
      currency: "EUR",
    },
  },
  { fact: "interrupted", at: BORN + 7 },
  { fact: "ending", at: BORN + 7, outcome: "FAILED", reason: "bridge-restarted" },
];

async function put(journal: OpenJournal, facts: readonly Fact[]): Promise<void> {
  const payment = fold(facts);
  if (payment === undefined) throw new Error("no payment");
  await journal.append(facts, isoTime(payment.updatedAt), rowOf(payment));
}

/**
 * A daemon's journal, open while the commands read it: a cancelled sale, one that waits for its card, one in yen and
 * one of another register.
 */
async function shop(...more: readonly (readonly Fact[])[]): Promise<string> {
  const data = folder();
  const journal = await openJournal({ dataDir: data, environment: "test", clock: systemClock, random: systemRandom });
  onTestFinished(() => journal.close());
  await put(journal, cancelled(accepted(1)));
  await put(journal, [accepted(2, { order: "order 7", amount: 5 }), { fact: "collecting", at: BORN + 2 }]);
  await put(journal, cancelled(accepted(3, { currency: "JPY", amount: 120_000 })));
  await put(journal, cancelled(accepted(4, { register: "till-2", reference: "sale 1" })));
  for (const facts of more) await put(journal, facts);
  return data;
}

describe("payments list", () => {
  it("shows payments newest first, aligned, with amounts in their own currency", async () => {
    expect(await payments("list", "--data", await shop())).toEqual({
      code: 0,
      stderr: [],
      stdout: [
        "CREATED                   REGISTER  REFERENCE  TERMINAL  TYPE  AMOUNT  CURRENCY  STATE          OUTCOME",
        "2026-02-03T04:05:06.004Z  till-2    sale 1     counter   SALE   12.34  EUR       FINAL          CANCELLED",
        "2026-02-03T04:05:06.003Z  till-1    sale 3     counter   SALE  120000  JPY       FINAL          CANCELLED",
        "2026-02-03T04:05:06.002Z  till-1    sale 2     counter   SALE    0.05  EUR       AWAITING_CARD  -",
        "2026-02-03T04:05:06.001Z  till-1    sale 1     counter   SALE   12.34  EUR       FINAL          CANCELLED",
      ],
    });
  });

  it("shows only the open ones where asked, also as JSON", async () => {
    const data = await shop();
    const { stdout } = await payments("list", "--open", "--json", "--data", data);
    expect(JSON.parse(stdout.join("\n"))).toEqual({
      payments: [
        {
          ...{
            id: accepted(2).id,
            register: "till-1",
            reference: "sale 2",
            terminal: "counter",
            order: "order 7",
            type: "SALE",
          },
          ...{
            currency: "EUR",
            amount: "0.05",
            state: "AWAITING_CARD",
            open: true,
            createdAt: "2026-02-03T04:05:06.002Z",
          },
          ...{ owed: "the card", mend: "present the card, or cancel it at the register" },
        },
      ],
    });
  });

  it("says of each open one since when, what it waits for, and why it is not approved", async () => {
    expect((await payments("list", "--open", "--data", await shop(lost))).stdout).toEqual([
      "OPEN SINCE                REGISTER  REFERENCE  TYPE  AMOUNT  CURRENCY  STATE          WAITS FOR                        REASON",
      expect.stringMatching(
        /^2026-02-03T04:05:06.005Z {2}till-1 {4}lost {7}SALE {3}12.34 {2}EUR {7}RESOLVING {6}word of what the gateway booked {2}bridge-restarted: \w+/,
      ),
      "2026-02-03T04:05:06.002Z  till-1    sale 2     SALE    0.05  EUR       AWAITING_CARD  the card                         -",
    ]);
  });

  it("goes on page by page", async () => {
    const data = await shop();
    const first = await payments("list", "--limit", "3", "--data", data);
    expect(first.stdout).toHaveLength(5);
    const [, next = ""] = /^more: --after (\S+)$/.exec(first.stdout[4] ?? "") ?? [];
    const second = await payments("list", "--limit", "3", "--after", next, "--data", data);
    expect(second.stdout.slice(1)).toEqual([
      "2026-02-03T04:05:06.001Z  till-1    sale 1     counter   SALE   12.34  EUR       FINAL  CANCELLED",
    ]);
    const json = await payments("list", "--limit", "3", "--json", "--data", data);
    expect(JSON.parse(json.stdout.join("\n"))).toMatchObject({ next });
  });

  it.each([
    [["--limit", "0"], "--limit 0: use a number from 1 to 500"],
    [["--limit", "501"], "--limit 501: use a number from 1 to 500"],
    [["--limit", "1.5"], "--limit 1.5: use a number from 1 to 500"],
    [["--after", "x"], "--after: not the next of a page; start again without it"],
  ])("%j is refused in one line", async (argv, line) => {
    expect(await payments("list", ...argv, "--data", await shop())).toEqual({
      code: 2,
      stdout: [],
      stderr: [`posbridge: ${line}`],
    });
  });
});

describe("payments show", () => {
  it("shows one payment as the register API does", async () => {
    const { code, stdout } = await payments("show", "sale 3", "--json", "--data", await shop());
    expect(code).toBe(0);
    expect(paymentViewSchema.parse(JSON.parse(stdout.join("\n")))).toMatchObject({
      ...{
        id: accepted(3).id,
        amount: "120000",
        state: "FINAL",
        outcome: "CANCELLED",
        reason: { code: "customer-cancelled" },
      },
      createdAt: "2026-02-03T04:05:06.003Z",
    });
  });

  it("shows it field by field for people", async () => {
    const { stdout } = await payments("show", "sale 2", "--data", await shop());
    expect(stdout).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^state +AWAITING_CARD$/),
        expect.stringMatching(/^amount +0\.05$/),
      ]),
    );
    expect(stdout[0]).toMatch(/^FIELD +VALUE$/);
    expect(stdout.join("\n")).not.toContain("undefined");
  });

  it("shows who closed a payment, when and why, for ever", async () => {
    const resolved: readonly Fact[] = [
      ...lost,
      {
        fact: "resolved",
        at: BORN + 3_600_000,
        as: "reversed",
        by: "anna as posbridge",
        reason: "not in the back office",
      },
      { fact: "concluded", at: BORN + 3_600_000, outcome: "FAILED" },
    ];
    const { stdout } = await payments("show", "lost", "--json", "--data", await shop(resolved));
    expect(JSON.parse(stdout.join("\n"))).toMatchObject({
      ...{ state: "FINAL", outcome: "FAILED" },
      resolved: {
        as: "reversed",
        by: "anna as posbridge",
        reason: "not in the back office",
        at: "2026-02-03T05:05:06.000Z",
      },
    });
  });

  it("asks for the register where several used the reference", async () => {
    const data = await shop();
    expect(await payments("show", "sale 1", "--data", data)).toEqual({
      ...{ code: 2, stdout: [] },
      stderr: ["posbridge: reference sale 1 was used by registers till-1, till-2; name one with --register"],
    });
    const { stdout } = await payments("show", "sale 1", "--register", "till-2", "--json", "--data", data);
    expect(JSON.parse(stdout.join("\n"))).toMatchObject({ id: accepted(4).id, register: "till-2" });
  });

  it("ends with 1 where there is none", async () => {
    const data = await shop();
    expect(await payments("show", "sale 9", "--data", data)).toMatchObject({
      code: 1,
      stderr: ["posbridge: no payment of any register has the reference sale 9"],
    });
    expect(await payments("show", "sale 2", "--register", "till-2", "--data", data)).toMatchObject({
      ...{ code: 1, stderr: ["posbridge: no payment of register till-2 has the reference sale 2"] },
    });
  });

  it("ends with 1 at a fact of another version", async () => {
    const data = folder();
    const journal = await openJournal({ dataDir: data, environment: "test", clock: systemClock, random: systemRandom });
    const payment = fold([accepted(1)]);
    await journal.append([{ fact: "from-the-future", at: 1 }], isoTime(BORN), rowOf(payment ?? fail()));
    await journal.close();
    expect(await payments("show", "sale 1", "--data", data)).toMatchObject({
      code: 1,
      stderr: [expect.stringContaining("fact 1 of payment sale 1 is not one that")],
    });
  });

  function fail(): never {
    throw new Error("no payment");
  }
});

describe("payments export", () => {
  it("prints every payment as one line of JSON, newest first", async () => {
    const { code, stdout } = await payments("export", "--data", await shop());
    expect(code).toBe(0);
    expect(stdout.map((line) => paymentViewSchema.parse(JSON.parse(line)).id)).toEqual(
      [4, 3, 2, 1].map((n) => accepted(n).id),
    );
  });
});

describe("a folder that an older version left", () => {
  it.each(Array.from({ length: SCHEMA_VERSION - 1 }, (_, n) => n + 1))(
    "of version %i is listed, shown and exported, and stays of it",
    async (version) => {
      const data = putRecorded(version, folder());
      expect(await payments("list", "--data", data)).toMatchObject({ code: 0, stderr: [], stdout: { length: 7 } });
      expect(await payments("list", "--open", "--data", data)).toMatchObject({ code: 0, stderr: [] });
      expect(await payments("show", "R-5", "--data", data)).toMatchObject({ code: 0, stderr: [] });
      const { code, stdout } = await payments("export", "--data", data);
      expect(code).toBe(0);
      expect(stdout.map((line) => paymentViewSchema.parse(JSON.parse(line)).reference)).toEqual(
        [6, 5, 4, 3, 2, 1].map((n) => `R-${n}`),
      );
      expect(versionIn(data)).toBe(version);
    },
  );
});

describe("a folder that cannot be read", () => {
  it.each(["list", "export"])("payments %s says in one line that there is no folder or no journal", async (command) => {
    const nowhere = path.join(folder(), "nowhere");
    expect(await payments(command, "--data", nowhere)).toEqual({
      ...{ code: 2, stdout: [] },
      stderr: [
        `posbridge: ${nowhere} does not exist; name the dataDir of the configuration, or the configuration itself by --config FILE`,
      ],
    });
    const empty = folder();
    expect(await payments(command, "--data", empty)).toEqual({
      ...{ code: 2, stdout: [] },
      stderr: [`posbridge: ${empty} holds no journal; name the dataDir of the configuration`],
    });
    expect(fs.readdirSync(empty)).toEqual([]);
  });

  it("a journal that lost facts is not listed: exit code 1 and the mend", async () => {
    const data = await shop();
    const copy = folder();
    for (const name of ["journal.db", "journal.witness"]) fs.copyFileSync(path.join(data, name), path.join(copy, name));
    const { code, stdout, stderr } = await payments("list", "--data", copy);
    expect({ code, stdout }).toEqual({ code: 1, stdout: [] });
    expect(stderr).toEqual([
      expect.stringMatching(
        /^posbridge: .*journal\.db ends with fact 0, but 20 were acknowledged: .*; restore the last backup \(docs\/journal\.md\)$/,
      ),
    ]);
  });
});

it.each([["--help"], ["list", "--help"], ["show", "--help"], ["export", "--help"]])(
  "payments %s %s ends with an example",
  async (...argv) => {
    const { code, stdout } = await payments(...argv.filter((word) => word !== undefined));
    expect(code).toBe(0);
    expect(stdout.join("\n")).toMatch(/Example:\n( {2}posbridge payments .*\n?)+$/);
  },
);
