import { expect, test } from "vitest";
import { paxD180Spec } from "../../../../drivers/pax-d180/driver.ts";
import { fingerprints } from "../../../../drivers/pax-d180/fingerprints.ts";
import { memberOf } from "../../../../drivers/pax-d180/members.ts";
import { driverOptions } from "../../../../drivers/pax-d180/options.ts";
import type { Notice } from "../../../../src/card/notice.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { ALL, SALE } from "../../../support/driver-bench.ts";
import {
  answerHex,
  type Bench,
  createBench,
  EMPTY_SLOT,
  held,
  identified,
  object,
  running,
  type Script,
  waiting,
} from "./bench.ts";

/*
 * Every line of section 10 of PROTOCOL.md the other way round: the driver survives it, or ends with a clear fault, and
 * never tells a verdict not the card's.
 */

const endingOf = (bench: Bench, n: number): Notice | undefined =>
  bench.look().notices.findLast((notice) => notice.n === n);
const APPROVED = { verdict: "approved", arc: "3030", scripts: [] } as const;

function collected(script: Script, request = SALE): Notice | undefined {
  const bench = identified(createBench());
  const n = bench.command({ do: "collect", request });
  bench.runTo(undefined, script);
  return endingOf(bench, n);
}

function silent(bench: Bench): void {
  for (let sending = 0; sending < 5; sending += 1) bench.fire("line-ack");
}

const flips: Readonly<Record<string, () => void>> = {
  I1: () => {
    const bench = createBench("serial");
    bench.feed({ on: "opened" });
    const n = bench.command({ do: "identify" });
    bench.fire("settle");
    bench.bytes("F8A0");
    silent(bench);
    expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "no-answer" });
    expect(driverOptions.map(({ name }) => name)).toContain("baudRate");
  },
  I2: () => {
    expect(fingerprints.filter(({ product }) => product === undefined).every(({ score }) => score < 60)).toBe(true);
  },
  I3: () => {
    const bench = createBench();
    const n = running(bench, "9F26");
    bench.bytes("06");
    bench.bytes("0290822000");
    expect(bench.look().bytes).toEqual(["15"]);
    bench.fire("answer");
    expect(bench.look()).toMatchObject({ notices: [{ n, on: "fault", code: "no-answer" }], reopen: true });
  },
  I4: () => {
    const bench = createBench();
    running(bench, "init");
    bench.bytes("15");
    bench.answer(0);
    expect(bench.outstanding()).toBe("set-object");
  },
  I5: () => {
    const bench = createBench();
    const n = running(bench, "select");
    bench.bytes("06");
    bench.fire("answer");
    expect(bench.look()).toMatchObject({ notices: [{ n, on: "fault", code: "no-answer" }], reopen: true });
  },
  I6: () => {
    for (const base of [0, -0xa0000])
      expect(collected({ start: [base - 22] })).toMatchObject({ on: "no-card", why: "chip-unreadable" });
    for (const base of [0, -0x10000])
      expect(collected({ ksn: [base - 320] })).toMatchObject({ on: "fault", code: "tampered" });
  },
  I7: () => {
    expect(collected({ ksn: [0, "FFFF9876543210E00002"] })).toMatchObject({
      on: "card",
      card: { sred: { ksn: "FFFF9876543210E00002" } },
    });
  },
  I8: () => {
    const bench = createBench();
    const n = waiting(bench, ALL);
    bench.fire("poll");
    bench.runTo(undefined, { ...EMPTY_SLOT, swiped: [0, "00"], tracks: [0, "0005AABBCCDDEE00"] });
    expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "keys-missing" });
  },
  I9: () => {
    expect(collected({ "57": [-0x110000, object("00".repeat(32))] })).toMatchObject({ on: "card" });
  },
  I10: () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "set-clock", now: SALE.now });
    bench.runTo(undefined, { "set-clock": [1] });
    expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "device-error" });
  },
  I11: () => {
    const bench = createBench();
    const n = running(bench, "select");
    bench.callBack(0xb0, "0002");
    bench.bytes("06");
    bench.answer(-30);
    bench.runTo(undefined);
    expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "device-error" });
  },
  I12: () => {
    const refused: Script = { "set-object": [-16] };
    expect(collected({ ...refused, "5F2A": [0, object("0156")] })).toMatchObject({ on: "fault", code: "refused" });
    expect(collected({ ...refused, "9C": [0, object("02")] })).toMatchObject({ on: "fault", code: "protocol" });
    expect(collected(refused)).toMatchObject({ on: "card" });
  },
  I13: () => {
    for (const rc of [-2, -4, -22]) {
      const bench = held(createBench());
      const n = bench.command({ do: "complete", issuer: APPROVED });
      bench.runTo(undefined, { complete: [rc, "01"] });
      expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "device-error" });
    }
  },
  I14: () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    const n = bench.command({ do: "identify" });
    bench.bytes(`06${answerHex(0x90a3, 0, "02")}`);
    bench.runTo(undefined);
    expect(endingOf(bench, n)).toMatchObject({ on: "ready" });
  },
  I15: () => {
    expect(memberOf(0x08).capabilities.interfaces).toEqual(["chip", "stripe"]);
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: ALL });
    const none: Script = { "stripe-on": [-0xffff], "stripe-reset": [-0xffff], swiped: [-0xffff] };
    bench.runTo(undefined, { ...none, ...EMPTY_SLOT });
    bench.fire("poll");
    bench.runTo(undefined, none);
    expect(endingOf(bench, n)).toMatchObject({ on: "card", card: { interface: "chip" } });
    expect(collected({ slot: [-0xffff] })).toMatchObject({ on: "fault", code: "device-error" });
  },
  I16: () => {
    const bench = held(createBench());
    const n = bench.command({ do: "complete", issuer: APPROVED });
    bench.runTo("complete");
    bench.bytes(fromHex("06"));
    bench.fire("answer");
    expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "no-answer" });
    expect(paxD180Spec.hostWaitMs).toBeGreaterThan(45_000);
  },
};

test.each(Object.entries(flips))("%s the other way round is survived or faulted", (_number, flip) => flip());
