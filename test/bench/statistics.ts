import { z } from "zod";

export const summarySchema = z.object({
  count: z.int(),
  median: z.number(),
  /** First and third quartile. */
  low: z.number(),
  high: z.number(),
  least: z.number(),
  most: z.number(),
  p99: z.number(),
});
/** What many values of one row come to. */
export type Summary = z.infer<typeof summarySchema>;

export function summaryOf(values: readonly number[]): Summary | undefined {
  if (values.length === 0) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  return {
    count: sorted.length,
    median: quantile(sorted, 0.5),
    low: quantile(sorted, 0.25),
    high: quantile(sorted, 0.75),
    least: quantile(sorted, 0),
    most: quantile(sorted, 1),
    p99: quantile(sorted, 0.99),
  };
}

/** Between two values of a sorted list in proportion. */
function quantile(sorted: readonly number[], part: number): number {
  const place = (sorted.length - 1) * part;
  const [below = Number.NaN, above = below] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place - Math.floor(place));
}
