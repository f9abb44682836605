import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { seededRandom } from "../../../../src/kit/seeded-random.ts";
import { startResultSchema } from "../../../../src/register/rpc/schemas.ts";
import { type FakePayments, fakePayments } from "../../../contract/fake-payments.ts";
import { errorOf, opened, sale, type Talk } from "../../../contract/talk.ts";

const states = ["AUTHORIZING", "COMPLETING", "FINAL"] as const;

describe("what a socket is told", () => {
  it("is every change of what it started, after the reply that caused it, and nothing of others", async () => {
    const payments = fakePayments();
    const till = await opened("till-token", payments);
    const other = await opened("other-token", payments);
    const twin = await opened("till-token", payments);
    await till.call("payment.start", sale);
    payments.change("pay_1", { state: "AUTHORIZING" });
    payments.prompt("pay_1", "ENTER_PIN");
    expect(till.frames.map(({ method, id, params }) => method ?? id ?? params)).toEqual([
      "bridge.hello",
      1,
      2,
      "payment.changed",
      "payment.changed",
      "payment.changed",
      "payment.changed",
    ]);
    expect(till.changes().map(({ cursor, payment }) => [cursor, payment.state, payment.prompt?.code])).toEqual([
      ["1", "CREATED", undefined],
      ["2", "AWAITING_CARD", undefined],
      ["3", "AUTHORIZING", undefined],
      ["3", "AUTHORIZING", "ENTER_PIN"],
    ]);
    expect(other.changes()).toEqual([]);
    expect(twin.changes()).toEqual([]);
  });

  it("is what follows a start that was sent again from another socket", async () => {
    const payments = fakePayments();
    await (await opened("till-token", payments)).call("payment.start", sale);
    const again = await opened("till-token", payments);
    await again.call("payment.start", sale);
    payments.change("pay_1", { state: "AUTHORIZING" });
    expect(again.changes().map(({ cursor }) => cursor)).toEqual(["3"]);
  });

  it("ends with the socket where the past cannot be read to its end: what is missing comes after the last cursor", async () => {
    const payments = fakePayments();
    const seller = await opened("till-token", payments);
    for (const reference of ["r-1", "r-2"]) await seller.call("payment.start", { ...sale, reference });
    const reader = await opened("till-token", payments);
    const disk = Promise.withResolvers<void>();
    payments.step = (name) => (name === "replay" ? disk.promise : Promise.resolve());
    expect(await reader.call("events.subscribe", { after: "0" })).toMatchObject({ result: { cursor: "0" } });
    expect(reader.closes).toEqual([]);
    disk.reject(new Error("the disk does not answer"));
    await reader.clock.settle();
    expect(reader.closes.map(({ code }) => code)).toEqual([1011]);
    expect(reader.problems).toEqual(["payment.changed: Error: the disk does not answer"]);
    expect(seller.closes).toEqual([]);
  });

  it("is nothing of a start that was refused", async () => {
    const payments = fakePayments();
    await (await opened("till-token", payments)).call("payment.start", sale);
    const refused = await opened("till-token", payments);
    await refused.call("payment.start", { ...sale, amount: "1.00" });
    payments.change("pay_1", { state: "AUTHORIZING" });
    expect(refused.changes()).toEqual([]);
  });

  it("comes after the reply to a cancellation that caused it", async () => {
    const open = await opened();
    await open.call("payment.start", sale);
    await open.call("payment.cancel", { id: "pay_1" });
    expect(open.frames.at(-2)?.id).toBe(3);
    expect(open.changes().at(-1)?.payment.outcome).toBe("CANCELLED");
  });

  it("is everything the session may read after events.subscribe: first what came after the cursor, then live", async () => {
    const payments = fakePayments();
    const till = await opened("till-token", payments);
    await till.call("payment.start", sale);
    const other = await opened("other-token", payments);
    await other.call("payment.start", { ...sale, reference: "o-1" });
    const office = await opened("office-token", payments);
    expect((await office.call("events.subscribe", { after: "1" })).result).toEqual({ cursor: "1" });
    payments.change("pay_2", { state: "AUTHORIZING" });
    expect(office.changes().map(({ cursor }) => cursor)).toEqual(["2", "3", "4", "5"]);
    const twin = await opened("till-token", payments);
    await twin.call("events.subscribe", { after: "0" });
    expect(twin.changes().map(({ cursor }) => cursor)).toEqual(["1", "2"]);
  });

  it("begins at the newest change where no cursor is given", async () => {
    const payments = fakePayments();
    await (await opened("other-token", payments)).call("payment.start", sale);
    const office = await opened("office-token", payments);
    expect((await office.call("events.subscribe", {})).result).toEqual({ cursor: "2" });
    expect(office.changes()).toEqual([]);
  });

  it("begins right behind the last change that was told, also where a prompt of an older payment came after it", async () => {
    const open = await opened();
    for (const reference of ["r-1", "r-2"]) await open.call("payment.start", { ...sale, reference });
    open.payments.prompt("pay_1", "ENTER_PIN");
    expect((await open.call("events.subscribe", {})).result).toEqual({ cursor: "4" });
    expect(open.changes().map(({ cursor }) => cursor)).toEqual(["1", "2", "3", "4", "2"]);
  });

  it("misses nothing of its own payment where it subscribes before the register's own stream has caught up", async () => {
    const payments = fakePayments();
    await (await opened("till-token", payments)).call("payment.start", { ...sale, reference: "r-0" });
    const open = await opened("till-token", payments);
    const gate = Promise.withResolvers<void>();
    payments.step = async (name) => {
      // Two changes while the stream is being opened: it tells the first of them and then hangs.
      if (name === "follow")
        for (const state of ["AUTHORIZING", "COMPLETING"] as const) payments.change("pay_1", { state });
      if (name === "replay") await gate.promise;
    };
    await open.call("payment.start", sale);
    payments.step = async () => undefined;
    expect((await open.call("events.subscribe", {})).result).toEqual({ cursor: "3" });
    gate.resolve();
    await open.clock.settle();
    expect(open.changes().map(({ cursor }) => cursor)).toEqual(["4", "5", "6"]);
  });

  it("stays as it was where the cursor is gone, and a second subscription is refused", async () => {
    const open = await opened();
    await open.call("payment.start", sale);
    expect(errorOf(await open.call("events.subscribe", { after: "gone" }))).toMatchObject({
      code: -32013,
      is: "cursor-gone",
    });
    open.payments.change("pay_1", { state: "AUTHORIZING" });
    expect(open.changes().map(({ cursor }) => cursor)).toEqual(["1", "2", "3"]);
    await open.call("events.subscribe", {});
    expect(errorOf(await open.call("events.subscribe", {}))).toMatchObject({ is: "not-allowed" });
  });

  it("ends with the socket", async () => {
    const open = await opened();
    await open.call("payment.start", sale);
    await open.call("events.subscribe", { after: "0" });
    expect(open.payments.listeners()).toBe(1);
    open.connection.closed();
    expect(open.payments.listeners()).toBe(0);
  });

  it("ends with the socket also while the past is read, which may hold nothing that the register may see", async () => {
    const payments = fakePayments();
    const other = await opened("other-token", payments);
    await other.call("payment.start", sale);
    let read = 0;
    const gate = Promise.withResolvers<void>();
    payments.step = async (name) => {
      if (name !== "replay") return;
      read += 1;
      await gate.promise;
    };
    const open = await opened("till-token", payments);
    open.say({ jsonrpc: "2.0", id: "s", method: "events.subscribe", params: { after: "0" } });
    await open.clock.settle();
    expect([read, payments.listeners()]).toEqual([1, 2]);
    open.connection.closed();
    gate.resolve();
    await open.clock.settle();
    expect([read, payments.listeners()]).toEqual([1, 1]);
  });

  it("has no gap, no repeat and no wrong order, however starts, refunds, changes and the subscription interleave", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer(),
        fc.integer({ min: 0, max: 12 }),
        fc.boolean(),
        async (seed, subscribeAt, withCursor) => {
          const random = seededRandom(seed);
          const payments = fakePayments();
          const open = await opened("till-token", payments);
          const rival = await opened("till-token", payments);
          const live = (): readonly string[] => [...new Set(payments.log.map(({ payment }) => payment.id))];
          // Bounded, so that changes made by a replay cannot keep the replay going for ever.
          let moves = 60;
          const move = (): void => {
            if (moves === 0) return;
            moves -= 1;
            const ids = live();
            const id = ids[random.below(Math.max(ids.length, 1))];
            if (id !== undefined) payments.change(id, { state: states[random.below(states.length)] ?? "FINAL" });
          };
          payments.step = async () => {
            for (let turns = random.below(3); turns > 0; turns -= 1) {
              await Promise.resolve();
              if (random.below(3) === 0) move();
            }
          };
          const calls: Promise<unknown>[] = [];
          for (let at = 0; at < 12; at += 1) {
            if (at === subscribeAt) calls.push(open.call("events.subscribe", withCursor ? { after: "0" } : {}));
            const socket = random.below(2) === 0 ? open : rival;
            const follow = at > 0 && random.below(3) === 0;
            calls.push(
              follow
                ? socket.call("payment.refund", { of: `r-${random.below(at)}`, reference: `r-${at}` })
                : socket.call("payment.start", { ...sale, reference: `r-${at}` }),
            );
            if (random.below(2) === 0) await open.clock.settle();
            move();
          }
          await Promise.all(calls);
          if (subscribeAt === 12) await open.call("events.subscribe", { after: "0" });
          payments.step = async () => undefined;
          for (const id of live()) payments.change(id, { state: "FINAL", updatedAt: "last" });
          checkTold(open, payments);
        },
      ),
      { numRuns: 200 },
    );
  });
});

/**
 * Every durable change after the subscription's cursor once and in order; before it, every change of what this socket
 * started.
 */
function checkTold(open: Talk, payments: FakePayments): void {
  const replyAt = open.frames.findIndex(
    ({ result }) => result !== undefined && Object.keys(result).join() === "cursor",
  );
  const { cursor } = z.object({ cursor: z.string() }).parse(open.frames[replyAt]?.result);
  const toldBefore = open.frames.slice(0, replyAt).filter(({ method }) => method === "payment.changed").length;
  const cursors = open.changes().map((change) => Number(change.cursor));
  const due = payments.log.map((change) => Number(change.cursor)).filter((each) => each > Number(cursor));
  const late = cursors.slice(toldBefore);
  expect(late.filter((each) => each > Number(cursor))).toEqual(due);
  const early = [...cursors.slice(0, toldBefore), ...late.filter((each) => each <= Number(cursor))];
  expect(early).toEqual([...new Set(early)].sort((a, b) => a - b));
  const started = open.frames.flatMap(({ result }) => startResultSchema.safeParse(result).data?.payment.id ?? []);
  for (const change of payments.log)
    if (started.includes(change.payment.id)) expect(cursors).toContain(Number(change.cursor));
}
