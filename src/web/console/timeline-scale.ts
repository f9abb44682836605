import { durationText } from "./times.ts";

/** The picture's lanes, top to bottom. */
export const TRACKS = ["register", "card", "terminal", "gateway", "journal"] as const;
export type Track = (typeof TRACKS)[number];

/** A step's data for the picture. `at`: epoch milliseconds. */
export interface ScaledStep {
  readonly at: number;
  readonly tookMs?: number | undefined;
  readonly track: Track;
}

/** Duration of a step. All positions are percent of the width. */
interface Bar {
  readonly from: number;
  readonly width: number;
  readonly step: number;
}

/** Steps too close to separate share a mark. `steps`: their indexes. */
interface Mark {
  readonly at: number;
  readonly steps: readonly number[];
}

export interface Lane {
  readonly track: Track;
  readonly bars: readonly Bar[];
  readonly marks: readonly Mark[];
}

export interface Scale {
  readonly totalMs: number;
  readonly lanes: readonly Lane[];
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
  /** Long waits drawn shortened, with their real duration. */
  readonly cuts: readonly { readonly at: number; readonly width: number; readonly ms: number }[];
}

/** A wait is shortened if it lasts LONG_MS and TIMES_LONGER times all short waits together. */
const LONG_MS = 30_000;
const TIMES_LONGER = 4;
/** Width of a shortened wait, and the maximum of all together, in percent. */
const CUT_WIDTH = 7;
const CUTS_WIDTH = 56;
/** Minimum distance of marks in a lane, and of ticks, in percent. */
const MARK_WIDTH = 2.6;
const TICK_WIDTH = 8;
const MOST_TICKS = 9;

interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly isCut: boolean;
}

/** Lays out the steps to scale. Only waits that would squeeze all others are shortened, and marked. */
export function scaleOf(steps: readonly ScaledStep[]): Scale {
  const moments = [...new Set(steps.flatMap(({ at, tookMs = 0 }) => [at - tookMs, at]))].toSorted((a, b) => a - b);
  const first = moments[0] ?? 0;
  const stretches = stretchesOf(moments);
  const cuts = stretches.filter(({ isCut }) => isCut);
  const cutWidth = cuts.length === 0 ? 0 : Math.min(CUT_WIDTH, CUTS_WIDTH / cuts.length);
  const linearMs = lengthOf(stretches.filter(({ isCut }) => !isCut));
  const perMs = linearMs === 0 ? 0 : (100 - cutWidth * cuts.length) / linearMs;
  const widthOf = ({ from, to, isCut }: Stretch): number => (isCut ? cutWidth : (to - from) * perMs);
  /** Position of a time: all earlier stretches, and the part of its own. */
  const placeOf = (moment: number): number => {
    let place = 0;
    for (const stretch of stretches) {
      if (moment >= stretch.to) place += widthOf(stretch);
      else if (moment > stretch.from)
        place += (widthOf(stretch) * (moment - stretch.from)) / (stretch.to - stretch.from);
    }
    return place;
  };
  return {
    totalMs: (moments.at(-1) ?? first) - first,
    lanes: TRACKS.filter((track) => steps.some((step) => step.track === track)).map((track) =>
      laneOf(track, steps, placeOf),
    ),
    ticks: ticksOf(stretches, first, linearMs, placeOf),
    cuts: cuts.map(({ from, to }) => ({ at: placeOf(from), width: cutWidth, ms: to - from })),
  };
}

function stretchesOf(moments: readonly number[]): readonly Stretch[] {
  const gaps = moments.slice(1).map((to, at) => ({ from: moments[at] ?? to, to }));
  const shortMs = lengthOf(gaps.filter(({ from, to }) => to - from < LONG_MS));
  return gaps.map(({ from, to }) => ({
    from,
    to,
    isCut: shortMs > 0 && to - from >= LONG_MS && to - from > TIMES_LONGER * shortMs,
  }));
}

function lengthOf(stretches: readonly Pick<Stretch, "from" | "to">[]): number {
  return stretches.reduce((sum, { from, to }) => sum + to - from, 0);
}

function laneOf(track: Track, steps: readonly ScaledStep[], placeOf: (moment: number) => number): Lane {
  const bars: Bar[] = [];
  const marks: { at: number; steps: number[] }[] = [];
  for (const [step, { at, tookMs = 0, track: own }] of steps.entries()) {
    if (own !== track) continue;
    const place = placeOf(at);
    if (tookMs > 0) bars.push({ from: placeOf(at - tookMs), width: place - placeOf(at - tookMs), step });
    const near = marks.at(-1);
    if (near !== undefined && place - near.at < MARK_WIDTH) near.steps.push(step);
    else marks.push({ at: place, steps: [step] });
  }
  return { track, bars, marks };
}

const STEPS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000].concat(
  [1, 2, 5, 10, 15, 30, 60, 120, 360, 720, 1_440, 2_880, 10_080].map((minutes) => minutes * 60_000),
);

/** Round times since the first step, and the ends of shortened waits. */
function ticksOf(
  stretches: readonly Stretch[],
  first: number,
  linearMs: number,
  placeOf: (moment: number) => number,
): Scale["ticks"] {
  const stepMs = STEPS_MS.find((ms) => linearMs / ms <= MOST_TICKS) ?? 31 * 86_400_000;
  const wanted = stretches.flatMap(({ from, to, isCut }) => {
    if (isCut) return [to];
    const round: number[] = [];
    for (let at = Math.ceil((from - first) / stepMs) * stepMs + first; at < to; at += stepMs) round.push(at);
    return round;
  });
  const ticks: { at: number; text: string }[] = [];
  for (const moment of wanted) {
    const at = placeOf(moment);
    const before = ticks.at(-1);
    if (before === undefined || at - before.at >= TICK_WIDTH)
      ticks.push({ at, text: moment === first ? "0" : durationText(moment - first) });
  }
  return ticks;
}

/** "3", "3–5" or "3, 6": the step numbers of a mark, as in the table. */
export function numbersText(steps: readonly number[]): string {
  const runs: { first: number; last: number }[] = [];
  for (const step of steps) {
    const run = runs.at(-1);
    if (run !== undefined && step === run.last + 1) run.last = step;
    else runs.push({ first: step, last: step });
  }
  return runs.map(({ first, last }) => (first === last ? `${first + 1}` : `${first + 1}–${last + 1}`)).join(", ");
}
