import { expect, test } from "vitest";
import { newCodec, read } from "../../../../drivers/idtech-vp3300/codec.ts";
import { fingerprints } from "../../../../drivers/idtech-vp3300/fingerprints.ts";
import { encodeAnswer, encodeCommand, LONGEST_DATA } from "../../../../drivers/idtech-vp3300/frame.ts";
import { memberOf, modelIn } from "../../../../drivers/idtech-vp3300/members.ts";
import { reportsOf } from "../../../../drivers/idtech-vp3300/reports.ts";
import type { Notice } from "../../../../src/card/notice.ts";
import { ALL } from "../../../support/driver-bench.ts";
import {
  type Bench,
  chipAnswer,
  createBench,
  DATA_KEY,
  DONE,
  FIRMWARE,
  held,
  idles,
  MODULES,
  ONLINE,
  running,
  SERIAL,
  tapAnswer,
  waiting,
} from "./bench.ts";

/*
 * Every line of section 9 of the PROTOCOL.md the other way round: the driver survives it, or ends with a clear fault,
 * and never tells a verdict that is not the card's.
 */

const endingOf = (bench: Bench, n: number): Notice | undefined =>
  bench.look().notices.findLast((notice) => notice.n === n);
const APPROVED = { verdict: "approved", arc: "3030", scripts: [] } as const;

const identifiedWithout = (switches: string): Bench => {
  const bench = createBench();
  bench.feed({ on: "opened" });
  bench.fire("settle");
  bench.command({ do: "identify" });
  idles(bench);
  bench.answer(FIRMWARE, SERIAL, DONE.poll, DATA_KEY, MODULES, switches);
  bench.look();
  return bench;
};

const flips: Readonly<Record<string, () => void>> = {
  I1: () => {
    expect(fingerprints.every(({ vendorId }) => vendorId === 0x0acd)).toBe(true);
    expect(
      fingerprints
        .filter(({ product, productId }) => product === undefined && productId === undefined)
        .map(({ score }) => score),
    ).toEqual([20]);
  },
  I2: () => {
    const [, second = new Uint8Array(64)] = reportsOf(
      encodeAnswer({ command: 0x60, code: 0, data: new Uint8Array(100) }),
    );
    const codec = read(newCodec("usb"), second);
    expect([codec.heard, codec.error]).toEqual([[], undefined]);
  },
  I3: () => {
    const one = { command: 0x18, code: 0, data: new Uint8Array(0) };
    for (const bytes of [encodeAnswer(one), encodeCommand(one)])
      expect(read(newCodec("serial"), bytes).heard).toEqual([one]);
  },
  I4: () => {
    const bench = createBench();
    const n = running(bench);
    const head = encodeAnswer({ command: 0x60, code: 0, data: new Uint8Array(0) }).subarray(0, 12);
    bench.feed({ on: "bytes", bytes: Uint8Array.of(...head, (LONGEST_DATA + 1) >> 8, (LONGEST_DATA + 1) & 0xff) });
    expect(bench.look()).toMatchObject({ notices: [{ n, on: "fault", code: "protocol" }], reopen: true });
  },
  I5: () => {
    const bench = identifiedWithout("0105");
    const n = bench.command({ do: "collect", request: ALL });
    bench.answer("0200 C0DFEE25020010", ONLINE);
    expect(bench.look().notices.map((notice) => (notice.n === n ? notice.on : "of the slot"))).toEqual([
      "prompt",
      "prompt",
      "card",
    ]);
  },
  I6: () => {
    const bench = createBench();
    const n = running(bench);
    bench.answer("6005");
    idles(bench);
    expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "device-error" });
  },
  I7: () => {
    const bench = createBench();
    const n = waiting(bench, ALL);
    bench.answer(tapAnswer("23", "80").replace("E100", "E1"));
    idles(bench);
    expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "protocol" });
  },
  I8: () => {
    const bench = createBench();
    const n = waiting(bench, ALL);
    bench.answer("0200 F100DFEE120AFFFF987654320040000ADFEF4C0300004BDFEF4D0811223344556677889F390191");
    idles(bench);
    expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "keys-missing" });
  },
  I9: () => {
    const bench = createBench();
    const n = waiting(bench);
    bench.tell("6101 01 0000 0200 454E 0000 0000");
    bench.answer("6000 C0DFEE25025030");
    expect(Object.keys(bench.timers())).toContain("answer");
    bench.fire("answer");
    expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "device-error" });
  },
  I10: () => {
    const bench = identifiedWithout(DONE.switches);
    bench.tell("F200 02");
    bench.command({ do: "collect", request: { ...ALL, again: "fallback" } });
    expect(bench.look().sent).toEqual([expect.stringContaining("activate")]);
  },
  I11: () => {
    const bench = held(createBench());
    bench.tell("1401 4E454F");
    const n = bench.command({ do: "complete", issuer: APPROVED });
    expect(endingOf(bench, n)).toMatchObject({ on: "fault" });
  },
  I12: () => {
    expect(memberOf(modelIn("Something else v9")).capabilities).toMatchObject({
      interfaces: ["chip", "contactless", "stripe"],
      onlinePin: false,
    });
  },
  I13: () => {
    const bench = createBench();
    const n = waiting(bench, ALL);
    bench.answer(tapAnswer("23", "80").replace("9F270180", ""));
    idles(bench);
    expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "protocol" });
  },
  I14: () => {
    const bench = createBench();
    const n = waiting(bench, ALL);
    bench.answer("020E");
    bench.tell("6101 03 0000 0200 454E 0300 81631C 0000");
    bench.answer(tapAnswer("23", "80"));
    expect(endingOf(bench, n)).toMatchObject({ on: "card" });
  },
  I15: () => {
    const bench = createBench();
    waiting(bench, { ...ALL, interfaces: ["chip", "contactless"] });
    bench.tell("6101 03 0000 0200 454E 0300 810E1C 0000");
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ prompt: "INSERT_CHIP" }] });
  },
  I16: () => {
    const bench = held(createBench());
    const n = bench.command({ do: "complete", issuer: { verdict: "unable-to-go-online", arc: "5A33", scripts: [] } });
    bench.answer("6007");
    idles(bench);
    expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "device-error" });
  },
  I17: () => {
    const bench = held(createBench());
    const n = bench.command({ do: "complete", issuer: APPROVED });
    bench.answer("6000 C0DFEE25023002");
    idles(bench);
    expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "device-error" });
  },
  I18: () => {
    for (const late of [[], ["600A"], [chipAnswer("0003", "00")]]) {
      const bench = createBench();
      const n = running(bench);
      bench.command({ do: "cancel" });
      bench.answer(DONE.cancel, ...late);
      bench.fire("answer");
      bench.answer(DONE.ping);
      expect(bench.look().notices.find((notice) => notice.n === n)).toMatchObject({ on: "cancelled" });
    }
  },
  I19: () => {
    const bench = held(createBench());
    const n = bench.command({ do: "complete", issuer: APPROVED });
    bench.fire("answer");
    expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "no-answer" });
  },
};

test.each(Object.entries(flips))("%s the other way round is survived or faulted", (_number, flip) => flip());
