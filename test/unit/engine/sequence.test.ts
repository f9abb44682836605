import { expect, test } from "vitest";
import { obliging, type Script } from "../../support/bench-terminal.ts";
import { type Counter, openCounter, startRequest, till } from "../../support/counter.ts";

/* The numbers of the bridge's requests (src/engine/sequence). */

async function sell(
  counter: Counter,
  reference: string,
  changes: Parameters<typeof startRequest>[1] = {},
): Promise<void> {
  const started = counter.payments.start(till, startRequest(reference, changes));
  await counter.clock.advance(1_000);
  expect(await started).toMatchObject({ ok: true });
}

const numbersOf = ({ posted }: Counter) =>
  posted.flatMap(({ operation: { sequenceNumber } }) => (sequenceNumber === undefined ? [] : [sequenceNumber]));

test("each request has the next one, and an increment tells its own", async () => {
  const counter = openCounter();
  await sell(counter, "R-1");
  await sell(counter, "R-2", { type: "PREAUTHORIZATION" });
  const raised = counter.payments.followUp(till, {
    type: "INCREMENT",
    of: { name: "R-2" },
    reference: "R-2/1",
    amount: "1.00",
    fingerprint: "i",
  });
  await counter.clock.advance(1_000);
  expect(await raised).toMatchObject({ ok: true });
  await sell(counter, "R-3", { type: "REFUND" });
  expect(counter.posted.map(({ operation: { paymentType, sequenceNumber } }) => [paymentType, sequenceNumber])).toEqual(
    [
      ["PA", 1],
      ["CP", 2],
      ["PA", 3],
      ["PA", 4],
      ["CD", 5],
    ],
  );
  const told = counter.payments.get(till, { reference: "R-2/1" });
  await counter.clock.advance(10);
  expect(await told).toMatchObject({ value: { authorization: { terminalId: "12345678", sequenceNumber: "000004" } } });
});

test("a stripe, typed digits and a refund have one each, without a counter of the terminal", async () => {
  const withoutCounter: Script = (command) =>
    obliging(command).map((saying) =>
      saying.on === "card" ? { ...saying, card: { ...saying.card, interface: "magstripe", icc: [] } } : saying,
    );
  const counter = openCounter({ script: withoutCounter, can: { interfaces: ["stripe"] } });
  await sell(counter, "R-1");
  await sell(counter, "R-2", { type: "REFUND" });
  expect(counter.posted.map(({ operation: { paymentType, sequenceNumber } }) => [paymentType, sequenceNumber])).toEqual(
    [
      ["PA", 1],
      ["CP", 2],
      ["CD", 3],
    ],
  );
});

test("none comes twice, although the bridge is killed between any two writes", async () => {
  for (const kept of [0, 1]) {
    const first = openCounter();
    await sell(first, "R-1");
    const second = first.payments.start(till, startRequest("R-2"));
    await first.clock.advance(25);
    const again = openCounter({}, { clock: first.clock, journal: first.journal.crash(kept) });
    const recovered = again.engine.recover();
    await again.clock.advance(5_000);
    await recovered;
    await sell(again, "R-3");
    const sent = [...numbersOf(first), ...numbersOf(again)];
    expect(new Set(sent).size).toBe(sent.length);
    expect(sent.at(-1)).toBeGreaterThan(Math.max(...sent.slice(0, -1)));
    void second;
  }
});
