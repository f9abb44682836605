import { describe, expect, test } from "vitest";
import { ACK_MS, COMPLETE_MS, COMPLETION_MS, SENDINGS, STOP_MS } from "../../../../drivers/pax-d180/timing.ts";
import type { IssuerResponse } from "../../../../src/emv/issuer-response.ts";
import { answerHex, type Bench, createBench, held, identified, object, running, type Script } from "./bench.ts";

const APPROVED: IssuerResponse = {
  verdict: "approved",
  arc: "3030",
  authentication: "1122334455667788",
  scripts: [
    { tag: "71", value: "9F180400000001" },
    { tag: "72", value: "9F180400000002" },
  ],
};

/** A completion whose answers are the usual ones but for these. The card's own cryptogram follows the device's word. */
function completed(script: Script = {}, issuer: IssuerResponse = APPROVED) {
  const bench = held(createBench());
  const n = bench.command({ do: "complete", issuer });
  bench.runTo("9F27", script);
  bench.runTo(undefined, {
    "9F27": [0, object(script["complete"] === undefined && issuer.verdict === "approved" ? "40" : "00")],
    ...script,
  });
  return { bench, n, ...bench.look() };
}

describe("the issuer's answer", () => {
  test("is handed to the card: code and proof as objects, then its word with the scripts", () => {
    const { sent, notices, reopen, n } = completed();
    expect(sent.slice(0, 3)).toEqual([
      "set-object 008A000000023030",
      "set-object 0091000000081122334455667788",
      "complete 000000001271079F18040000000172079F180400000002",
    ]);
    expect(sent.slice(3)).toEqual(
      ["9F26", "9F27", "9F36", "0095", "009B", "9F10", "008A"].map((tag) => `get-object ${tag}`),
    );
    expect(notices).toMatchObject([{ n, on: "finished", verdict: "approved" }]);
    const [notice] = notices;
    expect(notice?.on === "finished" && notice.emv.map(({ tag }) => tag)).toEqual([
      "9F26",
      "9F27",
      "9F36",
      "95",
      "9F10",
    ]);
    expect(reopen).toBe(false);
  });

  test.each([
    ["declined", "3035", "complete 0300000000"],
    ["unable-to-go-online", "5A33", "complete 0100000000"],
  ] as const)("a host that is %s makes the card decline", (verdict, arc, last) => {
    const { sent, notices, n } = completed({ complete: [0, "00"] }, { verdict, arc, scripts: [] });
    expect(sent.slice(0, 2)).toEqual([`set-object 008A00000002${arc}`, last]);
    expect(notices).toMatchObject([{ n, on: "finished", verdict: "declined" }]);
  });

  test.each(["declined", "unable-to-go-online"] as const)(
    "a device that approves although the host is %s is in error, and is asked for no receipt",
    (verdict) => {
      const { sent, notices, n } = completed(
        { complete: [0, "01"], "9F27": [0, object("40")] },
        { verdict, arc: "3035", scripts: [] },
      );
      expect(sent.at(-1)).toMatch(/^complete /);
      expect(notices).toMatchObject([{ n, on: "fault", code: "protocol" }]);
    },
  );

  test("scripts beyond what any issuer sends are left out, the card still gets its code", () => {
    const scripts = [{ tag: "72", value: "00".repeat(1100) }] as const;
    expect(completed({}, { verdict: "approved", arc: "3030", scripts }).sent).toContain("complete 0000000000");
  });

  test.each([
    ["the host's word", [0, "03"]],
    ["the card's", [0, "00"]],
    ["denied", [-11, "00"]],
    ["denied, with its base", [-0xa0000 - 11]],
    ["a card that is gone", [-2]],
    ["a card that answers with an error", [-4, "00"]],
    ["a card that refuses", [-22, "00"]],
  ] as const)("a decline by %s is one", (_what, complete) => {
    const { notices, n } = completed({ complete });
    expect(notices).toMatchObject([{ n, on: "finished", verdict: "declined" }]);
  });

  test.each<[string, IssuerResponse["verdict"], Script]>([
    ["an approval the issuer did not give", "declined", { complete: [0, "01"] }],
    ["an approval without a host", "unable-to-go-online", { complete: [0, "01"] }],
    ["an approval whose cryptogram says no", "approved", { "9F27": [0, object("00")] }],
    ["an approval of another transaction", "approved", { "9F36": [0, object("028A")] }],
    ["a kind that is none", "approved", { complete: [0, "02"] }],
    ["no kind", "approved", { complete: [0] }],
    ["denied, with a TC", "approved", { complete: [-11, "01"] }],
    ["a card that is gone, with a TC", "approved", { complete: [-2, "01"] }],
    ["an error", "approved", { complete: [-30, "00"] }],
    ["a decline whose cryptogram is a TC", "approved", { complete: [-2], "9F27": [0, object("40")] }],
    ["a device that does not know it", "approved", { complete: [-0xffff] }],
  ])("%s is none: a fault", (_what, verdict, script) => {
    const { notices, n } = completed(script, { ...APPROVED, verdict });
    expect(notices).toMatchObject([{ n, on: "fault" }]);
  });

  test("an approval stands where the receipt's objects are missing, also where the device falls silent over them", () => {
    const { notices, n } = completed(
      Object.fromEntries(["9F26", "9F27", "9F36", "95", "9B", "9F10", "8A"].map((tag) => [tag, [-17]])),
    );
    expect(notices).toEqual([{ n, on: "finished", verdict: "approved", emv: [] }]);
    const bench = held(createBench());
    const m = bench.command({ do: "complete", issuer: APPROVED });
    bench.runTo("9F27");
    bench.bytes("06");
    bench.fire("answer");
    expect(bench.look()).toMatchObject({
      notices: [{ n: m, on: "finished", verdict: "approved", emv: [{ tag: "9F26" }] }],
      reopen: true,
    });
  });

  test("an approval stands also where the device does not even acknowledge any more: the receipt is given up before the line is", () => {
    const bench = held(createBench());
    const n = bench.command({ do: "complete", issuer: APPROVED });
    bench.runTo("9F27");
    expect(bench.timers()["answer"]).toBeLessThan(ACK_MS * SENDINGS);
    bench.fire("answer");
    expect(bench.look()).toMatchObject({ notices: [{ n, on: "finished", verdict: "approved" }], reopen: true });
  });

  test("has its time, and all of it too", () => {
    const bench = held(createBench());
    const n = bench.command({ do: "complete", issuer: APPROVED });
    expect(bench.timers()).toMatchObject({ watchdog: COMPLETION_MS });
    bench.runTo("complete");
    expect(bench.timers()).toMatchObject({ answer: COMPLETE_MS });
    bench.bytes("06");
    bench.look();
    bench.fire("watchdog");
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "no-answer" }], reopen: true });
  });

  test("during a look at the slot takes its time from the completion's own", () => {
    const bench = held(createBench());
    bench.fire("look");
    const n = bench.command({ do: "complete", issuer: APPROVED });
    expect(bench.timers()).toMatchObject({ watchdog: COMPLETION_MS });
    expect(bench.look().sent).toEqual(["slot 00"]);
    bench.runTo(undefined, { "9F27": [0, object("40")] });
    expect(bench.look().notices).toMatchObject([{ n, on: "finished", verdict: "approved" }]);
    bench.fire("look");
    const m = bench.command({ do: "complete", issuer: APPROVED });
    bench.runTo(undefined);
    expect(bench.look().notices).toMatchObject([{ n: m, on: "fault", code: "refused" }]);
    expect(bench.timers()).toEqual({ look: 400 });
  });

  test("behind words that are still being written has its own time from the moment it is given, and so has a cancel", () => {
    const bench = held(createBench());
    const display = bench.command({ do: "display", lines: ["PLEASE WAIT"] });
    const n = bench.command({ do: "complete", issuer: APPROVED });
    expect(bench.timers()).toMatchObject({ watchdog: COMPLETION_MS });
    bench.runTo("complete");
    const { sent, notices } = bench.look();
    expect(notices).toEqual([{ n: display, on: "done" }]);
    expect(sent.map((one) => one.split(" ")[0])).toEqual([
      "clear-screen",
      "text",
      "set-object",
      "set-object",
      "complete",
    ]);
    bench.runTo(undefined, { "9F27": [0, object("40")] });
    expect(bench.look().notices).toMatchObject([{ n, on: "finished", verdict: "approved" }]);
    const other = held(createBench());
    other.command({ do: "display", lines: ["PLEASE WAIT"] });
    const cancel = other.command({ do: "cancel" });
    expect(other.timers()).toMatchObject({ watchdog: STOP_MS });
    other.runTo(undefined);
    expect(other.look()).toMatchObject({
      notices: [
        { n: cancel, on: "cancelled" },
        { n: display, on: "done" },
      ],
    });
  });

  test("comes before a cancel, and everything else waits for it", () => {
    const bench = held(createBench());
    const n = bench.command({ do: "complete", issuer: APPROVED });
    const cancel = bench.command({ do: "cancel" });
    const idle = bench.command({ do: "idle" });
    expect(bench.look().notices).toMatchObject([{ n: cancel, on: "fault", code: "refused" }]);
    bench.runTo(undefined, { "9F27": [0, object("40")] });
    expect(bench.look().notices).toMatchObject([
      { n, on: "finished" },
      { n: idle, on: "done" },
    ]);
  });

  test("for a card that nobody holds, or that makes no sense, is refused and nothing sent", () => {
    const bench = identified(createBench());
    const refused = (on: Bench, issuer: IssuerResponse): void => {
      const n = on.command({ do: "complete", issuer });
      expect(on.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "refused" }] });
    };
    refused(bench, APPROVED);
    refused(held(createBench()), { ...APPROVED, arc: "x" });
    refused(held(createBench()), { ...APPROVED, authentication: "1122" });
    refused(held(createBench()), { ...APPROVED, scripts: [{ tag: "71", value: "1" }] });
  });

  test("asked for by the device in the middle of it, the issuer has said no", () => {
    const bench = held(createBench());
    bench.command({ do: "complete", issuer: APPROVED });
    bench.runTo("complete");
    bench.look();
    bench.callBack(0xb4, "");
    expect(bench.look().sent).toEqual(["B0B4 000000030000000000000000000000"]);
  });

  test("the amount that the device asks for in the middle of it is that of the first cryptogram", () => {
    const bench = held(createBench());
    bench.command({ do: "complete", issuer: APPROVED });
    bench.runTo("complete");
    bench.look();
    bench.callBack(0xb1, "00");
    expect(bench.look().sent).toEqual(["B0B1 00000000000004D2"]);
  });
});

describe("an answer to another question", () => {
  const complete = { do: "complete", issuer: APPROVED } as const;

  test.each<[string, (bench: Bench) => unknown]>([
    ["a collect", (bench) => running(bench, "start")],
    ["the objects of a card", (bench) => running(bench, "9F10")],
    ["a completion", (bench) => held(bench).command(complete)],
    ["a stop", (bench) => [running(bench, "start"), bench.command({ do: "cancel" })]],
    ["an identification", (bench) => identified(bench).command({ do: "identify" })],
    ["a display", (bench) => identified(bench).command({ do: "display", lines: ["x"] })],
  ])("is passed over during %s", (_what, begin) => {
    const bench = createBench();
    begin(bench);
    bench.look();
    const asked = bench.outstanding();
    bench.bytes(`06${answerHex(0x90a4, 0)}`);
    expect(bench.look()).toMatchObject({ notices: [], reopen: false });
    expect([bench.outstanding(), asked === undefined]).toEqual([asked, false]);
  });
});
