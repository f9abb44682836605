import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newCodec, type Over, overOf, pack, read } from "../../../../drivers/magtek-dynaflex/codec.ts";
import { type DynaFlexState, magtekDynaflexSpec } from "../../../../drivers/magtek-dynaflex/driver.ts";
import { timerNames } from "../../../../drivers/magtek-dynaflex/flow.ts";
import { LONGEST_FRAME } from "../../../../drivers/magtek-dynaflex/frame.ts";
import { properties } from "../../../../drivers/magtek-dynaflex/identity.ts";
import {
  commands as codes,
  encodeMessage,
  LONGEST_MESSAGE,
  notifications,
} from "../../../../drivers/magtek-dynaflex/message.ts";
import { payloadFor } from "../../../../drivers/magtek-dynaflex/properties.ts";
import type { Command } from "../../../../src/card/command.ts";
import type { Notice } from "../../../../src/card/notice.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { isEnding } from "../../../../src/terminal/command-book.ts";
import type { LinkEvent, TransportKind } from "../../../../src/terminal/driver.ts";
import { ALL } from "../../../support/driver-bench.ts";
import { arqc, batch, createBench, held, MASKED } from "./bench.ts";
import { vectors } from "./vectors.ts";

const EMPTY: Uint8Array = new Uint8Array(0);
const DETAILS = ["000000", "020304", "020305", "020308", "010109", "02011C", "02030D", "FFFFFF"] as const;
const OUTCOMES = [
  "00010000",
  "00030100",
  "00030200",
  "08030500",
  "10020002",
  "10020600",
  "10020300",
  "10020700",
  "10028000",
  "20020600",
  "20020D00",
  "08020600",
];
const EVENTS = ["10010200", "10010300", "20010400", "20010500", "08010100", "10020601"];
const DEVICE = ["00000000", "00010000", "00020100", "01020000", "01030000", "02000000"];

const commands: readonly Command[] = [
  { do: "identify" },
  { do: "idle" },
  { do: "cancel" },
  { do: "set-clock", now: ALL.now },
  { do: "collect", request: ALL },
  { do: "collect", request: { ...ALL, transactionType: "20" } },
  { do: "collect", request: { ...ALL, again: "fallback" } },
  { do: "collect", request: { ...ALL, again: "chip-unreadable" } },
  { do: "collect", request: { ...ALL, again: "wrong-pin" } },
  { do: "collect", request: { ...ALL, interfaces: ["keyed"] } },
  { do: "ask-pin", request: ALL },
  { do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } },
  { do: "complete", issuer: { verdict: "declined", arc: "3035", scripts: [{ tag: "72", value: "AA" }] } },
  { do: "display", lines: ["x"] },
];

const notification = (name: keyof typeof notifications, code: string, payload: Uint8Array = EMPTY): Uint8Array =>
  encodeMessage({ is: "notification", id: notifications[name], code, payload });

const said: fc.Arbitrary<Uint8Array> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom(...Object.values(codes)), fc.constantFrom(...DETAILS))
      .map(answered),
  },
  { weight: 2, arbitrary: fc.constantFrom(...EVENTS).map((code) => notification("progress", code)) },
  { weight: 3, arbitrary: fc.constantFrom(...OUTCOMES).map((code) => notification("outcome", code)) },
  { weight: 1, arbitrary: fc.constantFrom(...DEVICE).map((code) => notification("device", code)) },
  { weight: 1, arbitrary: fc.constantFrom("02010100", "02020000").map((code) => notification("screen", code)) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom("10080202", "20080202", "08080202")
      .map((code) => notification("progress", code, arqc({ type: "" }))),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom("00", "01")
      .map((word) => notification("progress", "10080302", batch(word === "00" ? "00" : "01"))),
  },
  { weight: 1, arbitrary: fc.constantFrom(...vectors.messages).map(({ hex }) => fromHex(hex)) },
);

function answered([ref, command, detail]: readonly [number, string, string]): Uint8Array {
  const payload = command === codes["get-property"] ? payloadFor(properties.serialNumber, fromHex("B6032260")) : EMPTY;
  return encodeMessage({
    is: "response",
    ref,
    command: command === "" ? codes.echo : command,
    summary: detail === "000000" ? 0 : 0x80,
    detail,
    payload,
  });
}

type Happening =
  | { readonly command: Command }
  | { readonly says: Uint8Array }
  | { readonly event: LinkEvent }
  | { readonly answer: string };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...commands).map((command) => ({ command })) },
  { weight: 8, arbitrary: fc.constantFrom(...DETAILS, "000000", "000000").map((answer) => ({ answer })) },
  { weight: 6, arbitrary: said.map((says) => ({ says })) },
  {
    weight: 1,
    arbitrary: fc.uint8Array({ maxLength: 80 }).map((bytes) => ({ event: { on: "bytes" as const, bytes } })),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(...timerNames, "settle", "unheard-of")
      .map((name) => ({ event: { on: "timer" as const, name } })),
  },
  { weight: 1, arbitrary: fc.constantFrom("opened" as const, "closed" as const).map((on) => ({ event: { on } })) },
);

interface Life {
  readonly issued: number;
  readonly notices: readonly Notice[];
  readonly timers: ReadonlySet<string>;
}

/** Lives through it; `answer` is given to whatever was asked last. */
function live(happenings: readonly Happening[], transport: TransportKind): Life {
  let state = magtekDynaflexSpec.begin({ transport, options: {}, now: ALL.now, seed: 0 }).state;
  let issued = 0;
  const notices: Notice[] = [];
  const timers = new Set<string>();
  let asked = { ref: 0, command: "" };
  const feed = (event: LinkEvent): void => {
    if (event.on === "timer" && !timers.delete(event.name)) return;
    const turn = magtekDynaflexSpec.turn(state, event);
    state = turn.state;
    asked = (turn.write ?? []).reduce((before, bytes) => requestIn(transport, bytes) ?? before, asked);
    notices.push(...(turn.notices ?? []));
    for (const [name, delay] of Object.entries(turn.timers ?? {})) {
      if (delay === "clear") timers.delete(name);
      else timers.add(name);
    }
    expectSound(state, timers);
  };
  for (const what of happenings) {
    if ("command" in what) {
      issued += 1;
      feed({ on: "command", n: issued, command: what.command });
    } else if ("event" in what) feed(what.event);
    else
      for (const bytes of pack(
        overOf(transport),
        "device",
        "says" in what ? what.says : answered([asked.ref, asked.command, what.answer]),
      ))
        feed({ on: "bytes", bytes });
  }
  return { issued, notices, timers };
}

/** The request that a write holds; one that takes several reports is not read here. */
function requestIn(
  transport: TransportKind,
  bytes: Uint8Array,
): { readonly ref: number; readonly command: string } | undefined {
  const [message] = read(newCodec(overOf(transport), "host"), bytes).heard;
  return message?.is === "request" ? message : undefined;
}

function expectSound({ codec, queue, link, job }: DynaFlexState, timers: ReadonlySet<string>): void {
  expect(codec.pending.length).toBeLessThanOrEqual(LONGEST_FRAME);
  expect(codec.assembly?.soFar.length ?? 0).toBeLessThan(LONGEST_MESSAGE);
  expect(queue.length).toBeLessThanOrEqual(4);
  // A running job always has a clock, so that nothing waits for ever.
  if (link === "up" && job.is !== "none") expect(timers.size).toBeGreaterThan(0);
}

const endsOf = (notices: readonly Notice[]): readonly number[] =>
  notices.filter((notice) => notice.n > 0 && isEnding(notice)).map(({ n }) => n);
const TRANSPORTS = ["usb", "serial", "websocket"] as const;

describe("whatever happens, in whatever order", () => {
  test.each(TRANSPORTS)(
    "over %s nothing is thrown, every command ends once by the time the link is closed, and nothing is told after it",
    (transport) => {
      fc.assert(
        fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
          const opening: readonly Happening[] = [
            { event: { on: "opened" } },
            { event: { on: "timer", name: "settle" } },
          ];
          const life = live([...opening, ...happenings, { event: { on: "closed" } }], transport);
          const expected = Array.from({ length: life.issued }, (_, at) => at + 1);
          expect([...endsOf(life.notices)].sort((a, b) => a - b)).toEqual(expected);
          expect([...life.timers]).toEqual([]);
          const over = new Set<number>();
          for (const notice of life.notices) {
            if (notice.n === 0) continue;
            expect(over.has(notice.n)).toBe(false);
            if (isEnding(notice)) over.add(notice.n);
          }
        }),
        { numRuns: 300 },
      );
    },
  );

  test("no card that is told carries anything in clear but what its masked track shows", () => {
    const hidden = fc.array(fc.constantFrom("57", "5A", "5F20", "5F24", "9F6B", "56", "99", "82", "9F6E", "DF42"), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(hidden, fc.uint8Array({ minLength: 1, maxLength: 19 }), (tags, value) => {
        const bench = createBench();
        held(bench);
        bench.command({ do: "cancel" });
        bench.answer();
        bench.tell("outcome", "00030100");
        bench.command({ do: "collect", request: ALL });
        bench.answer();
        bench.look();
        const more = tags.map((tag) => [tag, Buffer.from(value).toString("hex").toUpperCase()] as const);
        bench.tell("progress", "10080202", arqc({ more }));
        for (const notice of bench.look().notices) {
          if (notice.on !== "card") continue;
          expect(notice.card).toMatchObject({ icc: [], masked: { bin: MASKED.slice(1, 7), last4: "0119" } });
          expect(Object.keys(notice.card).sort()).toEqual(["decision", "icc", "interface", "masked", "sred"]);
        }
      }),
    );
  });
});

describe("a final word on a line that is not sound", () => {
  const OVERS: readonly (readonly [TransportKind, Over])[] = TRANSPORTS.map((transport) => [
    transport,
    overOf(transport),
  ]);

  test.each(OVERS)(
    "over %s a final outcome with one bit changed is never an approval that is not one",
    (transport, over) => {
      const declined = notification("outcome", "10028000");
      const frames = pack(over, "device", declined);
      fc.assert(
        fc.property(fc.nat({ max: 63 }), fc.nat({ max: 7 }), (at, bit) => {
          const bench = held(createBench(transport));
          const n = bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
          bench.answer();
          bench.look();
          for (const frame of frames) {
            const changed = frame.slice();
            changed[at % frame.length] = (changed[at % frame.length] ?? 0) ^ (1 << bit);
            bench.feed({ on: "bytes", bytes: changed });
          }
          bench.tell("progress", "10080302", batch("01"));
          const ending = bench.look().notices.find((notice) => notice.n === n);
          if (ending?.on === "finished") expect(ending.verdict).not.toBe("approved");
        }),
        { numRuns: 200 },
      );
    },
  );
});
