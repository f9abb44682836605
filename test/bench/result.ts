import { z } from "zod";
import type { Figures } from "./figures.ts";
import { type Row, rowNamed } from "./rows.ts";
import { summaryOf, summarySchema } from "./statistics.ts";

const measuredSchema = z.object({
  id: z.string(),
  own: summarySchema,
  beside: summarySchema.optional(),
  /** What the bridge takes, as a multiple of what stands beside it. */
  ratio: z.number().optional(),
});
export type Measured = z.infer<typeof measuredSchema>;

export const resultSchema = z.object({
  at: z.string(),
  machine: z.object({ processor: z.string(), cores: z.int(), kernel: z.string(), node: z.string() }),
  terminals: z.int(),
  payments: z.int(),
  rows: z.array(measuredSchema),
});
/** One run, as `--json` prints it. */
export type Result = z.infer<typeof resultSchema>;

export function measuredIn(figures: Figures): readonly Measured[] {
  return figures.rows().flatMap((id) => {
    const row = rowNamed(id);
    const values = figures.of(id);
    // A journal of the usual size that stands alone is the bridge's own figure.
    const [own, beside] =
      values.bridge.length === 0
        ? [summaryOf(values.bare), undefined]
        : [summaryOf(values.bridge), summaryOf(values.bare)];
    if (own === undefined || row === undefined) return [];
    return [{ id, own, ...(beside && { beside, ratio: ratioOf(row, own.median, beside.median) }) }];
  });
}

function ratioOf({ better }: Row, own: number, beside: number): number {
  return better === "lower" ? own / beside : beside / own;
}

export interface Compared {
  readonly id: string;
  /** Now as a multiple of then: the row's ratio where it has one, else its value. */
  readonly change: number;
  /** The middle halves of both runs do not overlap. */
  readonly isOutside: boolean;
}

/** Both runs may be of different machines, so a row that has something beside it is compared by its ratio. */
export function compare(now: Result, then: Result): readonly Compared[] {
  return now.rows.flatMap((measured) => {
    const row = rowNamed(measured.id);
    const before = then.rows.find(({ id }) => id === measured.id);
    if (row === undefined || before === undefined) return [];
    const [a, b] = [rangeOf(row, measured), rangeOf(row, before)];
    const change = b.median === 0 ? (a.median === 0 ? 1 : Number.POSITIVE_INFINITY) : a.median / b.median;
    return [{ id: row.id, change, isOutside: a.low > b.high || a.high < b.low }];
  });
}

function rangeOf(
  row: Row,
  { own, beside }: Measured,
): { readonly low: number; readonly median: number; readonly high: number } {
  if (beside === undefined) return own;
  const ends = [own.low, own.median, own.high].map((value) => ratioOf(row, value, beside.median));
  const [low = Number.NaN, median = low, high = median] = ends.toSorted((a, b) => a - b);
  return { low, median, high };
}

/** Rows whose ratio is beyond its gross limit. */
export function beyond(
  rows: readonly Measured[],
  limits: Readonly<Record<string, number>>,
): readonly { readonly id: string; readonly ratio: number; readonly limit: number }[] {
  return rows.flatMap(({ id, ratio }) => {
    const limit = limits[id];
    return ratio !== undefined && limit !== undefined && ratio > limit ? [{ id, ratio, limit }] : [];
  });
}
