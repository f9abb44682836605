import { describe, expect, test } from "vitest";
import { CANCEL_MS, PAUSE_MS, QUERY_MS, SETTLE_MS } from "../../../../drivers/idtech-vp3300/timing.ts";
import { createBench, DATA_KEY, DONE, FIRMWARE, firmwareOf, idles, MODULES, SERIAL } from "./bench.ts";

const asked = (firmware: string) => {
  const bench = createBench();
  bench.feed({ on: "opened" });
  bench.fire("settle");
  const n = bench.command({ do: "identify" });
  idles(bench);
  bench.answer(firmware);
  bench.look();
  return { bench, n };
};

const untold = { n: 0, on: "slot-untold" };

describe("identify", () => {
  test("ends what ran before, leaves the device alone for a moment, and asks one question after the other", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    expect(bench.timers()).toEqual({ settle: SETTLE_MS });
    const n = bench.command({ do: "identify" });
    expect(bench.look().sent).toEqual([]);
    bench.fire("settle");
    expect([bench.look().sent, bench.timers()]).toEqual([["cancel"], { answer: CANCEL_MS }]);
    bench.answer(DONE.cancel);
    expect([bench.look().sent, bench.timers()]).toEqual([[], { answer: PAUSE_MS }]);
    bench.fire("answer");
    expect([bench.look().sent, bench.timers()]).toEqual([["ping"], { answer: QUERY_MS }]);
    const questions = [DONE.ping, FIRMWARE, SERIAL, DONE.poll, DATA_KEY, MODULES].map((answer) => {
      bench.answer(answer);
      return bench.look().sent.join();
    });
    expect(questions).toEqual([
      "firmware",
      "serial",
      "poll-on-demand 01",
      "key-state 020000",
      "modules",
      "switch-notices 01",
    ]);
    bench.answer(DONE.switches);
    expect(bench.look().notices).toEqual([
      {
        n,
        on: "ready",
        identity: {
          serialNumber: "630T00001",
          model: "VP3300",
          firmware: "VP3300 USB NEO v1.01.064",
          configuration: [
            { name: "CL AID", version: "1.05" },
            { name: "EMVL2", version: "1.10" },
          ],
        },
        keys: { sred: true },
        capabilities: expect.objectContaining({ interfaces: ["chip", "contactless", "stripe"], onlinePin: false }),
      },
    ]);
    expect(bench.timers()).toEqual({});
  });

  test("over USB there is nothing to throw away first", () => {
    const bench = createBench("usb");
    bench.feed({ on: "opened" });
    expect(bench.timers()).toEqual({});
  });

  test("what is refused is left out; without its state the data key is not known to be there", () => {
    const { bench, n } = asked(FIRMWARE);
    bench.answer(SERIAL, "0105", "8103", "0902", "0103");
    expect(bench.look().notices).toMatchObject([{ n, on: "ready", keys: {}, identity: { configuration: [] } }, untold]);
  });

  test.each([
    ["unused", "8100 00", { sred: false }],
    ["used up", "8100 02", { sred: false }],
    ["missing", "8190", { sred: false }],
    ["tampered", "811D", { tampered: true }],
  ])("a data key that is %s shows", (_what, answer, keys) => {
    const { bench } = asked(FIRMWARE);
    bench.answer(SERIAL, DONE.poll, answer, MODULES, DONE.switches);
    expect(bench.look().notices).toMatchObject([{ on: "ready", keys }]);
  });

  test.each([
    ["12-01 refused", "120B"],
    ["zeros", `1200 ${"00".repeat(15)}`],
  ])("a device without a serial number (%s) cannot be used", (_what, answer) => {
    const { bench, n } = asked(FIRMWARE);
    bench.answer(answer, DONE.poll, DATA_KEY, MODULES, DONE.switches);
    expect(bench.look().notices).toMatchObject([
      { n, on: "fault", code: "device-error", detail: expect.stringContaining("serial number") },
    ]);
  });

  test("firmware that is refused ends it", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.fire("settle");
    const n = bench.command({ do: "identify" });
    idles(bench);
    bench.answer("290B");
    expect(bench.look().notices).toMatchObject([
      { n, on: "fault", code: "device-error", detail: expect.stringContaining("firmware") },
    ]);
  });

  test("a member with keys is asked for its PIN key, one without a slot is not asked to tell of it", () => {
    const { bench } = asked(firmwareOf("VP8800 FW v1.00.026"));
    bench.answer("8100 01");
    bench.answer(SERIAL, DONE.poll, DATA_KEY, MODULES, DONE.switches);
    expect(bench.look()).toMatchObject({
      sent: ["serial", "poll-on-demand 01", "key-state 020000", "modules", "switch-notices 01"],
      notices: [
        {
          on: "ready",
          identity: { model: "VP8800" },
          keys: { pin: true, sred: true },
          capabilities: { onlinePin: true },
        },
      ],
    });
    const kiosk = asked(firmwareOf("Kiosk III v2.0")).bench;
    kiosk.answer(SERIAL, DONE.poll, DATA_KEY, MODULES);
    expect(kiosk.look().notices).toMatchObject([
      { identity: { model: "Kiosk III" }, capabilities: { interfaces: ["contactless"] } },
      untold,
    ]);
  });

  test("an answer that came twice is not taken for the next one", () => {
    const { bench } = asked(FIRMWARE);
    bench.answer(FIRMWARE, SERIAL, SERIAL, DONE.poll, DONE.poll, DATA_KEY, DATA_KEY, MODULES);
    expect(bench.look().sent).toEqual(["poll-on-demand 01", "key-state 020000", "modules", "switch-notices 01"]);
  });

  test("a silent device is asked again, and then the link is opened anew", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.fire("settle");
    const n = bench.command({ do: "identify" });
    for (let tries = 0; tries < 3; tries += 1) bench.fire("answer");
    expect(bench.look()).toEqual({
      sent: ["cancel", "cancel", "cancel"],
      notices: [{ n, on: "fault", code: "no-answer", detail: expect.stringContaining("cancel") }],
      reopen: true,
    });
    const second = asked(FIRMWARE);
    second.bench.fire("answer");
    second.bench.fire("answer");
    expect(second.bench.look()).toMatchObject({
      sent: ["serial"],
      notices: [{ n: second.n, code: "no-answer" }],
      reopen: true,
    });
  });

  test("a device that starts anew is identified again", () => {
    const { bench, n } = asked(FIRMWARE);
    bench.tell("1401 4E454F");
    expect(bench.look()).toMatchObject({ notices: [{ n, on: "fault", code: "device-error" }], reopen: true });
  });
});
