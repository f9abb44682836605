import { describe, expect, test } from "vitest";
import { commandName, parseApdu } from "../../../../drivers/verifone-p400/apdu.ts";
import { verifoneP400Spec } from "../../../../drivers/verifone-p400/driver.ts";
import { encodeMessage, push } from "../../../../drivers/verifone-p400/frame.ts";
import { newDeframer } from "../../../../drivers/vipa/frame.ts";
import type { Command } from "../../../../src/card/command.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { isEnding } from "../../../../src/terminal/command-book.ts";
import type { LinkEvent } from "../../../../src/terminal/driver.ts";
import { ALL, SALE } from "../../../support/driver-bench.ts";
import {
  answerIn,
  type Bench,
  CARD_IN,
  cardAnswer,
  createBench,
  deciding,
  enterPin,
  held,
  identified,
  looking,
  NO_CARD,
  OK,
  running,
  swipe,
  tapHeld,
  tapping,
  tlv,
  waiting,
} from "./bench.ts";

/*
 * How long every command takes at the most (PROTOCOL.md 8), with a clock that is only counted: the device falls silent
 * at every step, or answers each command in the
 * last moment that it has.
 */

interface Late {
  readonly afterMs: number;
  readonly body: string;
  readonly unsolicited?: true;
}
type Device = (command: string) => readonly Late[];

const silent: Device = () => [];
/**
 * Everything in the last moment, but the ends of what was stopped, which never come; and a tap that is read just then.
 */
const tardy: Device = (command) => {
  switch (command) {
    case "abort":
      return [{ afterMs: 2_990, body: OK }];
    case "cancel-contactless":
      return [
        { afterMs: 2_980, body: OK },
        { afterMs: 4_970, body: cardAnswer("E4"), unsolicited: true },
      ];
    case "reset":
      return [{ afterMs: 4_990, body: answerIn("EE", tlv("9F1E", "31")) }];
    case "card-status":
    case "display":
      return [{ afterMs: 3_980, body: OK }];
    default:
      return [];
  }
};

interface Due {
  readonly at: number;
  readonly event: LinkEvent;
}

/**
 * Milliseconds until the command `n` has ended, from the state of a bench on: the driver's timers run, and the device
 * says what it says.
 */
function msUntilEnd(bench: Bench, n: number, first: readonly LinkEvent[], device: Device): number {
  let state = bench.state();
  let now = 0;
  let ended = false;
  const timers = new Map(Object.entries(bench.timers()));
  let said: readonly Due[] = [];
  const take = (event: LinkEvent): void => {
    const { state: next, ...deed } = verifoneP400Spec.turn(state, event);
    state = next;
    for (const [name, delay] of Object.entries(deed.timers ?? {})) {
      if (delay === "clear") timers.delete(name);
      else timers.set(name, now + delay);
    }
    ended ||= (deed.notices ?? []).some((notice) => notice.n === n && isEnding(notice));
    said = [
      ...said,
      ...push(newDeframer, Uint8Array.from((deed.write ?? []).flatMap((bytes) => [...bytes]))).messages.flatMap(
        ({ body }) => {
          const apdu = parseApdu(body);
          return device((apdu && commandName(apdu)) ?? "").flatMap(
            ({ afterMs, body: hex, unsolicited = false }): readonly Due[] =>
              encodeMessage({ unsolicited, body: fromHex(hex) }).map((bytes) => ({
                at: now + afterMs,
                event: { on: "bytes", bytes },
              })),
          );
        },
      ),
    ];
  };
  for (const event of first) take(event);
  for (let steps = 0; !ended && steps < 1_000; steps += 1) {
    const due = [...said, ...[...timers].map(([name, at]): Due => ({ at, event: { on: "timer", name } }))].sort(
      (a, b) => a.at - b.at,
    )[0];
    if (due === undefined) return Number.POSITIVE_INFINITY;
    now = due.at;
    if (due.event.on === "timer") timers.delete(due.event.name);
    else said = said.filter((one) => one !== due);
    take(due.event);
  }
  return ended ? now : Number.POSITIVE_INFINITY;
}

const STATES: readonly (readonly [string, (bench: Bench) => unknown])[] = [
  ["nothing", identified],
  ["CARD STATUS sent", (bench) => identified(bench).command({ do: "collect", request: ALL })],
  ["a text being shown", (bench) => looking(bench, SALE, NO_CARD)],
  ["waiting", waiting],
  ["START CONTACTLESS sent", (bench) => looking(bench, ALL, NO_CARD)],
  ["the reader waits", tapping],
  ["the reader is being left", (bench) => [tapping(bench), bench.event(CARD_IN)]],
  ["a swipe whose reader is being left", (bench) => [tapping(bench), bench.event(swipe("120"))]],
  ["START sent", running],
  ["START put off", (bench) => [running(bench), bench.answer("9FFF")]],
  ["the first CONTINUE sent", deciding],
  ["a PIN being typed for the card", (bench) => [deciding(bench), bench.event(enterPin("03"))]],
  ["a PIN being typed for a chip", (bench) => [deciding(bench), bench.answer(cardAnswer("E4", { results: "420300" }))]],
  ["a PIN being typed for a tap", (bench) => [tapping(bench), bench.event(cardAnswer("E4", { results: "420300" }))]],
  ["an unreadable chip", (bench) => [running(bench), bench.answer("9F25")]],
  [
    "a number being typed",
    (bench) => identified(bench).command({ do: "collect", request: { ...SALE, interfaces: ["keyed"] } }),
  ],
  ["a chip waits for its issuer", held],
  ["a tap waits for its issuer", tapHeld],
  ["a PIN being asked for after a tap", (bench) => [tapHeld(bench), bench.command({ do: "ask-pin", request: ALL })]],
];
const DEVICES = [
  ["silent", silent],
  ["tardy", tardy],
] as const;

describe.each(DEVICES)("a %s device", (_how, device) => {
  test.each(STATES)("has a cancel or an idle command over within 10 seconds: %s", (_at, begin) => {
    for (const command of [{ do: "cancel" }, { do: "idle" }] as const satisfies readonly Command[]) {
      const bench = createBench();
      begin(bench);
      expect(msUntilEnd(bench, 99, [{ on: "command", n: 99, command }], device)).toBeLessThanOrEqual(10_000);
    }
  });

  test.each(
    STATES.filter(([at]) => !["nothing", "a chip waits for its issuer", "a tap waits for its issuer"].includes(at)),
  )("ends what was asked for within its limits and 30 seconds: %s", (at, begin) => {
    const bench = createBench();
    begin(bench);
    const n = at.startsWith("a PIN being asked for") ? 3 : 2;
    const elapsed = msUntilEnd(bench, n, [], device);
    expect(elapsed).toBeLessThanOrEqual(ALL.cardMs + ALL.pinMs + 30_000);
  });

  test.each([
    ["display", { do: "display", lines: ["x"] }, 4_000],
    ["set-clock", { do: "set-clock", now: SALE.now }, 4_000],
    ["identify", { do: "identify" }, 45_000],
    ["ask-pin", { do: "ask-pin", request: ALL }, ALL.pinMs + 10_000],
    ["complete", { do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } }, 20_000],
  ] as const satisfies readonly (readonly [string, Command, number])[])(
    "%s ends within its limit",
    (_what, command, limitMs) => {
      const bench = tapHeld(createBench());
      expect(msUntilEnd(bench, 99, [{ on: "command", n: 99, command }], device)).toBeLessThanOrEqual(limitMs);
    },
  );

  test("a cancel behind another command is over within 15 seconds, which is what a payment waits for it", () => {
    for (const command of [
      { do: "display", lines: ["x"] },
      { do: "set-clock", now: SALE.now },
    ] as const satisfies readonly Command[]) {
      const bench = held(createBench());
      const first: readonly LinkEvent[] = [
        { on: "command", n: 98, command },
        { on: "command", n: 99, command: { do: "cancel" } },
      ];
      expect(msUntilEnd(bench, 99, first, device)).toBeLessThanOrEqual(15_000);
    }
  });
});
