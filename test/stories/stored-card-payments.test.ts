import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nothingBooked, reservedFor, soldFor } from "../scenarios/ledger.ts";
import type { Till } from "../scenarios/till.ts";
import { openStoryShop, type StoryShop } from "./shop.ts";

/* Payments by a stored card, and its deletion (docs/register-reference.md). */

const SOON_MS = 45_000;
/** Magic amounts of the sandbox: do not honour. */
const DECLINED = "9100.05";

let shop: StoryShop;
let till: Till;
let registration: string;

async function stores(reference: string): Promise<string> {
  await till.client.startPayment({ reference, type: "REGISTRATION", terminal: "till-1", currency: "EUR", queue: true });
  const { gateway } = await till.settled(reference, SOON_MS);
  if (gateway?.registrationId === undefined) throw new Error("no card was stored");
  return gateway.registrationId;
}

async function charged(reference: string, more: { amount?: string; type?: "SALE" | "PREAUTHORIZATION" } = {}) {
  return till.client.payRegistration({ registration, reference, currency: "EUR", amount: "19.00", ...more });
}

const approved = (amount: string) => ({
  state: "FINAL",
  decision: "approved",
  outcome: "APPROVED",
  approvedAmount: amount,
  terminal: "",
  registration,
});

beforeAll(async () => {
  shop = await openStoryShop({ automatic: true, scopes: ["payments", "refunds", "stored-cards"] });
  till = await shop.till();
  await shop.terminal.customerHas("visa-contact");
  registration = await stores("member");
});
afterAll(() => shop.close());

describe("a stored card", () => {
  it("pays without the card, and what it paid is captured, refunded and voided as at a terminal", async () => {
    expect(await charged("march", {})).toMatchObject({
      created: true,
      warnings: [],
      payment: { type: "SALE", state: "CREATED", terminal: "", registration },
    });
    expect(await till.settled("march")).toMatchObject({
      ...approved("19.00"),
      capture: "captured",
      capturedAmount: "19.00",
    });
    expect(await shop.booksOf("march")).toEqual(soldFor("19.00"));
    await till.client.refund({ of: "march", reference: "march/refund", amount: "9.00" });
    expect(await till.settled("march/refund")).toMatchObject({ outcome: "APPROVED" });
    expect(await shop.booksOf("march", "march/refund")).toEqual({ ...soldFor("10.00"), RF: 1 });
    await charged("deposit", { type: "PREAUTHORIZATION", amount: "50.00" });
    expect(await till.settled("deposit")).toMatchObject(approved("50.00"));
    expect(await shop.booksOf("deposit")).toEqual(reservedFor("50.00"));
    await till.client.capture({ of: "deposit", reference: "deposit/capture", amount: "20.00" });
    expect(await till.settled("deposit/capture")).toMatchObject({ outcome: "APPROVED" });
    expect(await shop.booksOf("deposit", "deposit/capture")).toEqual({
      ...nothingBooked,
      PA: 1,
      CP: 1,
      held: "30.00",
      captured: "20.00",
    });
    await charged("mistake");
    await till.settled("mistake");
    await till.client.void({ of: "mistake", reference: "mistake/void" });
    expect(await till.settled("mistake/void")).toMatchObject({ outcome: "APPROVED" });
    expect(await shop.booksOf("mistake", "mistake/void")).toMatchObject({ held: "0.00", captured: "0.00" });
  });

  it("is declined by its issuer as every card", async () => {
    await charged("too much", { amount: DECLINED });
    expect(await till.settled("too much")).toMatchObject({
      outcome: "DECLINED",
      reason: { code: "host-declined", advice: "other-card" },
    });
    expect(await shop.booksOf("too much")).toEqual(nothingBooked);
  });

  it.each([
    ["reported lost, which its scheme forbids to try again", "800.100.165", "do-not-retry"],
    ["over its limit, which may be otherwise later", "800.100.162", "retry-later"],
    ["whose holder has ended the agreement", "800.100.197", "do-not-retry"],
  ])("is declined with the advice of its scheme: %s", async (reference, result, advice) => {
    await shop.sandbox.fault({ on: { paymentType: "PA" }, do: { result }, times: 1 });
    await charged(reference);
    expect(await till.settled(reference)).toMatchObject({ outcome: "DECLINED", reason: { advice } });
  });

  it("is paid under the name that its register says, for that payment alone", async () => {
    await till.client.payRegistration({
      registration,
      reference: "named",
      currency: "EUR",
      amount: "3.00",
      overrideHolder: "Jane Doe",
    });
    expect(await till.settled("named")).toMatchObject({ ...approved("3.00"), capture: "captured" });
    expect((await shop.rowsOf("named")).map(({ parameters }) => parameters["overrideHolder"])).toEqual([
      "true",
      undefined,
    ]);
  });

  it("whose reply is lost has paid once: what the gateway booked is found and counts", async () => {
    await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "drop-after", times: 1 });
    await charged("lost");
    expect(await till.settled("lost", SOON_MS)).toMatchObject({ ...approved("19.00"), capture: "captured" });
    expect(await shop.booksOf("lost")).toEqual(soldFor("19.00"));
  });

  it("cancelled while its reply is on the way is taken back", async () => {
    await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "delay", delayMs: 2_000, times: 1 });
    await charged("cancelled");
    await shop.sandbox.faultsUsed();
    expect((await till.client.cancel({ reference: "cancelled" })).payment).toMatchObject({ decision: "not-approved" });
    expect(await till.settled("cancelled")).toMatchObject({
      outcome: "CANCELLED",
      reason: { code: "register-cancelled" },
    });
    expect(await shop.booksOf("cancelled")).toEqual({ ...nothingBooked, PA: 1, RV: 1 });
  });

  it("charged by a bridge that was killed meanwhile has paid once", async () => {
    await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "delay", delayMs: 60_000, times: 1 });
    await charged("killed");
    await shop.sandbox.faultsUsed();
    await shop.restart();
    till = await shop.till();
    await till.client.subscribe("0");
    expect(await till.settled("killed", SOON_MS)).toMatchObject({ ...approved("19.00"), capture: "captured" });
    expect(await shop.booksOf("killed")).toEqual(soldFor("19.00"));
    expect(await charged("killed")).toMatchObject({ created: false });
  });

  it("is deleted once, whoever asks again, and pays no more", async () => {
    const { client } = till;
    expect(await client.deleteRegistration({ registration, reference: "bye" })).toBe("deleted");
    expect(await client.deleteRegistration({ registration, reference: "bye" })).toBe("deleted");
    expect(await client.deleteRegistration({ registration, reference: "bye again" })).toBe("already-deleted");
    expect((await shop.sandbox.storedCards()).filter(({ stored }) => stored)).toEqual([]);
    await charged("april");
    expect(await till.settled("april")).toMatchObject({
      outcome: "DECLINED",
      reason: { code: "card-not-stored", advice: "other-card" },
    });
    expect(await shop.booksOf("april")).toEqual(nothingBooked);
  });

  it("is deleted although the reply is lost, and although the bridge is killed on the way", async () => {
    const lost = await stores("member 2");
    await shop.sandbox.fault({ on: { paymentType: "DR" }, do: "drop-after", times: 1 });
    expect(await till.client.deleteRegistration({ registration: lost, reference: "lost" })).toBe("deleted");
    const killed = await stores("member 3");
    await shop.sandbox.fault({ on: { paymentType: "DR" }, do: "drop-before", times: 1 });
    const asked = till.client.deleteRegistration({ registration: killed, reference: "killed" }).catch(() => "gone");
    await shop.sandbox.faultsUsed();
    await shop.restart();
    await asked;
    till = await shop.till();
    expect(await till.client.deleteRegistration({ registration: killed, reference: "killed" })).toBe("deleted");
    expect((await shop.sandbox.storedCards()).filter(({ stored }) => stored)).toEqual([]);
  });

  it("leaves behind what its register was told", async () => {
    const { payments } = await till.client.list({ limit: 500 });
    expect(payments.filter(({ state }) => state !== "FINAL")).toEqual([]);
    // The cards themselves are gone, because their register had them deleted.
    expect((await shop.contradictions()).filter((one) => !one.startsWith("REGISTRATION member"))).toEqual([]);
  });
});
