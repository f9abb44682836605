import { describe, expect, test } from "vitest";
import { newCodec, pack, packNotification, read } from "../../../../drivers/magtek-edynamo/codec.ts";
import { LONGEST_MESSAGE } from "../../../../drivers/magtek-edynamo/frame.ts";
import type { IssuerResponse } from "../../../../src/emv/issuer-response.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { ALL } from "../../../support/driver-bench.ts";
import { arqc, createBench, held, identified, identifying, resultOf, waiting } from "./bench.ts";

/*
 * Guesses of PROTOCOL.md, chapter 10, each the other way round: survived, or ended in a fault. Those that a device can
 * do in a sale stand in test/drivers/models.
 */

const APPROVED: IssuerResponse = { verdict: "approved", arc: "3030", scripts: [] };

describe("what is inferred, the other way round", () => {
  test("I1: a serial line of another speed says nothing that is a frame, and is opened anew", () => {
    const bench = createBench("dynawave");
    bench.feed({ on: "opened" });
    bench.fire("settle");
    bench.command({ do: "identify" });
    bench.feed({ on: "bytes", bytes: fromHex("F8E680FE") });
    bench.fire("answer");
    expect(bench.look()).toMatchObject({ notices: [{ on: "fault", code: "no-answer" }], reopen: true });
  });

  test("I2: the rest of a notification of before is passed over, over either line", () => {
    for (const over of ["reports", "frames"] as const) {
      const [, ...rest] = packNotification(over, "0303", new Uint8Array(700).fill(5));
      let codec = newCodec(over, "device");
      for (const chunk of [...rest, pack(over, "device", fromHex("000103"))]) {
        const { codec: next, heard, error } = read(codec, chunk);
        codec = next;
        expect(error).toBeUndefined();
        if (codec.isFresh) expect(heard).toEqual([]);
      }
      expect(codec.isFresh).toBe(false);
      expect(read(codec, rest[0] ?? new Uint8Array(0)).error).toContain("not begun");
    }
  });

  test("I3: a longer notification means that the line is not to be trusted", () => {
    const [first = new Uint8Array(0)] = packNotification("frames", "0303", new Uint8Array(LONGEST_MESSAGE + 1).fill(5));
    expect(read(newCodec("frames", "device"), first).error).toContain("8193 bytes");
  });

  test("I4: an answer that is lost ends in a fresh link, and one that is repeated in no verdict", () => {
    const bench = held();
    const n = bench.command({ do: "complete", issuer: APPROVED });
    bench.look();
    bench.pending();
    bench.result();
    bench.result();
    bench.result();
    expect(bench.look().notices).toEqual([]);
    bench.progress("06", "14");
    bench.tell("result", resultOf("01"));
    expect(bench.look().notices).toMatchObject([{ n, on: "finished", verdict: "declined" }]);
    const lost = held();
    lost.command({ do: "complete", issuer: APPROVED });
    lost.fire("answer");
    expect(lost.look()).toMatchObject({ notices: [{ on: "fault", code: "no-answer" }], reopen: true });
  });

  test("I6: a card that can be neither cancelled nor refused ends in a fault", () => {
    const bench = held();
    bench.command({ do: "cancel" });
    bench.result("038F");
    expect(bench.look().sent.at(-1)).toMatch(/^acquirer .*8A025A33/);
    bench.pending();
    bench.result("038F");
    expect(bench.look()).toMatchObject({ notices: [{ on: "fault", code: "device-error" }], reopen: true });
  });

  test("I6: a card that is being read is cancelled as soon as it waits", () => {
    const { bench } = waiting(identified());
    bench.progress("01", "02");
    bench.command({ do: "cancel" });
    bench.result("038F");
    bench.look();
    bench.tell("arqc", arqc());
    expect(bench.look().sent).toEqual(["cancel"]);
    bench.result();
    bench.tell("result", resultOf("10"));
    expect(bench.look().notices.map(({ on }) => on)).toEqual(["cancelled", "cancelled"]);
  });

  test("I7: data of the result stay sealed, wherever they stand", () => {
    const bench = held();
    bench.command({ do: "complete", issuer: APPROVED });
    bench.progress("06", "13");
    bench.tell("result", resultOf("00", [{ tag: "F8", value: fromHex("DFDF590811223344556677889900") }]));
    expect(bench.look().notices[0]).toMatchObject({ on: "finished", verdict: "approved" });
  });

  test("I11: what the ciphertext of a stripe holds is nobody's matter here", () => {
    const bench = held(identified(), { type: "01" }, "0A");
    bench.command({ do: "complete", issuer: APPROVED });
    bench.progress("06", "13");
    bench.tell("result", resultOf("00"));
    expect(bench.look().notices).toMatchObject([{ on: "finished", verdict: "read" }]);
  });

  test.each([
    ["I12: no mask", "", undefined],
    ["I12: a mask of another form", "0604", undefined],
    ["I12: four digits", "04040Y", undefined],
    ["I12: six digits", "06040Y", "476134"],
  ])("%s", (_what, mask, bin) => {
    const bench = createBench();
    identifying(bench, { mask });
    waiting(bench);
    bench.progress("01", "02");
    bench.tell("arqc", arqc());
    const [notice] = bench.look().notices.filter(({ on }) => on === "card");
    expect(notice).toMatchObject({ card: { masked: { last4: "0119" } } });
    expect(notice?.on === "card" && notice.card.masked.bin).toBe(bin);
  });

  test("I13: a device that does not take the answer's length leaves the card's word unknown", () => {
    const bench = held();
    const n = bench.command({ do: "complete", issuer: APPROVED });
    bench.result("0384");
    bench.result("038D");
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "device-error" }]);
  });

  test("I14: a card that is told as removed too late was unreadable", () => {
    const { bench, n } = waiting(identified());
    bench.progress("01", "02");
    bench.progress("02", "12");
    bench.tell("result", resultOf("02"));
    bench.fire("answer");
    bench.progress("08", "00");
    expect(bench.look().notices.find(({ on }) => on === "no-card")).toEqual({
      n,
      on: "no-card",
      why: "chip-unreadable",
    });
  });

  test("I15: a choice that is refused is nobody's: the transaction ends as the device says", () => {
    const { bench, n } = waiting(identified());
    bench.tell("selection", Uint8Array.of(0, 30, 0x41, 0, 0x42, 0));
    bench.result("038C");
    bench.progress("06", "12");
    bench.tell("result", resultOf("1E"));
    expect(bench.look().notices.at(-1)).toMatchObject({ n, on: "no-card", why: "timeout" });
  });

  test("I16: a result of a cancel that comes too late is passed over by the next collect", () => {
    const bench = held();
    bench.command({ do: "cancel" });
    bench.result();
    bench.fire("answer");
    const n = bench.command({ do: "collect", request: ALL });
    bench.tell("result", resultOf("10"));
    bench.result();
    bench.tell("result", resultOf("21"));
    expect(bench.look().notices.filter((notice) => notice.n === n)).toMatchObject([{ on: "prompt" }]);
  });

  test.each(["tdynamo", "dynawave"])("I17: a %s that wants another amount for a refund refuses it", (reader) => {
    const bench = identified(createBench(reader));
    const n = bench.command({ do: "collect", request: { ...ALL, transactionType: "20" } });
    bench.result("0387");
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "device-error" }]);
  });
});
