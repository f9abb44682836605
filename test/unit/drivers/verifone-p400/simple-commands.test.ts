import { describe, expect, test } from "vitest";
import { verifoneP400 } from "../../../../drivers/verifone-p400/driver.ts";
import { encodePacket } from "../../../../drivers/verifone-p400/frame.ts";
import { driverOptions, parseOptions } from "../../../../drivers/verifone-p400/options.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { readOptions, usualOptions } from "../../../../src/terminal/options.ts";
import { SALE } from "../../../support/driver-bench.ts";
import { createBench, deciding, identified, OK, running, text } from "./bench.ts";

describe("display", () => {
  test.each([
    [["Thank you"], "\tThank you"],
    [["Thank you", "", "Bye"], "\tThank you\r\t\r\tBye"],
    [["ä€\u0007"], "\t???"],
    [["a line that is longer than any display is wide"], "\ta line that is longer\r\tthan any display is\r\twide"],
    [["1", "2", "3", "4", "5"], "\t1\r\t2\r\t3\r\t4"],
  ])("%j", (lines, shown) => {
    const bench = identified(createBench());
    const n = bench.command({ do: "display", lines });
    expect(bench.look().sent).toEqual([`display 0001 ${text(shown)}`]);
    bench.answer(OK);
    expect(bench.look().notices).toEqual([{ n, on: "done" }]);
  });

  test("nothing to show is shown", () => {
    const bench = identified(createBench());
    bench.command({ do: "display", lines: [] });
    expect(bench.look().sent).toEqual(["display 0001"]);
  });

  test("one that is refused or silent is sent once more", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "display", lines: ["x"] });
    bench.answer("9F22");
    expect(bench.look().sent).toHaveLength(2);
    bench.answer("9F22");
    expect(bench.look().notices).toMatchObject([
      { n, on: "fault", code: "device-error", detail: expect.stringContaining("9F22 (not ready)") },
    ]);
    bench.command({ do: "display", lines: ["x"] });
    bench.fire("answer");
    bench.fire("answer");
    expect(bench.look()).toMatchObject({ notices: [{ on: "fault", code: "no-answer" }], reopen: true });
  });
});

describe("clock", () => {
  test("is set with its century", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "set-clock", now: { date: "260115", time: "143000" } });
    expect(bench.look().sent).toEqual([`clock 0000 ${text("20260115143000")}`]);
    bench.answer(OK);
    expect(bench.look().notices).toEqual([{ n, on: "done" }]);
  });

  test("a time that is none is refused before anything is written, also while the line settles", () => {
    for (const bench of [identified(createBench()), createBench({ transport: "serial" })]) {
      bench.feed({ on: "opened" });
      bench.fire("settle");
      bench.look();
      bench.command({ do: "set-clock", now: { date: "", time: "noon" } });
      expect(bench.look()).toMatchObject({ sent: [], notices: [{ on: "fault", code: "refused" }] });
    }
  });
});

describe("what this device cannot do, or not now", () => {
  test("another command in the middle of a card", () => {
    const bench = createBench();
    running(bench);
    bench.command({ do: "display", lines: ["x"] });
    bench.command({ do: "collect", request: SALE });
    expect(bench.look().notices).toMatchObject([
      { on: "fault", code: "refused" },
      { on: "fault", code: "refused" },
    ]);
  });

  test.each([
    [{ ...SALE, amount: -1 }, "amount"],
    [{ ...SALE, interfaces: [] }, "interfaces"],
    [{ ...SALE, currencyNumeric: "EUR" }, "currencyNumeric"],
    [{ ...SALE, now: { date: "x", time: "y" } }, "now.date"],
  ])("a request that makes no sense", (request, detail) => {
    const bench = identified(createBench());
    bench.command({ do: "collect", request });
    expect(bench.look()).toMatchObject({
      sent: [],
      notices: [{ on: "fault", code: "refused", detail: expect.stringContaining(detail) }],
    });
  });

  test("an encrypted stream: out of service", () => {
    const bench = createBench();
    deciding(bench);
    bench.feed({
      on: "bytes",
      bytes: encodePacket({
        nad: 1,
        chained: false,
        encrypted: true,
        unsolicited: false,
        piece: fromHex("0102030405060708"),
      }),
    });
    expect(bench.look().notices).toMatchObject([
      { n: 0, on: "fault", code: "misconfigured", detail: expect.stringContaining("mapp_prot.cfg") },
    ]);
  });

  test("a broken stream ends what runs, and the link", () => {
    const bench = createBench();
    const n = running(bench);
    bench.feed({ on: "bytes", bytes: fromHex("0100029F24B9") });
    expect(bench.look()).toMatchObject({ notices: [{ n, on: "fault", code: "protocol" }], reopen: true });
  });

  test("packets of others behind the link are nothing to it", () => {
    const bench = createBench();
    running(bench);
    for (const nad of [0x02, 0x11])
      bench.feed({
        on: "bytes",
        bytes: encodePacket({ nad, chained: false, encrypted: false, unsolicited: false, piece: fromHex("9F24") }),
      });
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
  });
});

describe("options", () => {
  test("the usual ones are taken as they are", () => {
    expect(parseOptions(usualOptions(driverOptions))).toEqual({ pinHost: 0x05, pinSlot: 0x01, sredSlot: 0x00 });
    expect(parseOptions({})).toEqual(parseOptions(usualOptions(driverOptions)));
  });

  test("each is read", () => {
    expect(
      parseOptions({
        sred: "vector-and-data",
        acquirer: "65",
        country: "276",
        pinHost: "02",
        pinSlot: "08",
        sredSlot: "0A",
      }),
    ).toEqual({
      sred: "vector-and-data",
      acquirer: "65",
      country: "276",
      pinHost: 0x02,
      pinSlot: 0x08,
      sredSlot: 0x0a,
    });
  });

  test.each([
    ["sred", "iv"],
    ["acquirer", "6"],
    ["country", "DE"],
    ["pinHost", "07"],
    ["pinSlot", "1"],
    ["baudRate", "56000"],
  ])("%s does not take %s, and every usual value is taken", (name, value) => {
    expect(readOptions(driverOptions, { [name]: value })).toMatchObject({
      ok: false,
      problem: expect.stringContaining(name),
    });
    expect(readOptions(driverOptions, usualOptions(driverOptions))).toMatchObject({ ok: true });
  });
});

test("the model says how it is reached", () => {
  expect(verifoneP400).toMatchObject({
    id: "verifone-p400",
    lines: [
      { kind: "serial", baudRate: 57_600, dataBits: 8, parity: "none", stopBits: 1 },
      { kind: "tcp", defaultPort: 16_107 },
    ],
  });
  expect(verifoneP400.fingerprints.every(({ vendorId }) => vendorId === 0x11ca)).toBe(true);
});
