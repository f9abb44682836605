import fc from "fast-check";
import { expect, test } from "vitest";
import { idtechVp3300Spec, type NeoState } from "../../../../drivers/idtech-vp3300/driver.ts";
import { timerNames } from "../../../../drivers/idtech-vp3300/flow.ts";
import { encodeCommand, LONGEST_DATA } from "../../../../drivers/idtech-vp3300/frame.ts";
import { reportsOf } from "../../../../drivers/idtech-vp3300/reports.ts";
import type { Command } from "../../../../src/card/command.ts";
import type { Notice } from "../../../../src/card/notice.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { isEnding } from "../../../../src/terminal/command-book.ts";
import type { LinkEvent } from "../../../../src/terminal/driver.ts";
import { ALL, SALE } from "../../../support/driver-bench.ts";
import {
  chipAnswer,
  DATA_KEY,
  DONE,
  FIRMWARE,
  frameIn,
  MODULES,
  MORE,
  ONLINE,
  SELECTED,
  SERIAL,
  swipeAnswer,
  tapAnswer,
} from "./bench.ts";
import { vectors } from "./vectors.ts";

const answers = [
  ...[
    ...Object.values(DONE),
    FIRMWARE,
    SERIAL,
    DATA_KEY,
    MODULES,
    MORE,
    SELECTED,
    ONLINE,
    "0208",
    "0281",
    "020A",
    "600A",
    "6090",
    "601D",
  ],
  ...["0000", "0001", "0002", "0003", "0007", "0011", "0012", "007A", "3005", "5023", "FFFF"].map(
    (result) => `6000 C0DFEE2502${result}9F270140`,
  ),
  ...[chipAnswer("0002", "40"), chipAnswer("0003", "00"), chipAnswer("0004", "80", "0289", "5A084761739001010119")],
  ...[
    tapAnswer("23", "80"),
    tapAnswer("00", "40"),
    swipeAnswer(),
    "020A 01FFEE1F0430000000",
    "020A 01FFEE1F0402000000",
  ],
];
const told = [
  "F200 01",
  "F200 00",
  "1401 4E454F",
  "6101 01 0000 0200 454E 0000 0000",
  "6102 01",
  "6101 03 0000 0200 454E 0300 810E1C 0000",
];
const frames = [
  ...answers.map((text) => frameIn(text)),
  ...told.map((text) => frameIn(text, encodeCommand)),
  ...vectors.frames.map(({ hex }) => fromHex(hex)),
];

const commands: readonly Command[] = [
  ...([{ do: "identify" }, { do: "idle" }, { do: "cancel" }, { do: "set-clock", now: SALE.now }] as const),
  { do: "collect", request: SALE },
  { do: "collect", request: ALL },
  { do: "collect", request: { ...ALL, transactionType: "20" } },
  { do: "collect", request: { ...ALL, again: "fallback" } },
  { do: "collect", request: { ...ALL, again: "chip-unreadable" } },
  { do: "collect", request: { ...ALL, interfaces: ["contactless"] } },
  { do: "ask-pin", request: ALL },
  { do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } },
  { do: "complete", issuer: { verdict: "declined", arc: "3035", scripts: [] } },
  { do: "display", lines: ["x"], meaning: "approved" },
];

type Happening = { readonly command: Command } | { readonly event: LinkEvent };

const bytesEvent = (bytes: Uint8Array): Happening => ({ event: { on: "bytes", bytes } });
const happenings = (pieces: (frame: Uint8Array) => readonly Uint8Array[]): fc.Arbitrary<readonly Happening[]> =>
  fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...commands).map((command): readonly Happening[] => [{ command }]) },
        { weight: 8, arbitrary: fc.constantFrom(...frames).map((frame) => pieces(frame).map(bytesEvent)) },
        { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => [bytesEvent(bytes)]) },
        {
          weight: 3,
          arbitrary: fc
            .constantFrom("settle", ...timerNames, "unheard-of")
            .map((name): readonly Happening[] => [{ event: { on: "timer", name } }]),
        },
        { weight: 2, arbitrary: fc.constant<readonly Happening[]>([{ event: { on: "opened" } }]) },
        { weight: 1, arbitrary: fc.constant<readonly Happening[]>([{ event: { on: "closed" } }]) },
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.flat());

interface Life {
  readonly issued: number;
  readonly notices: readonly Notice[];
  readonly timers: ReadonlySet<string>;
}

function live(all: readonly Happening[], transport: "usb" | "serial"): Life {
  let state: NeoState = idtechVp3300Spec.begin({ transport, options: {}, now: SALE.now, seed: 0 }).state;
  let issued = 0;
  const notices: Notice[] = [];
  const timers = new Set<string>();
  for (const what of all) {
    if ("command" in what) issued += 1;
    const turn = idtechVp3300Spec.turn(
      state,
      "command" in what ? { on: "command", n: issued, command: what.command } : what.event,
    );
    state = turn.state;
    notices.push(...(turn.notices ?? []));
    for (const [name, delay] of Object.entries(turn.timers ?? {})) {
      if (delay === "clear") timers.delete(name);
      else timers.add(name);
    }
    expect(state.queue.length).toBeLessThanOrEqual(4);
    expect(state.codec.pending.length).toBeLessThan(LONGEST_DATA + 300);
  }
  return { issued, notices, timers };
}

const CLOSED: Happening = { event: { on: "closed" } };

test.each([
  ["serial", (frame: Uint8Array) => [frame]],
  ["usb", (frame: Uint8Array) => reportsOf(frame)],
] as const)(
  "over %s it never throws, stays bounded, and has ended every command once by the time the link is closed",
  (transport, pieces) => {
    fc.assert(
      fc.property(happenings(pieces), (all) => {
        const { issued, notices, timers } = live([...all, CLOSED], transport);
        const ended = notices.filter((notice) => notice.n > 0 && isEnding(notice)).map(({ n }) => n);
        expect(ended.toSorted((a, b) => a - b)).toEqual(Array.from({ length: issued }, (_, at) => at + 1));
        expect([...timers]).toEqual([]);
      }),
      { numRuns: 300 },
    );
  },
);

test("nothing of a card but its last four digits, sealed data and what may leave in clear ever comes out of it", () => {
  const forbidden = ["56", "57", "5A", "5F20", "5F24", "99", "9F1F", "9F20", "9F6B"];
  const open: readonly Happening[] = [
    { event: { on: "opened" } },
    { event: { on: "timer", name: "settle" } },
    { command: { do: "collect", request: ALL } },
  ];
  fc.assert(
    fc.property(fc.constantFrom(...answers), fc.constantFrom(...answers), (first, second) => {
      const { notices } = live([...open, bytesEvent(frameIn(first)), bytesEvent(frameIn(second))], "serial");
      for (const notice of notices) {
        const out = notice.on === "card" ? notice.card.icc : notice.on === "finished" ? notice.emv : [];
        expect(out.filter(({ tag }) => forbidden.includes(tag))).toEqual([]);
        expect(JSON.stringify(notice)).not.toMatch(/4761739001010119/);
      }
    }),
    { numRuns: 200 },
  );
});

test("an approval is never told but for a certificate, an approving issuer and an approving device", () => {
  const start: readonly Happening[] = [
    { event: { on: "opened" } },
    { event: { on: "timer", name: "settle" } },
    { command: { do: "collect", request: SALE } },
    bytesEvent(frameIn(SELECTED)),
    bytesEvent(frameIn(ONLINE)),
    { command: { do: "complete", issuer: { verdict: "declined", arc: "3035", scripts: [] } } },
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...frames), { maxLength: 6 }), (after) => {
      const { notices } = live([...start, ...after.map(bytesEvent)], "serial");
      expect(notices.filter((notice) => notice.on === "finished" && notice.verdict === "approved")).toEqual([]);
    }),
    { numRuns: 200 },
  );
});
