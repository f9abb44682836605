import fc from "fast-check";
import { expect, test } from "vitest";
import { ingenicoIpp350Spec, type RbaState } from "../../../../drivers/ingenico-ipp350/driver.ts";
import { timerNames } from "../../../../drivers/ingenico-ipp350/flow.ts";
import { ACK, encodeFrame, FS, GS, LONGEST_PENDING, NAK } from "../../../../drivers/ingenico-ipp350/frame.ts";
import { reportsOf, TO_HOST } from "../../../../drivers/ingenico-ipp350/reports.ts";
import type { Command } from "../../../../src/card/command.ts";
import type { Notice } from "../../../../src/card/notice.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { lineTimers, MOST_WAITING } from "../../../../src/terminal/acknowledged-line.ts";
import { isEnding } from "../../../../src/terminal/command-book.ts";
import type { LinkEvent } from "../../../../src/terminal/driver.ts";
import { usualOptions } from "../../../../src/terminal/options.ts";
import { ALL, SALE } from "../../../support/driver-bench.ts";
import { chipTracks, emv, KSN, ONLINE_PIN_RULE, PIN, PREPARED, SETTINGS, TRACKS, UNIT } from "./bench.ts";
import { vectors } from "./vectors.ts";

const bodies = [
  ...[
    "00.0000",
    "04.0B0000",
    "09.020201I",
    "09.020201R",
    "10.",
    "11.00Ready",
    "13.0",
    "13.1",
    "24.0",
    "28.20000201",
    "28.20000202",
    "31.1",
    "31.a",
    `31.0${PIN}${KSN}`,
  ],
  ...[
    "23.0S",
    "23.0E",
    "23.0Q",
    "23.1M||",
    "23.2",
    "23.7",
    "23.a",
    `23.0M${TRACKS}`,
    `23.0M${chipTracks()}`,
    `23.0C${TRACKS}`,
    `23.0H${TRACKS}`,
  ],
  ...[
    "33.00.0000",
    "33.00.E000",
    PREPARED,
    "33.04.E000",
    "33.05.0000|D1003:0001:aE|D1010:0004:aCDIV|",
    "33.03.0000|T57:FFFF:h00|",
  ],
  ...[
    emv("03", "80"),
    emv("03", "80", "", ONLINE_PIN_RULE),
    emv("05", "40", "A"),
    emv("05", "00", "D"),
    emv("05", "80", "D"),
  ],
  ...[UNIT, ...SETTINGS],
  emv("03", "80").replace("4761730000001119D", "4761739001011119D"),
  `23.0M${TRACKS.replace("4761730000001119=", "4761739001011119=")}`,
];
const frameOf = (body: string): Uint8Array => encodeFrame(body.replaceAll("|", FS).replaceAll("~", GS));
const frames = [
  ...bodies.map(frameOf),
  ...vectors.frames.map(({ hex }) => fromHex(hex)),
  Uint8Array.of(ACK),
  Uint8Array.of(NAK),
];

const commands: readonly Command[] = [
  ...([{ do: "identify" }, { do: "idle" }, { do: "cancel" }, { do: "set-clock", now: SALE.now }] as const),
  ...[SALE, ALL, { ...ALL, transactionType: "20" as const }].map((request): Command => ({ do: "collect", request })),
  ...(["fallback", "chip-unreadable", "wrong-pin", "use-chip"] as const).map(
    (again): Command => ({ do: "collect", request: { ...ALL, again } }),
  ),
  { do: "collect", request: { ...ALL, interfaces: ["keyed"] } },
  { do: "ask-pin", request: ALL },
  { do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } },
  { do: "complete", issuer: { verdict: "declined", arc: "3035", scripts: [] } },
  { do: "display", lines: ["x"], meaning: "approved" },
];

type Happening = { readonly command: Command } | { readonly event: LinkEvent };

const bytesEvent = (bytes: Uint8Array): Happening => ({ event: { on: "bytes", bytes } });
const acked = bytesEvent(Uint8Array.of(ACK));

const happenings = (pieces: (frame: Uint8Array) => readonly Uint8Array[]): fc.Arbitrary<readonly Happening[]> =>
  fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...commands).map((command): readonly Happening[] => [{ command }]) },
        {
          weight: 8,
          arbitrary: fc
            .constantFrom(...frames)
            .map((frame) => [Uint8Array.of(ACK), frame].flatMap(pieces).map(bytesEvent)),
        },
        { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => [bytesEvent(bytes)]) },
        {
          weight: 3,
          arbitrary: fc
            .constantFrom("settle", ...timerNames, ...lineTimers, "unheard-of")
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

function live(all: readonly Happening[], transport: "usb" | "serial" | "tcp"): Life {
  const options = usualOptions(ingenicoIpp350Spec.options);
  let state: RbaState = ingenicoIpp350Spec.begin({ transport, options, now: SALE.now, seed: 0 }).state;
  let issued = 0;
  const notices: Notice[] = [];
  const timers = new Set<string>();
  for (const what of all) {
    if ("command" in what) issued += 1;
    const turn = ingenicoIpp350Spec.turn(
      state,
      "command" in what ? { on: "command", n: issued, command: what.command } : what.event,
    );
    state = turn.state;
    notices.push(...(turn.notices ?? []));
    for (const [name, delay] of Object.entries(turn.timers ?? {})) {
      if (delay === "clear") timers.delete(name);
      else timers.add(name);
    }
    expect(state.inner.queue.length).toBeLessThanOrEqual(4);
    expect(state.line.pending.length).toBeLessThanOrEqual(LONGEST_PENDING);
    expect(state.line.waiting.length).toBeLessThanOrEqual(MOST_WAITING);
  }
  return { issued, notices, timers };
}

const CLOSED: Happening = { event: { on: "closed" } };

test.each([
  ["serial", (frame: Uint8Array) => [frame]],
  ["tcp", (frame: Uint8Array) => [frame.subarray(0, 3), frame.subarray(3)]],
  ["usb", (frame: Uint8Array) => reportsOf(TO_HOST, frame)],
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

const told = (...texts: readonly string[]): readonly Happening[] =>
  texts.flatMap((body) => [acked, bytesEvent(frameOf(body)), acked, acked]);
const begun: readonly Happening[] = [
  { event: { on: "opened" } },
  { command: { do: "collect", request: ALL } },
  ...told("13.0"),
];

test("nothing of a card but its first six and last four digits, sealed data and what may leave in clear ever comes out of it", () => {
  const forbidden = ["56", "57", "5A", "5F20", "5F24", "99", "9F1F", "9F20", "9F6B"];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...bodies), { maxLength: 8 }), (after) => {
      const { notices } = live([...begun, ...told(...after)], "tcp");
      for (const notice of notices) {
        const out = notice.on === "card" ? notice.card.icc : notice.on === "finished" ? notice.emv : [];
        expect(out.filter(({ tag }) => forbidden.includes(tag))).toEqual([]);
        expect(JSON.stringify(notice)).not.toMatch(/4761739001|00112233445566778899/);
      }
    }),
    { numRuns: 300 },
  );
});

test("an approval is never told but for a certificate, an approving issuer and an approving device", () => {
  const start: readonly Happening[] = [
    ...begun,
    ...told("23.0S", PREPARED, "04.0B0000", "13.0", emv("03", "80")),
    { command: { do: "complete", issuer: { verdict: "declined", arc: "3035", scripts: [] } } },
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...frames), { maxLength: 6 }), (after) => {
      const { notices } = live([...start, acked, ...after.map(bytesEvent)], "tcp");
      expect(notices.filter((notice) => notice.on === "card")).toHaveLength(1);
      expect(notices.filter((notice) => notice.on === "finished" && notice.verdict === "approved")).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
