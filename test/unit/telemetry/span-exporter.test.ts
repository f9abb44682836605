import { describe, expect, it } from "vitest";
import type { Span } from "../../../src/telemetry/span.ts";
import { createSpanExporter, type Delivery, MOST_WAITING } from "../../../src/telemetry/span-exporter.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const spans = (count: number): readonly Span[] =>
  Array.from({ length: count }, (_, at) => ({
    traceId: "t",
    spanId: String(at),
    name: "n",
    kind: "internal",
    from: 0,
    to: 1,
    attributes: {},
  }));

function bench(deliver: (count: number) => Promise<Delivery>) {
  const clock = createVirtualClock(0);
  const sizes: number[] = [];
  const told: string[] = [];
  const counted: Record<string, number> = {};
  const count = (what: string, by: number): void => {
    counted[what] = (counted[what] ?? 0) + by;
  };
  const exporter = createSpanExporter({
    clock,
    deliver: (batch) => {
      sizes.push(batch.length);
      return deliver(batch.length);
    },
    counts: { spansSent: (by) => count("sent", by), spansDropped: (why, by) => count(why, by) },
    log: { info: (_, message) => void told.push(message), warn: (_, message) => void told.push(message) },
  });
  return { clock, sizes, told, counted, exporter };
}

describe("spans on their way", () => {
  it("are gathered for two seconds and sent together", async () => {
    const { clock, sizes, counted, exporter } = bench(async () => ({ is: "taken" }));
    exporter.add(spans(3));
    exporter.add(spans(2));
    await clock.advance(1_999);
    expect(sizes).toEqual([]);
    await clock.advance(1);
    expect([sizes, counted]).toEqual([[5], { sent: 5 }]);
    await clock.advance(60_000);
    expect([sizes, clock.pending()]).toEqual([[5], 0]);
  });

  it("to a collector that is down wait, up to a limit, are counted beyond it, and it is told once; when it is back they come", async () => {
    let isUp = false;
    const { clock, sizes, told, counted, exporter } = bench(async () =>
      isUp ? { is: "taken" } : { is: "again", detail: "ECONNREFUSED" },
    );
    for (let minute = 0; minute < 30; minute += 1) {
      exporter.add(spans(100));
      await clock.advance(60_000);
    }
    expect(counted).toEqual({ full: 3_000 - MOST_WAITING });
    expect(told).toEqual(["traces do not reach their collector; it is tried on, and payments are not touched"]);
    // Ever more seldom: after 2 s, 5 s, 15 s, and then once a minute.
    expect(sizes.length).toBeLessThan(36);
    isUp = true;
    await clock.advance(120_000);
    expect(counted).toEqual({ full: 3_000 - MOST_WAITING, sent: MOST_WAITING });
    expect(told).toHaveLength(2);
  });

  it("to a collector that never answers go one request at a time", async () => {
    const { clock, sizes, exporter } = bench(() => new Promise(() => undefined));
    for (let at = 0; at < 50; at += 1) {
      exporter.add(spans(10));
      await clock.advance(1_000);
    }
    expect(sizes).toHaveLength(1);
  });

  it("that the collector refuses are gone, and counted", async () => {
    const { clock, counted, exporter } = bench(async () => ({ is: "refused", detail: "HTTP 400" }));
    exporter.add(spans(4));
    await clock.advance(2_000);
    expect(counted).toEqual({ refused: 4 });
  });

  it("when the bridge stops are sent once more, or counted as lost", async () => {
    const up = bench(async () => ({ is: "taken" }));
    up.exporter.add(spans(2));
    await up.exporter.stop();
    expect(up.counted).toEqual({ sent: 2 });
    const down = bench(async () => ({ is: "again", detail: "down" }));
    down.exporter.add(spans(2));
    await down.exporter.stop();
    expect(down.counted).toEqual({ stopped: 2 });
  });
});
