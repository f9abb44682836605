import { describe, expect, test } from "vitest";
import { encodeMessage } from "../../../../drivers/magtek-dynaflex/message.ts";
import type { Notice } from "../../../../src/card/notice.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { ALL } from "../../../support/driver-bench.ts";
import { answerAll, createBench, identified, PLAIN, PROPERTIES } from "./bench.ts";

/** How the identification ended; what is told of the slot stands behind it. */
function identify(given: typeof PROPERTIES): Notice | undefined {
  const bench = createBench();
  bench.feed({ on: "opened" });
  bench.command({ do: "identify" });
  answerAll(bench, given);
  return bench.look().notices.findLast(({ n }) => n !== 0);
}

const PRO = {
  interfaces: ["chip", "contactless", "stripe", "keyed"],
  onlinePin: true,
  display: true,
  sealed: true,
  pinAfterTap: false,
};

describe("identify", () => {
  test("ends what ran before, reads what the device is, and subscribes", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.command({ do: "identify" });
    expect(bench.look().sent).toEqual(["cancel"]);
    answerAll(bench);
    const { sent, notices } = bench.look();
    expect(sent.slice(0, 3)).toEqual([
      "get-property 2.2.1.1.1.1",
      "get-property 2.1.2.2.2.1",
      "get-property 2.1.2.2.2.2",
    ]);
    expect(sent.slice(-2)).toEqual(["set-property 1.2.7.1.1.2=01", "subscribe"]);
    expect(notices).toEqual([
      {
        n: 1,
        on: "ready",
        identity: {
          serialNumber: "B603226",
          model: "DynaFlex Pro",
          firmware: "1000007183-A5-PCI",
          configuration: [
            { name: "contact configuration", version: "37A2" },
            { name: "ARPC timeout", version: "FF" },
            { name: "ARPC retries", version: "00" },
            { name: "account data key", version: "200704" },
            { name: "PIN key", version: "200001" },
          ],
        },
        keys: { sred: true, pin: true, tampered: false },
        capabilities: PRO,
      },
    ]);
    expect(bench.timers()).toEqual({});
  });

  test.each([
    ["DynaFlex II PED", "44796E61466C6578204949205045442000", PRO],
    [
      "DynaFlex II",
      "44796E61466C6578204949",
      { ...PRO, interfaces: ["chip", "contactless", "stripe"], onlinePin: false, display: false },
    ],
    ["DynaProx", "44796E6150726F78", { ...PRO, interfaces: ["contactless"], onlinePin: false, display: false }],
    [
      "something new",
      "58",
      { ...PRO, interfaces: ["chip", "contactless", "stripe"], onlinePin: false, display: false },
    ],
  ])("what a %s can do is told", (_name, model, capabilities) => {
    expect(identify({ ...PROPERTIES, model })).toMatchObject({ on: "ready", capabilities });
  });

  test("a device that tells nothing but its serial number is taken, and its keys are unknown", () => {
    expect(identify({ serialNumber: "B6032265" })).toMatchObject({
      on: "ready",
      identity: { serialNumber: "B6032265", model: "DynaFlex" },
      keys: {},
    });
    const { serialNumber: _left, ...rest } = PROPERTIES;
    expect(identify(rest)).toMatchObject({
      on: "fault",
      code: "device-error",
      detail: expect.stringContaining("serial number"),
    });
  });

  test.each<[string, Partial<typeof PROPERTIES>, object]>([
    ["no key for card data", { keys: "00000001" }, { sred: false, pin: true, tampered: false }],
    ["no key for PINs", { keys: "00000080" }, { sred: true, pin: false, tampered: false }],
    [
      "a PIN key under AES",
      { pinKey: "000001", pinKeyAes: "201F07", keys: "80000080" },
      { sred: true, pin: true, tampered: false },
    ],
    ["no use assigned", { dataKey: "000004" }, { sred: false, pin: true, tampered: false }],
    ["its seal broken", { tampered: "01" }, { sred: true, pin: true, tampered: true }],
    ["its seal broken, and so offline", { state: "01", problems: "01" }, { sred: true, pin: true, tampered: true }],
    ["its keys lost, and so offline", { state: "01", problems: "04" }, { sred: false, pin: true, tampered: false }],
  ])("a device with %s says so", (_what, given, keys) => {
    expect(identify({ ...PROPERTIES, ...given })).toMatchObject({ on: "ready", keys });
  });

  test("a device without a screen has nothing to say of PIN keys", () => {
    const told = identify(PLAIN);
    expect(told?.on === "ready" && told.keys).toEqual({ sred: true, tampered: false });
  });

  test.each([
    ["is locked", { locked: "01" }, "misconfigured", "locked"],
    ["waits too short for the issuer", { arpcTimeout: "1E" }, "misconfigured", "30 s"],
    ["is offline for another reason", { state: "01", problems: "10" }, "device-error", "problems 10"],
  ])("a device that %s takes no payments", (_what, given, code, detail) => {
    expect(identify({ ...PROPERTIES, ...given })).toMatchObject({
      on: "fault",
      code,
      detail: expect.stringContaining(detail),
    });
  });

  test("a device that falls back to the stripe by itself is told not to, and no other is told anything", () => {
    const sent = (fallback: string): readonly string[] => {
      const bench = createBench();
      bench.feed({ on: "opened" });
      bench.command({ do: "identify" });
      answerAll(bench, { ...PROPERTIES, fallback });
      return bench.look().sent.filter((request) => request.startsWith("set-property 1.2.1"));
    };
    expect([sent("01"), sent("00")]).toEqual([["set-property 1.2.1.1.1.1=00"], []]);
  });

  test("a transaction that cannot be cancelled yet is cancelled again, and then given up", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.command({ do: "identify" });
    bench.answer("020305");
    expect(bench.timers()).toMatchObject({ answer: 500 });
    bench.fire("answer");
    bench.answer("020304");
    expect(bench.look().sent).toEqual(["cancel", "cancel", "get-property 2.2.1.1.1.1"]);
  });

  test("a device that does not answer is asked again, and then the link is opened anew", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    const n = bench.command({ do: "identify" });
    bench.answer();
    bench.fire("answer");
    expect(bench.look().sent).toEqual(["cancel", "get-property 2.2.1.1.1.1", "get-property 2.2.1.1.1.1"]);
    bench.fire("answer");
    expect(bench.look()).toMatchObject({ reopen: true, notices: [{ n, on: "fault", code: "no-answer" }] });
  });

  test("a response to somebody else on the same WebSocket is passed over", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.command({ do: "identify" });
    bench.look();
    const { ref = 0, command = "" } = bench.last() ?? {};
    bench.says({ is: "response", ref: ref + 1, command, summary: 0, detail: "000000", payload: new Uint8Array(0) });
    bench.says({ is: "response", ref, command: "D101", summary: 0, detail: "000000", payload: new Uint8Array(0) });
    expect(bench.look().sent).toEqual([]);
    bench.answer();
    expect(bench.look().sent).toEqual(["get-property 2.2.1.1.1.1"]);
  });

  test("a serial device that holds no message as long as ours is given up", () => {
    const bench = createBench("serial");
    bench.feed({ on: "opened" });
    bench.fire("settle");
    bench.command({ do: "identify" });
    bench.feed({ on: "bytes", bytes: fromHex("C00300000800C0") });
    expect(bench.look()).toMatchObject({ reopen: true, notices: [{ on: "fault", code: "device-error" }] });
  });

  test("references go round from 1 to 255", () => {
    const bench = identified(createBench());
    const refs: number[] = [];
    for (let round = 0; round < 300; round += 1) {
      bench.command({ do: "display", lines: [] });
      refs.push(bench.last()?.ref ?? 0);
      bench.answer();
    }
    expect([Math.min(...refs), Math.max(...refs)]).toEqual([1, 255]);
    expect(refs.every((ref, at) => at === 0 || ref === ((refs[at - 1] ?? 0) % 255) + 1)).toBe(true);
  });

  test("over a serial line and USB what is there at once is thrown away", () => {
    for (const transport of ["serial", "usb"] as const) {
      const bench = createBench(transport);
      bench.feed({ on: "opened" });
      expect(bench.timers()).toEqual({ settle: 30 });
      bench.feed({
        on: "bytes",
        bytes: encodeMessage({ is: "notification", id: "0105", code: "00010000", payload: new Uint8Array(0) }),
      });
      expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
    }
  });
});

describe("what an idle device tells", () => {
  test("cards that come and go are told once each, where the device tells of both", () => {
    const bench = identified(createBench());
    bench.tell("device", "01020000");
    bench.tell("device", "01020000");
    bench.tell("device", "01030000");
    expect(bench.look().notices).toEqual([
      { n: 0, on: "slot", card: true },
      { n: 0, on: "slot", card: false },
    ]);
    bench.tell("screen", "01020000");
    bench.tell("outcome", "01030000");
    expect(bench.look().notices).toEqual([]);
    const quiet = identified(createBench(), { ...PROPERTIES, userEvents: "04000000" });
    quiet.tell("device", "01020000");
    expect(quiet.look().notices).toEqual([]);
  });

  test("the slot is told again with the identity, as it was told last; a device that does not tell it says so", () => {
    const bench = identified(createBench());
    bench.tell("device", "01030000");
    bench.look();
    bench.command({ do: "identify" });
    answerAll(bench, PROPERTIES);
    expect(bench.look().notices).toMatchObject([{ on: "ready" }, { n: 0, on: "slot", card: false }]);
    const quiet = createBench();
    quiet.feed({ on: "opened" });
    quiet.command({ do: "identify" });
    answerAll(quiet, { ...PROPERTIES, userEvents: "04000000" });
    expect(quiet.look().notices).toMatchObject([{ on: "ready" }, { n: 0, on: "slot-untold" }]);
  });

  test("a restart is announced by as much as the device is set to", () => {
    const bench = identified(createBench());
    bench.tell("device", "00010000");
    const other = identified(createBench(), { ...PROPERTIES, warning: "05" });
    other.tell("device", "00010000");
    expect([bench.look().notices, other.look().notices]).toEqual([
      [{ n: 0, on: "restart-soon", inMs: 180_000 }],
      [{ n: 0, on: "restart-soon", inMs: 300_000 }],
    ]);
  });

  test("a network session that is about to end is extended while nothing else goes on", () => {
    const bench = identified(createBench());
    bench.tell("device", "02000000");
    bench.answer();
    expect(bench.look()).toEqual({ sent: ["extend-session"], notices: [], reopen: false });
    bench.command({ do: "collect", request: ALL });
    bench.tell("device", "02000000");
    expect(bench.look().sent).not.toContain("extend-session");
  });
});
