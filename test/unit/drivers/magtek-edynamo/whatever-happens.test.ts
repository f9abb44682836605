import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LONGEST_FRAME, LONGEST_MESSAGE } from "../../../../drivers/magtek-edynamo/frame.ts";
import { notifications } from "../../../../drivers/magtek-edynamo/message.ts";
import type { Command } from "../../../../src/card/command.ts";
import { isEnding } from "../../../../src/terminal/command-book.ts";
import { ALL } from "../../../support/driver-bench.ts";
import { arqc, createBench, held, identified, resultOf } from "./bench.ts";

const commands: readonly Command[] = [
  ...(["identify", "idle", "cancel"] as const).map((what) => ({ do: what })),
  { do: "set-clock", now: ALL.now },
  { do: "collect", request: ALL },
  { do: "collect", request: { ...ALL, transactionType: "20" } },
  { do: "collect", request: { ...ALL, again: "fallback" } },
  { do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } },
  { do: "complete", issuer: { verdict: "declined", arc: "3035", scripts: [{ tag: "72", value: "AA".repeat(90) }] } },
  { do: "display", lines: ["x"] },
  { do: "ask-pin", request: ALL },
];

type Happening = (bench: ReturnType<typeof createBench>) => void;
const statuses = ["00", "01", "02", "10", "1E", "21", "22", "23", "FF"];

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(...commands).map(
      (command): Happening =>
        (bench) =>
          void bench.command(command),
    ),
  },
  {
    weight: 8,
    arbitrary: fc.constantFrom("0000", "0000", "038D", "038F", "0381", "0396").map(
      (result): Happening =>
        (bench) =>
          bench.result(result),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(0x00, 0x06, 0x02).map(
      (code): Happening =>
        (bench) =>
          bench.answer(code, "423346"),
    ),
  },
  { weight: 2, arbitrary: fc.constant<Happening>((bench) => bench.pending()) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        fc.constantFrom("01", "02", "03", "06", "07", "08", "09", "0A"),
        fc.constantFrom("00", "02", "11", "12", "13", "14", "17", "28", "2A", "31"),
      )
      .map(
        ([event, stage]): Happening =>
          (bench) =>
            bench.progress(event, stage),
      ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom("01", "05", "06", "07").map(
      (type): Happening =>
        (bench) =>
          bench.tell("arqc", arqc({ type })),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(...statuses).map(
      (status): Happening =>
        (bench) =>
          bench.tell("result", resultOf(status)),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...Object.keys(notifications)), fc.uint8Array({ maxLength: 40 }))
      .map(([name, data]): Happening => tells(name, data)),
  },
  {
    weight: 1,
    arbitrary: fc.uint8Array({ maxLength: 80 }).map(
      (bytes): Happening =>
        (bench) =>
          bench.feed({ on: "bytes", bytes }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.nat().map(
      (which): Happening =>
        (bench) =>
          fireOne(bench, which),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("opened" as const, "closed" as const).map(
      (on): Happening =>
        (bench) =>
          bench.feed({ on }),
    ),
  },
);

function tells(name: string, data: Uint8Array): Happening {
  const known = Object.keys(notifications).find((one): one is keyof typeof notifications => one === name);
  return (bench) => known && bench.tell(known, data);
}

function fireOne(bench: ReturnType<typeof createBench>, which: number): void {
  const running = Object.keys(bench.timers());
  const name = running[which % Math.max(1, running.length)];
  if (name !== undefined) bench.fire(name);
}

describe("whatever happens, in whatever order", () => {
  test.each(["serial", "usb"] as const)(
    "over %s nothing is thrown, and every command ends once by the time the link is closed",
    (transport) => {
      fc.assert(
        fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
          const bench = createBench("tdynamo", transport);
          bench.feed({ on: "opened" });
          bench.fire("settle");
          for (const what of happenings) {
            what(bench);
            const { one } = bench.state();
            expect(one.codec.pending.length).toBeLessThanOrEqual(LONGEST_FRAME);
            expect(one.codec.assembly?.soFar.length ?? 0).toBeLessThanOrEqual(LONGEST_MESSAGE);
            // A running job always has a clock, so that nothing waits for ever.
            if (one.link === "up" && one.job.is !== "none")
              expect(Object.keys(bench.timers()).length).toBeGreaterThan(0);
          }
          bench.feed({ on: "closed" });
          const issued = bench.command({ do: "idle" });
          const ends = bench.look().notices.filter((notice) => notice.n > 0 && isEnding(notice));
          expect(ends.map(({ n }) => n).sort((a, b) => a - b)).toEqual(
            Array.from({ length: issued }, (_, at) => at + 1),
          );
        }),
        { numRuns: 300 },
      );
    },
  );

  test("a final word with one bit changed is never an approval that is not one", () => {
    for (const status of ["01", "02"]) {
      for (let bit = 0; bit < 8; bit += 1) {
        const bench = held(identified());
        const n = bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
        bench.pending();
        bench.result();
        bench.progress("06", "14");
        const changed = (Number.parseInt(status, 16) ^ (1 << bit)).toString(16).padStart(2, "0");
        bench.tell("result", resultOf(changed));
        const ending = bench.look().notices.find((notice) => notice.n === n);
        if (ending?.on === "finished") expect(ending.verdict).not.toBe("approved");
      }
    }
  });
});
