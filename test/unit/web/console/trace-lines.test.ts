import { describe, expect, it } from "vitest";
import type { Traced } from "../../../../src/client/technician.ts";
import {
  MOST_LINES,
  matchesTrace,
  readUntil,
  type TraceAction,
  type Traces,
  traced,
  traceOf,
  traceText,
} from "../../../../src/web/console/trace-lines.ts";

const line = (text: string, more: Partial<Traced> = {}): Traced => ({
  terminal: "till-1",
  at: "2026-03-01T10:00:00.000Z",
  direction: "sent",
  text,
  ...more,
});
const told = (...actions: readonly TraceAction[]): Traces => actions.reduce(traced, {});
const BEGUN = { is: "begun", terminal: "till-1", until: 900_000 } as const;

it("a trace is over once its time has come, whether or not anybody said so", () => {
  expect([readUntil({ until: 900 }, 899), readUntil({ until: 900 }, 900), readUntil({ until: undefined }, 0)]).toEqual([
    900,
    undefined,
    undefined,
  ]);
});

describe("the trace of a terminal", () => {
  it("keeps each terminal's lines apart", () => {
    const traces = told(
      BEGUN,
      { is: "heard", line: line("RESET") },
      { is: "heard", line: line("PING", { terminal: "constructor" }) },
    );
    expect(traceOf(traces, "till-1")).toMatchObject({ until: 900_000, lines: [{ text: "RESET" }] });
    expect(traceOf(traces, "constructor").lines).toHaveLength(1);
    expect(traceOf(traces, "toString").lines).toEqual([]);
  });

  it("ends with the session, and says so where it was on", () => {
    const traces = told(
      BEGUN,
      { is: "begun", terminal: "till-2", until: 1 },
      { is: "ended", terminal: "till-2" },
      { is: "cut", at: "2026-03-01T10:05:00.000Z" },
    );
    expect(traceOf(traces, "till-1")).toMatchObject({ until: undefined, lines: [{ direction: "note" }] });
    expect(traceOf(traces, "till-2").lines).toEqual([]);
  });

  it("goes on when it is cleared", () => {
    expect(
      traceOf(told(BEGUN, { is: "heard", line: line("RESET") }, { is: "cleared", terminal: "till-1" }), "till-1"),
    ).toMatchObject({
      until: 900_000,
      lines: [],
    });
  });

  it("lets the oldest lines go, and counts them", () => {
    const full: Traces = {
      "till-1": { until: 1, lines: Array.from({ length: MOST_LINES }, (_, at) => line(String(at))), dropped: 0 },
    };
    const { lines, dropped } = traceOf(traced(full, { is: "heard", line: line("last") }), "till-1");
    expect([lines.length, lines[0]?.text, lines.at(-1)?.text, dropped]).toEqual([MOST_LINES, "1", "last", 1]);
  });
});

const TAGGED = line("GENERATE AC", {
  direction: "received",
  tags: [
    { tag: "9F27", name: "Cryptogram Information Data", length: 1, value: "80" },
    { tag: "57", name: "Track 2 Equivalent Data", length: 19 },
  ],
});

it("is a text file: one line a frame, its tags below, no value that was not told", () => {
  expect(
    traceText("till-1", { until: undefined, lines: [TAGGED], dropped: 2 })
      .split("\n")
      .slice(1),
  ).toEqual([
    "2 older lines were left out.",
    "",
    "2026-03-01T10:00:00.000Z  terminal → bridge  GENERATE AC",
    "    9F27 Cryptogram Information Data = 80",
    "    57 Track 2 Equivalent Data = 19 bytes, not shown",
    "",
  ]);
});

it.each([
  ["generate", true],
  ["9f27", true],
  ["track 2", true],
  ["", true],
  ["reset", false],
])("the search for %j finds it: %s", (search, found) => {
  expect(matchesTrace(TAGGED, search)).toBe(found);
});
