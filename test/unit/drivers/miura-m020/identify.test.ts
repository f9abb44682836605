import { describe, expect, test } from "vitest";
import { QUERY_MS, RESET_MS, RESET_TRIES, SETTLE_MS } from "../../../../drivers/miura-m020/timing.ts";
import { familyCapabilities } from "../../../../drivers/vipa/members.ts";
import {
  CLOCK_ANSWER,
  CONFIGURATION_ANSWER,
  createBench,
  EXTENDED_RESET_ANSWER,
  INFO_ANSWER,
  identified,
  KEYS_READY,
  RESET_ANSWER,
} from "./bench.ts";

const POWERED_ON = "E616C30101C41144657669636520706F7765726564206F6E9000";

describe("opening", () => {
  test("a serial line's leftovers are thrown away before the first command", () => {
    const bench = createBench("serial");
    bench.feed({ on: "opened" });
    const n = bench.command({ do: "identify" });
    bench.feed({ on: "bytes", bytes: Uint8Array.of(0xff, 0x00, 0x17) });
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
    expect(bench.timers()).toEqual({ settle: SETTLE_MS });
    bench.fire("settle");
    expect(bench.look().sent).toEqual(["reset"]);
    bench.answer(RESET_ANSWER, KEYS_READY, CLOCK_ANSWER, CONFIGURATION_ANSWER, INFO_ANSWER);
    expect(bench.look().notices).toMatchObject([{ n, on: "ready" }]);
  });

  test("over TCP the first command leaves at once, and a powered-on event before, between or never does no harm", () => {
    const bench = createBench("tcp");
    bench.feed({ on: "opened" });
    bench.event(POWERED_ON);
    bench.command({ do: "identify" });
    bench.event(POWERED_ON);
    expect(bench.look()).toEqual({ sent: ["reset"], notices: [], reopen: false });
  });

  test("a command on a link that is not open ends with no-answer", () => {
    const bench = createBench();
    const n = bench.command({ do: "identify" });
    expect(bench.look().notices).toEqual([{ n, on: "fault", code: "no-answer", detail: "the link is not open" }]);
  });
});

describe("identify", () => {
  test("asks five questions and tells identity and keys", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    const n = bench.command({ do: "identify" });
    for (const answer of [RESET_ANSWER, KEYS_READY, CLOCK_ANSWER, CONFIGURATION_ANSWER]) bench.answer(answer);
    expect(bench.look()).toEqual({
      sent: ["reset", "p2pe-status", "clock", "configuration", "device-info"],
      notices: [],
      reopen: false,
    });
    bench.answer(INFO_ANSWER);
    expect(bench.look().notices).toEqual([
      {
        n,
        on: "ready",
        identity: {
          serialNumber: "10000496",
          model: "M020",
          firmware: "M000-MPI 1-47, M000-OS 7-12",
          configuration: [
            { name: "ARQCDOL.CFG", version: "1.26" },
            { name: "AACDOL.CFG", version: "1.11" },
          ],
          clock: { date: "260115", time: "143000" },
        },
        keys: { pin: true, sred: true, tampered: false },
        capabilities: familyCapabilities,
      },
    ]);
    expect(bench.timers()).toEqual({});
  });

  test.each([
    ["00", { pin: false, sred: false }],
    ["01", { pin: false, sred: false }],
    ["02", { pin: true, sred: false }],
    ["04", { pin: false, sred: true }],
    ["06", { pin: true, sred: true }],
  ])("P2PE status %s tells the keys", (status, keys) => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.command({ do: "identify" });
    bench.answer(RESET_ANSWER, `E105DFAE0101${status}9000`, CLOCK_ANSWER, CONFIGURATION_ANSWER, INFO_ANSWER);
    expect(bench.look().notices).toMatchObject([{ keys: { ...keys, tampered: false } }]);
  });

  test("questions after RESET that the device refuses are left out, and missing keys count as missing", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.command({ do: "identify" });
    bench.answer(RESET_ANSWER, "9F26", "9F26", "9F26", "9F26");
    expect(bench.look().notices).toEqual([
      {
        n: 1,
        on: "ready",
        identity: {
          serialNumber: "10000496",
          model: "Miura",
          firmware: "M000-MPI 1-47, M000-OS 7-12",
          configuration: [],
        },
        keys: { pin: false, sred: false, tampered: false },
        capabilities: familyCapabilities,
      },
    ]);
  });

  test("a clock answer without a template is read, one that is no time is not taken", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.command({ do: "identify" });
    bench.answer(RESET_ANSWER, KEYS_READY, "E10B9A032601FF9F21031430009000");
    expect(bench.look().sent.at(-1)).toBe("clock");
    bench.answer("9A032601159F21031430009000");
    expect(bench.look().sent).toEqual(["configuration"]);
  });

  test("answers that came twice, or belong to an earlier command, are not taken for the next one", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.command({ do: "identify" });
    bench.answer("9000", RESET_ANSWER, RESET_ANSWER, "9000", KEYS_READY, KEYS_READY, CLOCK_ANSWER, CLOCK_ANSWER);
    bench.answer(CONFIGURATION_ANSWER, CONFIGURATION_ANSWER, INFO_ANSWER, INFO_ANSWER);
    const { notices, sent } = bench.look();
    expect(sent).toEqual(["reset", "p2pe-status", "clock", "configuration", "device-info"]);
    expect(notices).toMatchObject([{ on: "ready", identity: { model: "M020" } }]);
  });

  test("every question is asked again, then the device counts as gone and the link is opened anew", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    const n = bench.command({ do: "identify" });
    for (let asked = 1; asked < RESET_TRIES; asked += 1) {
      expect(bench.timers()).toEqual({ answer: RESET_MS });
      bench.fire("answer");
    }
    bench.fire("answer");
    const { sent, notices, reopen } = bench.look();
    expect(sent).toEqual(Array(RESET_TRIES).fill("reset"));
    expect(notices).toEqual([
      { n, on: "fault", code: "no-answer", detail: `no answer to reset within ${RESET_MS} ms` },
    ]);
    expect(reopen).toBe(true);
  });

  test("a later question has its own limit", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.command({ do: "identify" });
    bench.answer(RESET_ANSWER);
    expect(bench.timers()).toEqual({ answer: QUERY_MS });
  });

  test("a refused RESET is tried again, because the refusal may be an old answer; then it is a fault", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    const n = bench.command({ do: "identify" });
    bench.answer("9F41", "9F0D", "9F0D");
    const { sent, notices } = bench.look();
    expect(sent).toEqual(["reset", "reset", "reset"]);
    expect(notices).toEqual([
      { n, on: "fault", code: "device-error", detail: "RESET was refused: 9F0D (internal error)" },
    ]);
  });

  test("the device is asked whether it takes extended commands", () => {
    expect(identified(createBench(), EXTENDED_RESET_ANSWER).state().device.extended).toBe(true);
    expect(identified(createBench()).state().device.extended).toBe(false);
  });

  test("an item with two names, as one hub firmware sends it, does no harm", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.command({ do: "identify" });
    bench.answer(
      "E1159F1E083130303030343936EF08DF0D0141DF0D01429000",
      KEYS_READY,
      CLOCK_ANSWER,
      CONFIGURATION_ANSWER,
      INFO_ANSWER,
    );
    expect(bench.look().notices).toMatchObject([{ identity: { firmware: "A" } }]);
  });

  test("a card number in the place of the serial number stays in the device", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.command({ do: "identify" });
    bench.answer(
      "E1139F1E1034373631373339303031303130313139".concat("9000"),
      KEYS_READY,
      CLOCK_ANSWER,
      CONFIGURATION_ANSWER,
      INFO_ANSWER,
    );
    expect(JSON.stringify(bench.look().notices)).not.toContain("4761739001010119");
  });
});
