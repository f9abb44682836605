import { describe, expect, test } from "vitest";
import {
  IDENTIFY_MS,
  OFFLINE_MS,
  QUERY_MS,
  RESTART_WARNING_MS,
  SETTLE_MS,
} from "../../../../drivers/ingenico-ipp350/timing.ts";
import { ALL } from "../../../support/driver-bench.ts";
import { type Bench, createBench, identified, SETTINGS, UNIT } from "./bench.ts";

const asked = (transport: "tcp" | "serial" | "usb" = "tcp"): { readonly bench: Bench; readonly n: number } => {
  const bench = createBench(transport);
  bench.feed({ on: "opened" });
  if (transport !== "tcp") bench.fire("settle");
  const n = bench.command({ do: "identify" });
  bench.look();
  return { bench, n };
};

/** The settings with one answer in place of another. */
const settings = (entry: string, instead: string): readonly string[] =>
  SETTINGS.map((answer) => (answer.startsWith(entry) ? instead : answer));

const identify = (unit: string, answers: readonly string[]) => {
  const { bench, n } = asked();
  bench.tell("00.0000", unit, ...answers);
  return { bench, n, ...bench.look() };
};

describe("identify", () => {
  test.each(["tcp", "serial", "usb"] as const)(
    "over %s stops what runs, then asks one question after the other",
    (transport) => {
      const bench = createBench(transport);
      bench.feed({ on: "opened" });
      const n = bench.command({ do: "identify" });
      if (transport !== "tcp") {
        expect([bench.look().sent, bench.timers()]).toEqual([[], { settle: SETTLE_MS }]);
        bench.fire("settle");
      }
      expect([bench.look().sent, bench.timers()]).toEqual([["00.0000"], { answer: OFFLINE_MS, watchdog: IDENTIFY_MS }]);
      bench.tell("00.0000");
      expect([bench.look().sent, bench.timers()]).toEqual([["07."], { answer: QUERY_MS, watchdog: IDENTIFY_MS }]);
      const sent = [UNIT, ...SETTINGS].flatMap((answer) => {
        bench.tell(answer);
        return bench.look().sent;
      });
      const entries = ["91~1", "6~7", "19~1", "19~21", "8~1", "7~29", "14~1", "14~10"].map((entry) => `61.${entry}~`);
      expect(sent).toEqual([...entries, "29.00000202", "29.00000201", "29.00000500"]);
      expect(bench.timers()).toEqual({ restart: 60_000_000 - RESTART_WARNING_MS });
      expect(n).toBe(1);
    },
  );

  test("tells who it is, what it runs on, its clock and what it can do; of its keys it cannot tell", () => {
    const { n, notices } = identify(UNIT, SETTINGS);
    expect(notices).toEqual([
      {
        n,
        on: "ready",
        identity: {
          serialNumber: "80412345",
          model: "iPP350",
          firmware: "RBA 23.0.4",
          configuration: [
            { name: "OS", version: "OS 22" },
            { name: "security module", version: "SEC 4" },
            { name: "contact kernel", version: "DC 7" },
            { name: "contact engine", version: "ENG 4" },
            { name: "encryption", version: "19" },
            { name: "package", version: "PKG 7" },
            { name: "file update", version: "0007" },
          ],
          clock: { date: "260115", time: "143000" },
        },
        keys: {},
        capabilities: expect.objectContaining({
          interfaces: ["chip", "contactless", "stripe", "keyed"],
          onlinePin: true,
          pinAfterTap: true,
        }),
      },
    ]);
  });

  test("what it refuses to tell is left out", () => {
    const { notices } = identify(UNIT, [
      "61.3",
      "61.9",
      "61.1",
      "61.3",
      "61.3",
      "61.3",
      "61.3",
      "61.3",
      "29.50000202",
      "29.50000201",
      "29.50000500",
    ]);
    expect(notices).toMatchObject([{ on: "ready", identity: { firmware: "RBA 23.0.4" } }]);
    expect(notices[0]).not.toHaveProperty("identity.clock");
  });

  test("answers to other questions are passed over", () => {
    const { bench, n } = asked();
    bench.tell("00.0000", "13.0", UNIT, "61.26~7~1|", "29.20000201143000", "61.291~1~19|");
    expect(bench.look().sent).toEqual(["07.", "61.91~1~", "61.6~7~"]);
    bench.tell(...SETTINGS.slice(1, 8), "29.20000500600", "29.20000202011526", ...SETTINGS.slice(9));
    expect(bench.look().notices).toMatchObject([
      { n, on: "ready", identity: { clock: { date: "260115", time: "143000" } } },
    ]);
  });

  test.each([
    ["61.291", "61.291~1~0|", "clear-card-data", "encryption is off"],
    ["61.291", "61.291~1~2|", "misconfigured", "mode 2"],
    ["61.291", "61.291~1~31|", "misconfigured", "mode 31"],
    ["61.26", "61.26~7~0|", "misconfigured", "6_7 is 0, and 1 is needed"],
    ["61.219~1", "61.219~1~0|", "misconfigured", "19_1"],
    ["61.219~21", "61.219~21~1|", "misconfigured", "quick chip"],
  ])("a device whose entry %s is answered by %s is out of service as %s", (entry, instead, code, detail) => {
    const { n, notices } = identify(UNIT, settings(entry, instead));
    expect(notices).toEqual([{ n, on: "fault", code, detail: expect.stringContaining(detail) }]);
  });

  test.each([
    ["61.28", "61.28~1~0|", ["chip", "stripe", "keyed"], false],
    ["61.27", "61.27~29~0|", ["chip", "contactless", "stripe"], true],
  ])("what %s switches off is taken away", (entry, instead, interfaces, pinAfterTap) => {
    expect(identify(UNIT, settings(entry, instead)).notices).toMatchObject([
      { capabilities: { interfaces, pinAfterTap } },
    ]);
  });

  test.each([
    ["iUC285", ["chip", "contactless", "stripe"]],
    ["i6550", ["stripe", "keyed"]],
    ["Something new", ["chip", "contactless", "stripe", "keyed"]],
  ])("a member called %s can do less or all", (device, interfaces) => {
    expect(identify(UNIT.replace("iPP350", device), SETTINGS).notices).toMatchObject([
      { identity: { model: device }, capabilities: { interfaces } },
    ]);
  });

  test("a device without a serial number is not identified", () => {
    expect(identify("07.INGENICO|iPP350", SETTINGS).notices).toMatchObject([{ on: "fault", code: "device-error" }]);
  });

  test("control characters and endless text of a device never get out", () => {
    const { notices } = identify(`07.A|B\u0007\u00e4|${"9".repeat(300)}`, SETTINGS);
    expect(notices).toMatchObject([{ identity: { model: "B??", serialNumber: "9".repeat(64) } }]);
  });

  test("a silent device is asked again, and then the link is opened anew", () => {
    const { bench, n } = asked();
    for (let tries = 0; tries < 3; tries += 1) bench.fire("answer");
    expect(bench.look()).toEqual({
      sent: ["00.0000", "00.0000"],
      notices: [{ n, on: "fault", code: "no-answer", detail: expect.stringContaining("00.") }],
      reopen: true,
    });
    const second = asked();
    second.bench.tell("00.0000", UNIT);
    second.bench.look();
    second.bench.fire("answer");
    second.bench.fire("answer");
    expect(second.bench.look()).toMatchObject({
      sent: ["61.91~1~"],
      notices: [{ n: second.n, code: "no-answer" }],
      reopen: true,
    });
    const endless = asked();
    endless.bench.fire("watchdog");
    expect(endless.bench.look()).toMatchObject({ notices: [{ n: endless.n, code: "no-answer" }], reopen: true });
  });
});

test("what it has told of its slot is told again with the identity; before its first word nothing is", () => {
  const bench = identified(createBench());
  bench.command({ do: "identify" });
  bench.tell("00.0000", UNIT, ...SETTINGS);
  expect(bench.look().notices.map(({ on }) => on)).toEqual(["ready"]);
  bench.tell("09.020201R");
  bench.look();
  bench.command({ do: "identify" });
  bench.tell("00.0000", UNIT, ...SETTINGS);
  expect(bench.look().notices).toMatchObject([{ on: "ready" }, { n: 0, on: "slot", card: false }]);
});

describe("its daily restart", () => {
  test("is told three minutes before, whatever it is doing", () => {
    const bench = identified(createBench());
    bench.command({ do: "collect", request: ALL });
    bench.look();
    bench.fire("restart");
    expect(bench.look()).toEqual({
      sent: [],
      notices: [{ n: 0, on: "restart-soon", inMs: RESTART_WARNING_MS }],
      reopen: false,
    });
  });

  test("is told at once where it is closer than that", () => {
    const { bench, notices } = identify(UNIT, settings("29.20000500", "29.20000500100"));
    expect(notices).toMatchObject([{ on: "ready" }, { n: 0, on: "restart-soon", inMs: 100_000 }]);
    expect(bench.timers()).toEqual({});
  });
});
