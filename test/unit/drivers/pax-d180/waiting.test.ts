import { describe, expect, test } from "vitest";
import { POLL_MS, QUERY_MS, TRANSACTION_MARGIN_MS } from "../../../../drivers/pax-d180/timing.ts";
import type { CollectRequest } from "../../../../src/card/command.ts";
import { ALL, SALE } from "../../../support/driver-bench.ts";
import { createBench, EMPTY_SLOT, held, identified, type Script, waiting } from "./bench.ts";

const words = (sent: string | undefined): string =>
  Buffer.from(sent?.replace("text ", "") ?? "", "hex")
    .toString("latin1")
    .slice(4);

describe("waiting for a card", () => {
  test("the readers are made ready, the slot is looked at, then the customer is asked, then keys, slot and stripe in rounds", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: ALL });
    bench.runTo(undefined, EMPTY_SLOT);
    const first = bench.look();
    expect(first.sent.map((one) => one.split(" ")[0])).toEqual([
      "flush-keys",
      "stripe-on",
      "stripe-reset",
      "slot",
      "clear-screen",
      "text",
      "swiped",
    ]);
    expect(words(first.sent[5])).toBe("12.34 EUR\nINSERT OR SWIPE\nCARD");
    expect(first.notices).toEqual([{ n, on: "prompt", prompt: "INSERT_CHIP", swipe: true }]);
    expect(bench.timers()).toMatchObject({
      poll: POLL_MS,
      card: ALL.cardMs,
      watchdog: ALL.cardMs + ALL.pinMs + TRANSACTION_MARGIN_MS,
    });
    expect(bench.timers()).not.toHaveProperty("answer");
    bench.fire("poll");
    bench.runTo(undefined, EMPTY_SLOT);
    expect(bench.look()).toMatchObject({ sent: ["key-hit", "slot 00", "swiped"], notices: [] });
  });

  test("a chip alone needs no stripe reader", () => {
    const bench = createBench();
    waiting(bench);
    bench.fire("poll");
    bench.runTo(undefined, EMPTY_SLOT);
    expect(bench.look().sent).toEqual(["key-hit", "slot 00"]);
  });

  test("a card that is in the slot already is used, without words", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: SALE });
    bench.runTo("init");
    const { sent, notices } = bench.look();
    expect(sent.slice(0, 2)).toEqual(["flush-keys", "slot 00"]);
    expect(words(sent[3])).toBe("12.34 EUR\nPLEASE WAIT");
    expect(notices).toEqual([
      { n: 0, on: "slot", card: true },
      { n, on: "prompt", prompt: "PROCESSING" },
    ]);
    expect(bench.timers()).not.toHaveProperty("card");
    expect(bench.timers()).toMatchObject({ answer: QUERY_MS });
  });

  test.each<[string, Partial<CollectRequest>]>([
    ["unreadable before", { again: "chip-unreadable" }],
    ["in the way of the stripe", { again: "fallback", interfaces: ["stripe"] }],
    ["in where no chip is wanted", { interfaces: ["stripe"] }],
  ])("a card that is %s is asked out first", (_what, changes) => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: { ...ALL, ...changes } });
    bench.runTo(undefined);
    const first = bench.look();
    expect(words(first.sent.find((one) => one.startsWith("text")))).toBe("12.34 EUR\nREMOVE CARD");
    expect(first.notices).toEqual([
      { n: 0, on: "slot", card: true },
      { n, on: "prompt", prompt: "REMOVE_CARD" },
    ]);
    bench.fire("poll");
    bench.runTo(undefined, EMPTY_SLOT);
    expect(bench.look().notices).toEqual([
      { n: 0, on: "slot", card: false },
      {
        n,
        on: "prompt",
        ...(changes.interfaces === undefined ? { prompt: "INSERT_CHIP", swipe: true } : { prompt: "SWIPE" }),
      },
    ]);
  });

  test("after a card was asked out the next one is used", () => {
    const bench = identified(createBench());
    bench.command({ do: "collect", request: { ...SALE, again: "chip-unreadable" } });
    bench.runTo(undefined);
    bench.fire("poll");
    bench.runTo(undefined, EMPTY_SLOT);
    bench.fire("poll");
    bench.runTo("init");
    expect(bench.outstanding()).toBe("init");
  });

  test("the red key ends it, for the customer; any other means nothing", () => {
    const bench = createBench();
    const n = waiting(bench, ALL);
    bench.fire("poll");
    bench.runTo(undefined, { ...EMPTY_SLOT, "key-hit": [0, "00"], key: [0, "31"] });
    expect(bench.look()).toMatchObject({ sent: ["key-hit", "key 00000064", "slot 00", "swiped"], notices: [] });
    bench.fire("poll");
    bench.runTo(undefined, { "key-hit": [0, "00"], key: [0, "1B"] });
    expect(bench.look()).toMatchObject({
      sent: ["key-hit", "key 00000064", "stripe-off"],
      notices: [{ n, on: "cancelled", by: "customer" }],
    });
    expect(bench.timers()).toEqual({});
  });

  test("a device that tells of no keys is not asked again", () => {
    const bench = createBench();
    waiting(bench);
    bench.fire("poll");
    bench.runTo(undefined, { ...EMPTY_SLOT, "key-hit": [-0xffff] });
    bench.look();
    bench.fire("poll");
    bench.runTo(undefined, EMPTY_SLOT);
    expect(bench.look().sent).toEqual(["slot 00"]);
  });

  test.each<[string, Script, string]>([
    ["no slot", { slot: [-0xffff] }, "device-error"],
    ["a locked device", { slot: [-320] }, "tampered"],
  ])("%s ends it", (_what, script, code) => {
    const bench = createBench();
    const n = waiting(bench);
    bench.fire("poll");
    bench.runTo(undefined, script);
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code }]);
  });

  test.each([
    ["an error of the reader", [-0xff], false],
    ["nothing behind the return code", [0], true],
    ["another byte", [0, "05"], false],
  ] as const)("%s says whether a card is in (%s)", (_what, slot, isIn) => {
    const bench = createBench();
    const n = waiting(bench);
    bench.fire("poll");
    bench.runTo(undefined, { slot });
    expect(
      bench
        .look()
        .notices.filter((notice) => notice.n === n)
        .map(({ on }) => on),
    ).toEqual(isIn ? ["prompt", "card"] : []);
  });

  test("nobody comes: it ends by the card's clock, at rest", () => {
    const bench = createBench();
    const n = waiting(bench, ALL);
    bench.fire("card");
    expect(bench.look()).toMatchObject({ sent: ["stripe-off"], notices: [] });
    bench.runTo(undefined);
    expect(bench.look().notices).toEqual([{ n, on: "no-card", why: "timeout" }]);
    expect(bench.timers()).toEqual({});
  });

  test("the stripe may be kept for a chip that could not be read", () => {
    const bench = identified(createBench("tcp", { stripe: "fallback" }));
    bench.command({ do: "collect", request: ALL });
    bench.runTo(undefined, EMPTY_SLOT);
    expect(bench.look().sent).not.toContain("stripe-on");
    bench.command({ do: "cancel" });
    bench.runTo(undefined);
    bench.look();
    const n = bench.command({ do: "collect", request: { ...ALL, interfaces: ["stripe"] } });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "refused" }] });
    bench.command({ do: "collect", request: { ...ALL, again: "fallback", interfaces: ["stripe"] } });
    bench.runTo(undefined, EMPTY_SLOT);
    expect(bench.look().sent).toContain("stripe-on");
  });
});

describe("a request that cannot be", () => {
  test.each<[string, Partial<CollectRequest>, string]>([
    ["an amount that is none", { amount: 1.5 }, "amount"],
    ["a currency that is none", { currencyNumeric: "EUR" }, "currencyNumeric"],
    ["a way that this device does not have", { interfaces: ["contactless", "keyed"] }, "interfaces"],
    ["no way at all", { interfaces: [] }, "interfaces"],
  ])("%s is refused before anything is sent", (_what, changes, field) => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: { ...SALE, ...changes } });
    expect(bench.look()).toMatchObject({
      sent: [],
      notices: [{ n, on: "fault", code: "refused", detail: expect.stringContaining(field) }],
    });
  });

  test("a device without its key is not asked for a card", () => {
    const bench = identified(createBench(), { ksn: [-301] });
    const n = bench.command({ do: "collect", request: SALE });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "keys-missing" }] });
  });

  test("nor is one whose card waits for its issuer", () => {
    const bench = held(createBench());
    const n = bench.command({ do: "collect", request: SALE });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "refused" }] });
  });

  test("while a card is waited for, everything but its end is refused", () => {
    const bench = createBench();
    waiting(bench);
    const n = bench.command({ do: "display", lines: ["x"] });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "refused" }] });
  });
});

describe("an idle device with a card in it", () => {
  test("is looked at until the slot is empty, and then no more", () => {
    const bench = held(createBench());
    bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    bench.runTo(undefined, { "9F27": [0, "0000000140"] });
    bench.look();
    expect(bench.timers()).toEqual({ look: 400 });
    bench.fire("look");
    bench.runTo(undefined);
    expect(bench.look()).toMatchObject({ sent: ["slot 00"], notices: [] });
    bench.fire("look");
    bench.runTo(undefined, EMPTY_SLOT);
    expect(bench.look()).toMatchObject({ sent: ["slot 00"], notices: [{ n: 0, on: "slot", card: false }] });
    expect(bench.timers()).toEqual({});
  });

  test("does what it is told as soon as it has answered", () => {
    const bench = held(createBench());
    bench.fire("look");
    const n = bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    expect(bench.look().sent).toEqual(["slot 00"]);
    bench.runTo(undefined, { "9F27": [0, "0000000140"] });
    expect(bench.look().notices).toMatchObject([{ n, on: "finished", verdict: "approved" }]);
  });

  test("that does not answer is lost", () => {
    const bench = held(createBench());
    bench.fire("look");
    bench.bytes("06");
    bench.fire("answer");
    expect(bench.look()).toMatchObject({ notices: [], reopen: true });
  });
});
