import { describe, expect, it } from "vitest";
import { readArguments } from "./arguments.ts";
import { createFigures } from "./figures.ts";
import { pageWith } from "./page.ts";
import { comparedLines, reportLines } from "./report.ts";
import { beyond, compare, measuredIn, type Result, resultSchema } from "./result.ts";
import { GROSS, rowNamed, rows } from "./rows.ts";
import { summaryOf } from "./statistics.ts";

describe("a summary", () => {
  it("has the middle, the quartiles and the ends, whatever the order", () => {
    expect(summaryOf([5, 1, 4, 2, 3])).toEqual({ count: 5, median: 3, low: 2, high: 4, least: 1, most: 5, p99: 4.96 });
  });

  it("lies between two values where none is in the middle", () => {
    expect(summaryOf([10, 20])).toMatchObject({ median: 15, low: 12.5, high: 17.5 });
  });

  it("of one value is that value, and of none is nothing", () => {
    expect(summaryOf([7])).toMatchObject({ count: 1, median: 7, low: 7, high: 7 });
    expect(summaryOf([])).toBeUndefined();
  });
});

/** A run in which these rows had these values. */
function run(of: Readonly<Record<string, readonly [own: readonly number[], beside: readonly number[]]>>): Result {
  const figures = createFigures();
  for (const [row, [own, beside]] of Object.entries(of)) {
    for (const value of own) figures.add(row, "bridge", value);
    for (const value of beside) figures.add(row, "bare", value);
  }
  const machine = { processor: "AMD EPYC", cores: 2, kernel: "Linux 6", node: "v24.1.0" };
  return {
    ...{ at: "2026-01-15T09:00:00.000Z", machine, terminals: 32, payments: 1_000 },
    rows: [...measuredIn(figures)],
  };
}

describe("a measured row", () => {
  it("has the bridge's median as a multiple of what stands beside it", () => {
    expect(
      run({
        "sale-own": [
          [3, 4, 5],
          [2, 2, 2],
        ],
      }).rows,
    ).toMatchObject([{ id: "sale-own", ratio: 2 }]);
  });

  it("turns the ratio over where more is better, so that a higher ratio is always worse", () => {
    expect(run({ "many-rate": [[50], [100]] }).rows).toMatchObject([{ ratio: 2 }]);
  });

  it("is the bridge's own where only a journal of the usual size was measured", () => {
    const [row] = run({ start: [[], [900]] }).rows;
    expect(row).toMatchObject({ own: { median: 900 } });
    expect(row?.ratio).toBeUndefined();
  });
});

describe("two runs compared", () => {
  const then = run({
    "sale-own": [
      [3.9, 4, 4.1],
      [2, 2, 2],
    ],
    "log-lost": [[0], []],
  });

  it("are told apart by their ratios, so that another machine changes nothing", () => {
    const slower = run({
      "sale-own": [
        [39, 40, 41],
        [20, 20, 20],
      ],
    });
    expect(compare(slower, then)).toEqual([{ id: "sale-own", change: 1, isOutside: false }]);
  });

  it("differ where their middle halves do not overlap", () => {
    const better = run({
      "sale-own": [
        [2.9, 3, 3.1],
        [2, 2, 2],
      ],
    });
    expect(compare(better, then)).toEqual([{ id: "sale-own", change: 0.75, isOutside: true }]);
  });

  it("have no change where both have nothing, and an endless one from nothing to something", () => {
    expect(compare(run({ "log-lost": [[0], []] }), then)).toMatchObject([{ change: 1, isOutside: false }]);
    const lost = compare(run({ "log-lost": [[5], []] }), then);
    expect(lost).toEqual([{ id: "log-lost", change: Number.POSITIVE_INFINITY, isOutside: true }]);
  });

  it("leave out a row that one of them has not", () => {
    expect(compare(run({ form: [[1], [1]] }), then)).toEqual([]);
  });

  it("are read back from what --json printed", () => {
    expect(resultSchema.parse(JSON.parse(JSON.stringify(then)))).toEqual(then);
  });

  it("are shown row by row", () => {
    const better = run({
      "sale-own": [
        [2.9, 3, 3.1],
        [2, 2, 2],
      ],
    });
    expect(comparedLines(compare(better, then))).toEqual([
      "row       now / then",
      "sale-own  0.75 x      outside of the spread",
    ]);
  });
});

describe("gross limits", () => {
  it("are of rows that have something beside them", () => {
    const wrong = Object.keys(GROSS).filter((id) => (rowNamed(id)?.beside ?? "nothing") === "nothing");
    expect(wrong).toEqual([]);
  });

  it("name the rows beyond them", () => {
    const { rows: measured } = run({ "sale-own": [[12], [1]], form: [[1], [1]], start: [[99], [1]] });
    expect(beyond(measured, { "sale-own": 6, form: 12 })).toEqual([{ id: "sale-own", ratio: 12, limit: 6 }]);
  });
});

describe("a report", () => {
  it("shows medians, quartiles and the ratio", () => {
    const [, line] = reportLines(
      run({
        "sale-written": [
          [180_000, 181_000, 185_000],
          [30_000, 30_000, 30_000],
        ],
      }),
    );
    expect(line).toMatch(/181 kB \(181 to 183\) .* 30\.0 kB \(30\.0 to 30\.0\) \(bare script\) +6\.03 x$/);
  });

  it("replaces the measured part of the page and keeps the packaged program", () => {
    const page = "# Performance\n\nof yesterday\n\n## The packaged program\n\nkept\n";
    const once = pageWith(page, run({ "sale-own": [[4], [2]] }));
    expect(once).toContain("| own time in a sale: card's data to POST, and reply to card | 4.00 ms |");
    expect(once).not.toContain("of yesterday");
    expect(once.endsWith("\n## The packaged program\n\nkept\n")).toBe(true);
    expect(pageWith(once, run({ "sale-own": [[4], [2]] }))).toBe(once);
  });

  it("has no two rows of one name", () => expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length));
});

describe("the command line", () => {
  it("measures everything when nothing is said", () => {
    expect(readArguments([])).toMatchObject({ is: "measure", wish: { only: [], quick: false, terminals: 32 } });
  });

  it("takes rows, a long journal and a folder for it", () => {
    const read = readArguments(["--only", "start", "--only", "memory", "--journal", "100000", "--data", "/tmp/d"]);
    expect(read).toMatchObject({ wish: { only: ["start", "memory"], journal: 100_000, dataDir: "/tmp/d" } });
  });

  it("takes the order of a journal", () => {
    const read = readArguments(["journal", "--payments", "5", "--data", "/tmp/d"]);
    expect(read).toEqual({ is: "journal", payments: 5, dataDir: "/tmp/d", seed: 1 });
  });

  it.each([
    [["--only", "speed"], "there is no such row"],
    [["--journal", "7"], "must be a whole number from 1000"],
    [["--data", "/tmp/d"], "needs --journal"],
    [["journal", "--payments", "5"], "--data DIR is missing"],
    [["sale"], "sale is no command"],
    [["--fast"], "--fast"],
  ])("refuses %j and says why", (argv, why) => {
    expect(readArguments(argv)).toMatchObject({ is: "wrong", problem: expect.stringContaining(why) });
  });
});
