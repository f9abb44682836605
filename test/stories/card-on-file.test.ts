import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Counters, openCounters } from "../scenarios/counters.ts";
import { nothingBooked, soldFor } from "../scenarios/ledger.ts";
import type { Till } from "../scenarios/till.ts";
import { openStoryShop, type StoryShop } from "./shop.ts";

/*
 * Payments under an agreement: what the first one was told goes with those that the shop makes by itself. The sandbox
 * refuses them without.
 */

let shop: StoryShop;
let till: Till;
let counters: Counters;

beforeAll(async () => {
  shop = await openStoryShop({ automatic: true, scopes: ["payments", "stored-cards"] });
  till = await shop.till();
  counters = openCounters(shop, () => till);
});
afterAll(() => shop.close());

const INITIAL = { type: "RECURRING", recurringType: "SUBSCRIPTION", mode: "INITIAL", source: "CIT" };
const MIT = { type: "RECURRING", recurringType: "SUBSCRIPTION", mode: "REPEATED", source: "MIT" };

async function charged(reference: string, registration: string | undefined, standingInstruction: object) {
  await till.client.payRegistration({
    registration: registration ?? "",
    reference,
    currency: "EUR",
    amount: "19.00",
    standingInstruction,
  });
  return till.settled(reference);
}

describe("a first payment with the card, which is stored", () => {
  it.each([
    ["visa-contact", ["initialTransactionId"]],
    ["mastercard-contact", ["initialTransactionId", "agreementId"]],
  ])("(%s) tells what the shop's own payments have to name, and they are approved with it", async (card, names) => {
    const first = await counters.pay({
      reference: `${card} first`,
      card,
      createRegistration: true,
      standingInstruction: INITIAL,
    });
    const { registrationId, initialTransactionId, agreementId } = first.gateway ?? {};
    const told = {
      ...(initialTransactionId !== undefined && { initialTransactionId }),
      ...(agreementId !== undefined && { agreementId }),
    };
    expect(Object.keys(told)).toEqual(names);
    expect(await charged(`${card} month`, registrationId, { ...MIT, ...told })).toMatchObject({
      outcome: "APPROVED",
      capture: "captured",
    });
    expect(await shop.booksOf(`${card} month`)).toEqual(soldFor("19.00"));
    const [month] = await shop.rowsOf(`${card} month`);
    expect(month?.parameters).toMatchObject(
      Object.fromEntries(Object.entries(told).map(([name, value]) => [`standingInstruction.${name}`, value])),
    );
    expect(await charged(`${card} forgot`, registrationId, MIT)).toMatchObject({
      ...{ outcome: "FAILED", reason: { code: "gateway-refused" } },
      gateway: {
        resultDescription: expect.stringContaining("standingInstruction.initialTransactionId may not be empty"),
      },
    });
    expect(await shop.booksOf(`${card} forgot`)).toEqual(nothingBooked);
  });
});

describe("a first payment by a stored card", () => {
  it("tells it too", async () => {
    const { gateway } = await counters.pay({ reference: "member", card: "mastercard-contact", type: "REGISTRATION" });
    const first = await charged("first", gateway?.registrationId, INITIAL);
    const { initialTransactionId, agreementId } = first.gateway ?? {};
    expect(
      await charged("month", gateway?.registrationId, { ...MIT, initialTransactionId, agreementId }),
    ).toMatchObject({ outcome: "APPROVED" });
  });

  it("that was declined tells nothing", async () => {
    const { gateway } = await counters.pay({ reference: "other member", card: "visa-contact", type: "REGISTRATION" });
    await shop.sandbox.fault({ on: { paymentType: "PA" }, do: { result: "800.100.152" }, times: 1 });
    const declined = await charged("declined", gateway?.registrationId, INITIAL);
    expect(declined.outcome).toBe("DECLINED");
    expect(declined.gateway).not.toHaveProperty("initialTransactionId");
  });
});
