import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type VerifoneState, verifoneP400Spec } from "../../../../drivers/verifone-p400/driver.ts";
import { timerNames } from "../../../../drivers/verifone-p400/flow.ts";
import { encodeMessage, LONGEST_MESSAGE } from "../../../../drivers/verifone-p400/frame.ts";
import type { Command } from "../../../../src/card/command.ts";
import type { Notice } from "../../../../src/card/notice.ts";
import { concat } from "../../../../src/kit/bytes.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { isEnding } from "../../../../src/terminal/command-book.ts";
import type { LinkEvent } from "../../../../src/terminal/driver.ts";
import { ALL, SALE } from "../../../support/driver-bench.ts";
import * as say from "./bench.ts";
import { vectors } from "./vectors.ts";

const { OK, tlv, text } = say;
const frames = (unsolicited: boolean, hex: string): Uint8Array =>
  concat(...encodeMessage({ unsolicited, body: fromHex(hex) }));

const TC = say.cardAnswer("E3", { information: "40", block: "" });
const IDENTIFYING = [
  OK,
  say.RESET_ANSWER,
  say.ONE_READER,
  OK,
  say.PIN_KEY,
  say.SRED_KEY,
  say.CLOCK_ANSWER,
  say.CONFIGURATION_ANSWER,
];
const answers = [
  ...IDENTIFYING,
  ...["9F19", "9F22", "9F23", "9F25", "9F41", "9F43", "9F50", "9FFF"],
  say.decisionWanted(),
  say.cardAnswer("E4"),
  say.cardAnswer("E4", { results: "420300" }),
  TC,
  say.cardAnswer("E5", { information: "00" }),
  say.PIN_TYPED,
  say.NUMBER_TYPED,
  say.CARD_IN,
];
const events = [
  ...[
    say.NO_CARD,
    say.CARD_IN,
    say.CARD_SILENT,
    say.SWIPE_FAILED,
    say.RED_KEY,
    say.POWERED_ON,
    say.CHOOSE_APPLICATION,
    say.enterPin("03"),
    say.enterPin("02"),
  ],
  ...["9F31", "9F32", "9F33", "9F35", "9F36", "9F37", "9F41", OK],
  say.cardAnswer("E4", { results: "1F0302" }),
  say.cardAnswer("E4", { results: "420300" }),
  say.answerIn("E7", say.sealed()),
  say.answerIn("E3", ""),
  say.answerIn("E5", ""),
  say.swipe("101"),
  say.swipe("201"),
  say.swipe("120"),
];
const streams = [
  ...answers.map((hex) => frames(false, hex)),
  ...events.map((hex) => frames(true, hex)),
  ...[...vectors.recorded, ...vectors.built].map(({ hex }) => fromHex(hex)),
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
  { weight: 10, arbitrary: fc.constantFrom(...streams).map((bytes) => ({ event: { on: "bytes" as const, bytes } })) },
  {
    weight: 1,
    arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => ({ event: { on: "bytes" as const, bytes } })),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(...timerNames, "settle", "unheard-of")
      .map((name) => ({ event: { on: "timer" as const, name } })),
  },
  { weight: 1, arbitrary: fc.constant({ event: { on: "opened" as const } }) },
  { weight: 1, arbitrary: fc.constant({ event: { on: "closed" as const } }) },
);
const transports = fc.constantFrom("tcp" as const, "serial" as const);

const opened: Happening = { event: { on: "opened" } };
const closed: Happening = { event: { on: "closed" } };
const answered = (...bodies: readonly string[]): readonly Happening[] =>
  bodies.map((hex) => ({ event: { on: "bytes", bytes: frames(false, hex) } }));
const told = (...bodies: readonly string[]): readonly Happening[] =>
  bodies.map((hex) => ({ event: { on: "bytes", bytes: frames(true, hex) } }));

const complete: Happening = { command: { do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } } };
const begun: readonly Happening[] = [opened, { command: { do: "identify" } }, ...answered(...IDENTIFYING)];
const chip: readonly Happening[] = [
  ...begun,
  { command: { do: "collect", request: SALE } },
  ...answered(OK),
  ...told(say.CARD_IN),
  ...answered(say.decisionWanted()),
  ...told(say.enterPin("03")),
  ...answered(say.cardAnswer("E4", { results: "420300" }), say.PIN_TYPED),
  complete,
  ...answered(TC),
];
const reading: readonly Happening[] = [
  ...begun,
  { command: { do: "collect", request: ALL } },
  ...answered(OK),
  ...told(say.NO_CARD),
  ...answered(OK),
];
const tap: readonly Happening[] = [
  ...reading,
  ...told("9F35", say.cardAnswer("E4", { results: "420300" })),
  ...answered(say.PIN_TYPED),
  { command: { do: "ask-pin", request: ALL } },
  ...answered(say.PIN_TYPED),
  complete,
  ...answered(OK),
  ...told(say.answerIn("E3", "")),
];
const swipe: readonly Happening[] = [
  ...reading,
  ...told(say.swipe("120")),
  ...answered(OK),
  ...told("9F41"),
  ...answered(say.PIN_TYPED),
  complete,
  ...answered(OK),
];
const keyed: readonly Happening[] = [
  ...begun,
  { command: { do: "collect", request: { ...ALL, interfaces: ["keyed"] } } },
  ...answered(say.NUMBER_TYPED),
  complete,
  ...answered(OK),
];

/** The beginning of a sale, which anything may follow. */
const beginning = fc
  .constantFrom(chip, tap, swipe, keyed)
  .chain((story) => fc.nat({ max: story.length }).map((length) => story.slice(0, length)));
const lives = (more: fc.Arbitrary<Happening> = happening): fc.Arbitrary<readonly Happening[]> =>
  fc.tuple(beginning, fc.array(more, { maxLength: 40 })).map(([first, rest]) => [...first, ...rest]);

interface Life {
  readonly state: VerifoneState;
  readonly issued: number;
  readonly notices: readonly Notice[];
  readonly timers: ReadonlySet<string>;
}

function live(
  happenings: readonly Happening[],
  transport: "tcp" | "serial",
  each: (state: VerifoneState, timers: ReadonlySet<string>) => void = expectBounded,
): Life {
  let { state } = verifoneP400Spec.begin({ transport, options: {}, now: SALE.now, seed: 0 });
  let issued = 0;
  const notices: Notice[] = [];
  const timers = new Set<string>();
  for (const what of happenings) {
    if (
      "event" in what &&
      what.event.on === "timer" &&
      what.event.name !== "unheard-of" &&
      !timers.delete(what.event.name)
    )
      continue;
    if ("command" in what) issued += 1;
    const turn = verifoneP400Spec.turn(
      state,
      "command" in what ? { on: "command", n: issued, command: what.command } : what.event,
    );
    state = turn.state;
    notices.push(...(turn.notices ?? []));
    for (const [name, delay] of Object.entries(turn.timers ?? {})) {
      if (delay === "clear") timers.delete(name);
      else timers.add(name);
    }
    each(state, timers);
  }
  return { state, issued, notices, timers };
}

function expectBounded({ one }: VerifoneState): void {
  expect(one.codec.pending.length).toBeLessThan(258);
  for (const chain of Object.values(one.codec.chains)) expect(chain.length).toBeLessThanOrEqual(LONGEST_MESSAGE);
  expect(one.queue.length).toBeLessThanOrEqual(4);
  if (one.job.is === "stop") expect(one.job.notices.length).toBeLessThanOrEqual(5);
}

const endsOf = (notices: readonly Notice[]): readonly number[] =>
  notices.filter((notice) => notice.n > 0 && isEnding(notice)).map(({ n }) => n);
describe("whatever happens, in whatever order", () => {
  test("the driver does not throw, its state stays bounded, and every command ends exactly once by the time the link is closed", () => {
    fc.assert(
      fc.property(lives(), transports, (happenings, transport) => {
        const life = live([opened, ...happenings, closed], transport);
        expect([...endsOf(life.notices)].sort((a, b) => a - b)).toEqual(
          Array.from({ length: life.issued }, (_, at) => at + 1),
        );
        expect([...life.timers]).toEqual([]);
      }),
      { numRuns: 800 },
    );
  });

  test("nothing is told of a command after it ended", () => {
    fc.assert(
      fc.property(lives(), (happenings) => {
        const over = new Set<number>();
        for (const notice of live([opened, ...happenings], "tcp").notices) {
          if (notice.n === 0) continue;
          expect(over.has(notice.n)).toBe(false);
          if (isEnding(notice)) over.add(notice.n);
        }
      }),
      { numRuns: 400 },
    );
  });

  test("a running job always has a clock of its own, so that nothing waits for ever", () => {
    const hasClock = ({ one }: VerifoneState, timers: ReadonlySet<string>): void => {
      const own = [...timers].filter((name) => name !== "daily" && name !== "greeting");
      if (one.link === "up" && one.job.is !== "none") expect(own).not.toEqual([]);
    };
    fc.assert(
      fc.property(
        lives(),
        transports,
        (happenings, transport) => void live([opened, ...happenings], transport, hasClock),
      ),
      { numRuns: 400 },
    );
  });

  test("no number, track or PIN block that came in clear is in any notice", () => {
    const pan = "4761739001010119";
    const leaks = [
      tlv("5A", pan),
      tlv("57", `${pan}D15122011758989389`),
      tlv("5F22", text(`;${pan}=15122011758989389?`)),
      tlv("DFDB06", text(`;${pan}=1512?`)),
      tlv("DFDB01", text(pan)),
      tlv("C6", tlv("5A", pan)),
      tlv("9F7C", pan),
      tlv("5F20", text(pan)),
      tlv("C4", text(pan)),
      tlv("9F1E", text(pan)),
    ];
    const leaky = fc
      .constantFrom(...leaks)
      .chain((leak) =>
        fc.constantFrom(
          frames(false, say.cardAnswer("E4", { more: leak })),
          frames(true, say.cardAnswer("E4", { more: leak })),
          frames(false, say.cardAnswer("E5", { information: "00", more: leak })),
          frames(false, say.answerIn("E2", tlv("C1", "00") + leak)),
          frames(true, say.answerIn("E0", tlv("48", "0005") + leak + say.sealed())),
          frames(false, `${leak}${say.sealed()}9000`),
          frames(true, say.answerIn("E6", tlv("C3", "02") + leak)),
        ),
      );
    const leaking = fc.oneof(
      { weight: 3, arbitrary: happening },
      { weight: 2, arbitrary: leaky.map((bytes) => ({ event: { on: "bytes" as const, bytes } })) },
    );
    fc.assert(
      fc.property(lives(leaking), (happenings) => {
        const seen = JSON.stringify(live([opened, ...happenings], "tcp").notices, (_key, value: unknown) =>
          value instanceof Uint8Array ? [...value] : value,
        );
        expect(seen).not.toContain(pan);
        expect(seen).not.toContain(JSON.stringify([...fromHex(pan)]).slice(1, -1));
        expect(seen).not.toContain(JSON.stringify([...new TextEncoder().encode(pan)]).slice(1, -1));
      }),
      { numRuns: 400 },
    );
  });
});

describe("a valid sale with noise", () => {
  const flow = chip;
  const verdicts = (notices: readonly Notice[]): readonly Notice[] =>
    notices.filter(({ n, on }) => n === 3 && on === "finished");

  test("is approved without noise, however the line cuts it", () => {
    expect(verdicts(live(flow, "tcp").notices)).toMatchObject([{ verdict: "approved" }]);
    for (let size = 1; size <= 40; size += 1) {
      const cut = flow.flatMap((what): readonly Happening[] => {
        if (!("event" in what) || what.event.on !== "bytes") return [what];
        const { bytes } = what.event;
        return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => ({
          event: { on: "bytes", bytes: bytes.subarray(at * size, (at + 1) * size) },
        }));
      });
      expect(verdicts(live(cut, "tcp").notices)).toMatchObject([{ verdict: "approved" }]);
    }
  });

  test("is approved with any harmless message anywhere, even twice", () => {
    const harmless = fc.constantFrom(
      ...[
        say.enterPin("03"),
        say.RED_KEY.replace("1B9000", "0D9000"),
        say.answerIn("E6", tlv("C3", "0E")),
        "9F41",
        "9F36",
        OK,
        say.answerIn("E8", ""),
        say.cardAnswer("E4"),
      ].map((hex) => frames(true, hex)),
      fromHex("020002900090"),
      frames(false, `${tlv("DFDE7E", "41")}9000`),
    );
    const first = flow.findIndex((what) => "command" in what && what.command.do === "collect");
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: first, max: flow.length }), harmless), { maxLength: 5 }),
        (inserts) => {
          const noisy = flow.flatMap((what, at) => [
            ...inserts.flatMap(([where, bytes]) => (where === at ? [{ event: { on: "bytes" as const, bytes } }] : [])),
            what,
          ]);
          expect(verdicts(live(noisy, "tcp").notices)).toMatchObject([{ verdict: "approved" }]);
        },
      ),
    );
  });

  test("with one byte changed anywhere in the final answer is never approved, and never declined by a broken frame", () => {
    const final = frames(false, TC);
    fc.assert(
      fc.property(fc.nat({ max: final.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const mutated = final.map((byte, index) => (index === at ? byte ^ change : byte));
        expect(
          verdicts(live([...flow.slice(0, -1), { event: { on: "bytes", bytes: mutated } }], "tcp").notices),
        ).toEqual([]);
      }),
    );
  });

  test("cut off anywhere and closed ends without a verdict", () => {
    for (let length = 1; length < flow.length; length += 1) {
      const { notices, issued } = live([...flow.slice(0, length), closed], "tcp");
      expect(verdicts(notices)).toEqual([]);
      expect(endsOf(notices)).toHaveLength(issued);
    }
  });
});
