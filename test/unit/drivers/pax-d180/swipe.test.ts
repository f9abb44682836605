import { describe, expect, test } from "vitest";
import { tracksIn } from "../../../../drivers/pax-d180/card-answer.ts";
import { toHex } from "../../../../src/kit/hex.ts";
import { ALL } from "../../../support/driver-bench.ts";
import { createBench, EMPTY_SLOT, type Script, waiting } from "./bench.ts";

const SEALED_TRACK = "AABBCCDDEEFF00112233445566778899AABBCCDDEEFF0011";
const tracks = (...parts: readonly string[]): string =>
  parts.map((part) => (part.length / 2).toString(16).padStart(2, "0") + part).join("");
const ascii = (text: string): string => toHex(new TextEncoder().encode(text));

/** A swipe while chip and magstripe are waited for. */
function swiped(data: string, script: Script = {}, rc = 0) {
  const bench = createBench();
  const n = waiting(bench, ALL);
  bench.fire("poll");
  bench.runTo(undefined, { ...EMPTY_SLOT, swiped: [0, "00"], tracks: [rc, data], ...script });
  const { notices, sent } = bench.look();
  return { bench, n, notices, sent };
}

describe("a swipe", () => {
  test.each([0, -0x110000])("is told with track 2 under its key, whose counter is raised (return code %s)", (rc) => {
    const { bench, n, notices, sent } = swiped(tracks("", SEALED_TRACK, ""), {}, rc);
    expect(sent).toEqual(["key-hit", "slot 00", "swiped", "tracks", "ksn 01", "next-ksn 01", "stripe-off"]);
    const [notice] = notices;
    if (notice?.on !== "card") throw new Error("no card");
    expect(notice).toMatchObject({
      n,
      card: { interface: "magstripe", decision: "online", icc: [], masked: { last4: "" } },
    });
    expect([notice.card.sred?.data.reveal(), notice.card.sred?.ksn]).toEqual([SEALED_TRACK, "FFFF9876543210E00001"]);
    expect(bench.timers()).toEqual({});
  });

  test("is completed by an acknowledgement of the device, which nobody may break into", () => {
    const { bench } = swiped(tracks("", SEALED_TRACK, ""));
    const n = bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    expect(bench.look().sent).toEqual(["ping"]);
    const cancel = bench.command({ do: "cancel" });
    expect(bench.look().notices).toMatchObject([{ n: cancel, on: "fault", code: "refused" }]);
    bench.runTo(undefined, { text: [-1] });
    expect(bench.look().notices).toEqual([{ n, on: "finished", verdict: "read", emv: [] }]);
  });

  test("whose device does not answer any more is not completed", () => {
    const { bench } = swiped(tracks("", SEALED_TRACK, ""));
    const n = bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    bench.answer(-1);
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "device-error" }]);
  });

  test.each<[string, string, Script, string]>([
    ["a clear track 2", tracks("", ascii(";4761739001010309=31122010000000000?"), ""), {}, "clear-card-data"],
    ["a clear track 1", tracks(ascii("%B4761739001010309^TEST^3112?"), SEALED_TRACK, ""), {}, "clear-card-data"],
    ["a clear track 1 and nothing else", tracks(ascii("%B4761739001010309^TEST^3112?"), "", ""), {}, "clear-card-data"],
    ["a clear track 3", tracks("", SEALED_TRACK, ascii("014761739001010309=")), {}, "clear-card-data"],
    [
      "a clear track 2, packed",
      tracks("", "4761739001010309D31122010000000000FFFFFFFFFFFFFF", ""),
      {},
      "clear-card-data",
    ],
    ["a masked track 2 in whole blocks", tracks("", ascii(";476173******0309=311220******? "), ""), {}, "keys-missing"],
    ["tracks that cannot be told apart", "05AA", {}, "protocol"],
    ["more than three tracks", `${tracks("", SEALED_TRACK, "")}00`, {}, "protocol"],
    ["a track that is not whole blocks", tracks("", "AABBCC", ""), {}, "keys-missing"],
    ["no key serial number", tracks("", SEALED_TRACK, ""), { ksn: [-1] }, "keys-missing"],
    ["no key", tracks("", SEALED_TRACK, ""), { ksn: [-301] }, "keys-missing"],
    ["a locked device", tracks("", SEALED_TRACK, ""), { tracks: [-320] }, "tampered"],
    ["a reader that fails", tracks("", SEALED_TRACK, ""), { tracks: [3] }, "device-error"],
  ])("with %s is no card", (_what, data, script, code) => {
    const { n, notices, sent } = swiped(data, script);
    expect(notices).toMatchObject([{ n, on: "fault", code }]);
    expect(sent.at(-1)).toBe("stripe-off");
    expect(JSON.stringify(notices)).not.toContain("4761739001010309");
  });

  test("on a reader that was switched off by a restart is made possible again", () => {
    const bench = createBench();
    waiting(bench, ALL);
    bench.fire("poll");
    bench.runTo(undefined, { ...EMPTY_SLOT, swiped: [-1] });
    expect(bench.look().sent).toEqual(["key-hit", "slot 00", "swiped", "stripe-on"]);
    expect(bench.timers()).toHaveProperty("poll");
  });

  test("without track 2 is to be tried again", () => {
    const bench = createBench();
    const n = waiting(bench, ALL);
    bench.fire("poll");
    bench.runTo("tracks", { ...EMPTY_SLOT, swiped: [0, "00"] });
    bench.look();
    bench.answer(0, tracks(SEALED_TRACK, "", ""));
    expect(bench.look()).toMatchObject({ sent: ["stripe-reset"], notices: [{ n, on: "prompt", prompt: "TRY_AGAIN" }] });
    bench.runTo(undefined);
    bench.fire("poll");
    bench.runTo(undefined, { ...EMPTY_SLOT, swiped: [0, "00"], tracks: [0, tracks("", SEALED_TRACK, "")] });
    expect(bench.look().notices).toMatchObject([{ n, on: "card" }]);
  });

  test("counts for nothing while a card that is to come out is in", () => {
    const bench = createBench();
    waiting(bench, { ...ALL, interfaces: ["stripe"] });
    bench.fire("poll");
    bench.runTo(undefined, { swiped: [0, "00"] });
    expect(bench.look().sent).not.toContain("tracks");
  });

  test("tracks are told apart by their lengths alone", () => {
    expect(tracksIn(Uint8Array.of(1, 7, 0, 2, 8, 9))?.map(({ tag, value }) => [tag, toHex(value)])).toEqual([
      ["5F21", "07"],
      ["5F23", "0809"],
    ]);
    expect(tracksIn(new Uint8Array(0))).toBeUndefined();
  });
});
