import { describe, expect, test } from "vitest";
import { ALL, SALE } from "../../../support/driver-bench.ts";
import { authorizing, type Bench, CIPHER, createBench, emv, identified, KSN, TRACKS, waiting } from "./bench.ts";

/* The device shows, and asks a PIN for, amounts in its own currency, whatever a payment is in (PROTOCOL.md 6.12). */

const FRANCS = { currencyCode: "CHF", currencyNumeric: "756" } as const;
const UNTOLD = { currency: "" } as const;
const UNSURE: unknown = expect.stringContaining("payments before were in 978: set the option currency");
const TYPED = `23.0H%M4761730000001119^MANUALLY/ENTERED^3112000000000000000?|;4761730000001119=3112000000000?|1:3:${CIPHER}:${KSN}`;

/** A chip was read and is done with. */
function chipTold(bench: Bench, message: string): Bench {
  authorizing(bench);
  bench.tell(message);
  bench.command({ do: "cancel" });
  bench.tell("00.0000", "09.020201R");
  bench.look();
  return bench;
}

describe("a device whose configuration names its currency", () => {
  test.each([[["chip", "contactless", "stripe"]], [["stripe"]], [["keyed"]]] as const)(
    "asks for no card in another one: %j",
    (interfaces) => {
      const bench = identified(createBench());
      const n = bench.command({ do: "collect", request: { ...SALE, ...FRANCS, interfaces: [...interfaces] } });
      expect(bench.look()).toMatchObject({
        sent: [],
        notices: [
          {
            n,
            on: "fault",
            code: "refused",
            detail: "the device works in EUR (option currency), the payment is in CHF",
          },
        ],
      });
    },
  );

  test("takes a swipe in its own, but not once a chip told another one", () => {
    const bench = createBench();
    const n = waiting(bench, ALL);
    bench.tell(`23.0M${TRACKS}`);
    expect(bench.look().notices).toMatchObject([{ n, on: "card", card: { interface: "magstripe" } }]);
    const other = chipTold(createBench(), emv("03", "80").replace("h0978", "h0756"));
    const m = other.command({ do: "collect", request: ALL });
    expect(other.look()).toMatchObject({
      sent: [],
      notices: [{ n: m, on: "fault", code: "refused", detail: expect.stringContaining("756 (5F2A)") }],
    });
  });
});

describe("a device whose configuration does not", () => {
  /** A payment that nobody presented a card for. */
  const waited = (bench: Bench): Bench => {
    waiting(bench, ALL);
    bench.command({ do: "cancel" });
    bench.tell("00.0000");
    bench.look();
    return bench;
  };

  test.each([
    ["a swipe", `23.0M${TRACKS}`, "magstripe"],
    [
      "a tap in stripe mode",
      `23.0C|;4761730000001119=31122010000000000?|1:2:${CIPHER}:${KSN}`,
      "contactless-magstripe",
    ],
  ] as const)(
    "takes %s in the currency of its payments, and gives none away in another: it may be the wrong one",
    (_what, body, via) => {
      const bench = createBench("tcp", UNTOLD);
      const n = waiting(bench, ALL);
      bench.tell(body);
      expect(bench.look().notices).toMatchObject([{ n, on: "card", card: { interface: via } }]);
      const other = waited(createBench("tcp", UNTOLD));
      const m = other.command({ do: "collect", request: { ...ALL, ...FRANCS } });
      other.tell("13.0", body, "00.0000");
      expect(other.look().notices.filter(({ on }) => on !== "prompt")).toMatchObject([
        { n: m, on: "fault", code: "refused", detail: UNSURE },
      ]);
    },
  );

  test.each([["stripe"], ["keyed"]] as const)("asks for none in a second currency where only %s is offered", (way) => {
    const bench = waited(createBench("tcp", UNTOLD));
    const n = bench.command({ do: "collect", request: { ...SALE, ...FRANCS, interfaces: [way] } });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "refused", detail: UNSURE }] });
  });

  test("takes chips, and knows from the first one what it works in, by the way for stripes and typed numbers too", () => {
    const bench = createBench("tcp", UNTOLD);
    const n = authorizing(bench);
    bench.tell(emv("03", "80"));
    expect(bench.look().notices.filter(({ on }) => on !== "prompt")).toMatchObject([
      { n, on: "card", card: { interface: "chip" } },
    ]);
    bench.command({ do: "cancel" });
    bench.tell("00.0000", "09.020201R");
    const francs = bench.command({ do: "collect", request: { ...ALL, ...FRANCS } });
    const typed = bench.command({ do: "collect", request: { ...SALE, interfaces: ["keyed"] } });
    bench.tell("13.0", TYPED);
    expect(bench.look().notices.filter(({ on }) => on === "fault" || on === "card")).toMatchObject([
      { n: francs, on: "fault", code: "refused", detail: expect.stringContaining("978 (5F2A)") },
      { n: typed, on: "card", card: { interface: "keyed" } },
    ]);
  });
});
