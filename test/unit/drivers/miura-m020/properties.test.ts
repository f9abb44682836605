import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type MiuraState, miuraM020Spec } from "../../../../drivers/miura-m020/driver.ts";
import { timerNames } from "../../../../drivers/miura-m020/flow.ts";
import { encodeMessage, LONGEST_MESSAGE } from "../../../../drivers/miura-m020/frame.ts";
import type { Command } from "../../../../src/card/command.ts";
import type { Notice } from "../../../../src/card/notice.ts";
import { concat } from "../../../../src/kit/bytes.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { isEnding } from "../../../../src/terminal/command-book.ts";
import type { LinkEvent } from "../../../../src/terminal/driver.ts";
import { LONGEST_QUEUE } from "../../../../src/terminal/one-job.ts";
import { ALL, SALE } from "../../../support/driver-bench.ts";
import {
  CARD_IN,
  CARD_UPSIDE_DOWN,
  CLOCK_ANSWER,
  CONFIGURATION_ANSWER,
  E3_TC,
  E4_ARQC,
  E5_AAC,
  ENTER_PIN,
  INFO_ANSWER,
  KEYS_READY,
  NO_CARD,
  NUMBER_SEALED,
  NUMBER_TYPED,
  PIN_OK,
  PIN_TYPED,
  RESET_ANSWER,
  SWIPE_FAILED,
  swipe,
  tapAnswer,
} from "./bench.ts";
import { vectors } from "./vectors.ts";

const frames = (unsolicited: boolean, hex: string): Uint8Array =>
  concat(...encodeMessage({ nad: 1, unsolicited, body: fromHex(hex) }));
const answers = [
  "9000",
  "9F41",
  "9F30",
  "9FFF",
  RESET_ANSWER,
  KEYS_READY,
  CLOCK_ANSWER,
  CONFIGURATION_ANSWER,
  INFO_ANSWER,
  E3_TC,
  E4_ARQC,
  E5_AAC,
  "9F42",
  "9F43",
  "9F44",
  "9FC3",
  "089000",
  PIN_TYPED,
  NUMBER_TYPED,
  NUMBER_SEALED,
  tapAnswer("E4", "80", "1F0302"),
  tapAnswer("E4", "80", "420300"),
  tapAnswer("E5", "00", "1F0302"),
];
const CANCEL_KEY = "E005DFA205011B9000";
const events = [
  NO_CARD,
  CARD_IN,
  CARD_UPSIDE_DOWN,
  ENTER_PIN,
  PIN_OK,
  CANCEL_KEY,
  swipe("101"),
  swipe("201"),
  swipe("120"),
  SWIPE_FAILED,
];
const streams = [
  ...answers.map((hex) => frames(false, hex)),
  ...events.map((hex) => frames(true, hex)),
  ...vectors.packets.map(({ hex }) => fromHex(hex)),
];

const commands: readonly Command[] = [
  { do: "identify" },
  { do: "idle" },
  { do: "cancel" },
  { do: "set-clock", now: SALE.now },
  { do: "collect", request: SALE },
  { do: "collect", request: ALL },
  { do: "collect", request: { ...ALL, transactionType: "20" } },
  { do: "collect", request: { ...ALL, again: "fallback" } },
  { do: "collect", request: { ...ALL, again: "wrong-pin" } },
  { do: "collect", request: { ...ALL, interfaces: ["keyed"] } },
  { do: "ask-pin", request: ALL },
  { do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } },
  { do: "complete", issuer: { verdict: "declined", arc: "3035", scripts: [] } },
  { do: "display", lines: ["x"] },
];

type Happening = { readonly command: Command } | { readonly event: LinkEvent };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...commands).map((command) => ({ command })) },
  { weight: 8, arbitrary: fc.constantFrom(...streams).map((bytes) => ({ event: { on: "bytes" as const, bytes } })) },
  {
    weight: 1,
    arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => ({ event: { on: "bytes" as const, bytes } })),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(...timerNames, "unheard-of").map((name) => ({ event: { on: "timer" as const, name } })),
  },
  { weight: 2, arbitrary: fc.constant({ event: { on: "opened" as const } }) },
  { weight: 1, arbitrary: fc.constant({ event: { on: "closed" as const } }) },
);

interface Life {
  readonly state: MiuraState;
  readonly issued: number;
  readonly notices: readonly Notice[];
  readonly timers: ReadonlySet<string>;
}

function live(happenings: readonly Happening[], transport: "tcp" | "serial", from?: MiuraState): Life {
  let state = from ?? miuraM020Spec.begin({ transport, options: {}, now: SALE.now, seed: 0 }).state;
  let issued = 0;
  const notices: Notice[] = [];
  const timers = new Set<string>();
  for (const what of happenings) {
    if ("command" in what) issued += 1;
    const turn = miuraM020Spec.turn(
      state,
      "command" in what ? { on: "command", n: issued, command: what.command } : what.event,
    );
    state = turn.state;
    notices.push(...(turn.notices ?? []));
    for (const [name, delay] of Object.entries(turn.timers ?? {})) {
      if (delay === "clear") timers.delete(name);
      else timers.add(name);
    }
    expectBounded(state);
  }
  return { state, issued, notices, timers };
}

function expectBounded({ codec: deframer, queue }: MiuraState): void {
  expect(deframer.pending.length).toBeLessThan(258);
  for (const chain of Object.values(deframer.chains)) expect(chain.length).toBeLessThanOrEqual(LONGEST_MESSAGE);
  expect(queue.length).toBeLessThanOrEqual(LONGEST_QUEUE);
}

const endsOf = (notices: readonly Notice[]): readonly number[] =>
  notices.filter((notice) => notice.n > 0 && isEnding(notice)).map(({ n }) => n);

describe("whatever happens, in whatever order", () => {
  test("the driver does not throw, its state stays bounded, and every command ends exactly once by the time the link is closed", () => {
    fc.assert(
      fc.property(
        fc.array(happening, { maxLength: 60 }),
        fc.constantFrom("tcp" as const, "serial" as const),
        (happenings, transport) => {
          const life = live([{ event: { on: "opened" } }, ...happenings, { event: { on: "closed" } }], transport);
          const expected = Array.from({ length: life.issued }, (_, at) => at + 1);
          expect([...endsOf(life.notices)].sort((a, b) => a - b)).toEqual(expected);
          expect([...life.timers]).toEqual([]);
        },
      ),
      { numRuns: 600 },
    );
  });

  test("nothing is told of a command before it was given, or after it ended", () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
        const over = new Set<number>();
        for (const notice of live([{ event: { on: "opened" } }, ...happenings], "tcp").notices) {
          if (notice.n === 0) continue;
          expect(over.has(notice.n)).toBe(false);
          if (isEnding(notice)) over.add(notice.n);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("a running job always has a clock, so that nothing waits for ever", () => {
    fc.assert(
      fc.property(
        fc.array(happening, { maxLength: 40 }),
        fc.constantFrom("tcp" as const, "serial" as const),
        (happenings, transport) => {
          // A clock that fired and was not set again is not in the set, as in the session.
          let state = miuraM020Spec.begin({ transport, options: {}, now: SALE.now, seed: 0 }).state;
          const timers = new Set<string>();
          let n = 0;
          const steps: readonly Happening[] = [{ event: { on: "opened" } }, ...happenings];
          for (const what of steps) {
            if ("command" in what) n += 1;
            const event: LinkEvent = "command" in what ? { on: "command", n, command: what.command } : what.event;
            if (event.on === "timer" && !timers.delete(event.name)) continue;
            const turn = miuraM020Spec.turn(state, event);
            state = turn.state;
            for (const [name, delay] of Object.entries(turn.timers ?? {})) {
              if (delay === "clear") timers.delete(name);
              else timers.add(name);
            }
            if (state.link === "up" && state.job.is !== "none") expect(timers.size).toBeGreaterThan(0);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("a valid sale with noise", () => {
  const flow: readonly Happening[] = [
    { event: { on: "opened" } },
    { command: { do: "identify" } },
    ...[RESET_ANSWER, KEYS_READY, CLOCK_ANSWER, CONFIGURATION_ANSWER, INFO_ANSWER].map((hex) => ({
      event: { on: "bytes" as const, bytes: frames(false, hex) },
    })),
    { command: { do: "collect", request: SALE } },
    { event: { on: "bytes", bytes: frames(true, CARD_IN) } },
    { event: { on: "bytes", bytes: frames(true, ENTER_PIN) } },
    { event: { on: "bytes", bytes: frames(true, PIN_OK) } },
    { event: { on: "bytes", bytes: frames(false, E4_ARQC) } },
    { command: { do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } } },
    { event: { on: "bytes", bytes: frames(false, E3_TC) } },
  ];
  const verdicts = (notices: readonly Notice[]): readonly Notice[] =>
    notices.filter(({ n, on }) => n === 3 && on === "finished");

  /** The same with a card that comes later: text shown, keys on, card in, keys off. */
  const patient: readonly Happening[] = [
    ...flow.slice(0, 8),
    { event: { on: "bytes", bytes: frames(true, NO_CARD) } },
    ...["9000", "9000"].map((hex) => ({ event: { on: "bytes" as const, bytes: frames(false, hex) } })),
    ...flow.slice(8, 9),
    { event: { on: "bytes", bytes: frames(false, "9000") } },
    ...flow.slice(9),
  ];

  test.each([
    ["a card that is in already", flow],
    ["a card that comes later", patient],
  ])("is approved without noise: %s", (_what, happenings) => {
    expect(verdicts(live(happenings, "tcp").notices)).toMatchObject([{ verdict: "approved" }]);
  });

  test("is approved whether or not plain commands are answered, or refused, or answered late and more than once", () => {
    const answersOf = fc.array(fc.constantFrom("9000", "9F26", "late"), { maxLength: 4 });
    fc.assert(
      fc.property(answersOf, answersOf, fc.boolean(), (before, after, isLate) => {
        const happen = (texts: readonly string[]): readonly Happening[] =>
          texts.map((text) => ({
            event:
              text === "late"
                ? { on: "timer" as const, name: "answer" }
                : { on: "bytes" as const, bytes: frames(false, text) },
          }));
        // Two limits more than are ever needed: whatever is still open by then is given up.
        const rest = happen(["late", "late", "late", "late"]);
        const noisy = [
          ...patient.slice(0, 9),
          ...happen(before),
          ...patient.slice(11, 12),
          ...happen(after.filter((text) => text !== "9F26")),
          ...rest,
        ];
        const late = isLate ? happen(["9000", "9000"]) : [];
        expect(verdicts(live([...noisy, ...late, ...patient.slice(13)], "tcp").notices)).toMatchObject([
          { verdict: "approved" },
        ]);
      }),
    );
  });

  test("is approved with any harmless message anywhere, even twice", () => {
    const harmless = fc.constantFrom(
      frames(true, NO_CARD),
      frames(true, PIN_OK),
      frames(true, CANCEL_KEY),
      frames(true, "E605DFA40101039000"),
      frames(false, "9000"),
      frames(false, RESET_ANSWER),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: flow.length }), harmless), { maxLength: 5 }), (inserts) => {
        // A card report while the slot is looked into would be the truth of another card: those stay out.
        const noisy = flow.flatMap((what, at) => [
          ...inserts.flatMap(([where, bytes]) =>
            where === at && at !== 8 ? [{ event: { on: "bytes" as const, bytes } }] : [],
          ),
          what,
        ]);
        expect(verdicts(live(noisy, "tcp").notices)).toMatchObject([{ verdict: "approved" }]);
      }),
    );
  });

  test("with one byte changed anywhere in the final answer is never approved, and never declined by a broken frame", () => {
    const final = frames(false, E3_TC);
    fc.assert(
      fc.property(fc.nat({ max: final.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const mutated = final.map((byte, index) => (index === at ? byte ^ change : byte));
        const { notices } = live([...flow.slice(0, -1), { event: { on: "bytes", bytes: mutated } }], "tcp");
        expect(verdicts(notices)).toEqual([]);
      }),
    );
  });

  test("cut off anywhere and closed ends without a verdict", () => {
    fc.assert(
      fc.property(fc.nat({ max: flow.length - 1 }), (length) => {
        const { notices, issued } = live([...flow.slice(0, length), { event: { on: "closed" } }], "tcp");
        expect(verdicts(notices)).toEqual([]);
        expect(endsOf(notices)).toHaveLength(issued);
      }),
    );
  });
});
