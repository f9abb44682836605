import { describe, expect, test } from "vitest";
import { ACK_MS, GAP_MS, REPEAT_MS, SENDINGS } from "../../../../drivers/pax-d180/timing.ts";
import { concat } from "../../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { answerHex, type Bench, createBench, identified, object, running } from "./bench.ts";

/** At a command whose answer is outstanding and not acknowledged. */
function asking(): Bench {
  const bench = identified(createBench());
  bench.command({ do: "set-clock", now: { date: "260704", time: "120000" } });
  bench.look();
  return bench;
}

const DONE = answerHex(0x9032, 0);

describe("acknowledgements", () => {
  test("an answer is acknowledged, and comes behind the acknowledgement of its command", () => {
    const bench = asking();
    expect(bench.timers()).toMatchObject({ "line-ack": ACK_MS });
    bench.bytes("06");
    expect(bench.timers()).not.toHaveProperty("line-ack");
    bench.bytes(DONE);
    expect(bench.look()).toMatchObject({ bytes: ["06"], notices: [{ on: "done" }] });
  });

  test("a command that is not acknowledged, or refused, is sent again", () => {
    const bench = asking();
    bench.fire("line-ack");
    bench.bytes("15");
    expect(bench.look().sent).toEqual(["set-clock 260704120000", "set-clock 260704120000"]);
    bench.answer(0);
    expect(bench.look().notices).toMatchObject([{ on: "done" }]);
  });

  test.each([
    ["not acknowledged", (bench: Bench) => bench.fire("line-ack")],
    ["refused", (bench: Bench) => bench.bytes("15")],
  ])("one that is %s five times ends with the link", (_what, again) => {
    const bench = asking();
    for (let sending = 0; sending < SENDINGS; sending += 1) again(bench);
    expect(bench.look()).toMatchObject({ notices: [{ on: "fault", code: "no-answer" }], reopen: true });
  });

  test("a lost acknowledgement is made good by the answer", () => {
    const bench = asking();
    bench.bytes(DONE);
    expect(bench.look()).toMatchObject({ bytes: ["06"], notices: [{ on: "done" }] });
    expect(bench.timers()).not.toHaveProperty("line-ack");
  });

  test("an answer that comes again is acknowledged and taken once, until something of ours was acknowledged", () => {
    const bench = createBench();
    running(bench, "9F27");
    const told = answerHex(0x9082, 0, object("80"));
    bench.bytes("06");
    bench.bytes(told);
    bench.bytes(told);
    expect(bench.look()).toMatchObject({ sent: ["get-object 9F36"], bytes: ["06", "06"] });
    expect(bench.timers()).not.toHaveProperty("line-repeat");
    bench.bytes("06");
    bench.bytes(told);
    expect(bench.look().sent).toEqual(["get-object 9F10"]);
  });

  test("a repetition of an earlier answer is not taken for the next one, byte by byte or whole", () => {
    const bench = createBench();
    const n = running(bench, "9F26");
    const told = answerHex(0x9082, 0, object("52A596394EDA96D9"));
    bench.bytes(fromHex(`06${told}${told}`));
    bench.runTo(undefined);
    const [notice] = bench.look().notices.filter((one) => one.n === n);
    expect(notice?.on === "card" && notice.card.icc.find(({ tag }) => tag === "9F27")?.value).toEqual(
      Uint8Array.of(0x80),
    );
    expect(REPEAT_MS).toBeGreaterThan(ACK_MS * 2);
  });

  test("a spoiled answer is asked for again", () => {
    const bench = asking();
    const bytes = fromHex(DONE);
    bench.bytes(concat(Uint8Array.of(0x06), bytes.with(6, 0x77)));
    expect(bench.look()).toMatchObject({ bytes: ["15"], notices: [] });
    bench.bytes(bytes);
    expect(bench.look()).toMatchObject({ bytes: ["06"], notices: [{ on: "done" }] });
  });

  test("one that stands still is asked for again", () => {
    const bench = asking();
    const bytes = fromHex(`06${DONE}`);
    bench.bytes(bytes.subarray(0, 7));
    expect(bench.timers()).toMatchObject({ "line-gap": GAP_MS });
    bench.fire("line-gap");
    expect(bench.look()).toMatchObject({ bytes: ["15"], notices: [] });
    bench.bytes(DONE);
    expect(bench.look().notices).toMatchObject([{ on: "done" }]);
  });

  test("an answer that comes byte by byte is the same answer", () => {
    const bench = createBench();
    running(bench, "start");
    for (const byte of fromHex(`06${answerHex(0x90a3, 0, "02")}`)) bench.bytes(Uint8Array.of(byte));
    expect(bench.outstanding()).toBe("9F26");
  });

  test.each([
    ["of another command", answerHex(0x9033, 0, "26011514300004")],
    ["of the text layer", "02920100126F70656E7C317C44313830454D444B7C307CEE"],
    ["without a return code", toHex(fromHex("029032000101A2"))],
    ["noise", "00FFAA5503"],
    ["a stray acknowledgement", "06"],
  ])("an answer %s changes nothing", (_what, hex) => {
    const bench = asking();
    bench.bytes(hex);
    expect(bench.look()).toMatchObject({ sent: [], notices: [], reopen: false });
    bench.answer(0);
    expect(bench.look().notices).toMatchObject([{ on: "done" }]);
  });
});
