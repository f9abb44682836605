import { expect, test } from "vitest";
import { encodeFrame, LONGEST_BODY } from "../../../../drivers/ingenico-ipp350/frame.ts";
import { capabilitiesOf } from "../../../../drivers/ingenico-ipp350/members.ts";
import type { Notice } from "../../../../src/card/notice.ts";
import { concat, fromAscii } from "../../../../src/kit/bytes.ts";
import { ALL, SALE } from "../../../support/driver-bench.ts";
import {
  authorizing,
  type Bench,
  createBench,
  emv,
  held,
  identified,
  KSN,
  ONLINE_PIN_RULE,
  PIN,
  PREPARED,
  SETTINGS,
  UNIT,
  waiting,
} from "./bench.ts";

/*
 * Every line of section 12 of the PROTOCOL.md the other way round: the driver survives it, or ends with a clear fault,
 * and never tells a verdict that is not the card's.
 */

const endingOf = (bench: Bench, n: number): Notice | undefined =>
  bench.look().notices.findLast((notice) => notice.n === n);
const APPROVED = { verdict: "approved", arc: "3030", scripts: [] } as const;

/** What the collect or the completion ends with once the device stopped. */
const stoppedBy = (bench: Bench, n: number, ...bodies: readonly string[]): Notice | undefined => {
  bench.tell(...bodies, "00.0000");
  return endingOf(bench, n);
};

const identify = (bench: Bench, ...answers: readonly string[]): Notice | undefined => {
  bench.feed({ on: "opened" });
  const n = bench.command({ do: "identify" });
  bench.tell("00.0000", ...answers);
  return endingOf(bench, n);
};

const flips: Readonly<Record<string, () => void>> = {
  I1: () => {
    const frame = encodeFrame("00.0000");
    const bench = createBench("tcp");
    bench.feed({ on: "opened" });
    const n = bench.command({ do: "idle" });
    bench.feed({ on: "bytes", bytes: frame.with(-1, (frame.at(-1) ?? 0) ^ 0x02) });
    expect(endingOf(bench, n)).toMatchObject({ on: "done" });
  },
  I2: () => {
    const bench = createBench();
    const n = authorizing(bench);
    bench.tell(emv("03", "80", "", ONLINE_PIN_RULE), emv("03", "80", "", ONLINE_PIN_RULE));
    bench.feed({ on: "timer", name: "line-repeat" });
    bench.tell(emv("03", "80", "", ONLINE_PIN_RULE), `31.0${PIN}${KSN}`);
    expect(endingOf(bench, n)).toMatchObject({ on: "card" });
  },
  I3: () => {
    const bench = createBench();
    const n = waiting(bench);
    bench.feed({ on: "bytes", bytes: concat(Uint8Array.of(0x04, 0x05), encodeFrame("23.2"), Uint8Array.of(0x04)) });
    expect(endingOf(bench, n)).toMatchObject({ on: "cancelled" });
  },
  I4: () => {
    const bench = createBench();
    const n = authorizing(bench);
    bench.feed({
      on: "bytes",
      bytes: concat(Uint8Array.of(0x02), fromAscii("3".repeat(LONGEST_BODY + 9)), Uint8Array.of(0x03, 0x00)),
    });
    bench.fire("pin");
    bench.fire("pin");
    expect(stoppedBy(bench, n)).toMatchObject({ on: "no-card" });
  },
  I5: () => {
    expect(identify(createBench(), UNIT.replaceAll("|", "~"), ...SETTINGS)).toMatchObject({
      on: "ready",
      identity: { serialNumber: "80412345" },
    });
    expect(identify(createBench(), UNIT.replaceAll("|", ","), ...SETTINGS)).toMatchObject({
      on: "fault",
      code: "device-error",
    });
  },
  I6: () => {
    const bench = createBench();
    const n = authorizing(bench, { ...ALL, transactionType: "20" });
    expect(stoppedBy(bench, n, emv("03", "80"))).toMatchObject({
      on: "fault",
      code: "protocol",
      detail: expect.stringContaining("9C"),
    });
  },
  I7: () => {
    const bench = createBench();
    const n = authorizing(bench);
    bench.tell(emv("03", "80").replace("T9F02:0006", "T9F02:000C").replace("T9F27:0001", "T9F27:0002"));
    expect(endingOf(bench, n)).toMatchObject({ on: "card" });
  },
  I8: () => {
    const bench = createBench();
    const n = authorizing(bench);
    expect(stoppedBy(bench, n, "33.03.0001|T9F02:0006:h000000001234|", emv("03", "80"))).toMatchObject({
      on: "fault",
      code: "protocol",
    });
  },
  I9: () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: { ...ALL, amount: 0 } });
    expect(stoppedBy(bench, n, "13.0", "23.A?")).toMatchObject({ on: "fault", code: "device-error" });
  },
  I10: () => {
    for (const late of [[], [emv("05", "00", "D")], ["33.05.0000|D1003:0001:aE|"]]) {
      const bench = createBench();
      const n = authorizing(bench);
      bench.command({ do: "cancel" });
      expect(stoppedBy(bench, n, ...late)).toMatchObject({ on: "cancelled" });
    }
  },
  I11: () => {
    const bench = identified(createBench());
    bench.tell("09.020201I");
    const n = bench.command({ do: "collect", request: SALE });
    bench.tell("13.0", "09.020201R", "09.020201I", "23.0S");
    expect(bench.look().sent).toContain("33.00.0000|||5000||");
    bench.fire("answer");
    expect(stoppedBy(bench, n)).toMatchObject({ on: "fault", code: "no-answer" });
  },
  I12: () => {
    for (const [more, after] of [
      [`${ONLINE_PIN_RULE}T99:0012:h${PIN}${KSN}|`, []],
      [ONLINE_PIN_RULE, [`31.0${PIN}${KSN}`]],
    ] as const) {
      const bench = createBench();
      const n = authorizing(bench);
      bench.tell(emv("03", "80", "", more), ...after);
      expect(endingOf(bench, n)).toMatchObject({ on: "card", card: { pin: { ksn: KSN } } });
    }
  },
  I13: () => {
    const bench = createBench();
    const n = authorizing(bench);
    expect(stoppedBy(bench, n, emv("03", "80", "", ONLINE_PIN_RULE), "31.2")).toMatchObject({
      on: "fault",
      code: "device-error",
    });
  },
  I14: () => {
    const bench = createBench();
    const n = authorizing(bench);
    expect(stoppedBy(bench, n, emv("03", "00"))).toMatchObject({ on: "fault", code: "protocol" });
  },
  I15: () => {
    const bench = createBench();
    const n = authorizing(bench);
    expect(stoppedBy(bench, n, "33.05.0000|D1003:0001:aE|", "10.")).toMatchObject({
      on: "fault",
      code: "device-error",
    });
  },
  I16: () => {
    const bench = createBench();
    const n = waiting(bench);
    expect(stoppedBy(bench, n, "23.0S", PREPARED, "04.0B0000", "13.2")).toMatchObject({
      on: "cancelled",
      by: "customer",
    });
  },
  I17: () => {
    const bench = createBench();
    const n = waiting(bench, ALL);
    bench.tell("23.0E", PREPARED);
    bench.fire("answer");
    expect(stoppedBy(bench, n)).toMatchObject({ on: "fault", code: "no-answer" });
  },
  I18: () => {
    const bench = held(createBench());
    const n = bench.command({ do: "complete", issuer: { ...APPROVED, scripts: [{ tag: "72", value: "8600" }] } });
    expect(stoppedBy(bench, n, "33.04.E000")).toMatchObject({ on: "fault", code: "device-error" });
  },
  I19: () => {
    const bench = createBench();
    waiting(bench, ALL);
    bench.tell("23.0E", emv("03", "80"));
    const n = bench.command({ do: "complete", issuer: APPROVED });
    bench.fire("answer");
    expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "no-answer" });
  },
  I20: () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "display", lines: ["Thank you"] });
    bench.fire("answer");
    bench.tell("24.0A");
    expect(endingOf(bench, n)).toMatchObject({ on: "done" });
  },
  I21: () => {
    const bench = createBench();
    const n = authorizing(bench);
    const whole = `FFFF${KSN}0000`;
    expect(stoppedBy(bench, n, emv("03", "80").replace(/TFF1F:00..:a[^|]*/, `TFF1F:001C:a${whole}`))).toMatchObject({
      on: "fault",
      code: "keys-missing",
    });
  },
  I22: () => {
    const answers = SETTINGS.map((answer) => (answer.startsWith("29.20000") ? answer.replace("29.2", "29.5") : answer));
    expect(identify(createBench(), UNIT, ...answers)).not.toHaveProperty("identity.clock");
  },
  I23: () => {
    const bench = held(createBench());
    const n = bench.command({ do: "complete", issuer: APPROVED });
    bench.fire("answer");
    expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "no-answer" });
  },
  I24: () => {
    expect(capabilitiesOf("iUC180B", {}).interfaces).not.toContain("keyed");
    expect(capabilitiesOf("Desk/5000", {}).interfaces).toContain("keyed");
  },
};

test.each(Object.entries(flips))("%s the other way round is survived or faulted", (_number, flip) => flip());
