import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { nothingBooked, soldFor } from "../scenarios/ledger.ts";
import { cardOut, saleOf, sell, untilCardIsAsked, untilHostIsAsked, untilPinIsAsked } from "../scenarios/sale.ts";
import type { Till } from "../scenarios/till.ts";
import { openStoryShop, type StoryShop } from "./shop.ts";

let shop: StoryShop;
let till: Till;

beforeAll(async () => {
  shop = await openStoryShop();
  till = await shop.till();
});
afterAll(() => shop.close());

describe("a sale", () => {
  it("is approved when the host holds the money and the card agreed, and is captured once", async () => {
    const payment = await sell({ till, terminal: shop.terminal, reference: "approved" });
    expect(payment).toMatchObject({
      state: "FINAL",
      decision: "approved",
      outcome: "APPROVED",
      capture: "captured",
      environment: "test",
    });
    expect(payment).toMatchObject({ amount: "12.34", approvedAmount: "12.34", capturedAmount: "12.34" });
    expect(payment.card).toEqual({
      brand: "VISA",
      bin: "476134",
      last4: "0050",
      entryMode: "ICC",
      applicationLabel: "VISA CREDIT",
      cvm: "online-pin",
    });
    expect(payment.emv).toMatchObject({ aid: "A0000000031010", cryptogramType: "TC", arc: "00" });
    expect(await shop.books()).toEqual(soldFor("12.34"));
  });

  it("has one line of the log for each step, by which it is found and timed", () => {
    const lines = shop.printed().filter((line) => line.includes('"reference":"approved"'));
    const steps = lines.map((line) =>
      z
        .looseObject({ level: z.string(), msg: z.string(), terminal: z.string(), amount: z.string() })
        .parse(JSON.parse(line)),
    );
    const sale = [
      "payment accepted",
      "card presented",
      "sent to the gateway",
      "gateway answered",
      "answer told to the card",
      "payment final",
    ];
    expect(steps.map(({ msg }) => msg)).toEqual([...sale, "sent to the gateway", "gateway answered"]);
    for (const step of steps)
      expect(step).toMatchObject({
        level: "info",
        register: "register-1",
        terminal: shop.terminal.id,
        amount: "12.34",
        currency: "EUR",
      });
    expect(steps[5]).toMatchObject({ outcome: "APPROVED", ms: expect.any(Number) });
  });

  it("is measured in each of its steps", async () => {
    const figures = await shop.figures();
    for (const count of [
      'card_seconds_count{entry_mode="ICC"} 1',
      'gateway_seconds_count{operation="PA"} 1',
      'gateway_seconds_count{operation="CP"} 1',
    ])
      expect(figures).toContain(`posbridge_${count}\n`);
    expect(figures).toContain(`posbridge_terminal_seconds_count{terminal="${shop.terminal.id}"} 1\n`);
    expect(figures).toContain('posbridge_payment_seconds_count{type="SALE",outcome="APPROVED"} 1\n');
    expect(Number(/^posbridge_journal_append_seconds_count (\d+)$/m.exec(figures)?.[1])).toBeGreaterThan(5);
  });

  it("was told state by state, each once, with cursors that rise", () => {
    const states = till.told.map(({ payment }) => payment.state);
    expect(states.filter((state, at) => state !== states[at - 1])).toEqual([
      "CREATED",
      "AWAITING_CARD",
      "AUTHORIZING",
      "COMPLETING",
      "FINAL",
    ]);
    const cursors = till.told.map(({ cursor }) => Number(cursor));
    expect(cursors).toEqual(cursors.toSorted((a, b) => a - b));
    expect(
      till.told
        .filter(({ payment }) => payment.decision !== undefined)
        .every(({ payment }) => payment.state === "FINAL"),
    ).toBe(true);
  });

  it("is the same payment when its start is repeated, from any socket of the register", async () => {
    const { id } = await till.client.get({ reference: "approved" });
    const rows = (await shop.sandbox.ledger()).length;
    const other = await shop.till();
    const { amount, currency, reference, terminal, type } = saleOf(shop.terminal, "approved");
    for (const client of [till.client, other.client]) {
      const again = await client.startPayment({
        amount,
        queue: true,
        expiresInMs: 5_000,
        currency,
        terminal,
        type,
        reference,
      });
      expect(again).toMatchObject({ created: false, payment: { id, state: "FINAL", outcome: "APPROVED" } });
    }
    expect(await shop.sandbox.ledger()).toHaveLength(rows);
  });

  it.each([{ amount: "12.35" }, { currency: "USD" }, { cashier: "Ada" }, { order: "o-1" }])(
    "is refused under its reference with other content: %j",
    async (change) => {
      const start = till.client.startPayment({ ...saleOf(shop.terminal, "approved"), ...change });
      await expect(start).rejects.toMatchObject({ code: "reference-reused", advice: "fix-request" });
    },
  );

  it("belongs to its register alone: another register has not that reference", async () => {
    const other = await shop.till(shop.createToken("register-2"));
    await expect(other.client.get({ reference: "approved" })).rejects.toMatchObject({ code: "not-found" });
    const { id } = await till.client.get({ reference: "approved" });
    await expect(other.client.get({ id })).rejects.toMatchObject({ code: "not-found" });
    expect((await other.client.list()).payments).toEqual([]);
  });
});

describe("a sale whose register goes away", () => {
  it("goes on without it, and the next socket is told what it missed by its cursor", async () => {
    const gone = await shop.till();
    await untilPinIsAsked({ till: gone, terminal: shop.terminal, reference: "register gone" });
    const cursor = gone.client.cursor();
    gone.client.close();
    await gone.client.closed;
    await shop.terminal.press("1234 ENTER");
    const back = await shop.till();
    await back.client.subscribe(cursor);
    expect(await back.settled("register gone")).toMatchObject({ outcome: "APPROVED", capture: "captured" });
    // A change of the prompt alone carries the last cursor: nothing that was missed.
    const missed = back.told.filter((told) => Number(told.cursor) > Number(cursor));
    const states = new Set(missed.map(({ payment }) => payment.state));
    expect([...states]).toEqual(["AUTHORIZING", "COMPLETING", "FINAL"]);
    await cardOut({ till, terminal: shop.terminal });
    expect(await shop.booksOf("register gone")).toEqual(soldFor("12.34"));
  });
});

describe("a start that comes twice at the same moment, over two sockets", () => {
  it("makes one payment", async () => {
    const other = await shop.till();
    const start = saleOf(shop.terminal, "twice");
    const results = await Promise.all([till.client.startPayment(start), other.client.startPayment(start)]);
    expect(results.map(({ created }) => created).toSorted()).toEqual([false, true]);
    expect(new Set(results.map(({ payment }) => payment.id)).size).toBe(1);
    await till.client.cancel({ reference: "twice" });
    await cardOut({ till, terminal: shop.terminal });
  });
});

describe("a terminal with a sale on it", () => {
  it("refuses another sale and names who has it, and the refused reference can be used again", async () => {
    await untilCardIsAsked({ till, terminal: shop.terminal, reference: "holder" });
    const busy = till.client.startPayment(saleOf(shop.terminal, "second", "5.00"));
    await expect(busy).rejects.toMatchObject({ code: "terminal-busy", message: expect.stringContaining('"holder"') });
    await expect(till.client.get({ reference: "second" })).rejects.toMatchObject({ code: "not-found" });
    expect(await till.client.terminals()).toMatchObject([{ state: "busy", payment: "holder" }]);
  });

  it("lets a queued one wait for its turn", async () => {
    const from = (await shop.sandbox.ledger()).length;
    const { payment } = await till.client.startPayment({ ...saleOf(shop.terminal, "second", "5.00"), queue: true });
    expect(payment.reference).toBe("second");
    await till.state("second", "QUEUED");
    await till.client.cancel({ reference: "holder" });
    expect(await till.settled("holder")).toMatchObject({
      outcome: "CANCELLED",
      reason: { code: "register-cancelled" },
    });
    await till.prompt("second", "INSERT_OR_TAP");
    await shop.terminal.present("visa-contact");
    await till.prompt("second", "ENTER_PIN");
    await shop.terminal.press("1234 ENTER");
    expect(await till.settled("second")).toMatchObject({ outcome: "APPROVED" });
    await cardOut({ till, terminal: shop.terminal });
    expect(await shop.books(from)).toEqual(soldFor("5.00"));
  });
});

describe("a wrong PIN", () => {
  it("typed thrice is declined by the card's bank, each try a transaction of its own, and nothing is booked", async () => {
    const card = "wrong-pin-once";
    await untilHostIsAsked({ till, terminal: shop.terminal, reference: "wrong PIN", card, pin: "9999" });
    for (const time of [2, 3]) {
      await till.prompt("wrong PIN", "ENTER_PIN", time);
      expect(await till.client.get({ reference: "wrong PIN" })).toMatchObject({
        state: "AWAITING_CARD",
        prompt: { code: "ENTER_PIN" },
      });
      await shop.terminal.press("9999 ENTER");
    }
    const payment = await till.settled("wrong PIN");
    expect(payment).toMatchObject({
      outcome: "DECLINED",
      decision: "not-approved",
      reason: { code: "pin-tries-exceeded", advice: "other-card" },
    });
    await cardOut({ till, terminal: shop.terminal });
    const rows = await shop.rowsOf("wrong PIN");
    expect(rows.map(({ paymentType, resultCode }) => `${paymentType} ${resultCode}`)).toEqual([
      "PA 800.100.166",
      "PA 800.100.166",
      "PA 800.100.178",
    ]);
    expect(new Set(rows.map(({ merchantTransactionId }) => merchantTransactionId)).size).toBe(3);
    expect(new Set(rows.map(({ parameters }) => parameters["pos.iccDataRequest"])).size).toBe(3);
    expect(await shop.booksOf("wrong PIN")).toEqual(nothingBooked);
  });

  it("does not stand in the way of another card under a new reference", async () => {
    const from = (await shop.sandbox.ledger()).length;
    expect(await sell({ till, terminal: shop.terminal, reference: "right PIN" })).toMatchObject({
      outcome: "APPROVED",
    });
    expect(await shop.books(from)).toEqual(soldFor("12.34"));
  });
});

describe("a receipt", () => {
  it("says what was paid with what, and that it is a test, in the merchant's copy and the customer's", async () => {
    for (const copy of ["merchant", "customer"] as const) {
      const receipt = await till.client.receipt({ reference: "approved" }, { copy, format: "text", columns: 32 });
      expect(receipt).toContain(copy === "merchant" ? "MERCHANT COPY" : "CUSTOMER COPY");
      for (const part of ["Corner Shop", "TEST", "12.34 EUR", "APPROVED", "************0050", "A0000000031010"])
        expect(receipt).toContain(part);
      expect(
        String(receipt)
          .split("\n")
          .every((line) => line.length <= 32),
      ).toBe(true);
    }
  });

  it("of a declined sale says so", async () => {
    const receipt = await till.client.receipt({ reference: "wrong PIN" }, { copy: "customer", format: "text" });
    expect(receipt).toContain("DECLINED");
    expect(receipt).not.toContain("APPROVED");
  });
});
