import { expect, test } from "vitest";
import type { Terminals } from "../../../src/engine/ports.ts";
import { createTerminals, type TerminalsEvent } from "../../../src/terminal/terminals.ts";
import { COLLECT, createBench } from "./session-bench.ts";

test("terminals are named, listed in the order of the configuration, and heard with their names", async () => {
  const [a, b] = [createBench({ id: "a" }), createBench({ id: "b", expectedSerial: "other" })];
  const terminals = createTerminals([a.session, b.session]);
  const port: Terminals = terminals;
  const heard: TerminalsEvent[] = [];
  port.listen((event) => void heard.push(event));
  terminals.start();
  await a.clock.advance(1);
  await b.clock.advance(1);
  expect(port.list().map(({ id, state }) => `${id} ${state}`)).toEqual(["a ready", "b out-of-service"]);
  expect(port.status("a")?.serialNumber).toBe("S-1");
  expect(port.status("c")).toBeUndefined();
  const n = port.send("a", COLLECT);
  await a.clock.settle();
  await a.say({ n, on: "no-card", why: "timeout" });
  expect(heard.map((event) => `${event.terminal} ${event.on}`)).toEqual(["a status", "b status", "a notice"]);
  expect((await terminals.test("a")).ok).toBe(true);
  expect((await terminals.test("b")).ok).toBe(false);
  await terminals.stop();
  expect(port.list().map(({ state }) => state)).toEqual(["offline", "offline"]);
});

test("a name that nobody has, or two have, is a mistake of the caller", () => {
  expect(() => createTerminals([]).send("x", { do: "idle" })).toThrow('no terminal "x"');
  expect(() => createTerminals([createBench().session, createBench().session])).toThrow("two terminals have the same id");
});
