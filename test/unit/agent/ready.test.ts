import { describe, expect, it } from "vitest";
import { createReadiness, LOOK_MS } from "../../../src/agent/ready.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

function opened() {
  const clock = createVirtualClock(0);
  const disk = { probes: 0, says: async (): Promise<void> => undefined };
  const probe = (): Promise<void> => {
    disk.probes += 1;
    return disk.says();
  };
  const [connecting, known]: [string[], string[]] = [[], []];
  return {
    clock,
    disk,
    connecting,
    known,
    ready: createReadiness({ journal: { probe }, connecting: () => connecting, known: () => known }, clock),
  };
}

describe("whether the bridge is ready", () => {
  it("is told at once where something else is in the way, whatever the disk said a moment ago", async () => {
    const { disk, known, ready } = opened();
    expect(await ready()).toEqual([]);
    known.push("data folder: it was put back");
    expect([await ready(), disk.probes]).toEqual([["data folder: it was put back"], 1]);
  });

  it("is looked up on the disk once in five seconds, however often somebody asks", async () => {
    const { clock, disk, ready } = opened();
    expect(await ready()).toEqual([]);
    disk.says = () => Promise.reject(new Error("the disk is full"));
    await clock.advance(LOOK_MS - 1);
    expect([await ready(), disk.probes]).toEqual([[], 1]);
    await clock.advance(1);
    expect([await ready(), disk.probes]).toEqual([["journal: the disk is full"], 2]);
    disk.says = async () => undefined;
    await clock.advance(LOOK_MS - 1);
    expect([await ready(), disk.probes]).toEqual([["journal: the disk is full"], 2]);
    await clock.advance(1);
    expect([await ready(), disk.probes]).toEqual([[], 3]);
    expect(clock.pending()).toBe(0);
  });

  it("is one look for all who ask while it is taken, and counts from its end", async () => {
    const { clock, disk, ready } = opened();
    const gate = Promise.withResolvers<void>();
    disk.says = () => gate.promise;
    const asked = [ready(), ready()];
    await clock.advance(10 * LOOK_MS);
    asked.push(ready());
    gate.resolve();
    expect(await Promise.all(asked)).toEqual([[], [], []]);
    await clock.advance(LOOK_MS - 1);
    await ready();
    expect(disk.probes).toBe(1);
  });

  it("does not go by the wall clock", async () => {
    const { clock, disk, ready } = opened();
    await ready();
    clock.setWall(-86_400_000);
    await clock.advance(LOOK_MS);
    await ready();
    expect(disk.probes).toBe(2);
  });

  it("is not as long as a terminal is being connected, and at once when none is", async () => {
    const { connecting, ready } = opened();
    connecting.push("till-1");
    expect(await ready()).toEqual(["terminal till-1: is being connected"]);
    connecting.pop();
    expect(await ready()).toEqual([]);
  });
});
