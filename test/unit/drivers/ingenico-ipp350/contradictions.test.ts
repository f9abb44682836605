import { describe, expect, test } from "vitest";
import { IDENTIFY_MS } from "../../../../drivers/ingenico-ipp350/timing.ts";
import { ALL, SALE } from "../../../support/driver-bench.ts";
import {
  authorizing,
  type Bench,
  chipTracks,
  createBench,
  emv,
  held,
  identified,
  PREPARED,
  TRACKS,
  UNIT,
  waiting,
} from "./bench.ts";

const APPROVED = { verdict: "approved", arc: "3030", scripts: [] } as const;

const tapped = (): { readonly bench: Bench; readonly n: number } => {
  const bench = createBench();
  waiting(bench, ALL);
  bench.tell("23.0E", emv("03", "80", "", "D9001:0001:aD|"));
  bench.look();
  return { bench, n: bench.command({ do: "complete", issuer: APPROVED }) };
};

describe("a final answer that contradicts itself or its transaction is never an approval", () => {
  test.each([
    ["has an error for a status", emv("05", "40", "A").replace("33.05.0000", "33.05.E000")],
    ["has two cryptogram informations", emv("05", "40", "A", "T9F27:0001:h00|")],
    ["has two words", emv("05", "40", "A", "D1003:0001:aD|")],
    ["is of a tap", emv("05", "40", "A", "D9001:0001:aD|")],
    ["has another amount", emv("05", "40", "A").replace("000000001234", "000000009999")],
  ])("of a chip: %s", (_what, body) => {
    const bench = held(createBench());
    const n = bench.command({ do: "complete", issuer: APPROVED });
    bench.look();
    bench.tell(body, "00.0000");
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "protocol" }]);
  });

  test.each([
    ["has an AAC", emv("05", "00", "A")],
    ["has another counter", emv("05", "80", "A").replace("h0289", "h0288")],
    ["is of a chip", emv("05", "80", "A", "D9001:0001:aC|")],
    ["has an error for a status", emv("05", "80", "A").replace("33.05.0000", "33.05.E000")],
  ])("of a tap: %s", (_what, body) => {
    const { bench, n } = tapped();
    bench.tell(body, "00.0000");
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "protocol" }]);
  });

  test("is told at once, whatever the device then takes to be idle", () => {
    const bench = held(createBench());
    const n = bench.command({ do: "complete", issuer: APPROVED });
    bench.look();
    bench.tell(emv("05", "80", "A"));
    expect(bench.look()).toMatchObject({ sent: ["00.0000"], notices: [{ n, on: "fault", code: "protocol" }] });
  });
});

describe("a first answer", () => {
  test("of the transaction before, said once more, is not this one's", () => {
    const bench = held(createBench());
    bench.command({ do: "complete", issuer: APPROVED });
    bench.tell(emv("05", "40", "A"));
    bench.command({ do: "collect", request: SALE });
    bench.tell("13.0", "23.0S", "33.00.0000");
    bench.look();
    bench.tell(emv("05", "40", "A"));
    expect(bench.look()).toMatchObject({ sent: [], notices: [] });
    bench.tell(PREPARED);
    expect(bench.look().sent).toEqual(["04.1B000"]);
  });

  test("with the cryptogram of a transaction that was cancelled is passed over", () => {
    const bench = held(createBench());
    bench.command({ do: "cancel" });
    bench.tell("00.0000");
    const n = bench.command({ do: "collect", request: SALE });
    bench.tell("13.0", "23.0S", PREPARED, "04.0B0000", "13.0");
    bench.look();
    bench.tell(emv("03", "80"));
    expect(bench.look()).toMatchObject({ sent: [], notices: [] });
    bench.tell(emv("03", "80").replace("h0289", "h028A").replace("h1122", "h2211"));
    expect(bench.look().notices).toMatchObject([{ n, on: "card" }]);
  });

  test("that came before its time counts where it is said again", () => {
    const bench = createBench();
    const n = waiting(bench);
    bench.tell("23.0S", PREPARED, "04.0B0000", emv("03", "80"), "13.0");
    bench.look();
    bench.tell("09.020201I", emv("03", "80"));
    bench.feed({ on: "timer", name: "line-repeat" });
    bench.tell(emv("03", "80"));
    expect(bench.look().notices).toMatchObject([{ on: "slot" }, { n, on: "card" }]);
  });

  test.each([
    ["33.03 of a tap where a chip is in", emv("03", "80", "", "D9001:0001:aD|")],
    ["33.05 with an error for a status", emv("05", "40", "A").replace("33.05.0000", "33.05.E000")],
    ["33.05 with two words", emv("05", "40", "A", "D1003:0001:aD|")],
  ])("%s is a fault", (_what, body) => {
    const bench = createBench();
    const n = authorizing(bench);
    bench.tell(body, "00.0000");
    expect(bench.look().notices).toMatchObject([{ n, on: "fault" }]);
  });

  test.each(["23.0E", `23.0M${TRACKS}`, `23.0C${TRACKS}`, `23.0H${TRACKS}`])(
    "by a reader that was not asked for (%s) is a fault",
    (body) => {
      const bench = createBench();
      const n = waiting(bench);
      bench.tell(body, "00.0000");
      expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "protocol" }]);
    },
  );
});

test("a chip card that is swiped belongs into the slot where only the stripe was asked for, but on a device without a slot", () => {
  const bench = createBench();
  const n = waiting(bench, { ...SALE, interfaces: ["stripe"] });
  bench.tell(`23.0M${chipTracks()}`, "00.0000");
  expect(bench.look().notices).toEqual([{ n, on: "no-card", why: "use-chip" }]);
  const slotless = identified(createBench(), UNIT.replace("iPP350", "i6550"));
  const m = slotless.command({ do: "collect", request: { ...SALE, interfaces: ["stripe"] } });
  slotless.tell("13.0", `23.0M${chipTracks()}`);
  expect(slotless.look().notices.at(-1)).toMatchObject({ n: m, on: "card" });
});

describe("a device that answers slowly", () => {
  test("is not identified for longer than its time", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    const n = bench.command({ do: "identify" });
    expect(bench.timers()).toMatchObject({ watchdog: IDENTIFY_MS });
    bench.tell("00.0000", UNIT);
    bench.look();
    bench.fire("watchdog");
    expect(bench.look()).toMatchObject({ notices: [{ n, on: "fault", code: "no-answer" }], reopen: true });
  });

  test("does not keep a cancel waiting while it is identified: nothing is open", () => {
    for (const answers of [[], ["00.0000"]]) {
      const bench = createBench();
      bench.feed({ on: "opened" });
      bench.command({ do: "identify" });
      bench.tell(...answers);
      bench.look();
      const n = bench.command({ do: "cancel" });
      expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "cancelled", by: "register" }] });
    }
  });
});
