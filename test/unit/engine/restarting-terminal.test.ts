import { describe, expect, test } from "vitest";
import { createDevices } from "../../../src/engine/terminal/device.ts";
import type { PaymentView } from "../../../src/payment/view-schema.ts";
import { createTerminals } from "../../../src/terminal/terminals.ts";
import { obliging, type Script } from "../../support/bench-terminal.ts";
import { type Counter, openCounter, startRequest, till } from "../../support/counter.ts";
import { COLLECT, createReadyBench } from "../terminal/session-bench.ts";

/** A terminal has announced that it starts anew by itself, and rests from the end of the payment that it had. */
const SOON = { on: "restart-soon", inMs: 180_000 } as const;

/** One sale that is held at its card, and another that waits for the terminal. */
async function twoSales(changes: Parameters<typeof startRequest>[1] = {}): Promise<Counter> {
  const slow: Script = (command) =>
    command.do === "collect" && counter.terminal.commands.length === 1 ? [] : obliging(command);
  const counter: Counter = openCounter({ script: slow });
  void counter.payments.start(till, startRequest("R-1"));
  await counter.clock.advance(100);
  void counter.payments.start(till, startRequest("R-2", { queue: true, amount: 500, ...changes }));
  await counter.clock.advance(100);
  return counter;
}

/**
 * The first one ends; as the session does it, the terminal is off the list of those that are ready before the next one
 * has it.
 */
async function firstEnds(counter: Counter): Promise<void> {
  counter.terminal.say(SOON);
  void counter.payments.cancel(till, { reference: "R-1" });
  await counter.clock.advance(15);
  counter.terminal.become("offline");
  await counter.clock.advance(1_000);
  expect(counter.engine.leases.waiting("till-1")).toBe(0);
}

async function shown(counter: Counter, reference: string): Promise<PaymentView> {
  const found = await counter.payments.get(till, { reference });
  if (!found.ok) throw new Error(found.refusal.message);
  return found.value;
}

const collects = ({ terminal }: Counter): number =>
  terminal.commands.filter((command) => command.do === "collect").length;

describe("a payment whose turn comes while its terminal rests before it starts anew", () => {
  test("waits until the terminal is back, and has it then", async () => {
    const counter = await twoSales();
    await firstEnds(counter);
    await counter.clock.advance(240_000);
    expect(await shown(counter, "R-2")).toMatchObject({ state: "QUEUED" });
    expect(collects(counter)).toBe(1);
    counter.terminal.become("ready");
    await counter.clock.advance(1_000);
    expect(await shown(counter, "R-2")).toMatchObject({ state: "FINAL", outcome: "APPROVED" });
  });

  test("ends with its own limit where that is over before", async () => {
    const counter = await twoSales({ expiresInMs: 60_000 });
    await firstEnds(counter);
    await counter.clock.advance(60_000);
    expect(await shown(counter, "R-2")).toMatchObject({
      state: "FINAL",
      outcome: "FAILED",
      reason: { code: "request-expired" },
    });
    counter.terminal.become("ready");
    await counter.clock.advance(1_000);
    expect(collects(counter)).toBe(1);
    expect(counter.engine.leases.holder("till-1")).toBeUndefined();
  });

  test("can be cancelled meanwhile", async () => {
    const counter = await twoSales();
    await firstEnds(counter);
    void counter.payments.cancel(till, { reference: "R-2" });
    await counter.clock.advance(1_000);
    expect(await shown(counter, "R-2")).toMatchObject({
      state: "FINAL",
      outcome: "CANCELLED",
      reason: { code: "register-cancelled" },
    });
    expect(counter.engine.leases.holder("till-1")).toBeUndefined();
  });

  test.each([
    ["comes back out of service", 0],
    ["has not come back in time", SOON.inMs + 358_000],
  ] as const)("goes on to be told why it cannot be, where the terminal %s", async (what, afterMs) => {
    const counter = await twoSales();
    await firstEnds(counter);
    await counter.clock.advance(afterMs);
    expect(collects(counter)).toBe(1);
    if (what === "comes back out of service") counter.terminal.become("out-of-service");
    await counter.clock.advance(2_000);
    expect(collects(counter)).toBe(2);
  });

  test("does not begin any more once the bridge stops", async () => {
    const counter = await twoSales();
    await firstEnds(counter);
    void counter.engine.stop(() => 10_000);
    counter.terminal.become("ready");
    await counter.clock.advance(11_000);
    expect(collects(counter)).toBe(1);
  });
});

test("a terminal that is gone without having announced it is not waited for: its queue is told", async () => {
  const counter = await twoSales();
  void counter.payments.cancel(till, { reference: "R-1" });
  await counter.clock.advance(15);
  counter.terminal.become("offline");
  await counter.clock.advance(1_000);
  expect(collects(counter)).toBe(2);
});

test("the session's own order of events is enough to know it: announced, given back, off the list, started anew", async () => {
  const bench = await createReadyBench();
  const terminals = createTerminals([bench.session]);
  const { id } = bench.session;
  const devices = createDevices(terminals, bench.clock);
  devices.begin(id, COLLECT, () => undefined);
  await bench.clock.settle();
  await bench.say({ n: 0, ...SOON });
  expect(devices.isRestarting(id)).toBe(false);
  const told: string[] = [];
  devices.begin(id, { do: "idle" }, (notice) => {
    told.push(notice.on);
    devices.whenRestarted(id, () => told.push("restarted"));
  });
  await bench.clock.settle();
  expect(told).toEqual(["done"]);
  expect(devices.isRestarting(id)).toBe(true);
  await bench.unplug();
  expect(told).toEqual(["done"]);
  await bench.clock.advance(1_000);
  expect(told).toEqual(["done", "restarted"]);
  expect(terminals.status(id)?.state).toBe("ready");
});
