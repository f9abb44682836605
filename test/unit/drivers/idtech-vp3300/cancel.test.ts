import { describe, expect, test } from "vitest";
import { ALL } from "../../../support/driver-bench.ts";
import {
  type Bench,
  chipAnswer,
  createBench,
  DONE,
  held,
  identified,
  idles,
  ONLINE,
  running,
  tapAnswer,
  waiting,
} from "./bench.ts";

const cancelled = (n: number) => ({ n, on: "cancelled", by: "register" });

describe("cancel", () => {
  test.each<[string, (bench: Bench) => number]>([
    ["while a chip is waited for", (bench) => waiting(bench)],
    ["while every reader waits", (bench) => waiting(bench, ALL)],
    ["while the chip's transaction runs", (bench) => running(bench)],
  ])("%s is told for both once the device is idle", (_what, begin) => {
    const bench = createBench();
    const collect = begin(bench);
    const n = bench.command({ do: "cancel" });
    expect(bench.look()).toEqual({ sent: ["cancel"], notices: [], reopen: false });
    expect(Object.keys(bench.timers())).toEqual(["answer"]);
    bench.answer(DONE.cancel);
    bench.fire("answer");
    expect(bench.look()).toMatchObject({ sent: ["ping"], notices: [] });
    bench.answer(DONE.ping);
    expect(bench.look().notices).toEqual([cancelled(collect), cancelled(n)]);
    expect(bench.timers()).toEqual({});
  });

  test.each(["020A", "600A", "6000 C0DFEE25020012", ONLINE, tapAnswer("23", "80"), "6063", "F200 01"])(
    "what still comes of it (%s) is dropped",
    (late) => {
      const bench = createBench();
      const collect = running(bench);
      const n = bench.command({ do: "cancel" });
      bench.answer(late, DONE.cancel, late);
      bench.fire("answer");
      bench.answer(late, DONE.ping, late);
      expect(bench.look().notices.filter((notice) => notice.n !== 0)).toEqual([cancelled(collect), cancelled(n)]);
    },
  );

  test.each([chipAnswer("0000", "40"), tapAnswer("00", "40")])(
    "a card that approves by itself meanwhile is no cancellation",
    (late) => {
      const bench = createBench();
      const collect = running(bench);
      const n = bench.command({ do: "cancel" });
      bench.answer(DONE.cancel, late);
      bench.fire("answer");
      bench.answer(DONE.ping);
      expect(bench.look().notices).toMatchObject([{ n: collect, on: "fault", code: "protocol" }, cancelled(n)]);
    },
  );

  test("of a chip that waits for its issuer makes the device drop it; of nothing it is done at once", () => {
    const bench = held(createBench());
    const n = bench.command({ do: "cancel" });
    expect(bench.look().sent).toEqual(["cancel"]);
    idles(bench);
    expect(bench.look().notices).toEqual([cancelled(n)]);
    const again = bench.command({ do: "cancel" });
    expect(bench.look()).toEqual({ sent: [], notices: [cancelled(again)], reopen: false });
    const m = bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    expect(bench.look().notices).toMatchObject([{ n: m, code: "refused" }]);
  });

  test("that is refused counts as done; one without an answer is sent three times, then the link is opened anew", () => {
    const bench = createBench();
    const collect = waiting(bench);
    const n = bench.command({ do: "cancel" });
    bench.answer("050A");
    bench.fire("answer");
    bench.answer(DONE.ping);
    expect(bench.look().notices).toEqual([cancelled(collect), cancelled(n)]);
    const next = createBench();
    waiting(next);
    next.command({ do: "cancel" });
    for (let tries = 0; tries < 3; tries += 1) next.fire("answer");
    expect(next.look()).toMatchObject({
      sent: ["cancel", "cancel", "cancel"],
      notices: [{ code: "no-answer" }, { code: "no-answer" }],
      reopen: true,
    });
  });

  test("a ping without an answer is sent again, then the link is opened anew", () => {
    const bench = createBench();
    waiting(bench);
    bench.command({ do: "cancel" });
    bench.answer(DONE.cancel);
    for (let times = 0; times < 3; times += 1) bench.fire("answer");
    expect(bench.look()).toMatchObject({ sent: ["cancel", "ping", "ping"], reopen: true });
  });

  test("idle ends a collect too, and is done when the device is", () => {
    const bench = createBench();
    const collect = waiting(bench);
    const n = bench.command({ do: "idle" });
    idles(bench);
    expect(bench.look()).toMatchObject({ sent: ["cancel", "ping"], notices: [cancelled(collect), { n, on: "done" }] });
  });

  test("a device that starts anew meanwhile, or while nobody uses it, is identified again", () => {
    const bench = createBench();
    waiting(bench);
    bench.command({ do: "cancel" });
    bench.tell("1401 4E454F");
    expect(bench.look()).toMatchObject({ notices: [{ code: "device-error" }, { code: "device-error" }], reopen: true });
    const quiet = identified(createBench());
    quiet.tell("1401 4E454F");
    expect(quiet.look()).toEqual({ sent: [], notices: [], reopen: true });
  });

  test("commands that this device cannot do are refused", () => {
    const bench = identified(createBench());
    for (const command of [
      { do: "set-clock", now: ALL.now },
      { do: "ask-pin", request: ALL },
    ] as const) {
      const n = bench.command(command);
      expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "refused" }] });
    }
  });
});
