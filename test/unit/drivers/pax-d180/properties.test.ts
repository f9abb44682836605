import fc from "fast-check";
import { expect, test } from "vitest";
import { type PaxState, paxD180Spec } from "../../../../drivers/pax-d180/driver.ts";
import { timerNames } from "../../../../drivers/pax-d180/flow.ts";
import { LONGEST_FRAME } from "../../../../drivers/pax-d180/frame.ts";
import { callBackFrame } from "../../../../drivers/pax-d180/message.ts";
import type { Command } from "../../../../src/card/command.ts";
import type { Notice } from "../../../../src/card/notice.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { lineTimers, MOST_WAITING } from "../../../../src/terminal/acknowledged-line.ts";
import { isEnding } from "../../../../src/terminal/command-book.ts";
import type { LinkEvent } from "../../../../src/terminal/driver.ts";
import { usualOptions } from "../../../../src/terminal/options.ts";
import { ALL, SALE } from "../../../support/driver-bench.ts";
import { answerHex, createBench, held, identified, OBJECTS, object, SEALED_57 } from "./bench.ts";
import { vectors } from "./vectors.ts";

const CLEAR = "4761739001010119";
const RESULTS = [0, -1, -2, -7, -8, -11, -22, -301, -320, -344, -0x110000, -0xffff, -0x10000 - 320];
const CODES = [
  0x9019, 0x9020, 0x9034, 0x9036, 0x903d, 0x903e, 0x904f, 0x9048, 0x9050, 0x9051, 0x9053, 0x9054, 0x9059, 0x9082,
  0x9083, 0x9097, 0x9098, 0x9099, 0x909a, 0x90a3, 0x90a4,
];
const DATA = [
  "",
  "00",
  "01",
  "02",
  "1B",
  object("80"),
  object("40"),
  object(`${CLEAR}D31122010000000000`),
  object(SEALED_57),
  "FFFF9876543210E00001",
  "0500",
];
const frames: readonly Uint8Array[] = [
  ...CODES.flatMap((code) => RESULTS.map((rc) => fromHex(answerHex(code, rc)))),
  ...CODES.flatMap((code) => DATA.map((data) => fromHex(answerHex(code, 0, data)))),
  ...DATA.map((data) => fromHex(answerHex(0x9082, -0x110000, data))),
  ...[0xb0, 0xb1, 0xb2, 0xb4, 0xb6, 0xc0, 0xff].map((sub) => callBackFrame(sub, Uint8Array.of(2, 0, 3, 0))),
  ...vectors.frames.map(({ hex }) => fromHex(hex)),
  Uint8Array.of(0x06),
  Uint8Array.of(0x15),
];

const commands: readonly Command[] = [
  ...([{ do: "identify" }, { do: "idle" }, { do: "cancel" }, { do: "set-clock", now: SALE.now }] as const),
  { do: "collect", request: SALE },
  { do: "collect", request: ALL },
  { do: "collect", request: { ...ALL, transactionType: "20" } },
  { do: "collect", request: { ...ALL, again: "fallback", interfaces: ["stripe"] } },
  { do: "collect", request: { ...ALL, again: "chip-unreadable" } },
  { do: "collect", request: { ...ALL, amount: 99_999_999_999 } },
  { do: "ask-pin", request: ALL },
  { do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } },
  { do: "complete", issuer: { verdict: "declined", arc: "3035", scripts: [] } },
  { do: "display", lines: ["x"] },
];

type Happening = { readonly command: Command } | { readonly event: LinkEvent } | { readonly go: number };

const bytesEvent = (bytes: Uint8Array): Happening => ({ event: { on: "bytes", bytes } });
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...commands).map((command) => ({ command })) },
  { weight: 6, arbitrary: fc.constantFrom(...frames).map(bytesEvent) },
  // A device that answers what it is asked, for so many commands: the deeper states are not reached by chance.
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 60 }).map((go) => ({ go })) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map(bytesEvent) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom("settle", ...timerNames, ...lineTimers, "unheard-of")
      .map((name) => ({ event: { on: "timer" as const, name } })),
  },
  { weight: 1, arbitrary: fc.constantFrom({ event: { on: "opened" as const } }, { event: { on: "closed" as const } }) },
);

interface Life {
  readonly issued: number;
  readonly notices: readonly Notice[];
  readonly timers: readonly string[];
}

function live(all: readonly Happening[]): Life {
  const bench = createBench();
  const notices: Notice[] = [];
  let issued = 0;
  for (const what of all) {
    if ("command" in what) issued = bench.command(what.command);
    else if ("event" in what) bench.feed(what.event);
    else for (let step = 0; step < what.go; step += 1) bench.runOne();
    const seen = bench.look();
    notices.push(...seen.notices);
    if (seen.reopen) {
      bench.feed({ on: "closed" });
      bench.feed({ on: "opened" });
    }
    notices.push(...bench.look().notices);
    const { line, inner } = bench.state();
    expect(line.pending.length).toBeLessThan(LONGEST_FRAME);
    expect(line.waiting.length).toBeLessThanOrEqual(MOST_WAITING);
    expect(inner.queue.length).toBeLessThanOrEqual(4);
  }
  return { issued, notices, timers: Object.keys(bench.timers()) };
}

const OPENED: Happening = { event: { on: "opened" } };
const CLOSED: Happening = { event: { on: "closed" } };

test("it never throws, stays bounded, and has ended every command once by the time the link is closed", () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 50 }), (all) => {
      const { issued, notices, timers } = live([OPENED, ...all, CLOSED]);
      const ended = notices.filter((notice) => notice.n > 0 && isEnding(notice)).map(({ n }) => n);
      expect(ended.toSorted((a, b) => a - b)).toEqual(Array.from({ length: issued }, (_, at) => at + 1));
      expect(timers).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("nothing of a card but sealed data and what may leave in clear ever comes out of it", () => {
  const forbidden = ["56", "57", "5A", "5F20", "5F24", "99", "9F1F", "9F20", "9F6B", "5F21", "5F22", "5F23"];
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 40 }), (all) => {
      const { notices } = live([OPENED, { command: { do: "collect", request: ALL } }, ...all]);
      for (const notice of notices) {
        const out = notice.on === "card" ? notice.card.icc : notice.on === "finished" ? notice.emv : [];
        expect(out.filter(({ tag }) => forbidden.includes(tag))).toEqual([]);
        expect(JSON.stringify(notice)).not.toContain(CLEAR);
      }
    }),
    { numRuns: 300 },
  );
});

test("an approval is never told where the issuer did not approve, nor twice", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...frames), { maxLength: 12 }), (after) => {
      for (const verdict of ["declined", "unable-to-go-online"] as const) {
        const bench = held(createBench());
        bench.command({ do: "complete", issuer: { verdict, arc: "3035", scripts: [] } });
        for (const bytes of after) bench.bytes(bytes);
        expect(
          bench.look().notices.filter((notice) => notice.on === "finished" && notice.verdict === "approved"),
        ).toEqual([]);
      }
    }),
    { numRuns: 150 },
  );
});

test("it does the same again from the same start", () => {
  const start = (): PaxState =>
    paxD180Spec.begin({ transport: "tcp", options: usualOptions(paxD180Spec.options), now: SALE.now, seed: 0 }).state;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...frames), { maxLength: 20 }), (all) => {
      const once = (): PaxState =>
        all.reduce(
          (state, bytes) => paxD180Spec.turn(state, { on: "bytes", bytes }).state,
          paxD180Spec.turn(start(), { on: "opened" }).state,
        );
      expect(once()).toEqual(once());
    }),
    { numRuns: 50 },
  );
});

test("the objects of a card come out as they were told, whatever their values", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 8, maxLength: 8 }),
      fc.uint8Array({ minLength: 1, maxLength: 32 }),
      (cryptogram, own) => {
        const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex").toUpperCase();
        const bench = identified(createBench());
        bench.command({ do: "collect", request: SALE });
        bench.runTo(undefined, { "9F26": [0, object(hex(cryptogram))], "9F10": [0, object(hex(own))] });
        const [notice] = bench.look().notices.filter(({ on }) => on === "card");
        if (notice?.on !== "card") throw new Error("no card");
        expect(notice.card.icc.filter(({ tag }) => tag === "9F26" || tag === "9F10").map(({ value }) => value)).toEqual(
          [cryptogram, own],
        );
        expect(notice.card.icc.length).toBe(Object.keys(OBJECTS).length);
      },
    ),
    { numRuns: 50 },
  );
});
