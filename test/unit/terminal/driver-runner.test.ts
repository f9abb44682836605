import { expect, test } from "vitest";
import type { Deed, DriverModel, LinkEvent } from "../../../src/terminal/driver.ts";
import { driverModel } from "../../../src/terminal/driver.ts";
import { createDriverRunner, type DriverRunner, EVENT_LIMIT, type Hands } from "../../../src/terminal/driver-runner.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { NOW } from "./session-bench.ts";

const capabilities = { interfaces: [], onlinePin: false, pinAfterTap: false, display: false, sealed: false };
const QUIET: Hands = {
  write: () => undefined,
  notice: () => undefined,
  link: () => undefined,
  frameError: () => undefined,
  crashed: () => undefined,
};

function model(turn: (event: LinkEvent) => Deed, first: Deed = {}): DriverModel {
  return {
    id: "m",
    title: "M",
    fingerprints: [],
    lines: [],
    options: [],
    capabilities,
    hostWaitMs: 1,
    start: () => ({ first, turn }),
  };
}

function runner(on: { readonly model: DriverModel; readonly hands?: Partial<Hands> }): DriverRunner {
  const begin = () => ({ transport: "serial", options: {}, now: NOW, seed: 1 }) as const;
  return createDriverRunner({ model: on.model, begin, clock: createVirtualClock(0), hands: { ...QUIET, ...on.hands } });
}

test("an event that a deed causes waits until the deed is done", () => {
  const order: string[] = [];
  const turn = (event: LinkEvent): Deed => {
    order.push(event.on);
    return event.on === "opened" ? { notices: [{ n: 0, on: "slot", card: true }], link: "close" } : {};
  };
  const running = runner({
    model: model(turn),
    hands: {
      notice: () => {
        running.feed({ on: "closed" });
        order.push("notice done");
      },
      link: (what) => void order.push(what),
    },
  });
  running.start();
  running.feed({ on: "opened" });
  expect(order).toEqual(["opened", "notice done", "close", "closed"]);
});

test("the first deed is done at the start, and a driver keeps its state from event to event", () => {
  const written: number[] = [];
  const counting = driverModel<number>({
    id: "c",
    title: "C",
    fingerprints: [],
    lines: [],
    options: [],
    capabilities,
    hostWaitMs: 1,
    begin: () => ({ state: 1, write: [Uint8Array.of(0)] }),
    turn: (state) => ({ state: state + 1, write: [Uint8Array.of(state)] }),
  });
  const running = runner({ model: counting, hands: { write: (bytes) => void written.push(...bytes) } });
  running.feed({ on: "opened" });
  running.start();
  running.feed({ on: "opened" });
  running.feed({ on: "closed" });
  expect(written).toEqual([0, 1, 2]);
});

test("a driver that throws is replaced by a fresh one before anybody is told", () => {
  const told: string[] = [];
  const failing = driverModel<number>({
    id: "f",
    title: "F",
    fingerprints: [],
    lines: [],
    options: [],
    capabilities,
    hostWaitMs: 1,
    begin: () => ({ state: 0 }),
    turn: (state, event) => {
      if (event.on === "closed") throw new Error(`in state ${state}`);
      return { state: state + 1 };
    },
  });
  const running = runner({ model: failing, hands: { crashed: (error) => void told.push(String(error)) } });
  running.start();
  running.feed({ on: "opened" });
  running.feed({ on: "closed" });
  running.feed({ on: "closed" });
  expect(told).toEqual(["Error: in state 1", "Error: in state 0"]);
});

test(`more than ${EVENT_LIMIT} events that wait are a driver that calls itself for ever`, () => {
  let crashes = 0;
  const running = runner({
    model: model((event) => (event.on === "opened" ? { notices: [{ n: 0, on: "slot", card: true }] } : {})),
    hands: {
      notice: () => {
        for (let more = 0; more <= EVENT_LIMIT; more += 1) running.feed({ on: "closed" });
      },
      crashed: () => {
        crashes += 1;
      },
    },
  });
  running.start();
  running.feed({ on: "opened" });
  expect(crashes).toBe(1);
});
