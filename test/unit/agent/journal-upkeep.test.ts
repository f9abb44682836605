import { describe, expect, test } from "vitest";
import { watchJournal } from "../../../src/agent/journal-upkeep.ts";
import type { Change } from "../../../src/engine/shell/feed.ts";
import type { Archived, ArchiveOrder } from "../../../src/journal/archiver.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 0, 15);

/** An archive of so many slices, and what came of each run of it. */
function bench(slices: number, come: () => Archived = () => ({ payments: 3, segments: 1, pages: 0 })) {
  const clock = createVirtualClock(START);
  const orders: ArchiveOrder[] = [];
  const at: number[] = [];
  const lines: string[] = [];
  const ears = new Set<(change: Change) => void>();
  const proofs: number[] = [];
  let provedAt = START;
  let proof: Error | undefined;
  let days = 400;
  const journal = {
    archive: async (order: ArchiveOrder): Promise<Archived> => {
      orders.push(order);
      for (let slice = 0; slice < slices; slice += 1) {
        if (!(await order.pause())) break;
        at.push(clock.monotonic());
      }
      return come();
    },
    prove: async (pause: () => Promise<boolean>): Promise<boolean> => {
      proofs.push(clock.monotonic());
      if (!(await pause())) return false;
      if (proof instanceof Error) throw proof;
      provedAt = clock.now();
      return true;
    },
    provedAt: () => new Date(provedAt).toISOString(),
  };
  const live = (hear: (change: Change) => void): (() => void) => {
    ears.add(hear);
    return () => ears.delete(hear);
  };
  const line =
    (level: string) =>
    (fields: object, message: string): void =>
      void lines.push(`${level} ${JSON.stringify(fields)} ${message}`);
  const engine = { active: () => [], feed: { live } };
  const stop = watchJournal({
    clock,
    journal,
    engine,
    afterDays: () => days,
    log: { info: line("info"), error: line("error") },
  });
  const sale = (): void => {
    // What it was is of no matter here.
    for (const hear of ears) hear(Object.create(null));
  };
  const setDays = (value: number): void => {
    days = value;
  };
  const failProof = (error: Error): void => {
    proof = error;
  };
  return { clock, orders, at, lines, ears, stop, sale, setDays, proofs, failProof };
}

describe("the proof of the whole journal of a bridge that runs", () => {
  test("follows the archive once a day, not sooner than 20 hours after the last one, and says so", async () => {
    const { clock, proofs, lines } = bench(2);
    // The start has just proved everything.
    await clock.advance(HOUR_MS);
    expect(proofs).toEqual([]);
    await clock.advance(24 * HOUR_MS);
    expect(proofs).toHaveLength(1);
    expect(lines.at(-1)).toBe("info {} the whole journal was proved: nothing in it has changed");
    await clock.advance(24 * HOUR_MS);
    expect(proofs).toHaveLength(2);
  });

  test("is told of as an alarm where it fails, with the mend, and tried again the next day", async () => {
    const { clock, proofs, lines, failProof } = bench(1);
    failProof(new Error("archive/000001.jsonl.gz was changed; put it back as it was"));
    await clock.advance(25 * HOUR_MS);
    expect(lines.at(-1)).toMatch(
      /^error .*"alarm":true.*put it back.* the journal or its archive is not as it was written$/,
    );
    await clock.advance(24 * HOUR_MS);
    expect(proofs).toHaveLength(2);
  });

  test("ends when the bridge stops", async () => {
    const { clock, proofs, stop } = bench(1);
    await stop();
    await clock.advance(50 * HOUR_MS);
    expect(proofs).toEqual([]);
  });
});

describe("the archive of a bridge that runs", () => {
  test("begins ten minutes after the start, then every day, by the age that is configured then, and says what it did", async () => {
    const { clock, orders, lines, setDays } = bench(2);
    await clock.advance(599_000);
    expect(orders).toEqual([]);
    await clock.advance(2_000);
    expect(orders.map(({ before }) => before)).toEqual(["2024-12-11T00:10:00.000Z"]);
    setDays(30);
    await clock.advance(24 * HOUR_MS);
    expect(orders.map(({ before }) => before.slice(0, 10))).toEqual(["2024-12-11", "2025-12-17"]);
    expect(lines[0]).toMatch(/^info .*"payments":3,"segments":1.* old payments were moved to the archive$/);
  });

  test("rests between two slices, and waits as long as something happens at a terminal", async () => {
    const { clock, at, sale } = bench(100);
    await clock.advance(600_000);
    await clock.advance(100);
    expect(at.length).toBeGreaterThanOrEqual(3);
    expect(at.length).toBeLessThanOrEqual(5);
    const before = at.length;
    for (let n = 0; n < 20; n += 1) {
      sale();
      await clock.advance(1_000);
    }
    expect(at.length).toBeLessThanOrEqual(before + 1);
    await clock.advance(6_000);
    expect(at).toHaveLength(100);
  });

  test("ends with the slice that runs, and leaves nothing behind", async () => {
    const { clock, at, ears, stop } = bench(1_000);
    await clock.advance(600_100);
    const slices = at.length;
    await stop();
    await clock.advance(100 * HOUR_MS);
    expect(at).toHaveLength(slices);
    expect([ears.size, clock.pending()]).toEqual([0, 0]);
  });

  test("is told of as an alarm where it fails, and tried again the next day", async () => {
    const { clock, lines, orders } = bench(1, () => {
      throw new Error("ENOSPC: no space left on device");
    });
    await clock.advance(601_000);
    expect(lines).toEqual([
      expect.stringMatching(/^error .*"alarm":true,.*ENOSPC.* nothing is lost, and it is tried again in a day$/),
    ]);
    await clock.advance(25 * HOUR_MS);
    expect(orders).toHaveLength(2);
  });
});
