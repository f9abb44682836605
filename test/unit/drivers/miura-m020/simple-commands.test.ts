import { describe, expect, test } from "vitest";
import { displayText } from "../../../../drivers/miura-m020/display.ts";
import { ABORT_MS, DISPLAY_MS } from "../../../../drivers/miura-m020/timing.ts";
import { ascii } from "../../../../src/kit/bytes.ts";
import { LONGEST_QUEUE } from "../../../../src/terminal/one-job.ts";
import { CARD_IN, createBench, E5_AAC, held, identified, NO_CARD, running } from "./bench.ts";

const rows = (...lines: readonly string[]): readonly string[] => ascii(displayText(lines)).split("\n");

describe("display text", () => {
  test.each([
    [["Approved"], ["Approved"]],
    [
      ["", "Welcome"],
      ["", "Welcome"],
    ],
    [["Please remove your card now"], ["Please remove your", "card now"]],
    [["123456789012345678901"], ["123456789012345678901"]],
    [["1234567890123456789012"], ["123456789012345678901", "2"]],
    [
      ["a", "b", "c", "d", "e"],
      ["a", "b", "c", "d"],
    ],
    [["Müll\u0002\n"], ["M?ll??"]],
    [["x".repeat(500)], Array(4).fill("x".repeat(21))],
    [[], [""]],
  ])("%j is shown as %j", (lines, expected) => {
    expect(rows(...lines)).toEqual(expected);
  });
});

describe("display", () => {
  test("is done with the device's answer", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "display", lines: ["Remove card"] });
    expect(bench.look().sent).toEqual(["display 52656D6F76652063617264"]);
    bench.answer("9000");
    expect(bench.look().notices).toEqual([{ n, on: "done" }]);
  });

  test("is tried once more when it is refused, then it is a fault", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "display", lines: ["a"] });
    bench.event(NO_CARD);
    bench.answer("9F26");
    expect(bench.look().sent).toEqual(["display 61", "display 61"]);
    bench.answer("9F26");
    expect(bench.look().notices).toEqual([
      { n, on: "fault", code: "device-error", detail: "display was refused: 9F26 (command not allowed in this state)" },
    ]);
  });

  test("without an answer is tried once more, then the link is opened anew", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "display", lines: ["a"] });
    expect(bench.timers()).toEqual({ answer: DISPLAY_MS });
    bench.fire("answer");
    bench.fire("answer");
    const { notices, reopen } = bench.look();
    expect(notices).toEqual([{ n, on: "fault", code: "no-answer", detail: "no answer to display" }]);
    expect(reopen).toBe(true);
  });
});

describe("set-clock", () => {
  test("sends date and time and is done with the answer", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "set-clock", now: { date: "851026", time: "012122" } });
    expect(bench.look().sent).toEqual(["clock E00B9A038510269F2103012122"]);
    bench.answer("9000");
    expect(bench.look().notices).toEqual([{ n, on: "done" }]);
  });

  test.each([
    [{ date: "2026-01-15", time: "143000" }, "now.date"],
    [{ date: "260115", time: "14:30" }, "now.time"],
  ])("%j is refused by the name of its field", (now, field) => {
    const bench = identified(createBench());
    const n = bench.command({ do: "set-clock", now });
    const { sent, notices } = bench.look();
    expect(sent).toEqual([]);
    expect(notices).toMatchObject([{ n, on: "fault", code: "refused", detail: expect.stringContaining(field) }]);
  });
});

describe("idle", () => {
  test("aborts, shows the idle text and turns card reports on", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "idle" });
    expect(bench.look().sent).toEqual(["abort"]);
    bench.answer("9000");
    expect(bench.look().sent).toEqual(["display 0A57656C636F6D65"]);
    bench.answer("9000");
    expect(bench.look()).toEqual({ sent: ["card-status"], notices: [{ n, on: "done" }], reopen: false });
    expect(bench.timers()).toEqual({});
  });

  test("is done even where the device will not show the text, which is sent once more", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "idle" });
    bench.answer("9000");
    bench.look();
    bench.answer("9F26");
    expect(bench.look()).toMatchObject({ sent: ["display 0A57656C636F6D65"], notices: [] });
    bench.answer("9F26");
    expect(bench.look()).toMatchObject({ sent: ["card-status"], notices: [{ n, on: "done" }] });
  });

  test("ends a running collect first", () => {
    const bench = createBench();
    const collect = running(bench);
    const n = bench.command({ do: "idle" });
    bench.answer("9000", "9F41");
    expect(bench.look().notices).toEqual([{ n: collect, on: "cancelled", by: "register" }]);
    bench.answer("9000");
    expect(bench.look().notices).toEqual([{ n, on: "done" }]);
  });

  test("waits for the extra answer of a card that waited for its issuer", () => {
    const bench = held(createBench());
    const n = bench.command({ do: "idle" });
    bench.answer("9000");
    expect(bench.look()).toEqual({ sent: ["abort"], notices: [], reopen: false });
    bench.answer(E5_AAC);
    bench.answer("9000");
    expect(bench.look().notices).toEqual([{ n, on: "done" }]);
  });

  test("without an answer to ABORT is a lost device", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "idle" });
    bench.fire("answer");
    const { notices, reopen } = bench.look();
    expect(notices).toEqual([
      { n, on: "fault", code: "no-answer", detail: `no answer to ABORT within ${ABORT_MS} ms` },
    ]);
    expect(reopen).toBe(true);
  });

  test("without an answer to the idle text is tried again, then is a lost device", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "idle" });
    bench.answer("9000");
    bench.fire("answer");
    bench.fire("answer");
    const { notices, reopen } = bench.look();
    expect(notices).toEqual([{ n, on: "fault", code: "no-answer", detail: "no answer to display" }]);
    expect(reopen).toBe(true);
  });
});

describe("slot", () => {
  test("every change is told once, unsolicited", () => {
    const bench = identified(createBench());
    bench.event(NO_CARD, NO_CARD, CARD_IN, CARD_IN, NO_CARD);
    expect(bench.look().notices).toEqual([
      { n: 0, on: "slot", card: false },
      { n: 0, on: "slot", card: true },
      { n: 0, on: "slot", card: false },
    ]);
  });
});

describe("waiting commands", () => {
  test("are done one after another", () => {
    const bench = identified(createBench());
    const first = bench.command({ do: "display", lines: ["a"] });
    const second = bench.command({ do: "display", lines: ["b"] });
    expect(bench.look().sent).toEqual(["display 61"]);
    bench.answer("9000");
    expect(bench.look()).toEqual({ sent: ["display 62"], notices: [{ n: first, on: "done" }], reopen: false });
    bench.answer("9000");
    expect(bench.look().notices).toEqual([{ n: second, on: "done" }]);
  });

  test("have a limit", () => {
    const bench = identified(createBench());
    for (let waiting = 0; waiting <= LONGEST_QUEUE; waiting += 1) bench.command({ do: "display", lines: ["a"] });
    expect(bench.look().notices).toEqual([]);
    const n = bench.command({ do: "display", lines: ["a"] });
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "refused" }]);
  });

  test("end with the link, each with its own number", () => {
    const bench = identified(createBench());
    const numbers = [bench.command({ do: "display", lines: ["a"] }), bench.command({ do: "idle" })];
    bench.feed({ on: "closed" });
    expect(bench.look().notices).toEqual(
      numbers.map((n) => ({ n, on: "fault", code: "no-answer", detail: "the link was closed" })),
    );
    expect(bench.timers()).toEqual({});
  });

  test("an idle and a cancel that come during identify are done after it", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.command({ do: "identify" });
    const cancel = bench.command({ do: "cancel" });
    expect(bench.look().notices).toEqual([]);
    bench.answer("9F0D", "9F0D", "9F0D");
    expect(bench.look().notices).toMatchObject([
      { n: 1, on: "fault" },
      { n: cancel, on: "cancelled", by: "register" },
    ]);
  });
});

describe("a broken stream", () => {
  test("ends the running command and asks for a fresh link", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "display", lines: ["a"] });
    const waiting = bench.command({ do: "idle" });
    bench.feed({ on: "bytes", bytes: Uint8Array.of(0x01, 0x00, 0x02, 0x90, 0x00, 0x00) });
    const { notices, reopen } = bench.look();
    expect(notices).toEqual([
      { n, on: "fault", code: "protocol", detail: "the stream is broken: LRC is wrong" },
      { n: waiting, on: "fault", code: "no-answer", detail: "the link is being opened anew" },
    ]);
    expect(reopen).toBe(true);
    bench.feed({ on: "bytes", bytes: Uint8Array.of(0x01, 0x00, 0x02, 0x90, 0x00, 0x93) });
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
  });

  test("is told without a number where no command runs", () => {
    const bench = identified(createBench());
    bench.feed({ on: "bytes", bytes: Uint8Array.of(0x07) });
    expect(bench.look()).toMatchObject({ notices: [{ n: 0, on: "fault", code: "protocol" }], reopen: true });
  });
});
