import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DISPLAY_MS, KEYBOARD_MS } from "../../../../drivers/miura-m020/timing.ts";
import { SALE } from "../../../support/driver-bench.ts";
import {
  type Bench,
  CARD_IN,
  CARD_UPSIDE_DOWN,
  createBench,
  E3_TC,
  E4_ARQC,
  ENTER_PIN,
  identified,
  NO_CARD,
  PIN_OK,
  RESET_ANSWER,
  running,
  SHOW_AGAIN,
  SHOW_INSERT,
  waiting,
} from "./bench.ts";

/* PROTOCOL.md 7.9: what is exchanged with the device while a collect waits for a card. */

const CANCEL_KEY = "E005DFA205011B9000";

/** A collect that has just seen an empty slot: its text is on its way. */
function showing(bench: Bench): number {
  identified(bench);
  const n = bench.command({ do: "collect", request: SALE });
  bench.event(NO_CARD);
  expect(bench.look().sent).toEqual(["card-status", SHOW_INSERT]);
  return n;
}

const started = (bench: Bench): boolean => bench.look().sent.some((command) => command.startsWith("start-transaction"));

describe("the text that asks for a card", () => {
  test("is sent once more when it is refused, then left; keys are reported all the same", () => {
    const bench = createBench();
    showing(bench);
    bench.answer("9F26");
    expect(bench.look().sent).toEqual([SHOW_INSERT]);
    bench.answer("9F26");
    expect(bench.look()).toEqual({ sent: ["keys-on"], notices: [], reopen: false });
    bench.answer("9000");
    bench.event(CARD_IN);
    bench.answer("9000");
    expect(started(bench)).toBe(true);
  });

  test("is sent once more when it is not answered, then left", () => {
    const bench = createBench();
    showing(bench);
    expect(bench.timers()).toHaveProperty("answer", DISPLAY_MS);
    bench.fire("answer");
    bench.fire("answer");
    expect(bench.look()).toEqual({ sent: [SHOW_INSERT, "keys-on"], notices: [], reopen: false });
  });

  test.each([
    ["answered", (bench: Bench) => bench.answer("9000")],
    ["refused", (bench: Bench) => bench.answer("9F26")],
    ["given up", (bench: Bench) => bench.fire("answer")],
  ])("holds the transaction of a card that comes meanwhile back until it is %s", (_what, settle) => {
    const bench = createBench();
    showing(bench);
    bench.event(CARD_IN);
    expect(started(bench)).toBe(false);
    settle(bench);
    expect(started(bench)).toBe(true);
  });

  test("is not taken for answered by what cannot be its answer", () => {
    const bench = createBench();
    showing(bench);
    bench.event(CARD_IN);
    bench.answer(RESET_ANSWER, E4_ARQC, "089000");
    expect(bench.look()).toMatchObject({ sent: [], reopen: false });
  });

  test("asks to try again while a card is in whose chip does not answer, and to insert once it is out", () => {
    const bench = createBench();
    showing(bench);
    bench.event(CARD_UPSIDE_DOWN);
    expect(bench.look().sent).toEqual([]);
    bench.answer("9000");
    expect(bench.look().sent).toEqual([SHOW_AGAIN]);
    bench.answer("9000", "9000");
    bench.event(NO_CARD);
    expect(bench.look().sent).toEqual(["keys-on", SHOW_INSERT]);
  });

  test("is not sent for a card that is in the slot already", () => {
    const bench = createBench();
    running(bench);
    bench.answer("9000");
    expect(bench.look().sent).toEqual([]);
  });
});

describe("keys while a card is waited for", () => {
  test("the red key ends the collect as the customer's cancel, once the device is idle and reports no more keys", () => {
    const bench = createBench();
    const n = waiting(bench);
    bench.event(CANCEL_KEY);
    expect(bench.look()).toEqual({ sent: ["abort"], notices: [], reopen: false });
    bench.answer("9000");
    expect(bench.look().sent).toEqual(["keys-off"]);
    bench.answer("9000");
    expect(bench.look().notices).toEqual([{ n, on: "cancelled", by: "customer" }]);
    expect(bench.timers()).toEqual({});
  });

  test("it counts as soon as they are asked for, and the answers that are still out are waited for", () => {
    const bench = createBench();
    const n = showing(bench);
    bench.answer("9000");
    bench.event(CANCEL_KEY);
    expect(bench.look().sent).toEqual(["keys-on", "abort"]);
    bench.answer("9000");
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
    bench.answer("9000");
    expect(bench.look().sent).toEqual(["keys-off"]);
    bench.answer("9000");
    expect(bench.look().notices).toEqual([{ n, on: "cancelled", by: "customer" }]);
  });

  test("it counts while reporting is being switched off for a card that came, which is not done twice", () => {
    const bench = createBench();
    const n = waiting(bench);
    bench.event(CARD_IN, CANCEL_KEY);
    expect(bench.look().sent).toEqual(["keys-off", "abort"]);
    bench.answer("9000", "9000");
    expect(bench.look()).toEqual({ sent: [], notices: [{ n, on: "cancelled", by: "customer" }], reopen: false });
  });

  test.each(["E005DFA205010D9000", "E005DFA20501829000", "E005DFA20501009000"])(
    "another key, %s, means nothing",
    (event) => {
      const bench = createBench();
      waiting(bench);
      bench.event(event);
      expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
    },
  );

  test.each<[string, (bench: Bench) => void]>([
    ["before keys were asked for", (bench) => void showing(bench)],
    ["while the transaction runs", (bench) => void running(bench)],
    ["on an idle device", (bench) => void identified(bench)],
    [
      "while the slot is looked into",
      (bench) => {
        identified(bench);
        bench.command({ do: "collect", request: SALE });
      },
    ],
    [
      "where the device refused to report keys",
      (bench) => {
        showing(bench);
        bench.answer("9000", "9F0D");
      },
    ],
  ])("the red key means nothing %s", (_what, arrange) => {
    const bench = createBench();
    arrange(bench);
    bench.look();
    bench.event(CANCEL_KEY);
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
  });

  test("a device that refuses to report is not asked again, and need not be told to stop", () => {
    const bench = createBench();
    showing(bench);
    bench.answer("9000", "9F0D");
    bench.event(CARD_IN);
    const { sent } = bench.look();
    expect(sent[0]).toBe("keys-on");
    expect(sent[1]).toMatch(/^start-transaction /);
  });

  test.each([
    ["refuses", (bench: Bench) => bench.answer("9F0D")],
    ["does not answer", (bench: Bench) => bench.fire("answer")],
  ])("a device that %s to stop reporting starts the transaction all the same", (_what, settle) => {
    const bench = createBench();
    waiting(bench);
    bench.event(CARD_IN);
    expect(bench.timers()).toHaveProperty("answer", KEYBOARD_MS);
    expect(started(bench)).toBe(false);
    settle(bench);
    expect(started(bench)).toBe(true);
  });

  test("a card that is pulled before its transaction was started is waited for anew, keys and all", () => {
    const bench = createBench();
    const n = waiting(bench);
    bench.event(CARD_IN, NO_CARD);
    bench.answer("9000");
    expect(bench.look()).toMatchObject({ sent: ["keys-off", "keys-on"] });
    bench.event(CANCEL_KEY);
    bench.answer("9000", "9000", "9000");
    expect(bench.look().notices).toEqual([{ n, on: "cancelled", by: "customer" }]);
  });

  test.each([
    ["the last answer is lost", 2],
    ["one of two answers is lost", 1],
  ])("a collect that is stopped ends although %s", (_what, answers) => {
    const bench = createBench();
    const n = showing(bench);
    bench.answer("9000");
    const cancel = bench.command({ do: "cancel" });
    bench.answer(...Array<string>(answers).fill("9000"));
    bench.fire("answer");
    if (answers === 1) bench.answer("9000");
    const { notices, reopen } = bench.look();
    expect(notices).toEqual([n, cancel].map((number) => ({ n: number, on: "cancelled", by: "register" })));
    expect(reopen).toBe(false);
  });

  test("an idle command ends the collect and goes on once keys are off", () => {
    const bench = createBench();
    const n = waiting(bench);
    const idle = bench.command({ do: "idle" });
    bench.answer("9000", "9000");
    expect(bench.look()).toMatchObject({
      sent: ["abort", "keys-off", expect.stringMatching(/^display /)],
      notices: [{ n, on: "cancelled", by: "register" }],
    });
    bench.answer("9000");
    expect(bench.look().notices).toEqual([{ n: idle, on: "done" }]);
  });
});

test("a sale is approved whether or not its texts and keys are answered, or refused, or answered late and twice", () => {
  const answers = fc.array(fc.constantFrom("9000", "9F26", "late"), { maxLength: 4 });
  fc.assert(
    fc.property(answers, answers, fc.boolean(), (before, after, isLate) => {
      const bench = createBench();
      const answer = (bodies: readonly string[]): void => {
        for (const body of bodies) {
          if (body !== "late") bench.answer(body);
          else if ("answer" in bench.timers()) bench.fire("answer");
        }
      };
      showing(bench);
      answer(before);
      bench.event(CARD_IN);
      // Two limits more than are ever needed: whatever is still open by then is given up.
      answer([...after.filter((body) => body !== "9F26"), "late", "late", "late", "late"]);
      if (isLate) answer(["9000", "9000"]);
      bench.event(ENTER_PIN, PIN_OK);
      bench.answer(E4_ARQC);
      const n = bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
      bench.answer(E3_TC);
      expect(bench.look().notices.filter(({ on }) => on === "finished")).toMatchObject([{ n, verdict: "approved" }]);
    }),
  );
});
