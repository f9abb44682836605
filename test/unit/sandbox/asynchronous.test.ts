import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { shopperAddress } from "../../../packages/sandbox/gateway/asynchronous/waiting.ts";
import { openSandboxStore } from "../../../packages/sandbox/gateway/ledger/store.ts";
import { linkOf, RESULT_URL, type Redirect, redirectOf, shopperBench } from "./asynchronous-bench.ts";
import { ENTITY } from "./simulated-till.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

test("a payment that needs its shopper is pending, and says where he is sent and what he has to bring", async () => {
  const { order, status, query } = shopperBench();
  const ordered = await order({ merchantTransactionId: "order-0001" });
  expect(ordered).toMatchObject({ status: 200, code: "000.200.000", body: { paymentType: "DB" } });
  const { url, parameters } = redirectOf(ordered);
  expect(url).toBe(`http://127.0.0.1/shopper/bank/${ordered.body.id}`);
  expect(parameters.map(({ name }) => name)).toEqual(["session", "step"]);
  expect(await status(ordered.body.id)).toMatchObject({ status: 200, code: "000.200.000" });
  expect((await query("order-0001")).body.payments).toMatchObject([
    { id: ordered.body.id, result: { code: "000.200.000" } },
  ]);
});

describe("at the page of his bank", () => {
  test.each([
    ["yes", "000.100.110", "12.34"],
    ["no", "800.100.152", undefined],
    ["no-funds", "800.100.155", undefined],
    ["cancel", "100.396.101", undefined],
  ])("the answer %s settles the payment with %s, wherever it is read", async (answer, code, amount) => {
    const own = shopperBench();
    const ordered = await own.order({ merchantTransactionId: "order-0001" });
    const { id } = ordered.body;
    const reply = await own.answer(redirectOf(ordered), { answer });
    expect(reply.status).toBe(303);
    expect(reply.headers["location"]).toBe(
      `${RESULT_URL}&id=${id}&resourcePath=${encodeURIComponent(`/v1/payments/${id}`)}`,
    );
    const read = await own.status(id);
    expect(read.code).toBe(code);
    expect(read.body.amount).toBe(amount);
    expect((await own.query("order-0001")).body.payments).toMatchObject([{ result: { code } }]);
    expect(own.sandbox.ledger()).toMatchObject([{ id, resultCode: code }]);
  });

  test("a refund of a payment that its shopper confirmed goes through, and of one that is still open does not", async () => {
    const own = shopperBench();
    const ordered = await own.order();
    expect(await own.refer(ordered.body.id, "RF", "12.34")).toMatchObject({ code: "700.400.570" });
    await own.answer(redirectOf(ordered), { answer: "yes" });
    expect(await own.refer(ordered.body.id, "RF", "12.34")).toMatchObject({ code: "000.100.110" });
  });

  test("only the first answer counts, and the second one goes where the first one went", async () => {
    const own = shopperBench();
    const ordered = await own.order();
    const first = await own.answer(redirectOf(ordered), { answer: "cancel" });
    const second = await own.answer(redirectOf(ordered), { answer: "yes" });
    expect(second).toMatchObject({ status: 303, headers: { location: first.headers["location"] } });
    expect(await own.status(ordered.body.id)).toMatchObject({ code: "100.396.101" });
  });

  test("leaving without an answer changes nothing, and he may come back and say yes", async () => {
    const own = shopperBench();
    const ordered = await own.order();
    expect(await own.answer(redirectOf(ordered), { answer: "leave" })).toMatchObject({ status: 303 });
    expect(await own.status(ordered.body.id)).toMatchObject({ code: "000.200.000" });
    await own.answer(redirectOf(ordered), { answer: "yes" });
    expect(await own.status(ordered.body.id)).toMatchObject({ code: "000.100.110" });
  });

  test.each([
    ["IDEAL", "100.395.501"],
    ["PAYPAL", "100.396.103"],
  ])(
    "a payment by %s that nobody answers lapses after half an hour with %s, and an answer after that is too late",
    async (paymentBrand, code) => {
      const own = shopperBench();
      const ordered = await own.order({ paymentBrand });
      await own.clock.advance(30 * MINUTE_MS - 1);
      expect(await own.status(ordered.body.id)).toMatchObject({ code: "000.200.000" });
      await own.clock.advance(1);
      expect(await own.status(ordered.body.id)).toMatchObject({ code });
      await own.answer(redirectOf(ordered), { answer: "yes" });
      expect(await own.status(ordered.body.id)).toMatchObject({ code });
    },
  );

  test.each([
    ["later-yes", "000.100.110"],
    ["later-no", "100.397.102"],
  ])("the answer %s is pending for days and then %s", async (answer, code) => {
    const own = shopperBench();
    const ordered = await own.order();
    await own.answer(redirectOf(ordered), { answer });
    expect(await own.status(ordered.body.id)).toMatchObject({ status: 200, code: "800.400.500" });
    expect(await own.refer(ordered.body.id, "RF", "12.34")).toMatchObject({ code: "700.400.570" });
    await own.answer(redirectOf(ordered), { answer: "cancel" });
    await own.clock.advance(3 * DAY_MS - 1);
    expect(await own.status(ordered.body.id)).toMatchObject({ code: "800.400.500" });
    await own.clock.advance(1);
    expect(await own.status(ordered.body.id)).toMatchObject({ code });
  });

  test("a voucher is paid at a counter, so that yes is pending for days", async () => {
    const own = shopperBench();
    const ordered = await own.order({ paymentBrand: "MULTIBANCO" });
    await own.answer(redirectOf(ordered), { answer: "yes" });
    expect(await own.status(ordered.body.id)).toMatchObject({ code: "800.400.500" });
    await own.clock.advance(3 * DAY_MS);
    expect(await own.status(ordered.body.id)).toMatchObject({ code: "000.100.110" });
  });

  test.each([
    ["9100.51", "800.100.155"],
    ["9200.00", "000.400.000"],
  ])("yes to %s is what the magic of that amount says: %s", async (amount, code) => {
    const own = shopperBench();
    const ordered = await own.order({ amount });
    expect(ordered.code).toBe("000.200.000");
    await own.answer(redirectOf(ordered), { answer: "yes" });
    expect(await own.status(ordered.body.id)).toMatchObject({ code });
  });

  test("yes to money that takes a moment at the acquirer is his last word: nobody sends him to his bank again", async () => {
    const own = shopperBench();
    const ordered = await own.order({ amount: "9300.06" });
    await own.answer(redirectOf(ordered), { answer: "yes" });
    const [booking] = own.sandbox.ledger();
    expect(booking).toMatchObject({ resultCode: "000.100.110", interim: { resultCode: "000.200.000" } });
    expect(booking && shopperAddress(booking, own.clock.now())).toBeUndefined();
    await own.clock.advance(30_000);
    expect(await own.status(ordered.body.id)).toMatchObject({ code: "000.100.110" });
  });

  test("an agreement that was to begin with a payment begins only where its shopper says yes", async () => {
    const first = {
      "standingInstruction.type": "UNSCHEDULED",
      "standingInstruction.mode": "INITIAL",
      "standingInstruction.source": "CIT",
    };
    const agreementAfter = async (answer: string): Promise<unknown> => {
      const own = shopperBench();
      const ordered = await own.orderByCard(first);
      await own.answer(redirectOf(ordered), answer === "yes" ? { code: "1234" } : { answer });
      return (await own.status(ordered.body.id)).body["standingInstruction"];
    };
    expect(await agreementAfter("yes")).toHaveProperty("initialTransactionId");
    expect(await agreementAfter("cancel")).not.toHaveProperty("initialTransactionId");
  });

  test("a fault on the page decides instead of the shopper", async () => {
    const own = shopperBench();
    const ordered = await own.order();
    await own.fault({ on: { path: "/shopper/bank" }, do: { result: "900.100.600" } });
    await own.answer(redirectOf(ordered), { answer: "yes" });
    expect(await own.status(ordered.body.id)).toMatchObject({ code: "900.100.600" });
  });

  test("a fault waits for an answer, however often the page is looked at", async () => {
    const own = shopperBench();
    const ordered = await own.order();
    const redirect = redirectOf(ordered);
    await own.fault({ on: { path: "/shopper/bank" }, do: { result: "800.100.155" } });
    await own.open(linkOf(redirect));
    await own.answer(redirect, {});
    await own.answer(redirect, { answer: "yes" });
    expect(await own.status(ordered.body.id)).toMatchObject({ code: "800.100.155" });
  });

  test("what a fault approves in part is half, and what it says the gateway took back is taken back", async () => {
    const half = shopperBench();
    const first = await half.order();
    await half.fault({ on: { path: "/shopper/bank" }, do: { result: "000.400.040" } });
    await half.answer(redirectOf(first), { answer: "yes" });
    expect((await half.status(first.body.id)).body.amount).toBe("6.17");
    const taken = shopperBench();
    const second = await taken.order();
    await taken.fault({ on: { path: "/shopper/bank" }, do: { result: "900.100.301" } });
    await taken.answer(redirectOf(second), { answer: "yes" });
    expect(taken.sandbox.ledger()).toMatchObject([
      { resultCode: "900.100.301" },
      { paymentType: "RV", referencedId: second.body.id },
    ]);
  });

  test("an answer whose reply is lost counts all the same", async () => {
    const own = shopperBench();
    const ordered = await own.order();
    await own.fault({ on: { path: "/shopper/bank" }, do: "drop-after" });
    await expect(own.answer(redirectOf(ordered), { answer: "yes" })).rejects.toThrow("cut");
    expect(await own.status(ordered.body.id)).toMatchObject({ code: "000.100.110" });
  });
});

describe("the way to the page", () => {
  test("is a link with the parameters in it, or a form of the shop's page that posts them", async () => {
    const own = shopperBench();
    const redirect = redirectOf(await own.order());
    for (const page of [await own.open(linkOf(redirect)), await own.answer(redirect)]) {
      expect(page).toMatchObject({ status: 200, headers: { "content-type": "text/html; charset=utf-8" } });
      expect(page.body).toContain("12.34 EUR");
      expect(page.body).toContain('name="answer" value="yes"');
    }
  });

  test.each([
    ["none of the parameters", () => []],
    ["only the first of them", ({ parameters }: Redirect) => parameters.slice(0, 1)],
    [
      "another session",
      ({ parameters }: Redirect) =>
        parameters.map(({ name, value }) => ({ name, value: name === "session" ? "0".repeat(32) : value })),
    ],
  ])("is refused with %s, and nothing can be answered that way", async (_, bent) => {
    const own = shopperBench();
    const ordered = await own.order();
    const redirect = redirectOf(ordered);
    const page = await own.answer({ ...redirect, parameters: bent(redirect) }, { answer: "yes" });
    expect(page).toMatchObject({ status: 403 });
    expect(await own.status(ordered.body.id)).toMatchObject({ code: "000.200.000" });
  });

  test("decides nothing by an address alone, which anything may look at on its way to the shopper", async () => {
    const own = shopperBench();
    const ordered = await own.order();
    expect(await own.open(`${linkOf(redirectOf(ordered))}&answer=cancel`)).toMatchObject({ status: 200 });
    expect(await own.status(ordered.body.id)).toMatchObject({ code: "000.200.000" });
  });

  test("leads nowhere for a payment that is not there or waits for nobody", async () => {
    const own = shopperBench();
    const sold = await own.sell();
    expect(await own.open("/shopper/bank/00000000000000000000000000000000")).toMatchObject({ status: 404 });
    expect(await own.open(`/shopper/bank/${sold.body.id}`)).toMatchObject({ status: 404 });
  });

  test("ends at a page of this gateway where the shop named no address to go back to", async () => {
    const own = shopperBench();
    const ordered = await own.send("/v1/payments", {
      amount: "5.00",
      currency: "EUR",
      paymentType: "PA",
      paymentBrand: "PAYPAL",
    });
    const page = await own.answer(redirectOf(ordered), { answer: "yes" });
    expect(page).toMatchObject({ status: 200 });
    expect(page.body).toContain("Paid");
    expect((await own.open(linkOf(redirectOf(ordered)))).body).toContain("Paid");
  });
});

test("a shopper who came from a checkout goes back with what its status is read by", async () => {
  const own = shopperBench();
  const { id } = (await own.send("/v1/checkouts", { amount: "12.34", currency: "EUR", paymentType: "DB" })).body;
  const submitted = await own.submit(`/v1/checkouts/${id}/payment`, {
    paymentBrand: "IDEAL",
    shopperResultUrl: RESULT_URL,
  });
  const reply = await own.answer(redirectOf({ body: JSON.parse(submitted.body) }), { answer: "yes" });
  expect(reply.headers["location"]).toBe(
    `${RESULT_URL}&id=${id}&resourcePath=${encodeURIComponent(`/v1/checkouts/${id}/payment`)}`,
  );
  expect(await own.get(`/v1/checkouts/${id}/payment?entityId=${ENTITY}`)).toMatchObject({
    status: 200,
    code: "000.100.110",
    body: { paymentBrand: "IDEAL" },
  });
});

test("what waits for its shopper, and what he said, survives a restart", async () => {
  const folder = mkdtempSync(join(tmpdir(), "asynchronous-"));
  const path = join(folder, "sandbox.db");
  try {
    const before = openSandboxStore(path);
    const first = shopperBench({ store: before });
    const open = await first.order({ merchantTransactionId: "order-open" });
    const later = await first.order({ merchantTransactionId: "order-later" });
    await first.answer(redirectOf(later), { answer: "later-yes" });
    first.sandbox.stop();
    before.close();
    const after = openSandboxStore(path);
    const second = shopperBench({ store: after });
    await second.answer(redirectOf(open), { answer: "yes" });
    expect(await second.status(open.body.id)).toMatchObject({ code: "000.100.110" });
    expect(await second.status(later.body.id)).toMatchObject({ code: "800.400.500" });
    await second.clock.advance(3 * DAY_MS);
    expect(await second.status(later.body.id)).toMatchObject({ code: "000.100.110" });
    after.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
