import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Counters, openCounters } from "./counters.ts";
import { nothingBooked } from "./ledger.ts";
import { runProgram } from "./program.ts";
import { entityOf, GATEWAY_TOKEN } from "./sandbox.ts";
import { openShop, type Shop } from "./shop.ts";
import type { Till } from "./till.ts";

/**
 * The gateway answers a capture with 000.400.040 and books the half: what the bridge can do about it, a person has to
 * say.
 */

let shop: Shop;
let till: Till;
let counters: Counters;

beforeAll(async () => {
  // A terminal for each sale: it has a channel of its own, which answers two queries a minute.
  shop = await openShop({ terminals: 2, automatic: true, scopes: ["payments", "refunds"] });
  till = await shop.till();
  counters = openCounters(shop, () => till);
});
afterAll(() => shop.close());

const openSchema = z.object({
  payments: z.array(z.looseObject({ reference: z.string(), owed: z.string(), mend: z.string() })),
});
const open = async () =>
  openSchema.parse(
    JSON.parse((await runProgram("payments", "list", "--open", "--json", "--data", shop.dataDir)).out.join("\n")),
  ).payments;
const resolve = (reference: string, ...more: readonly string[]) =>
  runProgram("resolve", reference, "--reason", "looked up in the back office", "--data", shop.dataDir, ...more);
const refunded = async (of: string, reference: string, amount: string): Promise<unknown> => {
  await till.client.refund({ of, reference, amount });
  return till.settled(reference);
};

async function soldInPart(reference: string, at: number): Promise<void> {
  await shop.sandbox.fault({ on: { paymentType: "CP" }, do: { result: "000.400.040" } });
  await counters.pay({ reference, card: "visa-contact", at });
  expect(await till.until(reference, "captured", ({ capture }) => capture === "captured")).toMatchObject({
    ...{ state: "FINAL", outcome: "APPROVED", approvedAmount: "12.34", capturedAmount: "6.17" },
  });
  expect(await open()).toMatchObject([
    {
      reference,
      owed: "a word on its capture: 6.17 of 12.34",
      mend: expect.stringMatching(/capture the rest there.*posbridge resolve/),
    },
  ]);
}

/** What the gateway's people do in the back office; gives the id of what they booked. */
async function captureByHand(reference: string, amount: string): Promise<string> {
  const reservation = (await shop.rowsOf(reference)).find(({ paymentType }) => paymentType === "PA");
  const response = await fetch(`${shop.sandbox.url}v1/payments/${reservation?.id}`, {
    method: "POST",
    headers: { authorization: `Bearer ${GATEWAY_TOKEN}`, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ entityId: entityOf(1), paymentType: "CP", amount, currency: "EUR" }).toString(),
  });
  return z
    .object({ id: z.string(), result: z.object({ code: z.string().startsWith("000.") }) })
    .parse(await response.json()).id;
}

describe("a sale that was captured in part", () => {
  it("is closed under the id of the rest, once that was captured by hand: both parts can be refunded", async () => {
    await soldInPart("A", 1);
    const rest = await captureByHand("A", "6.17");
    expect(await resolve("A", "--as", "approved", "--gateway-id", rest)).toMatchObject({
      code: 0,
      out: ["payment A of register register-1 is FINAL APPROVED, capture captured"],
    });
    expect(await open()).toEqual([]);
    expect(await till.client.get({ reference: "A" })).toMatchObject({ outcome: "APPROVED", capturedAmount: "12.34" });
    await expect(till.client.refund({ of: "A", reference: "too much", amount: "6.18" })).rejects.toThrow(
      /captured in two parts/,
    );
    for (const reference of ["first", "second"])
      expect(await refunded("A", reference, "6.17")).toMatchObject({ outcome: "APPROVED" });
    const rows = (await shop.sandbox.ledger()).filter(
      ({ paymentType }) => paymentType === "CP" || paymentType === "RF",
    );
    expect(rows.map(({ paymentType, amount }) => `${paymentType} ${amount}`)).toEqual([
      "CP 6.17",
      "CP 6.17",
      "RF 6.17",
      "RF 6.17",
    ]);
    expect(
      new Set(rows.flatMap(({ paymentType, referencedId }) => (paymentType === "RF" ? [referencedId] : []))),
    ).toEqual(new Set(rows.flatMap(({ paymentType, id }) => (paymentType === "CP" ? [id] : []))));
  });

  it("is closed as reversed where nobody captures the rest, also by a bridge that was killed meanwhile", async () => {
    await soldInPart("B", 2);
    await shop.restart();
    till = await shop.till();
    expect((await open()).map(({ reference }) => reference)).toEqual(["B"]);
    expect(await resolve("B", "--as", "reversed")).toMatchObject({ code: 0 });
    expect(await open()).toEqual([]);
    expect(await till.client.get({ reference: "B" })).toMatchObject({
      outcome: "APPROVED",
      capture: "captured",
      capturedAmount: "6.17",
    });
    expect(await shop.booksOf("B")).toEqual({ ...nothingBooked, PA: 1, CP: 1, captured: "6.17", held: "6.17" });
    expect(await resolve("B", "--as", "reversed")).toMatchObject({
      code: 1,
      err: [expect.stringContaining("nothing of it is open")],
    });
  });
});
