import { describe, expect, test } from "vitest";
import { CONNECT_MS } from "../../../src/engine/terminal/device.ts";
import { type Counter, openCounter, startRequest, till } from "../../support/counter.ts";

/* A bridge was started a moment ago: its link to the terminal is being made, and the device is asked who it is. */

/** What a start is told, and when. */
function start(counter: Counter, queue: boolean): string[] {
  const said: string[] = [];
  void counter.payments.start(till, startRequest("R-1", { queue })).then((reply) => {
    said.push(`${reply.ok ? reply.value.payment.state : reply.refusal.code} ${counter.clock.monotonic()}`);
  });
  return said;
}

describe("right after a start of the bridge", () => {
  test("a start with queue waits for the terminal that is being connected, and is paid on it", async () => {
    const counter = openCounter({ connecting: true });
    const said = start(counter, true);
    await counter.clock.advance(2_000);
    expect(said).toEqual([]);
    expect(counter.engine.devices.connecting()).toEqual(["till-1"]);
    counter.terminal.become("ready");
    await counter.clock.advance(5_000);
    expect(said).toEqual([expect.stringMatching(/^AWAITING_CARD 200[0-9]$/)]);
    expect(await counter.payments.get(till, { reference: "R-1" })).toMatchObject({
      value: { state: "FINAL", outcome: "APPROVED" },
    });
    expect(counter.engine.devices.connecting()).toEqual([]);
  });

  test("a start without queue is refused at once", async () => {
    const counter = openCounter({ connecting: true });
    const said = start(counter, false);
    await counter.clock.advance(10);
    expect(said).toEqual([expect.stringMatching(/^terminal-offline /)]);
  });

  test("a terminal that does not come is waited for no longer than a quarter of a minute, and then nothing was accepted", async () => {
    const counter = openCounter({ connecting: true });
    const said = start(counter, true);
    await counter.clock.advance(CONNECT_MS + 10);
    expect(said).toEqual([expect.stringMatching(/^terminal-offline 1500[0-9]$/)]);
    expect(counter.engine.devices.connecting()).toEqual([]);
    expect(await counter.payments.get(till, { reference: "R-1" })).toMatchObject({ refusal: { code: "not-found" } });
  });

  test("one that turns out to be out of service is told so at once", async () => {
    const counter = openCounter({ connecting: true });
    const said = start(counter, true);
    await counter.clock.advance(1_000);
    counter.terminal.become("out-of-service");
    await counter.clock.advance(10);
    expect(said).toEqual([expect.stringMatching(/^terminal-out-of-service 100[0-9]$/)]);
  });

  test("a bridge that stops meanwhile accepts nothing", async () => {
    const counter = openCounter({ connecting: true });
    const said = start(counter, true);
    counter.payments.close();
    counter.terminal.become("ready");
    await counter.clock.advance(1_000);
    expect(said).toEqual([expect.stringMatching(/^shutting-down /)]);
  });
});

test("a terminal that was connected once, and is gone, is not waited for: it may have been switched off", async () => {
  const counter = openCounter();
  counter.terminal.become("offline");
  const said = start(counter, true);
  await counter.clock.advance(10);
  expect(said).toEqual([expect.stringMatching(/^terminal-offline /)]);
});
