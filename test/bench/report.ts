import type { Compared, Measured, Result } from "./result.ts";
import { type Row, rowNamed } from "./rows.ts";
import type { Summary } from "./statistics.ts";

/** Lines for a screen. */
export function reportLines({ rows }: Pick<Result, "rows">): readonly string[] {
  const cells = rows.flatMap((measured) => cellsOf(measured));
  return tableLines([["row", "what", "bridge", "p99", "beside", "ratio"], ...cells]);
}

/** A table for docs/performance.md. */
export function pageLines({ rows }: Pick<Result, "rows">): readonly string[] {
  return [
    "| | bridge | p99 | beside it | ratio |",
    "|---|---|---|---|---|",
    ...rows.flatMap(cellsOf).map(([, what, ...rest]) => `| ${[what, ...rest].join(" | ")} |`),
  ];
}

export function comparedLines(compared: readonly Compared[]): readonly string[] {
  const cells = compared.map(({ id, change, isOutside }) => [
    id,
    `${change.toFixed(2)} x`,
    isOutside ? "outside of the spread" : "",
  ]);
  return tableLines([["row", "now / then", ""], ...cells]);
}

function cellsOf({ id, own, beside, ratio }: Measured): readonly (readonly string[])[] {
  const row = rowNamed(id);
  if (row === undefined) return [];
  const other = beside === undefined ? "" : `${spread(row, beside)} (${row.beside})`;
  const times = ratio === undefined ? "" : `${ratio.toFixed(2)} x`;
  return [[id, row.title, spread(row, own), value(row, own.p99), other, times]];
}

/** The median, and the quartiles around it. */
function spread(row: Row, { median, low, high, count }: Summary): string {
  return count === 1 ? value(row, median) : `${value(row, median)} (${bare(row, low)} to ${bare(row, high)})`;
}

function value(row: Row, of: number): string {
  return `${bare(row, of)} ${row.unit === "us" ? "µs" : row.unit}`;
}

function bare({ per = 1 }: Row, of: number): string {
  const shown = of / per;
  if (shown >= 100) return Math.round(shown).toLocaleString("en");
  return shown.toFixed(shown >= 10 || shown === 0 ? 1 : 2);
}

function tableLines(cells: readonly (readonly string[])[]): readonly string[] {
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  return cells.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
