import { describe, expect, test } from "vitest";
import { STOP_MS } from "../../../../drivers/pax-d180/timing.ts";
import { ALL, SALE } from "../../../support/driver-bench.ts";
import { type Bench, createBench, EMPTY_SLOT, held, identified, object, running, waiting } from "./bench.ts";

const cancelled = (n: number) => ({ n, on: "cancelled", by: "register" });

describe("cancel", () => {
  test("between two rounds is done at once", () => {
    const bench = createBench();
    const collect = waiting(bench);
    const n = bench.command({ do: "cancel" });
    expect(bench.look()).toEqual({ sent: [], bytes: [], notices: [cancelled(collect), cancelled(n)], reopen: false });
    expect(bench.timers()).toEqual({});
  });

  test("with the stripe reader open closes it first", () => {
    const bench = createBench();
    const collect = waiting(bench, ALL);
    const n = bench.command({ do: "cancel" });
    expect(bench.look()).toMatchObject({ sent: ["stripe-off"], notices: [] });
    bench.answer(-1);
    expect(bench.look().notices).toEqual([cancelled(collect), cancelled(n)]);
  });

  test.each(["flush-keys", "slot", "init", "set-object", "select", "read-records", "authenticate-card"])(
    "during %s waits for its answer, and nothing else is sent",
    (step) => {
      const bench = createBench();
      const collect = running(bench, step);
      const n = bench.command({ do: "cancel" });
      expect(bench.look()).toMatchObject({ sent: [], notices: [] });
      expect(bench.timers()).toMatchObject({ watchdog: STOP_MS });
      bench.answer(0, "01");
      expect(bench.look()).toMatchObject({ sent: [], notices: [cancelled(collect), cancelled(n)] });
      expect(bench.timers()).not.toHaveProperty("watchdog");
    },
  );

  test.each([
    ["during the first cryptogram", "start"],
    ["while its objects are asked for", "9F10"],
    ["while its key serial number is read", "ksn"],
    ["while the counter is raised", "next-ksn"],
  ])("%s declines the card behind it", (_what, step) => {
    const bench = createBench();
    const collect = running(bench, step);
    const n = bench.command({ do: "cancel" });
    bench.runTo("complete");
    expect(bench.look()).toMatchObject({ sent: ["complete 0300000000"], notices: [] });
    bench.runTo(undefined);
    expect(bench.look().notices).toEqual([cancelled(collect), cancelled(n)]);
    const m = bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    expect(bench.look().notices).toMatchObject([{ n: m, code: "refused" }]);
  });

  test.each([
    ["by itself", "start", [0, "01"]],
    ["although it was declined", "complete", [0, "01"]],
  ] as const)("a card that approves %s meanwhile is no cancellation", (_what, name, answer) => {
    const bench = createBench();
    const collect = running(bench, "start");
    const n = bench.command({ do: "cancel" });
    bench.runTo(undefined, { [name]: answer });
    expect(bench.look().notices).toMatchObject([{ n: collect, on: "fault", code: "protocol" }, cancelled(n)]);
  });

  test.each(["9F10", "ksn"])("a card that had approved by itself before %s is no cancellation either", (step) => {
    const bench = createBench();
    const collect = running(bench, step, SALE, { start: [0, "01"], "9F27": [0, object("40")] });
    const n = bench.command({ do: "cancel" });
    bench.runTo(undefined);
    expect(bench.look()).toMatchObject({
      sent: [],
      notices: [{ n: collect, on: "fault", code: "protocol" }, cancelled(n)],
    });
  });

  test.each([
    ["denied beside an ARQC", [-11, "02"]],
    ["done, with no kind", [0]],
    ["done, with a kind that is none", [0, "07"]],
  ] as const)("a first cryptogram that contradicts itself meanwhile (%s) is declined, once", (_what, start) => {
    const bench = createBench();
    const collect = running(bench, "start");
    const n = bench.command({ do: "cancel" });
    bench.runTo(undefined, { start, complete: [0, "02"] });
    expect(bench.look()).toMatchObject({ sent: ["complete 0300000000"], notices: [cancelled(collect), cancelled(n)] });
  });

  test("during a look at the slot takes its time from the rest, and declines the card that waits", () => {
    const bench = held(createBench());
    bench.fire("look");
    const n = bench.command({ do: "cancel" });
    expect(bench.timers()).toMatchObject({ watchdog: STOP_MS });
    bench.runTo(undefined);
    expect(bench.look()).toMatchObject({ sent: ["slot 00", "complete 0300000000"], notices: [cancelled(n)] });
    bench.fire("look");
    const again = bench.command({ do: "cancel" });
    expect(bench.look().notices).toEqual([cancelled(again)]);
    bench.runTo(undefined);
    expect(bench.timers()).toEqual({ look: 400 });
  });

  test("while the device is identified, or comes to rest for it, waits for no question", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    const identify = bench.command({ do: "identify" });
    const first = bench.command({ do: "cancel" });
    bench.runTo("serial");
    expect(bench.look().notices).toEqual([cancelled(first)]);
    const n = bench.command({ do: "cancel" });
    expect(bench.look().notices).toEqual([cancelled(n)]);
    bench.runTo(undefined, EMPTY_SLOT);
    expect(bench.look().notices).toMatchObject([
      { n: identify, on: "ready" },
      { on: "slot", card: false },
    ]);
  });

  test("a card that declines meanwhile is a cancellation, and is not declined again", () => {
    const bench = createBench();
    const collect = running(bench, "start");
    const n = bench.command({ do: "cancel" });
    bench.runTo(undefined, { start: [-11, "00"] });
    expect(bench.look()).toMatchObject({ sent: [], notices: [cancelled(collect), cancelled(n)] });
  });

  test("of a chip that waits for its issuer declines it; of nothing it is done at once", () => {
    const bench = held(createBench());
    const n = bench.command({ do: "cancel" });
    expect(bench.look().sent).toEqual(["complete 0300000000"]);
    bench.runTo(undefined);
    expect(bench.look().notices).toEqual([cancelled(n)]);
    const again = bench.command({ do: "cancel" });
    expect(bench.look()).toMatchObject({ sent: [], notices: [cancelled(again)] });
  });

  test("a step that does not end within its time: the link is opened anew", () => {
    const bench = createBench();
    const collect = running(bench, "start");
    bench.bytes("06");
    const n = bench.command({ do: "cancel" });
    expect(bench.timers()).toEqual({ watchdog: STOP_MS });
    bench.fire("watchdog");
    expect(bench.look()).toMatchObject({
      notices: [
        { n: collect, code: "no-answer" },
        { n, code: "no-answer" },
      ],
      reopen: true,
    });
  });

  test("a second one, and whatever else, waits for the first", () => {
    const bench = createBench();
    const collect = running(bench, "start");
    const first = bench.command({ do: "cancel" });
    const second = bench.command({ do: "cancel" });
    const third = bench.command({ do: "collect", request: SALE });
    bench.runTo("flush-keys");
    expect(bench.look().notices).toEqual([
      cancelled(collect),
      cancelled(first),
      { n: second, on: "cancelled", by: "register" },
    ]);
    bench.runTo(undefined);
    expect(bench.look().notices.at(-1)).toMatchObject({ n: third, on: "card" });
  });
});

describe("idle", () => {
  test("ends a collect too, and shows its text", () => {
    const bench = createBench();
    const collect = waiting(bench);
    const n = bench.command({ do: "idle" });
    bench.runTo(undefined);
    expect(bench.look()).toMatchObject({
      sent: ["clear-screen", expect.stringMatching(/^text /)],
      notices: [cancelled(collect), { n, on: "done" }],
    });
  });

  test("of a chip that waits for its issuer declines it", () => {
    const bench = held(createBench());
    const n = bench.command({ do: "idle" });
    bench.runTo(undefined);
    expect(bench.look()).toMatchObject({
      sent: ["complete 0300000000", "clear-screen", expect.any(String)],
      notices: [{ n, on: "done" }],
    });
  });
});

describe("a link that goes", () => {
  test.each<[string, (bench: Bench) => number]>([
    ["while a card is waited for", (bench) => waiting(bench)],
    ["during the first cryptogram", (bench) => running(bench, "start")],
    ["while objects are asked for", (bench) => running(bench, "95")],
  ])("%s ends what ran", (_what, begin) => {
    const bench = createBench();
    const n = begin(bench);
    bench.feed({ on: "closed" });
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "no-answer" }]);
    expect(bench.timers()).toEqual({});
    bench.feed({ on: "opened" });
    const m = bench.command({ do: "identify" });
    bench.runTo(undefined, EMPTY_SLOT);
    expect(bench.look().notices).toMatchObject([
      { n: m, on: "ready" },
      { on: "slot", card: false },
    ]);
  });

  test("takes a held card with it", () => {
    const bench = held(createBench());
    bench.feed({ on: "closed" });
    bench.feed({ on: "opened" });
    const n = bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    expect(bench.look().notices.at(-1)).toMatchObject({ n, on: "fault", code: "refused" });
  });

  test("and comes back: a late answer of what ran before is acknowledged and dropped", () => {
    const bench = identified(createBench());
    bench.feed({ on: "closed" });
    bench.feed({ on: "opened" });
    bench.look();
    bench.bytes("0290A30005000000000234");
    expect(bench.look()).toEqual({ sent: [], bytes: ["06"], notices: [], reopen: false });
    const n = bench.command({ do: "collect", request: SALE });
    bench.runTo(undefined, EMPTY_SLOT);
    expect(bench.look().notices).toEqual([
      { n: 0, on: "slot", card: false },
      { n, on: "prompt", prompt: "INSERT_CHIP" },
    ]);
  });
});
