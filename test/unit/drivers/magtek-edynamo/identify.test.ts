import { describe, expect, test } from "vitest";
import { toHex } from "../../../../src/kit/hex.ts";
import { ALL } from "../../../support/driver-bench.ts";
import { createBench, identified, identifying, KSN } from "./bench.ts";
import { vectors } from "./vectors.ts";

describe("identifying", () => {
  test("asks for the serial number, ends whatever ran, and tells what the member can do", () => {
    const bench = identifying(createBench("tdynamo"));
    const { sent, notices } = bench.look();
    expect(sent).toEqual([
      "get-property 03",
      "cancel",
      "get-property 00",
      "get-property 07",
      "get-property 67",
      "get-property 68",
      "get-level",
      "get-ksn",
      "read-clock",
    ]);
    expect(notices).toEqual([
      {
        n: 1,
        on: "ready",
        identity: {
          serialNumber: "B3F2A1C",
          model: "MagTek tDynamo",
          firmware: "1000003358A12",
          configuration: [
            { name: "security level", version: "03" },
            { name: "encryption variant", version: "01" },
            { name: "message format", version: "01" },
          ],
          clock: { date: "260115", time: "143000" },
        },
        keys: { sred: true },
        capabilities: {
          interfaces: ["chip", "contactless", "stripe"],
          onlinePin: false,
          pinAfterTap: false,
          display: false,
          sealed: true,
        },
      },
    ]);
  });

  test.each([
    ["edynamo", ["chip", "stripe"]],
    ["dynawave", ["contactless"]],
    ["mdynamo", ["chip"]],
  ])("%s can take %j", (reader, interfaces) => {
    const { notices } = identifying(createBench(reader)).look();
    expect(notices[0]).toMatchObject({ on: "ready", capabilities: { interfaces } });
    expect(notices.some(({ on }) => on === "slot-untold")).toBe(reader === "dynawave");
  });

  test("a device that takes too long for all of it is lost", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.fire("settle");
    const n = bench.command({ do: "identify" });
    bench.fire("watchdog");
    expect(bench.look()).toMatchObject({
      reopen: true,
      notices: [{ n, on: "fault", code: "no-answer", detail: expect.stringContaining("not identified within") }],
    });
  });

  test("over USB it is told to answer there", () => {
    const bench = createBench("edynamo", "usb");
    bench.feed({ on: "opened" });
    bench.fire("settle");
    bench.command({ do: "identify" });
    bench.answer(0, "42");
    bench.result("038D");
    for (let asked = 0; asked < 6; asked += 1) bench.answer(0, "01");
    expect(bench.look().sent).toContain("set-output 00");
    expect(toHex(new Uint8Array([0x48, 1, 0]))).toBe(
      vectors.commands.find(({ meaning }) => meaning === "output to USB")?.hex,
    );
  });

  test.each([
    ["a security level below 3", { level: "02" }, false],
    ["no key", { ksn: "" }, false],
    ["a key serial number of zeros", { ksn: "00".repeat(10) }, false],
    ["a level that it does not tell", { level: "" }, true],
  ])("keys: %s", (_what, told, sred) => {
    const bench = identifying(createBench(), told);
    expect(bench.look().notices[0]).toMatchObject({ on: "ready", keys: { sred } });
    bench.command({ do: "collect", request: ALL });
    const { sent, notices } = bench.look();
    if (sred) expect(sent[0]).toMatch(/^start/);
    else expect(notices).toMatchObject([{ on: "fault", code: "keys-missing" }]);
  });

  test("a message format of another kind is a wrong set-up", () => {
    expect(identifying(createBench(), { format: "00" }).look().notices).toMatchObject([
      { on: "fault", code: "misconfigured", detail: expect.stringContaining("set 01") },
    ]);
  });

  test("a device without a serial number is refused", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.fire("settle");
    bench.command({ do: "identify" });
    bench.answer(0x02);
    expect(bench.look().notices).toMatchObject([
      { n: 1, on: "fault", code: "device-error", detail: expect.stringContaining("serial number") },
    ]);
  });

  test("a clock that is not set is told as one that is far off, and is set as the maker's host does", () => {
    const bench = identifying(createBench(), { clock: "" });
    expect(bench.look().notices[0]).toMatchObject({ identity: { clock: { date: "080101", time: "000000" } } });
    expect(identifying(createBench(), { clock: "010F0E1E0000" }).look().notices[0]).not.toHaveProperty(
      "identity.clock",
    );
    bench.command({ do: "set-clock", now: { date: "090620", time: "170000" } });
    expect(`491E00000${bench.look().sent[0]?.replace("set-clock ", "30C0018")}`).toBe(
      `${vectors.setClock.hex}06141100000001`,
    );
    bench.result();
    expect(bench.look().notices).toMatchObject([{ on: "done" }]);
    const n = bench.command({ do: "set-clock", now: { date: "090620", time: "170000" } });
    bench.result("0396");
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "device-error" }]);
  });

  test("a card of before that waits for its issuer is refused in his place, and cancelled again", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.fire("settle");
    bench.command({ do: "identify" });
    bench.answer(0, "423346324131");
    bench.look();
    bench.result("038F");
    const [refused] = bench.look().sent;
    expect(refused).toMatch(/^acquirer .*DFDF2506423346324131FA0670048A025A33/);
    bench.pending();
    bench.result("038F");
    expect(bench.timers()["answer"]).toBe(500);
    bench.fire("answer");
    expect(bench.look().sent.at(-1)).toBe("cancel");
  });

  test("silence opens the link anew, and nothing is ever asked twice", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.fire("settle");
    bench.command({ do: "identify" });
    bench.fire("answer");
    const { sent, notices, reopen } = bench.look();
    expect(sent).toEqual(["get-property 03"]);
    expect([notices, reopen]).toMatchObject([[{ on: "fault", code: "no-answer" }], true]);
    const endless = createBench();
    endless.feed({ on: "opened" });
    endless.fire("settle");
    endless.command({ do: "identify" });
    endless.fire("watchdog");
    expect(endless.look()).toMatchObject({ notices: [{ on: "fault", code: "no-answer" }], reopen: true });
  });

  test("what is not known of a member's slot is told with its first change", () => {
    const bench = identified();
    bench.progress("01", "00");
    bench.progress("01", "00");
    bench.progress("08", "00");
    expect(bench.look().notices).toEqual([
      { n: 0, on: "slot", card: true },
      { n: 0, on: "slot", card: false },
    ]);
    expect(KSN).toHaveLength(20);
  });
});
