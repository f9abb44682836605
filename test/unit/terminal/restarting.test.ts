import { expect, test } from "vitest";
import { COLLECT, card, createReadyBench, IDENTITY, KEYS } from "./session-bench.ts";

const SOON = { n: 0, on: "restart-soon", inMs: 180_000 } as const;

test("an idle terminal that says it starts anew soon takes no payment until it is back", async () => {
  const bench = await createReadyBench();
  await bench.say(SOON);
  expect(bench.status()).toMatchObject({
    state: "offline",
    reason: expect.stringContaining("starts anew by itself in 180 s"),
  });
  expect((await bench.session.test()).ok).toBe(false);
  await bench.unplug();
  await bench.clock.advance(1_000);
  expect(bench.status().state).toBe("ready");
});

test("a payment that is under way is finished first", async () => {
  const bench = await createReadyBench();
  const n = bench.session.send(COLLECT);
  await bench.clock.settle();
  await bench.say(SOON);
  expect(bench.status().state).toBe("ready");
  await bench.say({ n, on: "card", card: card("FFFF9876543210E00001") });
  const complete = bench.session.send({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
  await bench.clock.settle();
  await bench.say({ n: complete, on: "finished", verdict: "approved", emv: [] });
  expect(bench.status().state).toBe("ready");
  const idle = bench.session.send({ do: "idle" });
  await bench.clock.settle();
  expect(bench.endings(idle)).toMatchObject([{ on: "done" }]);
  expect(bench.status().state).toBe("offline");
});

test("one that does not start anew after all is asked who it is five minutes after its time, and serves again", async () => {
  const bench = await createReadyBench();
  await bench.say(SOON);
  await bench.clock.advance(180_000 + 299_000);
  expect(bench.status().state).toBe("offline");
  await bench.clock.advance(2_000);
  expect(bench.status().state).toBe("ready");
  expect(bench.commands()).toEqual(["identify", "idle", "identify", "idle"]);
});

const READY = { on: "ready", identity: IDENTITY, keys: KEYS } as const;

test("one that says so while it is being identified serves nobody either", async () => {
  const bench = await createReadyBench({
    plan: (event) =>
      event.on === "command" && event.command.do === "identify"
        ? { notices: [{ n: event.n, ...READY }, { ...SOON }] }
        : undefined,
  });
  expect(bench.statuses()).toEqual(["offline"]);
  expect(bench.status()).toMatchObject({
    state: "offline",
    serialNumber: "S-1",
    reason: expect.stringContaining("starts anew by itself in 180 s"),
  });
});

test("a payment that waits for the terminal does not begin on it in the same turn in which the one before gives it back", async () => {
  const bench = await createReadyBench();
  bench.session.send(COLLECT);
  await bench.clock.settle();
  await bench.say(SOON);
  const idle = bench.session.send({ do: "idle" });
  let next = 0;
  bench.session.listen((event) => {
    if (event.on === "notice" && event.notice.n === idle) next = bench.session.send(COLLECT);
  });
  await bench.clock.advance(1);
  expect(bench.endings(next)).toMatchObject([
    { on: "fault", code: "no-answer", detail: expect.stringContaining("starts anew by itself") },
  ]);
  expect(bench.commands().filter((command) => command === "collect")).toHaveLength(1);
});

test("a payment keeps the terminal between two of its own cards", async () => {
  const bench = await createReadyBench();
  const first = bench.session.send(COLLECT);
  await bench.clock.settle();
  await bench.say({ n: first, on: "no-card", why: "chip-unreadable" });
  await bench.say(SOON);
  expect(bench.status().state).toBe("ready");
  const second = bench.session.send(COLLECT);
  await bench.clock.settle();
  expect(bench.endings(second)).toEqual([]);
});

test("a second announcement counts in place of the first", async () => {
  const bench = await createReadyBench();
  await bench.say(SOON);
  await bench.say({ ...SOON, inMs: 600_000 });
  await bench.clock.advance(500_000);
  expect(bench.status().state).toBe("offline");
  await bench.clock.advance(402_000);
  expect(bench.status().state).toBe("ready");
});

test("one that says so while it is being tested is at rest after the test", async () => {
  let asked = 0;
  const bench = await createReadyBench({
    plan: (event) => {
      if (event.on !== "command" || event.command.do !== "identify") return undefined;
      asked += 1;
      return asked === 2 ? { timers: { late: 5 } } : undefined;
    },
  });
  const tested = bench.session.test();
  await bench.say(SOON);
  const n = bench.fed.findLast((event) => event.on === "command")?.n ?? 0;
  await bench.say({ n, ...READY });
  expect(await tested).toMatchObject({ ok: true, status: { state: "offline" } });
  expect(bench.statuses()).toEqual(["ready", "offline"]);
});

test("a bridge that stops waits for no restart", async () => {
  const bench = await createReadyBench();
  await bench.say(SOON);
  const stopped = bench.session.stop();
  await bench.clock.advance(3_000);
  await stopped;
  const commands = bench.commands().length;
  await bench.clock.advance(600_000);
  expect(bench.commands()).toHaveLength(commands);
});
