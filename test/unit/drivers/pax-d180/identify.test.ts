import { describe, expect, test } from "vitest";
import { fingerprints } from "../../../../drivers/pax-d180/fingerprints.ts";
import { memberOf } from "../../../../drivers/pax-d180/members.ts";
import { ACK_MS, QUERY_MS, SENDINGS, SETTLE_MS, STOP_MS } from "../../../../drivers/pax-d180/timing.ts";
import { matchDevice } from "../../../../src/terminal/match.ts";
import { SALE } from "../../../support/driver-bench.ts";
import { type Bench, createBench, EMPTY_SLOT, type Script } from "./bench.ts";

const identify = (script: Script = {}): { readonly bench: Bench; readonly n: number } => {
  const bench = createBench();
  bench.feed({ on: "opened" });
  const n = bench.command({ do: "identify" });
  bench.runTo(undefined, { ...EMPTY_SLOT, ...script });
  return { bench, n };
};

const emptySlot = { n: 0, on: "slot", card: false };

describe("identify", () => {
  test("brings the device to rest and asks one question after the other", () => {
    const { bench, n } = identify();
    const { sent, notices, reopen } = bench.look();
    expect(sent).toEqual([
      "stripe-off",
      "ping",
      "serial",
      "terminal",
      "versions",
      "emv-version",
      "ped-version",
      "clock",
      "ksn 01",
      "slot 00",
    ]);
    expect(notices).toEqual([
      {
        n,
        on: "ready",
        identity: {
          serialNumber: "12345678",
          model: "D180",
          firmware: "1.48",
          configuration: [
            { name: "boot", version: "2" },
            { name: "boards", version: "01020304" },
            { name: "EMV kernel", version: "v6.14" },
            { name: "PED", version: "1.02" },
          ],
          clock: { date: "260115", time: "143000" },
        },
        keys: { sred: true },
        capabilities: {
          interfaces: ["chip", "stripe"],
          onlinePin: false,
          pinAfterTap: false,
          display: true,
          sealed: false,
        },
      },
      emptySlot,
    ]);
    expect(reopen).toBe(false);
    expect(bench.timers()).not.toHaveProperty("answer");
  });

  test("over a serial line what the session before left is thrown away first", () => {
    const bench = createBench("serial");
    bench.feed({ on: "opened" });
    expect(bench.timers()).toMatchObject({ settle: SETTLE_MS });
    bench.command({ do: "identify" });
    bench.bytes("0690AB");
    expect(bench.look().sent).toEqual([]);
    bench.fire("settle");
    expect(bench.look().sent).toEqual(["stripe-off"]);
  });

  test("what is refused is left out", () => {
    const refused: Script = Object.fromEntries(
      ["stripe-off", "ping", "terminal", "versions", "emv-version", "ped-version", "clock", "ksn"].map((name) => [
        name,
        [-0xffff],
      ]),
    );
    const { bench, n } = identify(refused);
    expect(bench.look().notices).toMatchObject([
      { n, on: "ready", identity: { serialNumber: "12345678", model: "PIN pad", configuration: [] }, keys: {} },
      emptySlot,
    ]);
  });

  test.each<[string, Script, object]>([
    ["no key", { ksn: [-301] }, { sred: false }],
    ["no key, told with its base", { ksn: [-0x10000 - 301] }, { sred: false }],
    ["a key that is used up", { ksn: [-324] }, { sred: false }],
    ["no such group", { ksn: [-318] }, { sred: false }],
    ["a key whose counter must be raised", { ksn: [-344] }, { sred: true }],
    ["a locked device", { ksn: [-320] }, { tampered: true }],
    ["a device that is locked at once", { ping: [-320] }, { tampered: true }],
  ])("%s shows", (_what, script, keys) => {
    expect(identify(script).bench.look().notices).toMatchObject([{ on: "ready", keys }, emptySlot]);
  });

  test.each<[string, Script]>([
    ["refused", { serial: [-1] }],
    ["empty", { serial: [0, "00"] }],
  ])("a device whose serial number is %s cannot be used", (what, script) => {
    const { bench, n } = identify(script);
    expect(bench.look().notices).toMatchObject([
      {
        n,
        on: "fault",
        code: "device-error",
        detail: expect.stringMatching(what === "refused" ? /serial number: .*-1/ : /serial number/),
      },
    ]);
  });

  test("text that is no text, and lists that are too short, are borne", () => {
    const { bench } = identify({
      serial: [0, "0431FF32003334"],
      versions: [0, "01"],
      clock: [0, "AABB"],
      terminal: [0],
      "emv-version": [0],
    });
    expect(bench.look().notices).toMatchObject([
      { on: "ready", identity: { serialNumber: "1?2", model: "PIN pad", firmware: "" } },
      emptySlot,
    ]);
  });

  test("the group of the key is an option", () => {
    const bench = createBench("tcp", { keyGroup: "10" });
    bench.feed({ on: "opened" });
    bench.command({ do: "identify" });
    bench.runTo(undefined);
    expect(bench.look().sent).toContain("ksn 0A");
  });

  test("a device that is slow at every question is lost within the time of all of them", () => {
    const { bench, n } = { bench: createBench(), n: 1 };
    bench.feed({ on: "opened" });
    bench.command({ do: "identify" });
    bench.runTo("serial");
    expect(STOP_MS + (bench.timers()["watchdog"] ?? Number.POSITIVE_INFINITY)).toBeLessThan(60_000);
    bench.fire("watchdog");
    expect(bench.look()).toMatchObject({ notices: [{ n, on: "fault", code: "no-answer" }], reopen: true });
  });

  test("a device that is silent, or acknowledges and says nothing, is lost within its time", () => {
    const silent = createBench();
    silent.feed({ on: "opened" });
    const n = silent.command({ do: "identify" });
    expect(silent.timers()).toMatchObject({ "line-ack": ACK_MS, watchdog: STOP_MS });
    for (let sending = 0; sending < SENDINGS; sending += 1) silent.fire("line-ack");
    expect(silent.look()).toMatchObject({
      sent: Array(SENDINGS).fill("stripe-off"),
      notices: [{ n, on: "fault", code: "no-answer" }],
      reopen: true,
    });
    const dumb = createBench();
    dumb.feed({ on: "opened" });
    const m = dumb.command({ do: "identify" });
    dumb.runTo("serial");
    dumb.bytes("06");
    expect(dumb.timers()).toMatchObject({ answer: QUERY_MS });
    dumb.fire("answer");
    expect(dumb.look()).toMatchObject({
      notices: [{ n: m, on: "fault", code: "no-answer", detail: expect.stringContaining("serial") }],
      reopen: true,
    });
  });
});

describe("the slot of a device that is identified", () => {
  test.each<[string, Script, object[]]>([
    ["empty", EMPTY_SLOT, [emptySlot]],
    ["full", { slot: [0, "00"] }, [{ ...emptySlot, card: true }]],
    ["not told", { slot: [-0xffff] }, []],
  ])("is told where it is %s, each time that it is identified", (_what, script, told) => {
    const { bench } = identify(script);
    expect(bench.look().notices.slice(1)).toEqual(told);
    bench.command({ do: "identify" });
    bench.runTo(undefined, script);
    expect(bench.look().notices.slice(1)).toEqual(told);
  });

  test("is looked at until the card that was left in it is gone", () => {
    const { bench } = identify({ slot: [0, "00"] });
    bench.look();
    bench.fire("look");
    bench.runTo(undefined, EMPTY_SLOT);
    expect(bench.look().notices).toEqual([emptySlot]);
    expect(bench.timers()).not.toHaveProperty("look");
  });
});

describe("the family", () => {
  test.each([
    [0x08, "SP30", true],
    [0x0f, "D200", true],
    [0x10, "D210", true],
    [0x11, "D300", true],
    [0x23, "D180", true],
    [0xb4, "D180", true],
    [0x91, "D800", false],
    [0x77, "PIN pad 77", true],
  ])("%s is a %s", (code, name, display) => {
    expect(memberOf(code)).toMatchObject({
      name,
      capabilities: { display, onlinePin: false, interfaces: ["chip", "stripe"] },
    });
  });

  test("a member without a screen is not written to, and says so", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.command({ do: "identify" });
    bench.runTo(undefined, { ...EMPTY_SLOT, terminal: [0, "91"] });
    expect(bench.look().notices).toMatchObject([{ capabilities: { display: false } }, emptySlot]);
    bench.command({ do: "idle" });
    const n = bench.command({ do: "display", lines: ["APPROVED"] });
    bench.runTo(undefined);
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ on: "done" }, { n, on: "done" }] });
    bench.command({ do: "collect", request: SALE });
    bench.runTo("9F26");
    expect(bench.look().sent.filter((one) => /^(text|clear-screen)/.test(one))).toEqual([]);
  });

  test("is told by the name of the product, and not by its maker alone", () => {
    const models = [{ id: "pax-d180", title: "PAX", fingerprints }];
    const shown = { over: "serial", vendorId: 0x2fb8, productId: 0x2205, paths: [] } as const;
    expect(matchDevice({ ...shown, product: "PAX D180 PINPAD" }, models).model).toBe("pax-d180");
    expect(matchDevice({ ...shown, product: "A920" }, models).model).toBeUndefined();
  });
});

describe("clock, display and what is not there", () => {
  test("the clock is set in six bytes", () => {
    const { bench } = identify();
    bench.look();
    const n = bench.command({ do: "set-clock", now: { date: "260704", time: "235959" } });
    expect(bench.look().sent).toEqual(["set-clock 260704235959"]);
    bench.runTo(undefined);
    expect(bench.look().notices).toEqual([{ n, on: "done" }]);
    const m = bench.command({ do: "set-clock", now: { date: "260704", time: "235959" } });
    bench.runTo(undefined, { "set-clock": [2] });
    expect(bench.look().notices).toMatchObject([{ n: m, on: "fault", code: "device-error" }]);
    const o = bench.command({ do: "set-clock", now: { date: "260704", time: "235959" } });
    bench.runTo(undefined, { "set-clock": [-0xffff] });
    expect(bench.look().notices).toMatchObject([{ n: o, on: "fault", code: "refused" }]);
  });

  test("a text is wrapped, and holds no command of the screen's own", () => {
    const { bench } = identify();
    bench.look();
    bench.command({ do: "display", lines: ["100% of a line longer than it", "ä"] });
    bench.runTo(undefined);
    const [clear, text] = bench.look().sent;
    expect(clear).toBe("clear-screen");
    expect(Buffer.from(text?.replace("text ", "") ?? "", "hex").toString("latin1")).toMatch(
      /^.%F1100\? of a line\nlonger than it\n\?$/,
    );
  });

  test("idle shows its own text, and a screen that does not is no reason to fail", () => {
    const { bench } = identify();
    bench.look();
    const n = bench.command({ do: "idle" });
    bench.runTo(undefined, { text: [-1] });
    expect(bench.look()).toMatchObject({
      sent: ["clear-screen", expect.stringMatching(/^text /)],
      notices: [{ n, on: "done" }],
    });
  });

  test("a PIN for the issuer, which this device does not take, is refused", () => {
    const { bench } = identify();
    bench.look();
    const n = bench.command({
      do: "ask-pin",
      request: { amount: 1, currencyNumeric: "978", currencyCode: "EUR", decimals: 2, pinMs: 1 },
    });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "refused" }] });
  });
});
