import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numbersText, type ScaledStep, scaleOf, TRACKS } from "../../../../src/web/console/timeline-scale.ts";

const step = (at: number, track: ScaledStep["track"], tookMs?: number): ScaledStep => ({ at, track, tookMs });

describe("the picture of a payment", () => {
  it("is to scale: twice as long is twice as wide", () => {
    const { lanes, totalMs } = scaleOf([
      step(1_000, "register"),
      step(1_200, "card", 200),
      step(1_600, "gateway", 400),
      step(2_000, "journal", 1_000),
    ]);
    expect(totalMs).toBe(1_000);
    const bars = lanes.flatMap(({ bars: own }) => own.map(({ from, width }) => [from, width]));
    expect(bars).toEqual([
      [0, 20],
      [20, 40],
      [0, 100],
    ]);
  });

  it("draws half an hour of silence short, and says so", () => {
    const { cuts, lanes, ticks } = scaleOf([
      step(0, "register"),
      step(2_000, "gateway", 1_000),
      step(1_802_000, "gateway"),
      step(1_803_000, "journal"),
    ]);
    expect(cuts.map(({ ms }) => ms)).toEqual([1_800_000]);
    // Three seconds take what the wait leaves: the first two 62 percent.
    expect(lanes[1]?.marks.map(({ at }) => Math.round(at))).toEqual([62, 69]);
    expect(ticks.at(-1)?.text).toBe("30 min 2 s");
  });

  it("draws a wait at its own length where nothing else is pressed together by it", () => {
    expect(scaleOf([step(0, "register"), step(40_000, "card", 40_000), step(55_000, "gateway", 15_000)]).cuts).toEqual(
      [],
    );
    expect(scaleOf([step(0, "register"), step(3_600_000, "gateway")]).cuts).toEqual([]);
  });

  it("gives steps that would cover each other one mark", () => {
    const { lanes } = scaleOf([step(0, "gateway"), step(1, "gateway"), step(1_000, "gateway")]);
    expect(lanes[0]?.marks.map(({ steps }) => steps)).toEqual([[0, 1], [2]]);
  });

  it("has no lane for who did nothing, and survives a payment of one step", () => {
    const { lanes, totalMs, ticks } = scaleOf([step(5, "register")]);
    expect(lanes.map(({ track }) => track)).toEqual(["register"]);
    expect([totalMs, ticks]).toEqual([0, []]);
    expect(scaleOf([]).lanes).toEqual([]);
  });
});

const steps = fc
  .array(
    fc.record({
      at: fc.integer({ min: 0, max: 10_000_000 }),
      tookMs: fc.option(fc.integer({ min: 0, max: 5_000_000 }), { nil: undefined }),
      track: fc.constantFrom(...TRACKS),
    }),
    {
      maxLength: 40,
    },
  )
  .map((all) => all.toSorted((a, b) => a.at - b.at));

it("whatever happened, everything stands inside of the picture and in the order of time", () => {
  fc.assert(
    fc.property(steps, (all) => {
      const { lanes, ticks, cuts } = scaleOf(all);
      const places = [
        ...lanes.flatMap(({ bars, marks }) => [
          ...bars.flatMap(({ from, width }) => [from, from + width]),
          ...marks.map(({ at }) => at),
        ]),
        ...ticks.map(({ at }) => at),
        ...cuts.flatMap(({ at, width }) => [at, at + width]),
      ];
      for (const place of places) {
        expect(place).toBeGreaterThanOrEqual(0);
        expect(place).toBeLessThanOrEqual(100.000_001);
      }
      for (const { marks } of lanes)
        expect(marks.map(({ at }) => at)).toEqual(marks.map(({ at }) => at).toSorted((a, b) => a - b));
      expect(lanes.flatMap(({ marks }) => marks.flatMap((mark) => mark.steps)).toSorted((a, b) => a - b)).toEqual(
        all.map((_, at) => at),
      );
    }),
  );
});

it.each([
  [[2], "3"],
  [[2, 3, 4], "3–5"],
  [[2, 5], "3, 6"],
  [[0, 1, 6], "1–2, 7"],
])("the steps %j are numbered %s", (of, text) => {
  expect(numbersText(of)).toBe(text);
});
