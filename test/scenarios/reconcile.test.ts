import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { PaymentView } from "../../src/payment/view-schema.ts";
import { type Counters, openCounters } from "./counters.ts";
import { runProgram } from "./program.ts";
import { terminalReady } from "./sale.ts";
import { entityOf, GATEWAY_TOKEN } from "./sandbox.ts";
import { openShop, type Shop } from "./shop.ts";
import type { Till } from "./till.ts";

const DAY_MS = 86_400_000;
const CARD = "visa-contact";
/** Made and undone within the gateway's day, and so in no file; unless its day ended between the two. */
const UNDONE = /^(mistake|wrong order|card says no)( undone)?$/;
/** A whole day of trade is played before the first of these begins. */
const DAY_OF_TRADE_MS = 120_000;

const reportSchema = z.looseObject({
  reconciled: z.boolean(),
  counts: z.record(z.string(), z.number()),
  matched: z.array(
    z.looseObject({
      file: z.looseObject({ line: z.number(), transactionType: z.string() }),
      journal: z.looseObject({ reference: z.string() }),
    }),
  ),
  differing: z.array(
    z.looseObject({
      file: z.looseObject({ line: z.number() }),
      journal: z.looseObject({ reference: z.string() }),
      differences: z.unknown(),
    }),
  ),
  missingHere: z.array(z.looseObject({ line: z.number(), note: z.string() })),
  missingThere: z.array(z.looseObject({ reference: z.string(), amount: z.string() })),
  totals: z.array(z.record(z.string(), z.string())),
});

const ledgerSchema = z.looseObject({
  bookings: z.array(
    z.looseObject({
      ...{ id: z.string(), paymentType: z.string(), resultCode: z.string() },
      ...{ referencedId: z.string().optional(), amount: z.string().optional(), currency: z.string().optional() },
    }),
  ),
});

let shop: Shop;
let till: Till;
let counters: Counters;
let file = "";

beforeAll(async () => {
  shop = await openShop({ automatic: true, scopes: ["payments", "refunds", "unlinked-refunds"] });
  till = await shop.till();
  counters = openCounters(shop, () => till);
  await tradeInTwoSteps();
  await tradeInOneStep();
  await shop.sandbox.advance(5 * DAY_MS);
  file = await settlementFile();
}, DAY_OF_TRADE_MS);
afterAll(() => shop.close());

const sell = (reference: string, amount: string): Promise<PaymentView> =>
  counters.pay({ reference, card: CARD, amount });

async function sellYen(reference: string, amount: string): Promise<PaymentView> {
  await shop.terminal.customerHas(CARD);
  await till.client.startPayment({ reference, type: "SALE", terminal: shop.terminal.id, currency: "JPY", amount });
  const payment = await till.settled(reference);
  await terminalReady(till, shop.terminal);
  return payment;
}

async function follow(
  kind: "capture" | "refund" | "void",
  of: string,
  reference: string,
  amount?: string,
): Promise<void> {
  await till.client[kind]({ of, reference, ...(amount !== undefined && { amount }) });
  expect(await till.settled(reference)).toMatchObject({ outcome: "APPROVED" });
}

/** Reserved first, captured then: what the shop is configured for. */
async function tradeInTwoSteps(): Promise<void> {
  await sell("bread", "12.34");
  await sell("shoes", "89.90");
  await follow("refund", "shoes", "shoes, one back", "44.95");
  await follow("refund", "shoes", "shoes, other back");
  // The reply to the capture is lost; a query tells that it was booked.
  await shop.sandbox.fault({ on: { paymentType: "CP" }, do: "drop-after" });
  expect(await sell("lost word", "4.44")).toMatchObject({ outcome: "APPROVED", capture: "captured" });
  await sell("mistake", "1000.00");
  await follow("void", "mistake", "mistake undone");
  expect(await sell("declined", "9100.05")).toMatchObject({ outcome: "DECLINED" });
  await counters.pay({ reference: "room", card: CARD, type: "PREAUTHORIZATION", amount: "250.00" });
  await follow("capture", "room", "room, night 1", "80.01");
  await follow("capture", "room", "room, night 2", "99.99");
  await counters.pay({ reference: "room not taken", card: CARD, type: "PREAUTHORIZATION", amount: "60.00" });
  await follow("void", "room not taken", "room given back");
  await counters.pay({ reference: "deposit", card: CARD, type: "REFUND", amount: "0.25" });
  expect(await sellYen("tea", "1200")).toMatchObject({ outcome: "APPROVED", amount: "1200" });
  await follow("refund", "tea", "tea, part back", "201");
  await sell("regretted", "33.33");
  // The gateway's next day has begun: its file has the sale and the reversal, each by itself.
  await shop.sandbox.advance(untilMidnight(await gatewayTime()) + 1000);
  await follow("void", "regretted", "regretted undone");
}

/** The same bridge configured for single messages, with an outcome that is not told at first. */
async function tradeInOneStep(): Promise<void> {
  await shop.stop();
  fs.writeFileSync(
    shop.configFile,
    fs
      .readFileSync(shop.configFile, "utf8")
      .replace("testMode: INTERNAL }", "testMode: INTERNAL, settlement: single }"),
  );
  await shop.start();
  till = await shop.till();
  await sell("coffee", "3.20");
  await sell("cake", "7.77");
  await follow("refund", "cake", "cake, a slice back", "1.11");
  expect(
    await counters.pay({ reference: "card says no", card: "contact-declines-after-approval", amount: "6.66" }),
  ).toMatchObject({ outcome: "DECLINED" });
  await sell("wrong order", "15.00");
  await follow("void", "wrong order", "wrong order undone");
}

async function gatewayTime(): Promise<number> {
  const response = await fetch(`${shop.sandbox.url}sandbox/v1/clock`);
  return Date.parse(z.looseObject({ now: z.string() }).parse(await response.json()).now);
}

const untilMidnight = (now: number): number => DAY_MS - (now % DAY_MS);

/** What the gateway settled, as its file. */
async function settlementFile(): Promise<string> {
  const query = new URLSearchParams({ entityId: entityOf(1), "date.from": "2000-01-01", "date.to": "2099-12-31" });
  const headers = { authorization: `Bearer ${GATEWAY_TOKEN}`, accept: "text/csv" };
  const response = await fetch(`${shop.sandbox.url}reports/v1/reconciliations/aggregations?${query}`, { headers });
  expect(response.status).toBe(200);
  return response.text();
}

async function reconcile(text: string) {
  const name = path.join(shop.folder, "settlement.csv");
  fs.writeFileSync(name, text);
  const { code, out, err } = await runProgram("reconcile", name, "--data", shop.dataDir, "--json");
  return { code, err, report: reportSchema.parse(JSON.parse(out.join("\n"))) };
}

/** Cents or yen that the gateway's ledger came to: added up from its rows, not from the file. */
async function ledgerTotals(): Promise<Readonly<Record<string, number>>> {
  const response = await fetch(`${shop.sandbox.url}sandbox/v1/ledger`);
  const rows = ledgerSchema
    .parse(await response.json())
    .bookings.filter(({ resultCode }) => resultCode.startsWith("000."));
  const signOf: Readonly<Record<string, number>> = { DB: 1, CP: 1, RF: -1, CD: -1 };
  const totals: Record<string, number> = {};
  for (const { paymentType, referencedId, amount = "0", currency = "" } of rows) {
    const reversed =
      paymentType === "RV" ? -(signOf[rows.find(({ id }) => id === referencedId)?.paymentType ?? ""] ?? 0) : 0;
    totals[currency] = (totals[currency] ?? 0) + (signOf[paymentType] ?? reversed) * Number(amount.replace(".", ""));
  }
  return totals;
}

const linesOf = (text: string): readonly string[] => text.trimEnd().split("\n");

/** The file with the line of that booking changed, or without it where `change` gives none. */
async function withLineOf(reference: string, change: (line: string) => readonly string[]): Promise<string> {
  const { report } = await reconcile(file);
  const line = report.matched.find(({ journal }) => journal.reference === reference)?.file.line ?? 0;
  return `${linesOf(file)
    .flatMap((one, at) => (at + 1 === line ? change(one) : [one]))
    .join("\n")}\n`;
}

describe("a day of trade", () => {
  it("is reconciled to the cent: every settled row is a booking of the journal, and every booking is settled", async () => {
    const { code, err, report } = await reconcile(file);
    expect({
      code,
      err,
      differing: report.differing,
      missingHere: report.missingHere,
      missingThere: report.missingThere,
    }).toEqual({
      ...{ code: 0, err: [], differing: [], missingHere: [], missingThere: [] },
    });
    const settled = report.matched.filter(({ journal }) => !UNDONE.test(journal.reference));
    expect(
      settled.map(({ journal, file: { transactionType } }) => `${transactionType} ${journal.reference}`).toSorted(),
    ).toEqual(
      [
        ...["bread", "shoes", "lost word", "room, night 1", "room, night 2", "tea", "regretted", "coffee", "cake"].map(
          (reference) => `DEBIT ${reference}`,
        ),
        ...["shoes, one back", "shoes, other back", "tea, part back", "cake, a slice back", "regretted undone"].map(
          (reference) => `REFUND ${reference}`,
        ),
        "CREDIT deposit",
      ].toSorted(),
    );
    expect(report.totals.map(({ currency, difference }) => [currency, difference])).toEqual([
      ["EUR", "0.00"],
      ["JPY", "0"],
    ]);
    const sums = Object.fromEntries(
      report.totals.map(({ currency = "", file: sum = "" }) => [currency, Number(sum.replace(".", ""))]),
    );
    expect(sums).toEqual(await ledgerTotals());
    expect(sums).toEqual({ EUR: 1234 + 444 + 8001 + 9999 - 25 + 320 + 777 - 111, JPY: 1200 - 201 });
  });

  it("is told as a table, with its totals", async () => {
    const name = path.join(shop.folder, "whole.csv");
    fs.writeFileSync(name, file);
    const { code, out } = await runProgram("reconcile", name, "--data", shop.dataDir);
    expect(code).toBe(0);
    expect(out[0]).toMatch(/^CURRENCY +FILE +JOURNAL +DIFFERENCE +CHARGEBACKS +FEES +PAYOUT$/);
    expect(out[1]).toMatch(/^EUR +206\.39 +206\.39 +0\.00 +0\.00 /);
    expect(out.at(-1)).toMatch(/matched, 0 differ, 0 missing here, 0 missing there; /);
  });
});

describe("a file that is not what was booked", () => {
  it("with another amount is told by line and reference, and the command ends with 1", async () => {
    const { code, err, report } = await reconcile(
      await withLineOf("bread", (line) => [line.replace(";12.34;", ";12.43;")]),
    );
    expect({ code, err }).toEqual({ code: 1, err: ["posbridge: 1 difference between the file and the journal"] });
    expect(report.differing).toMatchObject([
      { journal: { reference: "bread" }, differences: [{ of: "amount", file: "12.43", journal: "12.34" }] },
    ]);
    expect(report.counts).toMatchObject({ missingHere: 0, missingThere: 0 });
    expect(report.totals[0]).toMatchObject({ currency: "EUR", difference: "0.09" });
  });

  it("without a row is told by the booking that is missing there", async () => {
    const { code, report } = await reconcile(await withLineOf("room, night 2", () => []));
    expect(code).toBe(1);
    expect(report.missingThere).toMatchObject([{ reference: "room, night 2", amount: "99.99", paymentType: "CP" }]);
    expect(report.counts).toMatchObject({ differing: 0, missingHere: 0 });
  });

  it("with a row more is told by that row: once as one that nobody here made, once as one for a payment that was declined", async () => {
    const declined = (await till.client.get({ reference: "declined" })).gateway?.attempts[0]?.id ?? "";
    const invented = await withLineOf("coffee", (line) => {
      const [id = ""] = /[0-9a-f]{32}(?=;[0-9]{4}\.[0-9]{4}\.[0-9]{4};)/.exec(line) ?? [];
      const foreign = line.replaceAll(id, "f".repeat(32)).replace(/[^;]+;[^;]*$/, "of-another-shop;");
      return [line, foreign, line.replaceAll(id, declined)];
    });
    const { code, report } = await reconcile(invented);
    expect(code).toBe(1);
    expect(report.missingHere.map(({ note }) => note)).toEqual([
      "the journal knows nothing of it",
      expect.stringContaining("reference declined of register register-1 as declined (800.100.152)"),
    ]);
    expect(report.counts).toMatchObject({ differing: 0, missingThere: 0 });
  });
});
