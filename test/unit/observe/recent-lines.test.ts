import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { createLog } from "../../../src/observe/log.ts";
import { createRecentLines } from "../../../src/observe/recent-lines.ts";

const AT = "2026-01-15T09:00:00.000Z";
const line = (n: number, more: object = {}): string =>
  JSON.stringify({ level: "info", time: AT, n, ...more, msg: `line ${n}` });
const numbers = (page: { readonly lines: readonly { readonly fields?: Readonly<Record<string, unknown>> }[] }) =>
  page.lines.map(({ fields }) => fields?.["n"]);

function holding(count: number) {
  const recent = createRecentLines("p1");
  for (let n = 1; n <= count; n += 1) recent.add(line(n));
  return recent;
}

it("gives the newest lines, and then those that came since", () => {
  const recent = holding(5);
  const first = recent.page({ limit: 2 });
  expect(first).toEqual({
    lines: [
      { at: AT, level: "info", text: "line 4", fields: { n: 4 } },
      { at: AT, level: "info", text: "line 5", fields: { n: 5 } },
    ],
    next: "p1-5",
  });
  expect(recent.page({ after: first.next, limit: 2 })).toEqual({ lines: [], next: "p1-5" });
  for (const n of [6, 7, 8]) recent.add(line(n));
  const second = recent.page({ after: first.next, limit: 2 });
  expect([numbers(second), numbers(recent.page({ after: second.next, limit: 2 }))]).toEqual([[6, 7], [8]]);
});

it("begins with the oldest line for a mark of another process, and for one that is none", () => {
  for (const after of ["p0-4", "x", "p1-", "p1-1e3"])
    expect(numbers(holding(3).page({ after, limit: 9 }))).toEqual([1, 2, 3]);
});

it("holds 1,000 lines", () => {
  const page = holding(1_003).page({ limit: 1_000 });
  expect([page.lines.length, numbers(page)[0], page.next]).toEqual([1_000, 4, "p1-1003"]);
});

it("holds 1,048,576 characters, and of a line of more than 16,384 no fields", () => {
  const recent = createRecentLines("p1");
  const long = "x".repeat(10_000);
  for (let n = 1; n <= 200; n += 1) recent.add(line(n, { long }));
  const held = recent.page({ limit: 1_000 }).lines;
  expect(JSON.stringify(held).length).toBeLessThan(1_060_000);
  expect(held.length).toBeGreaterThan(90);
  const huge = createRecentLines("p1");
  huge.add(JSON.stringify({ level: "warn", time: AT, detail: "y".repeat(2_000_000), msg: "z".repeat(5_000) }));
  const [only] = huge.page({ limit: 1 }).lines;
  expect(only).toEqual({
    at: AT,
    level: "warn",
    text: "z".repeat(1_000),
    fields: { leftOut: expect.stringMatching(/^the fields of a line of 200\d+ characters$/) },
  });
});

it.each([true, false])("has the lines as the log writes them, without what it never shows (tty %s)", (tty) => {
  const written: string[] = [];
  const to = new Writable({
    write: (chunk, _encoding, done) => {
      written.push(String(chunk));
      done();
    },
  });
  const recent = createRecentLines("p1");
  const log = createLog({ to, tty, level: "info", now: () => Date.parse(AT), recent });
  log.debug({}, "not at this level");
  log.info({ terminal: "till-1", pan: "4761340000000050", inside: { token: "pbt_1" } }, "told");
  const { lines } = recent.page({ limit: 9 });
  expect(lines).toEqual([
    {
      at: AT,
      level: "info",
      text: "told",
      fields: { terminal: "till-1", pan: "[redacted]", inside: { token: "[redacted]" } },
    },
  ]);
  expect(written.join("")).toContain("told");
});
