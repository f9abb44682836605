import { expect, test } from "vitest";
import type { Terminals } from "../../../src/engine/ports.ts";
import type { SessionEvent } from "../../../src/terminal/session-core.ts";
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
  expect(() => createTerminals([createBench().session, createBench().session])).toThrow(
    "two terminals have the same id",
  );
});

test("a terminal is replaced: nobody reaches the old session, which ends its commands, and the new one is heard with what it told before", async () => {
  const [old, next] = [createBench({ id: "a" }), createBench({ id: "a" })];
  const terminals = createTerminals([old.session]);
  const heard: TerminalsEvent[] = [];
  terminals.listen((event) => void heard.push(event));
  terminals.start();
  await old.clock.advance(1);
  const n = terminals.send("a", COLLECT);
  const suspended = terminals.suspend("a", "it is being replaced");
  expect(terminals.status("a")).toMatchObject({ id: "a", state: "out-of-service", reason: "it is being replaced" });
  expect(() => terminals.send("a", { do: "idle" })).toThrow('no terminal "a"');
  expect(await terminals.test("a")).toMatchObject({ ok: false, problem: "it is being replaced" });
  await old.clock.advance(5_000);
  await suspended;
  expect(
    heard.flatMap((event) => (event.on === "notice" && event.notice.n === n ? [event.notice.on] : [])),
  ).toHaveLength(1);
  const told: SessionEvent[] = [];
  next.session.listen((event) => void told.push(event));
  next.session.start();
  await next.clock.advance(1);
  const before = heard.length;
  terminals.put(next.session, told);
  expect(heard.slice(before)).toMatchObject([{ on: "status", terminal: "a", status: { state: "ready" } }]);
  expect(terminals.list().map(({ id, state }) => `${id} ${state}`)).toEqual(["a ready"]);
  expect(() => terminals.put(old.session, [])).toThrow("two terminals have the same id");
});

test("a terminal comes and goes, and is told of both", async () => {
  const [a, b] = [createBench({ id: "a" }), createBench({ id: "b" })];
  const terminals = createTerminals([a.session]);
  const heard: string[] = [];
  terminals.listen((event) => void (event.on === "status" && heard.push(`${event.terminal} ${event.status.state}`)));
  terminals.put(b.session, []);
  b.session.start();
  await b.clock.advance(1);
  expect(terminals.list().map(({ id }) => id)).toEqual(["a", "b"]);
  const removed = terminals.remove("b");
  expect(terminals.status("b")).toBeUndefined();
  await b.clock.advance(5_000);
  await removed;
  expect(heard).toEqual(["b ready", "b offline"]);
});
