import { expect, test } from "vitest";
import type { GatewaySearch } from "../../../src/engine/ports.ts";
import type { SearchResult } from "../../../src/payment/fact/answer.ts";
import type { Granted } from "../../../src/payment/fact/refusal.ts";
import type { ChargeRequest } from "../../../src/payment/fact/request.ts";
import type { PaymentView } from "../../../src/payment/view-schema.ts";
import { type Counter, openCounter, startRequest, till } from "../../support/counter.ts";
import { approval, refusal, silence } from "../../support/sale.ts";

const REGISTRATION = "8ac7a49f000000000000000000000001";

async function charge(counter: Counter, reference: string, changes: Partial<ChargeRequest> = {}, forMs = 1_000) {
  const content = {
    reference,
    registration: REGISTRATION,
    type: "SALE" as const,
    currency: "EUR",
    amount: 1234,
    parameters: {},
    ...changes,
  };
  const asked = counter.payments.charge(till, { ...content, fingerprint: JSON.stringify(content) });
  await counter.clock.advance(forMs);
  return asked;
}

async function shown(counter: Counter, reference: string): Promise<PaymentView> {
  const asked = counter.payments.get(till, { reference });
  await counter.clock.advance(10);
  return value(await asked);
}

function value<T>(result: Granted<T>): T {
  if (!result.ok) throw new Error(`refused: ${result.refusal.message}`);
  return result.value;
}

test("a stored card pays while the terminal has a payment of its own, and nothing sealed or of a device goes with it", async () => {
  const counter = openCounter({ script: () => [] });
  const waiting = counter.payments.start(till, startRequest("at the terminal", { amount: 999 }));
  await counter.clock.advance(1_000);
  value(await waiting);
  const started = value(
    await charge(counter, "C-1", {
      parameters: { standingInstruction: { source: "MIT", mode: "REPEATED", type: "UNSCHEDULED" } },
    }),
  );
  expect(started).toMatchObject({
    created: true,
    warnings: [],
    payment: { reference: "C-1", terminal: "", registration: REGISTRATION, state: "CREATED" },
  });
  expect(await shown(counter, "C-1")).toMatchObject({
    outcome: "APPROVED",
    capture: "captured",
    capturedAmount: "12.34",
  });
  expect((await shown(counter, "C-1")).prompt).toBeUndefined();
  expect(
    counter.posted.map(({ operation, sealed, card }) => [operation.paymentType, operation.registration, sealed, card]),
  ).toEqual([
    ["PA", REGISTRATION, undefined, undefined],
    ["CP", undefined, undefined, undefined],
  ]);
  expect(counter.posted[0]?.parameters).toEqual({
    standingInstruction: { source: "MIT", mode: "REPEATED", type: "UNSCHEDULED" },
  });
  expect(await shown(counter, "at the terminal")).toMatchObject({ state: "AWAITING_CARD" });
});

test("a holder's name goes with the one request that pays, and with nothing that follows it", async () => {
  const counter = openCounter();
  value(await charge(counter, "C-1", { holder: "Jane Doe" }));
  expect(counter.posted.map(({ operation: { paymentType, holder } }) => [paymentType, holder])).toEqual([
    ["PA", "Jane Doe"],
    ["CP", undefined],
  ]);
});

test("the same reference in the same words is the same payment, in others it is refused; also beside a start at a terminal", async () => {
  const counter = openCounter();
  const [first, second] = await Promise.all([charge(counter, "C-1"), charge(counter, "C-1", {}, 1)]);
  expect([value(first).created, value(second).created]).toEqual([true, false]);
  expect(await charge(counter, "C-1", { amount: 1 })).toMatchObject({ refusal: { code: "reference-reused" } });
  const start = counter.payments.start(till, startRequest("C-1"));
  await counter.clock.advance(100);
  expect(await start).toMatchObject({ refusal: { code: "reference-reused" } });
  expect(counter.posted.length).toBe(2);
});

test("an undecided payment of the order stands in its way, and one of the same amount is named", async () => {
  const counter = openCounter({ hostMs: 20_000 });
  value(await charge(counter, "C-1", { order: "table 4" }));
  expect(await charge(counter, "C-2", { order: "table 4" })).toMatchObject({ refusal: { code: "undecided-payment" } });
  expect(value(await charge(counter, "C-3", { order: "table 4", despite: "C-1" })).created).toBe(true);
  expect(value(await charge(counter, "C-4")).warnings).toHaveLength(2);
  expect(await charge(counter, "C-5", { amount: 0 })).toMatchObject({
    refusal: { code: "invalid-amount", path: "amount" },
  });
});

test("what it took is refunded, and what is only reserved is voided, as at a terminal", async () => {
  let ids = 0;
  const counter = openCounter({
    answer: ({ operation }) => {
      ids += 1;
      return approval(operation.amount ?? operation.reverses ?? 0, `b${ids}`);
    },
  });
  value(await charge(counter, "C-1"));
  value(await charge(counter, "C-2", { type: "PREAUTHORIZATION" }));
  const follow = async (type: "LINKED_REFUND" | "VOID", of: string, reference: string) => {
    const asked = counter.payments.followUp(till, { type, of: { name: of }, reference, fingerprint: reference });
    await counter.clock.advance(2_000);
    return value(await asked);
  };
  await follow("LINKED_REFUND", "C-1", "refund");
  await follow("VOID", "C-2", "void");
  expect(await shown(counter, "C-1")).toMatchObject({ refundedAmount: "12.34" });
  expect(await shown(counter, "C-2")).toMatchObject({ voidedBy: (await shown(counter, "void")).id });
  const rows = counter.payments.totals(till, {});
  await counter.clock.advance(100);
  expect(await rows).toEqual([
    { terminal: "", type: "LINKED_REFUND", brand: "UNKNOWN", currency: "EUR", count: 1, amount: "12.34" },
    { terminal: "", type: "SALE", brand: "UNKNOWN", currency: "EUR", count: 1, amount: "12.34" },
  ]);
});

test("one whose intent waited for the journal past its time is not sent", async () => {
  const counter = openCounter({
    journal: (journal) => ({ ...journal, append: async (...append) => waitThen(() => journal.append(...append)) }),
  });
  let appends = 0;
  async function waitThen<T>(run: () => Promise<T>): Promise<T> {
    appends += 1;
    if (appends === 2) await new Promise((resolve) => counter.clock.after(3_000, () => resolve(undefined)));
    return run();
  }
  value(await charge(counter, "C-1", { expiresInMs: 2_000 }, 10_000));
  expect(counter.posted).toEqual([]);
  expect(await shown(counter, "C-1")).toMatchObject({ outcome: "FAILED", reason: { code: "request-expired" } });
});

test("one that was asked in time, and reached nobody until it was too old, is told of as that", async () => {
  const unreached = { is: "not-booked", why: "not-sent", resultCode: "", description: "no connection" } as const;
  const counter = openCounter({ hostMs: 3_000, answer: () => unreached });
  value(await charge(counter, "C-1", { expiresInMs: 2_000 }, 10_000));
  expect(counter.posted.length).toBeGreaterThan(0);
  expect(await shown(counter, "C-1")).toMatchObject({ outcome: "FAILED", reason: { code: "gateway-unreached" } });
});

test("a decline ends it, and a bridge that stops takes none", async () => {
  const counter = openCounter({ answer: () => refusal() });
  value(await charge(counter, "C-1"));
  expect(await shown(counter, "C-1")).toMatchObject({ outcome: "DECLINED", reason: { code: "host-declined" } });
  counter.payments.close();
  expect(await charge(counter, "C-2")).toMatchObject({ refusal: { code: "shutting-down" } });
});

test("where a process never lives long, every payment that is looked for has its turn: whoever was asked for last comes last", async () => {
  const first = openCounter({ answer: () => silence, search: () => ({ is: "no-answer", description: "" }) });
  for (const reference of ["C-1", "C-2", "C-3"]) value(await charge(first, reference));
  let { journal } = first;
  const names = first.posted.map(({ operation }) => operation.merchantTransactionId);
  const asked: string[] = [];
  for (let life = 0; life < 3; life += 1) {
    const search = ({ of }: GatewaySearch): SearchResult => {
      asked.push("merchantTransactionId" in of ? of.merchantTransactionId : of.id);
      return { is: "throttled" };
    };
    const next = openCounter({ search }, { clock: first.clock, journal: journal.crash(0) });
    const recovered = next.engine.recover();
    await next.clock.advance(1_000);
    await recovered;
    journal = next.journal;
    for (const mailbox of next.engine.active().flatMap(({ accepted }) => next.engine.find(accepted.id) ?? []))
      mailbox.stop();
    await next.clock.advance(20_000);
  }
  expect(new Set(asked)).toEqual(new Set(names));
});
