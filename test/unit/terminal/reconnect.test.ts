import { describe, expect, test } from "vitest";
import { LinkError } from "../../../src/terminal/link.ts";
import { COLLECT, createBench, createReadyBench } from "./session-bench.ts";

describe("the link", () => {
  test("one that is lost ends the command once, and the terminal comes back by itself", async () => {
    const bench = await createReadyBench();
    const n = bench.session.send(COLLECT);
    await bench.clock.settle();
    await bench.unplug();
    expect(bench.endings(n)).toEqual([
      { n, on: "fault", code: "no-answer", detail: "link lost: in-memory line was cut" },
    ]);
    expect(bench.status()).toMatchObject({ state: "offline", reason: "in-memory line was cut", serialNumber: "S-1" });
    await bench.clock.advance(1_000);
    expect(bench.statuses()).toEqual(["ready", "offline", "ready"]);
    expect(bench.commands().slice(-2)).toEqual(["identify", "idle"]);
  });

  test("one that the device closes in order is a lost one", async () => {
    const bench = await createReadyBench();
    await bench.lines.at(-1)?.far.close();
    await bench.clock.advance(1);
    expect(bench.status()).toMatchObject({ state: "offline", reason: "the device closed the connection" });
  });

  test("one that is there for longer than the driver wanted is closed and opened anew after the longest pause", async () => {
    const bench = await createReadyBench();
    await bench.act({ link: "close" });
    await bench.clock.advance(29_999);
    expect(bench.lines).toHaveLength(1);
    await bench.clock.advance(1);
    expect(bench.lines).toHaveLength(2);
  });

  test("a write that fails is a lost link", async () => {
    const bench = await createReadyBench({
      open: async () => ({
        incoming: { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) },
        write: () => Promise.reject(new LinkError("lost", "cable gone")),
        close: () => new Promise(() => undefined),
      }),
      plan: (event) =>
        event.on === "command" && event.command.do === "collect" ? { write: [Uint8Array.of(1)] } : undefined,
    });
    const n = bench.session.send(COLLECT);
    await bench.clock.settle();
    expect(bench.endings(n)).toMatchObject([{ code: "no-answer", detail: "link lost: cable gone" }]);
  });

  test("opening is tried again with growing pauses, told loudly once for each reason and quietly after that", async () => {
    const tries: number[] = [];
    const bench = createBench({
      open: async () => {
        tries.push(bench.clock.monotonic());
        throw new LinkError("not-found", "no device at /dev/x");
      },
    });
    bench.session.start();
    await bench.clock.advance(300_000);
    const pauses = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
    expect(pauses[0]).toBeLessThanOrEqual(625);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(30_000);
    expect(pauses.at(-1)).toBeGreaterThanOrEqual(22_500);
    expect(bench.logged.filter(({ level }) => level === "warn")).toHaveLength(1);
    expect(bench.logged.filter(({ level }) => level === "debug")).toHaveLength(tries.length - 1);
    expect(bench.status()).toMatchObject({ state: "offline", reason: "no device at /dev/x" });
    expect(bench.statuses()).toEqual(["offline"]);
  });

  test("a device that opens but fails to go idle is tried again with growing pauses as well", async () => {
    const bench = createBench({
      plan: (event) =>
        event.on === "command" && event.command.do === "idle"
          ? { notices: [{ n: event.n, on: "fault", code: "device-error", detail: "stuck" }] }
          : undefined,
    });
    bench.session.start();
    await bench.clock.advance(120_000);
    expect(bench.lines.length).toBeLessThan(14);
    expect(bench.status()).toMatchObject({ state: "offline", reason: "idle: device-error, stuck" });
  });
});

describe("stop", () => {
  test("sends the device to idle, closes the link and tells so", async () => {
    const bench = await createReadyBench();
    await bench.session.stop();
    expect(bench.commands().at(-1)).toBe("idle");
    expect(bench.status()).toMatchObject({ state: "offline", reason: "this bridge is stopping" });
    await bench.clock.advance(60_000);
    expect(bench.lines).toHaveLength(1);
    expect(bench.clock.pending()).toBe(0);
    const n = bench.session.send(COLLECT);
    await bench.clock.advance(0);
    expect(bench.endings(n)).toMatchObject([{ code: "no-answer", detail: "this bridge is stopping" }]);
  });

  test("cancels what runs, and resolves although neither device nor link answers", async () => {
    const bench = await createReadyBench({
      open: async () => ({
        incoming: { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) },
        write: () => new Promise(() => undefined),
        close: () => new Promise(() => undefined),
      }),
      plan: (event) => (event.on === "command" && event.command.do === "cancel" ? {} : undefined),
    });
    const n = bench.session.send(COLLECT);
    await bench.clock.settle();
    const stopped = bench.session.stop();
    await bench.clock.advance(3_000);
    await stopped;
    expect(bench.commands().at(-1)).toBe("cancel");
    expect(bench.endings(n)).toMatchObject([{ on: "fault", code: "no-answer" }]);
  });

  test("before the start, while opening and twice is all the same", async () => {
    await createBench().session.stop();
    let closed = 0;
    const opening = Promise.withResolvers<void>();
    const bench = createBench({
      open: async () => {
        await opening.promise;
        return {
          incoming: { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) },
          write: async () => undefined,
          close: async () => void closed++,
        };
      },
    });
    bench.session.start();
    await Promise.all([bench.session.stop(), bench.session.stop()]);
    opening.resolve();
    await bench.clock.settle();
    expect(closed).toBe(1);
    expect(bench.commands()).toEqual([]);
  });
});
