import { describe, expect, test } from "vitest";
import { SALE } from "../../../support/driver-bench.ts";
import {
  answerIn,
  type Bench,
  CARD_IN,
  CARD_SILENT,
  createBench,
  deciding,
  identified,
  looking,
  NO_CARD,
  OK,
  running,
  START_SALE,
  tapping,
  text,
  tlv,
  waiting,
} from "./bench.ts";

const SHOW_INSERT = `display 0001 ${text("\t\r\t12.34 EUR\r\tINSERT CARD")}`;

describe("errors of a chip", () => {
  test.each([
    ["9F23", { on: "no-card", why: "removed" }],
    ["9F50", { on: "no-card", why: "blocked" }],
    ["9F41", { on: "cancelled", by: "customer" }],
    ["9F43", { on: "cancelled", by: "customer" }],
  ])("%s, at START and at CONTINUE", (statusWord, ending) => {
    for (const begin of [running, deciding]) {
      const bench = createBench();
      const n = begin(bench);
      bench.answer(statusWord);
      expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, ...ending }] });
    }
  });

  test.each([
    ["9F25", "chip-unreadable"],
    ["9F28", "not-supported"],
  ])("%s is a card that cannot be read, unless it turns out that it was pulled", (statusWord, why) => {
    const stays = createBench();
    const n = running(stays);
    stays.answer(statusWord);
    expect(stays.look().notices).toEqual([]);
    stays.event(CARD_IN);
    stays.fire("answer");
    expect(stays.look().notices).toMatchObject([{ n, on: "no-card", why }]);

    const pulled = createBench();
    running(pulled);
    pulled.answer(statusWord);
    pulled.event(NO_CARD);
    expect(pulled.look().notices).toContainEqual({ n: 2, on: "no-card", why: "removed" });

    const before = createBench();
    running(before);
    before.event(NO_CARD);
    before.answer(statusWord);
    expect(before.look().notices).toContainEqual({ n: 2, on: "no-card", why: "removed" });
  });

  test.each([
    ["9F24", "device-error"],
    ["9F2A", "device-error"],
    ["6F00", "device-error"],
  ])("%s tells nothing of the device's state: RESET, then the fault", (statusWord, code) => {
    const bench = createBench();
    const n = running(bench);
    bench.answer(statusWord);
    expect(bench.look()).toMatchObject({ sent: ["reset 0001"], notices: [] });
    bench.answer(answerIn("EE", tlv("9F1E", "31")));
    expect(bench.look().sent).toEqual(["card-status 0100"]);
    bench.answer(OK);
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code }]);
  });

  test("a device that does not even take RESET is lost", () => {
    const bench = createBench();
    const n = running(bench);
    bench.answer("9F0D");
    bench.fire("answer");
    expect(bench.look()).toMatchObject({ notices: [{ n, on: "fault", code: "no-answer" }], reopen: true });
  });
});

describe("waiting for a card", () => {
  test("CARD STATUS may be answered by the state alone, in either form, before or behind its answer", () => {
    const ways: readonly ((bench: Bench) => void)[] = [
      (bench) => {
        bench.event(CARD_IN);
        bench.fire("answer");
      },
      (bench) => {
        bench.event(CARD_IN);
        bench.answer(OK);
      },
      (bench) => {
        bench.answer(OK);
        bench.event(CARD_IN);
      },
      (bench) => bench.answer(CARD_IN),
    ];
    for (const way of ways) {
      const bench = identified(createBench());
      bench.command({ do: "collect", request: SALE });
      bench.look();
      way(bench);
      expect(bench.look().sent).toEqual([START_SALE]);
    }
  });

  test("without a state what was told last counts, else the slot is empty", () => {
    const bench = identified(createBench());
    bench.command({ do: "collect", request: SALE });
    bench.answer(OK);
    bench.fire("answer");
    expect(bench.look().sent).toEqual(["card-status 0101", SHOW_INSERT]);
  });

  test.each([
    ["silence", (bench: Bench) => bench.fire("answer"), { code: "no-answer" }],
    [
      "a refusal",
      (bench: Bench) => bench.answer("9F11", answerIn("EE", tlv("9F1E", "31")), OK),
      { code: "device-error" },
    ],
  ])("%s to CARD STATUS ends it", (_what, act, ending) => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: SALE });
    act(bench);
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", ...ending }]);
  });

  test("a silent card is to be tried again, and the third is one too many", () => {
    const bench = createBench();
    const n = waiting(bench);
    for (let times = 1; times <= 2; times += 1) {
      bench.event(CARD_SILENT, CARD_SILENT);
      bench.answer(OK);
      expect(bench.look().notices).toContainEqual({ n, on: "prompt", prompt: "TRY_AGAIN" });
      bench.event(NO_CARD);
      bench.answer(OK);
      expect(bench.look().notices).toContainEqual({ n, on: "prompt", prompt: "INSERT_CHIP" });
    }
    bench.event(CARD_SILENT);
    expect(bench.look().notices).toContainEqual({ n, on: "no-card", why: "chip-unreadable" });
  });

  test("a card that comes while a text is being shown is started when that is over", () => {
    const bench = createBench();
    looking(bench, SALE, NO_CARD);
    bench.look();
    bench.event(CARD_IN);
    expect(bench.look().sent).toEqual([]);
    bench.answer(OK);
    expect(bench.look().sent).toEqual([START_SALE]);
    const failing = createBench();
    looking(failing, SALE, NO_CARD);
    failing.event(CARD_IN);
    failing.look();
    failing.answer("9F22");
    expect(failing.look().sent).toEqual([START_SALE]);
  });

  test("a text that fails is sent once more, and then left", () => {
    const bench = createBench();
    looking(bench, SALE, NO_CARD);
    bench.look();
    bench.answer("9F22");
    expect(bench.look().sent).toEqual([SHOW_INSERT]);
    bench.fire("answer");
    expect(bench.look().sent).toEqual([]);
    bench.event(CARD_IN);
    expect(bench.look().sent).toEqual([START_SALE]);
  });

  test("the red key ends it, after what was being shown", () => {
    const bench = createBench();
    const n = looking(bench, SALE, NO_CARD);
    bench.look();
    bench.event(answerIn("E0", tlv("DFA205", "0D")), answerIn("E0", tlv("DFA205", "1B")));
    expect(bench.look()).toMatchObject({ sent: [], notices: [] });
    bench.answer(OK);
    expect(bench.look().notices).toEqual([{ n, on: "cancelled", by: "customer" }]);
  });

  test("after a wrong PIN the card in the slot is used again, and says so first", () => {
    const bench = createBench();
    const n = looking(bench, { ...SALE, again: "wrong-pin" }, CARD_IN);
    expect(bench.look().sent.at(-1)).toBe(`display 0001 ${text("\t\r\t12.34 EUR\r\tWRONG PIN\r\tTRY AGAIN")}`);
    bench.answer(OK);
    expect(bench.look()).toMatchObject({ sent: [START_SALE], notices: [{ n, on: "prompt", prompt: "WRONG_PIN" }] });
  });

  test.each(["chip-unreadable", "fallback"] as const)("after %s a card in the slot is asked out first", (again) => {
    const bench = createBench();
    const n = looking(bench, { ...SALE, again, interfaces: ["chip", "stripe"] }, CARD_IN);
    expect(bench.look()).toMatchObject({ notices: [{ on: "slot" }, { n, on: "prompt", prompt: "REMOVE_CARD" }] });
    bench.answer(OK);
    bench.event(NO_CARD);
    expect(bench.look().notices).toContainEqual({
      n,
      on: "prompt",
      ...(again === "fallback" ? { prompt: "SWIPE" } : { prompt: "INSERT_CHIP", swipe: true }),
    });
    bench.answer(OK);
    bench.event(CARD_IN);
    expect(bench.look().sent.at(-1)).toMatch(again === "fallback" ? /^display/ : /^start-transaction/);
  });

  test("nobody comes: it ends by its own limit, at the place", () => {
    const bench = createBench();
    const n = waiting(bench);
    expect(bench.timers()).toMatchObject({ card: SALE.cardMs });
    bench.fire("card");
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "no-card", why: "timeout" }] });
  });
});

describe("a card that comes as the time for cards runs out", () => {
  /** The reader is being left for it. */
  const leaving = (): { readonly bench: Bench; readonly n: number } => {
    const bench = createBench();
    const n = tapping(bench);
    bench.event(CARD_IN);
    bench.answer(OK);
    bench.fire("card");
    bench.look();
    return { bench, n };
  };

  test("is read", () => {
    const { bench } = leaving();
    bench.event("9F41");
    expect(bench.look()).toMatchObject({ sent: [START_SALE], notices: [{ prompt: "PROCESSING" }] });
  });

  test("is the last: where it is pulled, or cannot be read, no other is waited for", () => {
    for (const event of [NO_CARD, CARD_SILENT]) {
      const { bench, n } = leaving();
      bench.event(event, "9F41");
      expect(bench.look().notices.at(-1)).toMatchObject({ n, on: "no-card", why: "timeout" });
    }
  });

  test("while a text is not acknowledged yet, is read as well", () => {
    const bench = createBench();
    looking(bench, SALE, NO_CARD);
    bench.event(CARD_IN);
    bench.fire("card");
    bench.look();
    bench.answer(OK);
    expect(bench.look().sent).toEqual([START_SALE]);
  });
});

describe("not available now", () => {
  test.each([
    [
      "CARD STATUS",
      (bench: Bench) => void identified(bench).command({ do: "collect", request: SALE }),
      "card-status 0101",
    ],
    ["START TRANSACTION", (bench: Bench) => void running(bench), START_SALE],
  ])("%s is sent again half a second later, three times at most", (_what, begin, sent) => {
    const bench = createBench();
    begin(bench);
    bench.look();
    for (let times = 0; times < 3; times += 1) {
      bench.answer("9FFF");
      expect(bench.look().sent).toEqual([]);
      expect(bench.timers()).toMatchObject({ answer: 500 });
      bench.fire("answer");
      expect(bench.look()).toMatchObject({ sent: [sent], notices: [] });
    }
    bench.answer("9FFF");
    expect(bench.look().sent).toEqual(["reset 0001"]);
  });

  test("CONTINUE is not sent again, and a card that is told meanwhile is not forgotten", () => {
    const bench = createBench();
    deciding(bench);
    bench.answer("9FFF");
    expect(bench.look().sent).toEqual(["reset 0001"]);
    const told = identified(createBench());
    told.command({ do: "collect", request: SALE });
    told.answer("9FFF");
    told.event(CARD_IN);
    told.look();
    told.fire("answer");
    expect(told.look().sent).toEqual([START_SALE]);
  });

  test("a cancel meanwhile ends it", () => {
    const bench = createBench();
    const n = running(bench);
    bench.answer("9FFF");
    bench.command({ do: "cancel" });
    bench.answer(OK);
    bench.fire("answer");
    bench.answer(answerIn("EE", tlv("9F1E", "31")), OK);
    expect(bench.look().notices).toMatchObject([{ n, on: "cancelled" }, { on: "cancelled" }]);
  });
});
