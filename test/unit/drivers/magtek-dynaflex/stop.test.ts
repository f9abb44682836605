import { describe, expect, test } from "vitest";
import { ALL } from "../../../support/driver-bench.ts";
import { arqc, batch, createBench, held, identified, PLAIN, running } from "./bench.ts";

const WELCOME = "display 810100820114";
const Z3 = "resume 8101008416FF7413DFDF250742363033323236FA0670048A025A33";

describe("cancel", () => {
  test("of a collect waits for START's answer, cancels, and is told with the collect once the outcome came", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: ALL });
    bench.look();
    const cancel = bench.command({ do: "cancel" });
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
    bench.answer();
    expect(bench.look().sent).toEqual(["cancel"]);
    bench.answer();
    expect(bench.look().notices).toEqual([]);
    bench.tell("outcome", "00030100");
    expect(bench.look()).toEqual({
      sent: [],
      notices: [
        { n, on: "cancelled", by: "register" },
        { n: cancel, on: "cancelled", by: "register" },
      ],
      reopen: false,
    });
    expect(bench.timers()).toEqual({});
  });

  test("the outcome may come before the answer, or not at all", () => {
    const early = createBench();
    running(early);
    early.command({ do: "cancel" });
    early.tell("outcome", "00030100");
    expect(early.look().notices).toEqual([]);
    early.answer();
    expect(early.look().notices).toHaveLength(2);
    const never = createBench();
    running(never);
    never.command({ do: "cancel" });
    never.answer();
    never.fire("answer");
    expect(never.look().notices).toHaveLength(2);
  });

  test("a transaction that ended by itself, or was never started, is over", () => {
    const bench = createBench();
    running(bench);
    bench.command({ do: "cancel" });
    bench.answer("020304");
    expect(bench.look().notices).toHaveLength(2);
    const refused = identified(createBench());
    refused.command({ do: "collect", request: ALL });
    refused.command({ do: "cancel" });
    refused.answer("020316");
    expect(refused.look().notices).toHaveLength(2);
  });

  test("what cannot be cancelled now is cancelled again, until the card waits for its issuer: then it is told that nobody could be reached", () => {
    const bench = createBench();
    running(bench);
    bench.command({ do: "cancel" });
    bench.look();
    bench.answer("020305");
    bench.fire("answer");
    expect(bench.look().sent).toEqual(["cancel"]);
    bench.tell("progress", "10080202", arqc());
    bench.answer("020305");
    expect(bench.look().sent).toEqual([Z3]);
    bench.answer();
    bench.tell("progress", "10080302", batch("01"));
    bench.tell("outcome", "10028000");
    expect(bench.look().notices).toHaveLength(2);
  });

  test("a response to another host's request, and the outcome of an earlier transaction, end nothing", () => {
    const bench = identified(createBench());
    bench.command({ do: "collect", request: ALL });
    bench.command({ do: "cancel" });
    bench.tell("outcome", "10020200");
    bench.answerAnother();
    expect(bench.look().sent).toEqual([expect.stringMatching(/^start /)]);
    bench.answer();
    bench.answerAnother();
    bench.answer();
    expect(bench.look()).toMatchObject({ sent: ["cancel"], notices: [] });
    bench.tell("progress", "10020200");
    bench.tell("outcome", "10020E00");
    expect(bench.look().notices).toEqual([]);
    bench.tell("outcome", "00030100");
    expect(bench.look().notices).toMatchObject([{ on: "cancelled" }, { on: "cancelled" }]);
  });

  test("a card that is refused waits for its own answer, and is free where nothing runs any more", () => {
    const bench = held(createBench());
    bench.command({ do: "cancel" });
    bench.answer("020305");
    expect(bench.look().sent).toEqual(["cancel", Z3]);
    bench.answerAnother();
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
    bench.answer("020304");
    expect(bench.look()).toMatchObject({ notices: [{ on: "cancelled" }], reopen: false });
  });

  test("a card that approved meanwhile is not dressed up as cancelled", () => {
    const bench = createBench();
    const n = running(bench);
    const cancel = bench.command({ do: "cancel" });
    bench.tell("outcome", "10020200");
    bench.answer("020304");
    expect(bench.look().notices).toMatchObject([
      { n, on: "fault", code: "protocol" },
      { n: cancel, on: "cancelled" },
    ]);
  });

  test("a stop that takes too long, or is not answered, opens the link anew", () => {
    for (const timer of ["watchdog", "answer"]) {
      const bench = createBench();
      const n = running(bench);
      const cancel = bench.command({ do: "cancel" });
      bench.fire(timer);
      const { reopen, notices } = bench.look();
      expect([reopen, notices.map((notice) => [notice.n, notice.on])]).toEqual([
        true,
        [
          [n, "fault"],
          [cancel, "fault"],
        ],
      ]);
    }
    const stubborn = held(createBench());
    stubborn.command({ do: "cancel" });
    stubborn.answer("020305");
    stubborn.answer("020102");
    expect(stubborn.look()).toMatchObject({ reopen: true, notices: [{ on: "fault", code: "device-error" }] });
  });

  test("of a card that waits ends its transaction; with nothing running it is done at once", () => {
    const bench = held(createBench());
    const n = bench.command({ do: "cancel" });
    expect(bench.look().sent).toEqual(["cancel"]);
    bench.answer();
    bench.tell("outcome", "00030100");
    expect(bench.look().notices).toEqual([{ n, on: "cancelled", by: "register" }]);
    const again = bench.command({ do: "cancel" });
    expect(bench.look()).toEqual({ sent: [], notices: [{ n: again, on: "cancelled", by: "register" }], reopen: false });
    const typed = held(createBench(), "07", "03");
    typed.command({ do: "cancel" });
    expect(typed.look()).toMatchObject({ sent: [], notices: [{ on: "cancelled" }] });
    typed.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    expect(typed.look().notices).toMatchObject([{ on: "fault", code: "refused" }]);
  });

  test("where nothing runs on the device any more, nothing is cancelled there", () => {
    const bench = createBench();
    const n = running(bench);
    bench.tell("progress", "10010200");
    bench.tell("outcome", "10020002");
    bench.look();
    const cancel = bench.command({ do: "cancel" });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n }, { n: cancel }] });
  });
});

describe("idle", () => {
  test("greets where there is a screen, and is done at once where there is none", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "idle" });
    expect(bench.look()).toMatchObject({ sent: [WELCOME], notices: [] });
    bench.answer();
    expect(bench.look().notices).toEqual([{ n, on: "done" }]);
    const plain = identified(createBench(), PLAIN);
    plain.command({ do: "idle" });
    expect(plain.look()).toMatchObject({ sent: [], notices: [{ on: "done" }] });
  });

  test("a device that does not greet is idle all the same", () => {
    const bench = identified(createBench());
    bench.command({ do: "idle" });
    bench.answer("020308");
    bench.answer("020308");
    expect(bench.look()).toMatchObject({ sent: [WELCOME, WELCOME], notices: [{ on: "done" }] });
  });

  test("ends a collect, and a card that waits, first", () => {
    const bench = createBench();
    const n = running(bench);
    const idle = bench.command({ do: "idle" });
    bench.answer();
    bench.tell("outcome", "00030100");
    expect(bench.look()).toMatchObject({
      sent: ["cancel", WELCOME],
      notices: [{ n, on: "cancelled", by: "register" }],
    });
    bench.answer();
    expect(bench.look().notices).toEqual([{ n: idle, on: "done" }]);
    const waiting = held(createBench());
    waiting.command({ do: "idle" });
    expect(waiting.look().sent).toEqual(["cancel"]);
  });
});

describe("other commands", () => {
  test.each([
    ["set-clock", { do: "set-clock", now: ALL.now }],
    ["ask-pin", { do: "ask-pin", request: ALL }],
  ] as const)("%s is refused before anything is said", (_what, command) => {
    const bench = identified(createBench());
    const n = bench.command(command);
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "refused" }] });
  });

  test.each([
    [{ lines: ["Approved"], meaning: "approved" }, "03"],
    [{ lines: ["Not approved", "PLEASE REMOVE CARD"], meaning: "not-approved" }, "0C"],
    [{ lines: ["One moment"], meaning: "undecided" }, "0E"],
    [{ lines: ["PLEASE REMOVE CARD"] }, "10"],
    [{ lines: [] }, "0E"],
  ] as const)("of %o the device shows text %s", (display, id) => {
    const bench = identified(createBench());
    const n = bench.command({ do: "display", ...display });
    expect(bench.look().sent).toEqual([`display 8101008201${id}`]);
    bench.answer();
    expect(bench.look().notices).toEqual([{ n, on: "done" }]);
  });

  test("a text that is refused twice is told as such, and one that is not answered twice ends the link", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "display", lines: ["x"], meaning: "approved" });
    bench.answer("020314");
    bench.answer("020314");
    expect(bench.look()).toMatchObject({ notices: [{ n, on: "fault", code: "device-error" }] });
    bench.command({ do: "display", lines: ["x"] });
    bench.fire("answer");
    bench.fire("answer");
    expect(bench.look()).toMatchObject({ reopen: true, notices: [{ on: "fault", code: "no-answer" }] });
  });

  test("nothing breaks into a card's transaction, and what can wait waits", () => {
    const bench = createBench();
    running(bench);
    const display = bench.command({ do: "display", lines: ["x"] });
    expect(bench.look().notices).toMatchObject([{ n: display, on: "fault", code: "refused" }]);
    const waiting = held(createBench());
    waiting.command({ do: "collect", request: ALL });
    expect(waiting.look().notices).toMatchObject([{ on: "fault", code: "refused" }]);
    waiting.command({ do: "complete", issuer: { verdict: "declined", arc: "3035", scripts: [] } });
    const idle = waiting.command({ do: "idle" });
    waiting.answer();
    waiting.tell("progress", "10080302", batch("01"));
    waiting.tell("outcome", "10028000");
    waiting.answer();
    expect(waiting.look().notices.at(-1)).toEqual({ n: idle, on: "done" });
  });
});
