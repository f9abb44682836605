import { describe, expect, it } from "vitest";
import type { PaymentsDesk } from "../../src/engine/service/payment-service.ts";
import { createMemoryJournal } from "../../src/journal/memory-journal.ts";
import { type Counter, openCounter } from "../support/counter.ts";
import { fakeTechnician } from "./fake-technician.ts";
import { errorOf, opened, sale, type Talk, talkTo } from "./talk.ts";

const socketOf = (counter: Counter): Talk<PaymentsDesk> =>
  talkTo(
    { payments: counter.payments, technician: fakeTechnician() },
    counter.clock,
    () => counter.clock.advance(1),
    5_000,
  );

/** A cursor that a register was told, and the bridge on an older copy of its data folder. */
async function older() {
  const before = openCounter();
  const till = socketOf(before);
  await till.call("session.open", { token: "till-token" });
  await till.call("payment.start", { ...sale, reference: "r-1" });
  await before.clock.advance(5_000);
  const cursor = till.changes().at(-1)?.cursor ?? "";
  await before.engine.stop(() => 0);
  const { clock } = before;
  // Journals in memory have one key, as copies of one folder do.
  const counter = openCounter({}, { clock, journal: createMemoryJournal({ clock, appendDelayMs: 1 }) });
  return { cursor, counter };
}

const refused = { is: "data-folder-rolled-back", code: -32021, advice: "call-support" };

describe("a register that opens its session with a cursor from the future", () => {
  it("has its session, and neither it nor any other sells, also by a start that stands right behind in its socket", async () => {
    const { cursor, counter } = await older();
    const [till, other] = [socketOf(counter), socketOf(counter)];
    till.say({ jsonrpc: "2.0", id: "open", method: "session.open", params: { token: "till-token", after: cursor } });
    till.say({ jsonrpc: "2.0", id: "sell", method: "payment.start", params: { ...sale, reference: "r-1" } });
    await counter.clock.advance(1_000);
    expect(till.frames.find(({ id }) => id === "open")?.result).toMatchObject({ register: "till" });
    expect(errorOf(till.frames.find(({ id }) => id === "sell") ?? expect.unreachable())).toMatchObject(refused);
    await other.call("session.open", { token: "other-token" });
    expect(errorOf(await other.call("payment.start", { ...sale, reference: "r-2" }))).toMatchObject(refused);
    expect(counter.posted).toEqual([]);
  });

  it("sells again once a technician has confirmed by his own session, and only he may", async () => {
    const { cursor, counter } = await older();
    const [till, workshop] = [socketOf(counter), socketOf(counter)];
    await till.call("session.open", { token: "till-token", after: cursor });
    const word = { by: "Anna", reason: "compared with the gateway" };
    for (const [method, params] of [
      ["rollbacks.list", {}],
      ["rollbacks.confirm", word],
    ] as const)
      expect(errorOf(await till.call(method, params))).toMatchObject({ is: "forbidden" });
    await workshop.call("session.open", { token: "technician-token" });
    expect(await workshop.call("rollbacks.list")).toMatchObject({
      result: { rollbacks: [{ number: 1, last: 0, shown: [{ register: "till" }] }] },
    });
    for (const bad of [{ reason: "x" }, { by: "Anna" }, { by: "Anna", reason: "" }, { by: "A\nB", reason: "x" }])
      expect(errorOf(await workshop.call("rollbacks.confirm", bad))).toMatchObject({ code: -32602 });
    expect(
      errorOf(await workshop.call("rollbacks.confirm", { by: "Anna", reason: "card 4761340000000019" })),
    ).toMatchObject({ is: "card-number-in-text" });
    const confirmed = await workshop.call("rollbacks.confirm", word);
    expect(confirmed).toMatchObject({
      result: { rollback: { confirmed: { by: "Anna at register workshop", reason: word.reason } } },
    });
    expect(await till.call("payment.start", { ...sale, reference: "r-2" })).toMatchObject({
      result: { created: true },
    });
    expect(errorOf(await workshop.call("rollbacks.confirm", word))).toMatchObject({ is: "not-allowed" });
  });
});

it("session.open hands on the cursor that was told, refuses what is none, and opens without one", async () => {
  const open = await opened();
  expect(open.payments.shownCursors).toEqual([]);
  const other = await opened("other-token");
  expect(other.frames.at(-1)?.result).toMatchObject({ register: "other" });
  const shown = await opened("nobody");
  await shown.call("session.open", { token: "till-token", after: "17" });
  expect(shown.payments.shownCursors).toEqual([{ register: "till", cursor: "17" }]);
  for (const after of ["", "-1", "seven", 7])
    expect(errorOf(await (await opened("nobody")).call("session.open", { token: "till-token", after }))).toMatchObject({
      code: -32602,
      path: "after",
    });
});
