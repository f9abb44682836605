import { describe, expect, test } from "vitest";
import { OFFLINE_MS } from "../../../../drivers/ingenico-ipp350/timing.ts";
import type { Command } from "../../../../src/card/command.ts";
import { ALL, SALE } from "../../../support/driver-bench.ts";
import {
  authorizing,
  type Bench,
  createBench,
  emv,
  held,
  identified,
  ONLINE_PIN_RULE,
  PREPARED,
  waiting,
} from "./bench.ts";

/** Every place where a collect can be, and what the device says of what is cancelled there. */
const places: readonly (readonly [string, (bench: Bench) => number, readonly string[]])[] = [
  [
    "the amount",
    (bench) => {
      identified(bench);
      return bench.command({ do: "collect", request: ALL });
    },
    ["13.0"],
  ],
  ["the card", (bench) => waiting(bench, ALL), ["23.a"]],
  [
    "the card's data",
    (bench) => {
      const n = waiting(bench);
      bench.tell("09.020201I", "23.0S");
      return n;
    },
    ["33.00.0000", PREPARED],
  ],
  [
    "the payment type",
    (bench) => {
      const n = waiting(bench);
      bench.tell("23.0S", PREPARED);
      return n;
    },
    ["04.0B0000"],
  ],
  ["the cryptogram", (bench) => authorizing(bench), [emv("03", "80")]],
  [
    "the PIN",
    (bench) => {
      const n = authorizing(bench);
      bench.tell(emv("03", "80", "", ONLINE_PIN_RULE));
      return n;
    },
    ["31.a"],
  ],
  [
    "an empty slot",
    (bench) => {
      identified(bench);
      bench.tell("09.020201I");
      return bench.command({ do: "collect", request: { ...ALL, again: "chip-unreadable" } });
    },
    ["24.a"],
  ],
];

describe.each(places)("while %s is waited for", (_place, begin, says) => {
  test.each([
    ["cancel", { on: "cancelled", by: "register" }],
    ["idle", { on: "done" }],
  ] as const)("%s stops the device and ends both commands", (what, ending) => {
    const bench = createBench();
    const n = begin(bench);
    bench.look();
    const m = bench.command({ do: what });
    expect(bench.look()).toEqual({ sent: ["00.0000"], notices: [], reopen: false });
    bench.tell(...says, "00.0000");
    expect(bench.look()).toMatchObject({
      sent: [],
      notices: [
        { n, on: "cancelled", by: "register" },
        { n: m, ...ending },
      ],
    });
    expect(bench.timers()).toEqual({ restart: expect.any(Number) });
  });

  test("everything else is refused", () => {
    const bench = createBench();
    begin(bench);
    bench.look();
    const commands: readonly Command[] = [
      { do: "identify" },
      { do: "collect", request: SALE },
      { do: "display", lines: ["x"] },
    ];
    for (const command of commands) {
      const n = bench.command(command);
      expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "refused" }] });
    }
  });
});

describe("a cancel", () => {
  test("of a card that waits for its issuer stops the device; of nothing it is done at once", () => {
    const bench = held(createBench());
    const n = bench.command({ do: "cancel" });
    bench.tell("33.05.0000|D1003:0001:aD|", "00.0000");
    expect(bench.look()).toMatchObject({ sent: ["00.0000"], notices: [{ n, on: "cancelled" }] });
    const m = bench.command({ do: "cancel" });
    expect(bench.look()).toEqual({ sent: [], notices: [{ n: m, on: "cancelled", by: "register" }], reopen: false });
  });

  test("that the card overtook by approving is no cancellation", () => {
    for (const word of [emv("05", "40", "A"), emv("05", "40"), "33.05.0000|D1003:0001:aA|"]) {
      const bench = createBench();
      const n = authorizing(bench);
      const m = bench.command({ do: "cancel" });
      bench.tell(word, "00.0000");
      expect(bench.look().notices).toMatchObject([
        { n, on: "fault", code: "protocol", detail: expect.stringContaining("approved offline") },
        { n: m, on: "cancelled" },
      ]);
    }
  });

  test("does not hide what is worse than an approval", () => {
    const bench = createBench();
    const n = authorizing(bench);
    bench.tell(emv("03", "80").replace("4761730000001119D", "4761739001011119D"), emv("05", "40", "A"), "00.0000");
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "clear-card-data" }]);
  });

  test.each([
    ["an EMV message", emv("03", "80").replace("4761730000001119D", "4761739001011119D")],
    ["a swipe", "23.0M|;4761739001011119=3112101?|"],
  ])(
    "of a collect whose card comes in clear behind it (%s) tells the leak, and so does a device that nobody asked",
    (_what, body) => {
      const bench = createBench();
      const n = waiting(bench, ALL);
      const m = bench.command({ do: "cancel" });
      bench.tell(body, "00.0000");
      expect(bench.look().notices).toMatchObject([
        { n: 0, on: "fault", code: "clear-card-data" },
        { n, on: "cancelled" },
        { n: m, on: "cancelled" },
      ]);
      bench.tell("13.0", body);
      expect(bench.look().notices).toMatchObject([{ n: 0, on: "fault", code: "clear-card-data" }]);
    },
  );

  test("of a device that does not answer is asked once more, and then the link is opened anew", () => {
    const bench = createBench();
    const n = waiting(bench, ALL);
    const m = bench.command({ do: "cancel" });
    expect(bench.timers()).toMatchObject({ answer: OFFLINE_MS });
    bench.look();
    bench.fire("answer");
    expect(bench.look().sent).toEqual(["00.0000"]);
    bench.fire("answer");
    expect(bench.look()).toMatchObject({
      notices: [
        { n, code: "no-answer" },
        { n: m, code: "no-answer" },
      ],
      reopen: true,
    });
  });

  test("is asked for once: a second one waits for it", () => {
    const bench = createBench();
    const n = waiting(bench, ALL);
    const [first, second] = [bench.command({ do: "cancel" }), bench.command({ do: "cancel" })];
    expect(bench.look()).toMatchObject({ sent: ["00.0000"], notices: [] });
    bench.tell("23.a", "00.0000");
    expect(bench.look().notices.map((notice) => [notice.n, notice.on])).toEqual([
      [n, "cancelled"],
      [first, "cancelled"],
      [second, "cancelled"],
    ]);
  });
});

test("a link that is lost ends what runs and what waits; a fresh one begins from nothing", () => {
  const bench = held(createBench());
  const n = bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
  const m = bench.command({ do: "idle" });
  bench.look();
  bench.feed({ on: "closed" });
  expect(bench.look().notices).toMatchObject([
    { n, on: "fault", code: "no-answer" },
    { n: m, on: "fault", code: "no-answer" },
  ]);
  expect(bench.timers()).toEqual({});
  bench.feed({ on: "opened" });
  const next = bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
  expect(bench.look()).toMatchObject({ sent: [], notices: [{ n: next, code: "refused" }] });
});

test("a command that comes while the device is stopped is done after that", () => {
  const bench = createBench();
  waiting(bench);
  bench.command({ do: "cancel" });
  bench.look();
  const n = bench.command({ do: "display", lines: ["x"] });
  expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
  bench.tell("23.a", "00.0000", "24.0");
  expect(bench.look()).toMatchObject({ sent: ["24.msg.K3Z|Tprompt1,x"], notices: [{}, {}, { n, on: "done" }] });
});

test("an amount that is confirmed, or refused, once more ends nothing: its cryptogram is asked for already", () => {
  const bench = createBench();
  authorizing(bench);
  bench.tell("13.1", "13.0", "04.0B0000");
  expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
  const early = createBench();
  waiting(early);
  early.tell("23.0S", PREPARED);
  early.look();
  early.tell("13.1");
  expect(early.look()).toEqual({ sent: [], notices: [], reopen: false });
});
