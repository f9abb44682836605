import { describe, expect, test } from "vitest";
import { ABORT_MS, DRAIN_MS } from "../../../../drivers/miura-m020/timing.ts";
import { createBench, E3_TC, E4_ARQC, E5_AAC, held, identified, running, waiting } from "./bench.ts";

const byRegister = (...numbers: readonly number[]): readonly object[] =>
  numbers.map((n) => ({ n, on: "cancelled", by: "register" }));

describe("cancel", () => {
  test("on an idle device is done at once", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "cancel" });
    expect(bench.look()).toEqual({ sent: [], notices: byRegister(n), reopen: false });
  });

  test("before a card came ends the collect when the device is idle", () => {
    const bench = createBench();
    const collect = waiting(bench);
    const n = bench.command({ do: "cancel" });
    expect(bench.look()).toEqual({ sent: ["abort"], notices: [], reopen: false });
    bench.answer("9000");
    expect(bench.look()).toEqual({ sent: ["keys-off"], notices: [], reopen: false });
    bench.answer("9000");
    expect(bench.look().notices).toEqual(byRegister(collect, n));
    expect(bench.timers()).toEqual({});
  });

  test.each([
    ["ABORT's answer first", ["9000", "9F41"]],
    ["the transaction's answer first", ["9F41", "9000"]],
    ["the card declining meanwhile", [E5_AAC, "9000"]],
    ["the card declining meanwhile, answers swapped", ["9000", E5_AAC]],
  ])("of a running transaction waits for both answers: %s", (_what, [first = "", second = ""]) => {
    const bench = createBench();
    const collect = running(bench);
    const n = bench.command({ do: "cancel" });
    bench.look();
    bench.answer(first);
    expect(bench.look().notices).toEqual([]);
    bench.answer(second);
    expect(bench.look().notices).toEqual(byRegister(collect, n));
  });

  test.each([
    ["before", [E4_ARQC, "9000"]],
    ["after", ["9000", E4_ARQC]],
  ])("that crosses an ARQC which comes %s ABORT's answer reads and drops the extra decline", (_what, answers) => {
    const bench = createBench();
    const collect = running(bench);
    const n = bench.command({ do: "cancel" });
    bench.answer(...answers);
    expect(bench.look().notices).toEqual([]);
    expect(bench.timers()).toEqual({ answer: DRAIN_MS });
    bench.answer(E5_AAC);
    expect(bench.look().notices).toEqual(byRegister(collect, n));
  });

  test("that crosses an offline approval never hides it", () => {
    const bench = createBench();
    const collect = running(bench);
    const n = bench.command({ do: "cancel" });
    bench.answer(E3_TC, "9000");
    expect(bench.look().notices).toMatchObject([
      { n: collect, on: "fault", code: "protocol", detail: expect.stringContaining("approved offline") },
      { n, on: "cancelled" },
    ]);
  });

  test("of a card that waits for its issuer is done with the extra decline, or without one after a while", () => {
    for (const extra of [true, false]) {
      const bench = held(createBench());
      const n = bench.command({ do: "cancel" });
      bench.answer("9000");
      expect(bench.look()).toEqual({ sent: ["abort"], notices: [], reopen: false });
      if (extra) bench.answer(E5_AAC);
      else bench.fire("answer");
      expect(bench.look().notices).toEqual(byRegister(n));
      expect(bench.state().device.held).toBeUndefined();
    }
  });

  test("with the extra decline before ABORT's answer is done with that answer", () => {
    const bench = held(createBench());
    const n = bench.command({ do: "cancel" });
    bench.answer(E5_AAC, "9000");
    expect(bench.look().notices).toEqual(byRegister(n));
  });

  test("after the issuer's answer went to the card is refused, and the card has its say", () => {
    const bench = held(createBench());
    const complete = bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    const n = bench.command({ do: "cancel" });
    expect(bench.look()).toMatchObject({ notices: [{ n, on: "fault", code: "refused" }] });
    bench.answer(E3_TC);
    expect(bench.look().notices).toMatchObject([{ n: complete, on: "finished", verdict: "approved" }]);
  });

  test("repeated while the device is being stopped is done after it, without another ABORT", () => {
    const bench = createBench();
    const collect = running(bench);
    const first = bench.command({ do: "cancel" });
    const second = bench.command({ do: "cancel" });
    bench.answer("9000", "9F41");
    expect(bench.look()).toEqual({ sent: ["abort"], notices: byRegister(collect, first, second), reopen: false });
  });

  test("that the device does not answer ends every number with no-answer and opens the link anew", () => {
    const bench = createBench();
    const collect = running(bench);
    const n = bench.command({ do: "cancel" });
    bench.answer("9000");
    bench.fire("answer");
    const { notices, reopen } = bench.look();
    expect(notices).toEqual(
      [collect, n].map((number) => ({
        n: number,
        on: "fault",
        code: "no-answer",
        detail: `no answer to ABORT within ${ABORT_MS} ms`,
      })),
    );
    expect(reopen).toBe(true);
  });

  test("while no transaction runs is not delayed or changed by an answer of an earlier one", () => {
    const bench = createBench();
    const collect = waiting(bench);
    const n = bench.command({ do: "cancel" });
    bench.answer(E3_TC, E4_ARQC, "9000", "9000");
    expect(bench.look()).toMatchObject({ sent: ["abort", "keys-off"], notices: byRegister(collect, n) });
  });

  test("answers that come after everything is over are dropped", () => {
    const bench = createBench();
    running(bench);
    bench.command({ do: "cancel" });
    bench.answer("9000", "9F41");
    bench.look();
    bench.answer("9000", "9F41", E5_AAC, E4_ARQC);
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
  });
});
