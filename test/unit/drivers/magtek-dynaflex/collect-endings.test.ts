import { describe, expect, test } from "vitest";
import { ALL } from "../../../support/driver-bench.ts";
import { batch, createBench, identified, PLAIN, PROPERTIES, running } from "./bench.ts";

const EMV = "861E9C01009F02060000000012349F03060000000000005F2A0209785F360102";
const start = (readers: string): string =>
  `start 820100A3${(readers.length / 2).toString(16).padStart(2, "0").toUpperCase()}${readers}84020002${EMV}`;

describe("an end without ARQC", () => {
  test.each([
    ["00010000", { on: "no-card", why: "timeout" }],
    ["00030200", { on: "cancelled", by: "customer" }],
    ["10020900", { on: "no-card", why: "not-supported" }],
    ["10020903", { on: "no-card", why: "not-supported" }],
    ["10020A00", { on: "cancelled", by: "customer" }],
    ["20020100", { on: "no-card", why: "use-chip" }],
    ["20020800", { on: "no-card", why: "use-chip" }],
    ["10020100", { on: "no-card", why: "not-supported" }],
    ["10020700", { on: "fault", code: "misconfigured" }],
  ])("%s is told at once", (code, ending) => {
    const bench = createBench();
    const n = running(bench);
    bench.tell("progress", "10010200");
    bench.look();
    bench.tell("outcome", code);
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, ...ending }] });
    expect(bench.timers()).toEqual({});
  });

  test.each(["10020002", "10020803", "10020F02", "10020400"])(
    "%s is an unreadable chip, unless the card was pulled",
    (code) => {
      const bench = createBench();
      const n = running(bench);
      bench.tell("progress", "10010200");
      bench.tell("outcome", code);
      expect(bench.timers()).toMatchObject({ answer: 100 });
      bench.fire("answer");
      expect(bench.look().notices.at(-1)).toEqual({ n, on: "no-card", why: "chip-unreadable" });
      const late = createBench();
      running(late);
      late.tell("progress", "10010200");
      late.tell("outcome", code);
      late.tell("device", "01030000");
      expect(late.look().notices.at(-1)).toMatchObject({ on: "no-card", why: "removed" });
      const early = createBench();
      running(early);
      early.tell("progress", "10010200");
      early.tell("progress", "10010300");
      early.tell("outcome", code);
      expect(early.look().notices.at(-1)).toMatchObject({ on: "no-card", why: "removed" });
    },
  );

  test("a card that could not be read is tried again, three times", () => {
    const bench = createBench();
    const n = running(bench);
    for (let round = 0; round < 3; round += 1) {
      bench.tell("outcome", "08030500");
      expect(bench.look().sent).toEqual([start("810101820101830101")]);
      bench.answer();
    }
    bench.tell("outcome", "20020D00");
    expect(bench.look().notices.at(-1)).toEqual({ n, on: "no-card", why: "not-supported" });
  });

  test.each([
    ["10020200", "00", "approved-offline"],
    ["10020300", "01", "declined-offline"],
    ["10028000", "01", "declined-offline"],
    ["10040700", "01", "declined-offline"],
  ] as const)("%s with batch data %s, in either order, is a card that %s", (code, word, decision) => {
    for (const isBatchFirst of [true, false]) {
      const bench = createBench();
      const n = running(bench);
      bench.tell("progress", "10010200");
      if (isBatchFirst) bench.tell("progress", "10080302", batch(word));
      bench.tell("outcome", code);
      if (!isBatchFirst) bench.tell("progress", "10080302", batch(word));
      expect(bench.look().notices.at(-1)).toMatchObject({
        n,
        on: "card",
        card: { interface: "chip", decision, masked: { bin: "476173" } },
      });
    }
  });

  test("a card that decided without batch data is told without its data, and no money goes back to it", () => {
    const bench = createBench();
    running(bench);
    bench.tell("progress", "20010400");
    bench.tell("outcome", "20020200");
    bench.fire("answer");
    expect(bench.look().notices.at(-1)).toMatchObject({
      on: "card",
      card: { interface: "contactless-chip", decision: "approved-offline" },
    });
    const refund = createBench();
    running(refund, { ...ALL, transactionType: "20" });
    refund.tell("progress", "10010200");
    refund.tell("outcome", "10020300");
    refund.fire("answer");
    expect(refund.look().notices.at(-1)).toMatchObject({ on: "fault", code: "protocol" });
  });

  test("outcome and batch data that contradict each other are a fault", () => {
    const bench = createBench();
    running(bench);
    bench.tell("progress", "10010200");
    bench.tell("outcome", "10020200");
    bench.tell("progress", "10080302", batch("01"));
    expect(bench.look().notices.at(-1)).toMatchObject({ on: "fault", code: "protocol" });
  });

  test("a restart ends it, and the link is opened anew", () => {
    const bench = createBench();
    const n = running(bench);
    bench.tell("device", "00000000");
    expect(bench.look()).toMatchObject({ reopen: true, notices: [{ n, on: "fault", code: "device-error" }] });
  });

  test.each([
    ["card", "timeout", undefined],
    ["watchdog", "timeout", undefined],
    ["watchdog", "pin-timeout", "10010200"],
  ])("the driver's own clock (%s) ends it with %s", (timer, why, event) => {
    const bench = createBench();
    const n = running(bench);
    expect(bench.timers()).toEqual({ card: 60_000, watchdog: 125_000 });
    if (event !== undefined) bench.tell("progress", event);
    bench.look();
    bench.fire(timer);
    expect(bench.look()).toMatchObject({ sent: ["cancel"], notices: [] });
    bench.answer();
    bench.tell("outcome", "00030100");
    expect(bench.look().notices).toEqual([{ n, on: "no-card", why }]);
  });
});

describe("a card that has to leave the slot first", () => {
  test("is asked out before START, on the screen too", () => {
    const bench = identified(createBench());
    bench.tell("device", "01020000");
    const n = bench.command({ do: "collect", request: { ...ALL, again: "chip-unreadable" } });
    expect(bench.look()).toMatchObject({
      sent: ["display 810100820110"],
      notices: [{ on: "slot" }, { n, on: "prompt", prompt: "REMOVE_CARD" }],
    });
    bench.tell("device", "01030000");
    expect(bench.look().sent).toEqual([]);
    bench.answer();
    expect(bench.look().sent).toEqual([start("810101820101830101")]);
  });

  test("without a screen only the cashier is told; the card may stay as long as cards are waited for", () => {
    const bench = identified(createBench(), PLAIN);
    bench.tell("device", "01020000");
    const n = bench.command({ do: "collect", request: { ...ALL, again: "fallback" } });
    expect(bench.look().sent).toEqual([]);
    bench.fire("card");
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "no-card", why: "timeout" }] });
  });

  test("is not waited for where the device does not tell of its slot", () => {
    const bench = identified(createBench(), { ...PROPERTIES, userEvents: "00000000" });
    bench.tell("progress", "10010200");
    bench.command({ do: "collect", request: { ...ALL, again: "chip-unreadable" } });
    expect(bench.look().sent).toEqual([start("810101820101830101")]);
  });

  test("after a wrong PIN it is used again", () => {
    const bench = identified(createBench());
    bench.tell("device", "01020000");
    bench.look();
    const n = bench.command({ do: "collect", request: { ...ALL, again: "wrong-pin" } });
    bench.answer();
    bench.tell("progress", "10010200");
    expect(bench.look()).toEqual({
      sent: [start("810100820101830100")],
      notices: [{ n, on: "prompt", prompt: "WRONG_PIN" }],
      reopen: false,
    });
  });
});
