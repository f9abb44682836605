import { describe, expect, it } from "vitest";
import { commandApdu, encodeApdu } from "../../../drivers/miura-m020/apdu.ts";
import { miuraM020 } from "../../../drivers/miura-m020/driver.ts";
import { encodeMessage } from "../../../drivers/miura-m020/frame.ts";
import { encodeTlv } from "../../../src/emv/tlv.ts";
import { concat, fromAscii } from "../../../src/kit/bytes.ts";
import { fromHex } from "../../../src/kit/hex.ts";
import { createTrace } from "../../../src/terminal/trace.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const MINUTE = 60_000;
const open = () => {
  const clock = createVirtualClock(Date.UTC(2026, 0, 15));
  return { clock, trace: createTrace({ model: miuraM020, transport: "serial", clock }) };
};
const message = (body: Uint8Array, unsolicited = false): Uint8Array =>
  concat(...encodeMessage({ nad: 1, unsolicited, body }));
const idle = message(encodeApdu(commandApdu("card-status"), false) ?? new Uint8Array(0));

describe("a trace", () => {
  it("hears nothing before it begins, names frames and objects, and shows values of its list alone", () => {
    const { trace } = open();
    trace.sent(idle);
    expect(trace.read(0)).toBeUndefined();
    trace.begin(MINUTE);
    const objects = concat(
      encodeTlv("95", fromHex("0000008000")),
      encodeTlv("5A", fromHex("4761340000000050")),
      encodeTlv("9F02", fromHex("000000001234")),
    );
    const answer = message(concat(encodeTlv("E4", objects), fromHex("9000")));
    trace.sent(idle.subarray(0, 3));
    trace.sent(idle.subarray(3));
    trace.received(answer);
    expect(trace.read(0)).toMatchObject([
      { n: 1, direction: "sent", frame: "card-status", objects: [] },
      {
        ...{ n: 2, direction: "received", frame: "answer 9000 (done)" },
        objects: [
          { tag: "95", name: "terminal verification results", length: 5, value: "0000008000" },
          { tag: "5A", name: "primary account number", length: 8 },
          { tag: "9F02", value: "000000001234" },
        ],
      },
    ]);
    expect(JSON.stringify(trace.read(0))).not.toContain("4761");
  });

  it("shows no value of another length than its object has, whatever a card puts there", () => {
    const { trace } = open();
    trace.begin(MINUTE);
    trace.received(message(concat(encodeTlv("E4", encodeTlv("9F36", fromAscii("4761340000000050"))), fromHex("9000"))));
    expect(trace.read(0)?.[0]?.objects).toEqual([{ tag: "9F36", name: "application transaction counter", length: 16 }]);
  });

  it("has no key press in it", () => {
    const { trace } = open();
    trace.begin(MINUTE);
    trace.received(message(concat(encodeTlv("E0", encodeTlv("DFA205", fromHex("31"))), fromHex("9000")), true));
    expect(trace.read(0)).toEqual([]);
  });

  it("goes off after its minutes, after fifteen at most, and when nobody reads it", async () => {
    for (const [asked, lasts] of [
      [2 * MINUTE, 2 * MINUTE],
      [60 * MINUTE, 15 * MINUTE],
    ] as const) {
      const { trace, clock } = open();
      trace.begin(asked);
      for (let ms = 10_000; ms < lasts; ms += 10_000) {
        await clock.advance(10_000);
        expect(trace.read(0)).toEqual([]);
      }
      await clock.advance(10_000);
      expect(trace.read(0)).toBeUndefined();
    }
    const { trace, clock } = open();
    trace.begin(MINUTE);
    await clock.advance(15_000);
    expect(trace.read(0)).toBeUndefined();
  });

  it("goes on behind bytes that are no frame, and behind a link that was lost", () => {
    const { trace } = open();
    trace.begin(MINUTE);
    trace.sent(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff));
    trace.sent(idle);
    trace.sent(idle.subarray(0, 4));
    trace.lost();
    trace.opened();
    trace.sent(idle);
    expect(trace.read(0)?.map(({ frame }) => frame)).toEqual([
      "bytes that are no frame",
      "card-status",
      "link lost",
      "link opened",
      "card-status",
    ]);
  });

  it("keeps 2,000 entries for a slow reader, and shows by its numbers how many were left out", () => {
    const { trace } = open();
    trace.begin(MINUTE);
    for (let n = 0; n < 2_010; n += 1) trace.sent(idle);
    let last = 0;
    for (let page = trace.read(last); page !== undefined && page.length > 0; page = trace.read(last))
      last = page.at(-1)?.n ?? last;
    expect(last).toBe(2_000);
    trace.sent(idle);
    expect(trace.read(last)?.map(({ n }) => n)).toEqual([2_011]);
  });
});
