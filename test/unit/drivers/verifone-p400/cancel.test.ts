import { describe, expect, test } from "vitest";
import { ALL, SALE } from "../../../support/driver-bench.ts";
import {
  answerIn,
  type Bench,
  CARD_IN,
  cardAnswer,
  createBench,
  deciding,
  decisionWanted,
  held,
  identified,
  looking,
  NO_CARD,
  OK,
  PIN_TYPED,
  POWERED_ON,
  running,
  tapHeld,
  tapping,
  tlv,
  waiting,
} from "./bench.ts";

const RESET_DONE = answerIn("EE", tlv("9F1E", "31"));
const CANCEL = { do: "cancel" } as const;
const IDLE = { do: "idle" } as const;

/** Answers whatever is sent, as a device would, until nothing is. */
function settle(bench: Bench): { readonly sent: readonly string[]; readonly notices: readonly unknown[] } {
  const all: string[] = [];
  const notices: unknown[] = [];
  for (let looks = 0; looks < 10; looks += 1) {
    const seen = bench.look();
    all.push(...seen.sent);
    notices.push(...seen.notices);
    if (seen.sent.length === 0) break;
    for (const command of seen.sent) {
      bench.answer(command.startsWith("reset") ? RESET_DONE : OK);
      if (command === "cancel-contactless") bench.event("9F41");
    }
  }
  return { sent: all, notices };
}

interface State {
  readonly at: string;
  readonly begin: (bench: Bench) => unknown;
  /** The answer to the command that is open there. */
  readonly pending?: string;
  readonly sent: readonly string[];
  /** The collect was told already: only the cancel is left to end. */
  readonly isTold?: true;
}

const END = ["abort", "reset 0001", "card-status 0100"];

const STATES: readonly State[] = [
  { at: "nothing", begin: identified, sent: [], isTold: true },
  {
    at: "CARD STATUS sent",
    begin: (bench) => identified(bench).command({ do: "collect", request: SALE }),
    pending: OK,
    sent: [],
  },
  { at: "text being shown", begin: (bench) => looking(bench, SALE, NO_CARD), pending: OK, sent: [] },
  { at: "waiting", begin: waiting, sent: [] },
  { at: "START sent", begin: running, pending: "9F41", sent: ["abort"] },
  { at: "first CONTINUE sent", begin: deciding, pending: "9F41", sent: ["abort"] },
  {
    at: "PIN being typed for a chip",
    begin: (bench) => {
      deciding(bench);
      bench.answer(cardAnswer("E4", { results: "420300" }));
    },
    pending: "9F41",
    sent: END,
  },
  { at: "a chip waits for its issuer", begin: held, sent: END, isTold: true },
  {
    at: "START CONTACTLESS sent",
    begin: (bench) => looking(bench, ALL, NO_CARD),
    pending: OK,
    sent: ["cancel-contactless"],
  },
  { at: "the reader waits", begin: tapping, sent: ["cancel-contactless"] },
  {
    at: "the reader is being left",
    begin: (bench) => {
      tapping(bench);
      bench.event(CARD_IN);
      bench.answer(OK);
    },
    sent: [],
  },
  {
    at: "PIN being typed for a tap",
    begin: (bench) => {
      tapping(bench);
      bench.event(cardAnswer("E4", { results: "420300" }));
    },
    pending: "9F41",
    sent: END,
  },
  { at: "a tap waits for its issuer", begin: tapHeld, sent: END, isTold: true },
  {
    at: "a number being typed",
    begin: (bench) => identified(bench).command({ do: "collect", request: { ...SALE, interfaces: ["keyed"] } }),
    pending: "9F41",
    sent: ["abort"],
  },
  {
    at: "an unreadable chip",
    begin: (bench) => {
      running(bench);
      bench.answer("9F25");
    },
    sent: [],
  },
];

describe.each(STATES)("$at", ({ begin, pending, sent, isTold }) => {
  const begun = (): Bench => {
    const bench = createBench();
    begin(bench);
    bench.look();
    return bench;
  };
  const finish = (bench: Bench): ReturnType<typeof settle> => {
    if (pending !== undefined) bench.answer(pending);
    const isLeaving = sent.length === 0 && pending === undefined;
    if (isLeaving) bench.event("9F41");
    return settle(bench);
  };

  test("a cancel ends it, and the device is free", () => {
    const bench = begun();
    const n = bench.command(CANCEL);
    const ending = finish(bench);
    expect(ending.sent).toEqual(sent);
    const own = isTold ? [] : [{ n: n - 1, on: "cancelled", by: "register" }];
    expect(ending.notices).toEqual([...own, { n, on: "cancelled", by: "register" }]);
    bench.command({ do: "collect", request: SALE });
    expect(bench.look().sent).toEqual(["card-status 0101"]);
  });

  test("an idle command ends it too, and shows the idle screen", () => {
    const bench = begun();
    const n = bench.command(IDLE);
    const ending = finish(bench);
    expect(ending.sent).toEqual([
      ...sent.filter((command) => !command.startsWith("card-status")),
      "display 0101",
      "card-status 0100",
    ]);
    const own = isTold ? [] : [{ n: n - 1, on: "cancelled", by: "register" }];
    expect(ending.notices).toEqual([...own, { n, on: "done" }]);
  });

  test("the link's end ends everything", () => {
    const bench = begun();
    bench.feed({ on: "closed" });
    const { notices } = bench.look();
    expect(notices).toMatchObject(isTold ? [] : [{ on: "fault", code: "no-answer" }]);
    expect(bench.timers()).toEqual({});
  });
});

describe("what crosses an ABORT", () => {
  const aborted = (begin: (bench: Bench) => unknown): { readonly bench: Bench; readonly n: number } => {
    const bench = createBench();
    begin(bench);
    const n = bench.command(CANCEL);
    bench.look();
    return { bench, n };
  };

  test.each([
    ["the answer first", [OK, "9F41"]],
    ["the end first", ["9F41", OK]],
  ])("%s", (_what, answers) => {
    const { bench, n } = aborted(running);
    bench.answer(...answers);
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n: n - 1 }, { n, on: "cancelled" }] });
  });

  test.each([decisionWanted(), cardAnswer("E4")])("a card that got further is ended by RESET", (body) => {
    const { bench, n } = aborted(deciding);
    bench.answer(body);
    const { sent, notices } = settle(bench);
    expect(sent).toEqual([]);
    bench.answer(OK);
    const rest = settle(bench);
    expect(rest.sent).toEqual(END);
    expect([...notices, ...rest.notices]).toMatchObject([
      { n: n - 1, on: "cancelled" },
      { n, on: "cancelled" },
    ]);
  });

  test("a card that approved by itself is no cancellation", () => {
    const { bench, n } = aborted(deciding);
    bench.answer(cardAnswer("E3", { information: "40" }), OK);
    expect(bench.look().notices).toMatchObject([
      { n: n - 1, on: "fault", code: "protocol" },
      { n, on: "cancelled" },
    ]);
  });

  test("a card that declined by itself, or a PIN that was typed, is just over", () => {
    const declined = aborted(deciding);
    declined.bench.answer(cardAnswer("E5", { information: "00" }), OK);
    expect(declined.bench.look().notices).toMatchObject([{ on: "cancelled" }, { on: "cancelled" }]);
    const typed = aborted((bench) => {
      tapping(bench);
      bench.event(cardAnswer("E4", { results: "420300" }));
    });
    typed.bench.answer(PIN_TYPED, OK);
    expect(settle(typed.bench)).toMatchObject({
      sent: ["reset 0001", "card-status 0100"],
      notices: [{ on: "cancelled" }, { on: "cancelled" }],
    });
  });

  test("a command that never ends although ABORT was answered is ended by RESET", () => {
    const { bench } = aborted(running);
    bench.answer(OK);
    bench.fire("answer");
    expect(settle(bench)).toMatchObject({
      sent: ["reset 0001", "card-status 0100"],
      notices: [{ on: "cancelled" }, { on: "cancelled" }],
    });
  });

  test("a card that approved by itself while RESET was on its way is no cancellation either; no other word of it is RESET's answer", () => {
    const { bench, n } = aborted(running);
    bench.answer(OK);
    bench.fire("answer");
    expect(bench.look().sent).toEqual(["reset 0001"]);
    bench.answer(cardAnswer("E4"), decisionWanted(), cardAnswer("E3", { information: "40" }));
    expect(bench.look()).toMatchObject({ sent: [], notices: [] });
    bench.answer(RESET_DONE, OK);
    expect(bench.look()).toMatchObject({
      sent: ["card-status 0100"],
      notices: [
        { n: n - 1, on: "fault", code: "protocol" },
        { n, on: "cancelled" },
      ],
    });
  });

  test("no answer to ABORT: lost, and everybody is told", () => {
    const { bench, n } = aborted(running);
    bench.fire("answer");
    expect(bench.look()).toMatchObject({
      notices: [
        { n: n - 1, code: "no-answer" },
        { n, code: "no-answer" },
      ],
      reopen: true,
    });
  });

  test("a text that is never acknowledged is followed by ABORT", () => {
    const bench = createBench();
    looking(bench, SALE, NO_CARD);
    bench.command(CANCEL);
    bench.look();
    bench.fire("answer");
    expect(settle(bench)).toMatchObject({ sent: ["abort"], notices: [{ on: "cancelled" }, { on: "cancelled" }] });
  });

  test("a tap that was read while the reader was being cancelled is ended by RESET, and one that approved by itself is a fault", () => {
    const read = aborted(tapping);
    read.bench.event(cardAnswer("E4"));
    read.bench.answer(OK);
    expect(settle(read.bench)).toMatchObject({ sent: END, notices: [{ on: "cancelled" }, { on: "cancelled" }] });
    const approved = aborted(tapping);
    approved.bench.event(cardAnswer("E3", { information: "40" }));
    approved.bench.answer(OK);
    expect(approved.bench.look().notices).toMatchObject([{ on: "fault", code: "protocol" }, { on: "cancelled" }]);
  });

  test("a reader that says nothing of its end has ended three seconds later; one that refuses the cancel does not run", () => {
    const silent = aborted(tapping);
    silent.bench.answer(OK);
    expect(silent.bench.timers()).toMatchObject({ answer: 3000 });
    silent.bench.fire("answer");
    expect(silent.bench.look().notices).toMatchObject([{ on: "cancelled" }, { on: "cancelled" }]);
    const refused = aborted(tapping);
    refused.bench.answer("9F22");
    expect(refused.bench.look().notices).toMatchObject([{ on: "cancelled" }, { on: "cancelled" }]);
  });
});

describe("idle", () => {
  test("a screen that is not shown does not matter; one that is not answered at all is asked for twice", () => {
    const bench = identified(createBench());
    const n = bench.command(IDLE);
    bench.answer("9F11");
    expect(bench.look().sent).toEqual(["display 0101", "card-status 0100"]);
    bench.event(NO_CARD);
    bench.fire("answer");
    expect(bench.look().notices).toMatchObject([{ on: "slot" }, { n, on: "done" }]);
    const silent = identified(createBench());
    silent.command(IDLE);
    silent.fire("answer");
    expect(silent.look().sent).toEqual(["display 0101", "display 0101"]);
    silent.fire("answer");
    expect(silent.look()).toMatchObject({ notices: [{ on: "fault", code: "no-answer" }], reopen: true });
  });

  test("the slot is told whenever it changes, and only then", () => {
    const bench = identified(createBench());
    bench.event(NO_CARD, NO_CARD, CARD_IN, CARD_IN, NO_CARD);
    expect(bench.look().notices).toEqual([
      { n: 0, on: "slot", card: false },
      { n: 0, on: "slot", card: true },
      { n: 0, on: "slot", card: false },
    ]);
  });

  test("a greeting while the device is brought back to idle is its RESET's", () => {
    const bench = held(createBench());
    bench.command(CANCEL);
    bench.event(POWERED_ON);
    expect(bench.look()).toMatchObject({ reopen: false, notices: [] });
  });

  test("a second cancel ends together with the first", () => {
    const bench = createBench();
    running(bench);
    const n = bench.command(CANCEL);
    bench.command(CANCEL);
    bench.answer(OK, "9F41");
    expect(bench.look().notices).toMatchObject([{ n: n - 1 }, { n, on: "cancelled" }, { n: n + 1, on: "cancelled" }]);
  });

  test("so many cancels at once are none that a session sends: what is kept of them has a bound", () => {
    const bench = createBench();
    running(bench);
    for (let sent = 0; sent < 20; sent += 1) bench.command(CANCEL);
    const refused = bench.look().notices.filter((notice) => notice.on === "fault" && notice.code === "refused");
    bench.answer(OK, "9F41");
    expect(bench.look().notices.length + refused.length).toBe(21);
    expect(refused.length).toBeGreaterThan(10);
  });

  test("during a completion a cancel is too late", () => {
    const bench = held(createBench());
    bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    bench.command(CANCEL);
    expect(bench.look().notices).toMatchObject([{ on: "fault", code: "refused" }]);
  });
});
