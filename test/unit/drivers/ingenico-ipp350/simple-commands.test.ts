import { describe, expect, test } from "vitest";
import { FORM_MS, QUERY_MS } from "../../../../drivers/ingenico-ipp350/timing.ts";
import { createBench, identified } from "./bench.ts";

describe("set-clock", () => {
  const now = { date: "260115", time: "143000" };

  test("sets the date, then the time", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "set-clock", now });
    expect([bench.look().sent, bench.timers()]).toMatchObject([["28.10000202011526"], { answer: QUERY_MS }]);
    bench.tell("28.20000104", "28.20000202");
    expect(bench.look().sent).toEqual(["28.10000201143000"]);
    bench.tell("28.20000201");
    expect(bench.look()).toEqual({ sent: [], notices: [{ n, on: "done" }], reopen: false });
  });

  test("says so where the device does not take it", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "set-clock", now });
    bench.tell("28.30000202");
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "device-error" }]);
  });

  test("is asked once more, and then the link is opened anew", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "set-clock", now });
    bench.fire("answer");
    bench.fire("answer");
    expect(bench.look()).toMatchObject({
      sent: ["28.10000202011526", "28.10000202011526"],
      notices: [{ n, code: "no-answer" }],
      reopen: true,
    });
  });

  test("of no time is refused", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "set-clock", now: { date: "", time: "noon" } });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "refused" }] });
  });
});

describe("display", () => {
  test("puts its lines into one text of the shop's form, without what a simple font lacks", () => {
    const bench = identified(createBench("tcp", { messageForm: "text.K3Z", messageElement: "line_1" }));
    const n = bench.command({
      do: "display",
      lines: ["Approved", "", "Danke sch\u00f6n\u001c\u0002", "x".repeat(200)],
    });
    expect(bench.look().sent).toEqual([
      `24.text.K3Z|Tline_1,${`Approved Danke sch?n?? ${"x".repeat(200)}`.slice(0, 120)}`,
    ]);
    bench.tell("24.0\u001f");
    expect(bench.look().notices).toEqual([{ n, on: "done" }]);
  });

  test("counts as shown where the form waits for a finger", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "display", lines: [] });
    expect(bench.timers()).toMatchObject({ answer: FORM_MS });
    bench.fire("answer");
    expect(bench.look().notices).toEqual([{ n, on: "done" }]);
  });
});

describe("idle", () => {
  test("stops the device, and leaves it its own screen", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "idle" });
    bench.tell("00.0000");
    expect(bench.look()).toEqual({ sent: ["00.0000"], notices: [{ n, on: "done" }], reopen: false });
  });

  test("shows the shop's text where there is one", () => {
    const bench = identified(createBench("tcp", { idleText: "Welcome" }));
    const n = bench.command({ do: "idle" });
    bench.tell("00.0000", "24.0\u001f");
    expect(bench.look()).toEqual({
      sent: ["00.0000", "24.msg.K3Z|Tprompt1,Welcome"],
      notices: [{ n, on: "done" }],
      reopen: false,
    });
  });

  test("twice in a row is answered twice with the same bytes", () => {
    const bench = identified(createBench());
    const first = bench.command({ do: "idle" });
    bench.tell("00.0000");
    const second = bench.command({ do: "idle" });
    bench.tell("00.0000");
    expect(bench.look().notices.map(({ n }) => n)).toEqual([first, second]);
  });
});

test("the slot is told as the device tells it, each change once", () => {
  const bench = identified(createBench());
  bench.tell("09.020201I", "09.990201I", "09.020201P", "09.020201R", "10.", "05.13");
  expect(bench.look().notices).toEqual([
    { n: 0, on: "slot", card: true },
    { n: 0, on: "slot", card: false },
  ]);
});
