import { describe, expect, it } from "vitest";
import { createClosers } from "../../../src/agent/closing.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

function opened() {
  const clock = createVirtualClock(0);
  const warned: unknown[] = [];
  const silent = (): void => undefined;
  const log = {
    debug: silent,
    info: silent,
    error: silent,
    warn: (fields: object, message: string) => warned.push([fields, message]),
  };
  const closed: string[] = [];
  const closers = createClosers(clock, log);
  return { clock, warned, closed, closers };
}

describe("what the bridge has opened", () => {
  it("is closed in the opposite order, one after the other, and leaves no timer behind", async () => {
    const { clock, warned, closed, closers } = opened();
    const gate = Promise.withResolvers<void>();
    closers.add("journal", () => void closed.push("journal"));
    closers.add("port", async () => {
      await gate.promise;
      closed.push("port");
    });
    const all = closers.closeAll();
    await clock.settle();
    expect(closed).toEqual([]);
    gate.resolve();
    await all;
    expect(closed).toEqual(["port", "journal"]);
    expect(warned).toEqual([]);
    expect(clock.pending()).toBe(0);
  });

  it("is waited for five seconds each; the journal is closed whatever hangs before it, and the log names that", async () => {
    const { clock, warned, closed, closers } = opened();
    closers.add("journal", () => void closed.push("journal"));
    closers.add("port", () => new Promise<void>(() => undefined));
    const all = closers.closeAll();
    await clock.advance(4_999);
    expect(closed).toEqual([]);
    await clock.advance(1);
    await all;
    expect(closed).toEqual(["journal"]);
    expect(warned).toEqual([[{ what: "port" }, "does not close; the bridge ends without waiting for it any longer"]]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new RangeError("port");
      },
    ],
    ["rejects", () => Promise.reject(new RangeError("port"))],
  ])("is closed although one of it %s, and the first failure is told in the end", async (_, fail) => {
    const { closed, closers } = opened();
    closers.add("journal", () => void closed.push("journal"));
    closers.add("tokens", () => Promise.reject(new Error("tokens")));
    closers.add("port", fail);
    await expect(closers.closeAll()).rejects.toThrow(new RangeError("port"));
    expect(closed).toEqual(["journal"]);
  });
});
