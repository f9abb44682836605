import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Journal, JournalBroken, JournalUnwritable } from "../../../src/engine/ports.ts";
import type { Granted } from "../../../src/payment/fact/refusal.ts";
import type { StartRequest } from "../../../src/payment/fact/request.ts";
import type { PaymentView } from "../../../src/payment/view-schema.ts";
import { obliging } from "../../support/bench-terminal.ts";
import { type Counter, type CounterOptions, openCounter, startRequest, till } from "../../support/counter.ts";
import { approval, silence } from "../../support/sale.ts";

function value<T>(result: Granted<T>): T {
  if (!result.ok) throw new Error(`${result.refusal.code}: ${result.refusal.message}`);
  return result.value;
}

/** Starts without waiting for the answer of the promise, which needs the clock to move. */
async function start(counter: Counter, reference: string, changes = {}) {
  const started = counter.payments.start(till, startRequest(reference, changes));
  await counter.clock.advance(1);
  return started;
}

const final = async (counter: Counter, reference: string): Promise<PaymentView> =>
  value(await counter.payments.get(till, { reference }));

describe("a sale at the counter", () => {
  test("is approved, captured, and gives its terminal back", async () => {
    const counter = openCounter();
    const { created, payment } = value(await start(counter, "R-1"));
    expect([created, payment.state]).toEqual([true, "AWAITING_CARD"]);
    await counter.clock.advance(1_000);
    expect(await final(counter, "R-1")).toMatchObject({
      state: "FINAL",
      outcome: "APPROVED",
      capture: "captured",
      capturedAmount: "12.34",
    });
    expect(counter.posted.map(({ operation }) => operation.paymentType)).toEqual(["PA", "CP"]);
    expect(counter.engine.active()).toEqual([]);
    expect(counter.engine.leases.holder("till-1")).toBeUndefined();
    expect(counter.terminal.commands.map((command) => command.do)).toEqual(["collect", "complete", "display", "idle"]);
  });

  test("that the bank approved in part says to the customer how much: the display has just named the whole", async () => {
    const counter = openCounter({
      answer: ({ operation }) => approval(operation.paymentType === "PA" ? 800 : operation.amount),
    });
    await start(counter, "R-1");
    await counter.clock.advance(1_000);
    expect(await final(counter, "R-1")).toMatchObject({ outcome: "PARTIALLY_APPROVED", approvedAmount: "8.00" });
    const words = counter.terminal.commands.flatMap((command) => (command.do === "display" ? [command.lines] : []));
    expect(words).toEqual([["APPROVED IN PART", "8.00 EUR", "PLEASE REMOVE CARD"]]);
  });

  test("carries the sealed card data with its one request and with no other", async () => {
    const counter = openCounter();
    await start(counter, "R-1");
    await counter.clock.advance(1_000);
    expect(counter.posted.map(({ sealed }) => sealed?.sred?.ksn)).toEqual(["FFFF9876543210E00001", undefined]);
    expect(counter.posted.map(({ card }) => card?.icc?.includes("9F2608"))).toEqual([true, true]);
  });

  test("leaves nothing sealed in the journal", async () => {
    const counter = openCounter();
    await start(counter, "R-1");
    await counter.clock.advance(1_000);
    const written = JSON.stringify(await counter.journal.after(0, 1_000));
    for (const secret of ["00112233445566778899AABBCCDDEEFF", "1B9C1845EB993A7A", "FFFF9876543210E00001"])
      expect(written).not.toContain(secret);
  });

  test("is accepted, and its card asked for, by one write where the terminal is free", async () => {
    const writes: string[][] = [];
    const counter = openCounter({
      journal: (journal) => ({
        ...journal,
        append: (facts, at, row) => {
          writes.push(facts.map((fact) => z.object({ fact: z.string() }).parse(fact).fact));
          return journal.append(facts, at, row);
        },
      }),
    });
    await start(counter, "R-1");
    await start(counter, "R-2", { queue: true });
    expect(writes).toEqual([["accepted", "collecting"], ["accepted"], ["queued"]]);
  });

  test("is durable before anything is asked of the terminal or the gateway", async () => {
    const counter = openCounter();
    const started = counter.payments.start(till, startRequest("R-1"));
    await counter.clock.settle();
    expect(counter.terminal.commands).toEqual([]);
    await counter.clock.advance(1);
    value(await started);
    await counter.clock.settle();
    expect(counter.terminal.commands.map((command) => command.do)).toEqual(["collect"]);
  });
});

describe("the same reference", () => {
  test("from two sockets at once is one payment", async () => {
    const counter = openCounter();
    const both = [counter.payments.start(till, startRequest("R-1")), counter.payments.start(till, startRequest("R-1"))];
    await counter.clock.advance(1_000);
    const answers = (await Promise.all(both)).map(value);
    expect(answers.map(({ created }) => created)).toEqual([true, false]);
    expect(new Set(answers.map(({ payment }) => payment.id)).size).toBe(1);
    expect(counter.posted.filter(({ operation }) => operation.paymentType === "PA")).toHaveLength(1);
  });

  test("with other content is refused, after a restart too", async () => {
    const counter = openCounter();
    await start(counter, "R-1");
    await counter.clock.advance(1_000);
    const again = openCounter({}, { clock: counter.clock, journal: counter.journal.crash(0) });
    expect(value(await again.payments.start(till, startRequest("R-1"))).created).toBe(false);
    expect(await again.payments.start(till, startRequest("R-1", { amount: 1 }))).toMatchObject({
      ok: false,
      refusal: { code: "reference-reused" },
    });
  });

  test("of another register is another payment, and not to be seen by the first", async () => {
    const counter = openCounter();
    const { payment } = value(await start(counter, "R-1"));
    const other = { register: "other", all: false };
    expect(await counter.payments.get(other, { reference: "R-1" })).toMatchObject({ refusal: { code: "not-found" } });
    expect(await counter.payments.get(other, { id: payment.id })).toMatchObject({ refusal: { code: "not-found" } });
    expect(value(await counter.payments.get({ register: "other", all: true }, { id: payment.id })).id).toBe(payment.id);
  });
});

describe("a start is refused, and consumes nothing,", () => {
  test.each([
    [{ terminal: "till-9" }, "unknown-terminal"],
    [{ amount: 0 }, "invalid-amount"],
    [{ type: "REGISTRATION" }, "invalid-amount"],
    [{ entryModes: ["contactless"] }, "unsupported"],
  ] satisfies [Partial<StartRequest>, string][])("with %j as %s", async (changes, code) => {
    const counter = openCounter();
    expect(await counter.payments.start(till, startRequest("R-1", changes))).toMatchObject({
      ok: false,
      refusal: { code },
    });
    expect(await counter.journal.lastNumber()).toBe(0);
    value(await start(counter, "R-1"));
  });

  test("while the terminal is busy, naming who has it; with queue it waits its turn", async () => {
    const counter = openCounter();
    await start(counter, "R-1");
    expect(await counter.payments.start(till, startRequest("R-2"))).toMatchObject({
      refusal: { code: "terminal-busy", message: expect.stringContaining("R-1") },
    });
    await start(counter, "R-3", { queue: true });
    await counter.clock.advance(2);
    expect((await final(counter, "R-3")).state).toBe("QUEUED");
    expect(counter.payments.terminals()[0]).toMatchObject({ state: "busy", payment: "R-1", queue: 1 });
    await counter.clock.advance(2_000);
    expect((await final(counter, "R-3")).outcome).toBe("APPROVED");
  });

  test("while another start of the same moment takes the terminal, whichever register asks", async () => {
    const counter = openCounter();
    const both = [
      counter.payments.start(till, startRequest("R-1")),
      counter.payments.start({ register: "other", all: false }, startRequest("R-2")),
    ];
    await counter.clock.advance(1);
    expect((await Promise.all(both)).map((answer) => (answer.ok ? "granted" : answer.refusal.code))).toEqual([
      "granted",
      "terminal-busy",
    ]);
  });

  test("while the terminal is not there", async () => {
    const counter = openCounter();
    counter.terminal.become("offline");
    expect(await counter.payments.start(till, startRequest("R-1"))).toMatchObject({
      refusal: { code: "terminal-offline" },
    });
    counter.terminal.become("out-of-service");
    expect(await counter.payments.start(till, startRequest("R-1"))).toMatchObject({
      refusal: { code: "terminal-out-of-service" },
    });
  });

  test("while another payment of its order is undecided, unless despite names it", async () => {
    const counter = openCounter();
    await start(counter, "R-1", { order: "O" });
    const second = startRequest("R-2", { order: "O", queue: true });
    expect(await counter.payments.start(till, second)).toMatchObject({ refusal: { code: "undecided-payment" } });
    value(await start(counter, "R-2", { order: "O", queue: true, despite: "R-1" }));
  });

  test("while the bridge is stopping", async () => {
    const counter = openCounter();
    counter.payments.close();
    expect(await counter.payments.start(till, startRequest("R-1"))).toMatchObject({
      refusal: { code: "shutting-down" },
    });
  });
});

test("an undecided payment of the same amount without an order is named in warnings", async () => {
  const counter = openCounter();
  await start(counter, "R-1");
  expect(value(await start(counter, "R-2", { queue: true })).warnings).toEqual([expect.stringContaining("R-1")]);
});

describe("waiting for a payment", () => {
  test("ends with the decision, with the final state, or with the time that was given", async () => {
    const counter = openCounter();
    await start(counter, "R-1");
    const decided = counter.payments.wait(till, { reference: "R-1" }, "decision", 60_000);
    const early = counter.payments.wait(till, { reference: "R-1" }, "final", 5);
    await counter.clock.advance(1_000);
    expect(value(await decided).decision).toBe("approved");
    expect(value(await early).state).not.toBe("FINAL");
  });
});

describe("a cancel", () => {
  test("is accepted before the card was answered, and ends the payment cancelled with nothing held", async () => {
    const counter = openCounter({ script: (command) => (command.do === "collect" ? [] : obliging(command)) });
    await start(counter, "R-1");
    await counter.clock.advance(5);
    const asked = counter.payments.cancel(till, { reference: "R-1" });
    await counter.clock.advance(1_000);
    expect(value(await asked).cancellation).toBe("accepted");
    expect(await final(counter, "R-1")).toMatchObject({ outcome: "CANCELLED", reason: { code: "register-cancelled" } });
    expect(counter.posted).toEqual([]);
    expect(counter.engine.leases.holder("till-1")).toBeUndefined();
  });

  test("after the end says so", async () => {
    const counter = openCounter();
    await start(counter, "R-1");
    await counter.clock.advance(1_000);
    expect(value(await counter.payments.cancel(till, { reference: "R-1" })).cancellation).toBe("already-final");
  });
});

describe("a crash of the bridge", () => {
  test("at any millisecond of a sale loses nothing: what comes back is final, and only an approval keeps money", async () => {
    for (let crashAt = 1; crashAt < 130; crashAt += 1) {
      let ledger: { type: string; at: number }[] = [];
      const answer = (order: {
        operation: { paymentType: string; amount?: number | undefined; merchantTransactionId: string };
      }) => {
        ledger.push({ type: order.operation.paymentType, at: crashAt });
        return approval(order.operation.amount ?? 1234, `id-${order.operation.paymentType}`);
      };
      const first = openCounter({ answer });
      void first.payments.start(till, startRequest("R-1"));
      await first.clock.advance(crashAt);
      first.engine.stop(() => 0).catch(() => undefined);
      // The process is gone: what its timers still do reaches neither the journal nor, from here on, the books of this
      // test.
      const booked = [...ledger];
      const journal = first.journal.crash(crashAt % 3);
      const search = () => {
        const own = first.posted.find(({ operation }) => operation.paymentType === "PA");
        if (own === undefined || !booked.some(({ type }) => type === "PA")) return { is: "absent" } as const;
        const capture = first.posted.find(({ operation }) => operation.paymentType === "CP");
        const linked =
          capture !== undefined && booked.some(({ type }) => type === "CP")
            ? [
                {
                  id: "id-CP",
                  merchantTransactionId: capture.operation.merchantTransactionId,
                  referencedId: "id-PA",
                  paymentType: "CP",
                  answer: approval(1234, "id-CP"),
                },
              ]
            : [];
        return {
          is: "found",
          bookings: [
            {
              id: "id-PA",
              merchantTransactionId: own.operation.merchantTransactionId,
              paymentType: "PA",
              answer: approval(1234, "id-PA"),
            },
            ...linked,
          ],
        } as const;
      };
      const second = openCounter({ answer, search }, { clock: first.clock, journal });
      ledger = booked;
      await second.engine.recover();
      await second.clock.advance(8_000_000);
      const back = await second.payments.get(till, { reference: "R-1" });
      if (!back.ok) continue;
      const count = (type: string): number => ledger.filter((one) => one.type === type).length;
      expect(back.value.state, `crash at ${crashAt} ms`).toBe("FINAL");
      if (back.value.decision === "approved")
        expect([count("PA"), count("CP"), count("RV")], `crash at ${crashAt} ms`).toEqual([1, 1, 0]);
      else expect(count("PA") - count("RV"), `crash at ${crashAt} ms`).toBe(0);
      expect(second.broken).toEqual([]);
    }
  });
});

describe("a journal that cannot be written", () => {
  const failing =
    (from: number, until: number, calls: { count: number }) =>
    (journal: Journal): Journal => ({
      ...journal,
      append: (...append) => {
        calls.count += 1;
        return calls.count > from && calls.count <= until
          ? Promise.reject(new JournalUnwritable("disk full"))
          : journal.append(...append);
      },
    });

  test("refuses the start, and nothing has happened", async () => {
    const counter = openCounter({ journal: failing(0, 1, { count: 0 }) });
    expect(await counter.payments.start(till, startRequest("R-1"))).toMatchObject({
      refusal: { code: "journal-unwritable", advice: "retry" },
    });
    expect(counter.terminal.commands).toEqual([]);
    expect(counter.engine.leases.holder("till-1")).toBeUndefined();
    value(await start(counter, "R-1"));
    await counter.clock.advance(1_000);
    expect((await final(counter, "R-1")).outcome).toBe("APPROVED");
  });

  test("says that a start may have been accepted where it failed so that nobody knows what is on it", async () => {
    const breaking: CounterOptions["journal"] = (journal) => ({
      ...journal,
      // The line is on the disk; that it is could not be made sure.
      append: async (...append) => {
        await journal.append(...append);
        throw new JournalBroken("the journal cannot be written: EIO");
      },
    });
    const first = openCounter({ journal: breaking });
    const started = first.payments.start(till, startRequest("R-1"));
    await first.clock.advance(100);
    expect(await started).toMatchObject({
      refusal: { code: "journal-broken", advice: "retry", message: expect.stringContaining("may have been accepted") },
    });
    expect(first.broken).toHaveLength(1);
    const next = openCounter({}, { clock: first.clock, journal: first.journal.crash(0) });
    const recovered = next.engine.recover();
    await next.clock.advance(60_000);
    await recovered;
    expect(await final(next, "R-1")).toMatchObject({ outcome: "CANCELLED", reason: { code: "bridge-restarted" } });
  });

  test("is told of with its own mend, which need not be room on a disk", async () => {
    const counter = openCounter({ journal: failing(1, 200, { count: 0 }) });
    await start(counter, "R-1");
    await counter.clock.advance(100);
    expect(counter.raised).toContainEqual(
      expect.objectContaining({ what: "a payment waits: disk full", mend: expect.stringMatching(/^do what it says/) }),
    );
  });

  test("lets no request leave for a card that was given up meanwhile", async () => {
    const counter = openCounter({ journal: failing(1, 200, { count: 0 }) });
    await start(counter, "R-1");
    await counter.clock.advance(100);
    void counter.payments.cancel(till, { reference: "R-1" });
    await counter.clock.advance(400_000);
    expect(counter.posted).toEqual([]);
    expect(await final(counter, "R-1")).toMatchObject({ state: "FINAL", decision: "not-approved" });
  });

  test("lets no card be asked for once the request is too old, although its turn came in time", async () => {
    let isFull = false;
    const counter = openCounter({
      journal: (journal) => ({
        ...journal,
        append: (facts, at, row) =>
          isFull && row.reference === "R-1"
            ? Promise.reject(new JournalUnwritable("disk full"))
            : journal.append(facts, at, row),
      }),
    });
    await start(counter, "R-0");
    await start(counter, "R-1", { queue: true, expiresInMs: 5_000 });
    await counter.clock.advance(10);
    isFull = true;
    await counter.clock.advance(8_000);
    expect(counter.engine.leases.holder("till-1")).toBe((await final(counter, "R-1")).id);
    isFull = false;
    await counter.clock.advance(100_000);
    expect(counter.terminal.commands.filter((command) => command.do === "collect")).toHaveLength(1);
    expect(await final(counter, "R-1")).toMatchObject({ outcome: "FAILED", reason: { code: "request-expired" } });
    expect(counter.engine.leases.holder("till-1")).toBeUndefined();
  });

  test("tells who cancels that it cannot be written, and the cancel counts once it can", async () => {
    const counter = openCounter({ journal: failing(1, 8, { count: 0 }) });
    await start(counter, "R-1");
    await counter.clock.advance(500);
    const refusal = { code: "journal-unwritable", message: expect.stringContaining("may count once it can") };
    expect(await counter.payments.cancel(till, { reference: "R-1" })).toMatchObject({ ok: false, refusal });
    expect(await counter.payments.cancel(till, { reference: "R-1" })).toMatchObject({ ok: false, refusal });
    await counter.clock.advance(400_000);
    expect(await counter.payments.cancel(till, { reference: "R-1" })).toMatchObject({
      value: { cancellation: "already-final" },
    });
    expect(await final(counter, "R-1")).toMatchObject({ outcome: "CANCELLED", reason: { code: "register-cancelled" } });
  });

  test("tells who judges a signature, whose word counts once it can be written", async () => {
    let isFull = false;
    const signed = {
      on: "finished",
      verdict: "approved",
      emv: [{ tag: "9F34", value: Uint8Array.of(0x1e, 0x03, 0x00) }],
    } as const;
    const counter = openCounter({
      script: (command) => (command.do === "complete" ? [signed] : obliging(command)),
      journal: (journal) => ({
        ...journal,
        append: (...append) =>
          isFull ? Promise.reject(new JournalUnwritable("disk full")) : journal.append(...append),
      }),
    });
    await start(counter, "R-1");
    await counter.clock.advance(5_000);
    isFull = true;
    const judged = counter.payments.confirmSignature(till, { reference: "R-1" }, true);
    await counter.clock.advance(10);
    expect(await judged).toMatchObject({ refusal: { code: "journal-unwritable" } });
    isFull = false;
    await counter.clock.advance(5_000);
    expect((await final(counter, "R-1")).outcome).toBe("APPROVED");
  });

  test("tells at once who cancels just as it breaks", async () => {
    const counter = openCounter({ journal: failing(1, 4, { count: 0 }) });
    await start(counter, "R-1");
    await counter.clock.advance(100);
    const cancelled = counter.payments.cancel(till, { reference: "R-1" });
    await counter.clock.advance(1);
    expect(await cancelled).toMatchObject({ refusal: { code: "journal-unwritable" } });
  });

  test("in the middle holds everything that depends on it, loudly, and goes on when it can be written again", async () => {
    const counter = openCounter({ journal: failing(1, 4, { count: 0 }) });
    await start(counter, "R-1");
    await counter.clock.advance(500);
    expect(counter.posted).toEqual([]);
    expect(counter.raised).toMatchObject([
      { reference: "R-1", register: "till", terminal: "till-1", what: expect.stringContaining("disk full") },
    ]);
    await counter.clock.advance(5_000);
    expect((await final(counter, "R-1")).outcome).toBe("APPROVED");
  });
});

test("a lost reply keeps the query budget and is reversed once it is found", async () => {
  let asked = 0;
  const counter = openCounter({
    answer: ({ operation }) => (operation.paymentType === "PA" ? silence : approval(operation.amount ?? 1234)),
    search: () => {
      asked += 1;
      return { is: "absent" };
    },
  });
  await start(counter, "R-1");
  await counter.clock.advance(60_000);
  expect(asked).toBe(2);
  await counter.clock.advance(1_900_000);
  expect(await final(counter, "R-1")).toMatchObject({
    state: "FINAL",
    outcome: "FAILED",
    reason: { code: "outcome-unknown" },
  });
  expect(asked).toBeLessThan(20);
});
