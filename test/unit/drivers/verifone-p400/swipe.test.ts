import { describe, expect, test } from "vitest";
import type { CollectRequest } from "../../../../src/card/command.ts";
import { SALE } from "../../../support/driver-bench.ts";
import {
  answerIn,
  CARD_IN,
  CLOCK_ANSWER,
  CONFIGURATION_ANSWER,
  createBench,
  identified,
  looking,
  NO_CARD,
  NUMBER_TYPED,
  OK,
  ONE_READER,
  PIN_TYPED,
  RESET_ANSWER,
  SRED_KEY,
  sealed,
  swipe,
  text,
  tlv,
  waiting,
} from "./bench.ts";

const MAGSTRIPE: CollectRequest = { ...SALE, interfaces: ["chip", "stripe"] };
const KEYED: CollectRequest = { ...SALE, interfaces: ["keyed"] };

describe("a swipe", () => {
  test("is told with what is sealed, and nothing on the device waits", () => {
    const bench = createBench();
    const n = waiting(bench, MAGSTRIPE);
    bench.event(swipe("101"));
    expect(bench.look()).toMatchObject({
      sent: [],
      notices: [
        {
          n,
          on: "card",
          card: {
            interface: "magstripe",
            decision: "online",
            icc: [],
            hasChip: false,
            masked: { bin: "410039", last4: "9769" },
          },
        },
      ],
    });
    bench.command({ do: "complete", issuer: { verdict: "declined", arc: "3035", scripts: [] } });
    expect(bench.look().sent).toEqual([`display 0001 ${text("\t\r\tPLEASE WAIT")}`]);
    bench.answer(OK);
    expect(bench.look().notices).toMatchObject([{ on: "finished", verdict: "read", emv: [] }]);
  });

  test.each(["201", "601"])("of a chip card (%s) wants the chip, unless it stands in for it", (code) => {
    const bench = createBench();
    const n = waiting(bench, MAGSTRIPE);
    bench.event(swipe(code));
    expect(bench.look().notices).toEqual([{ n, on: "no-card", why: "use-chip" }]);
    const instead = createBench();
    waiting(instead, { ...MAGSTRIPE, again: "fallback" });
    instead.event(swipe(code));
    expect(instead.look().notices).toMatchObject([{ on: "card", card: { interface: "magstripe", hasChip: true } }]);
  });

  test.each(["100", "103", "105", "106", "107"])("whose service code is %s has its PIN typed first", (code) => {
    const bench = createBench();
    const n = waiting(bench, MAGSTRIPE);
    bench.event(swipe(code));
    expect(bench.look()).toMatchObject({
      sent: [expect.stringMatching(/^online-pin 0501 /)],
      notices: [{ n, on: "prompt", prompt: "ENTER_PIN" }],
    });
    bench.answer(PIN_TYPED);
    expect(bench.look().notices).toMatchObject([
      { prompt: "PROCESSING" },
      { on: "card", card: { pin: { ksn: "FFFF0102628D12000001" } } },
    ]);
  });

  test("that wants a PIN on a device without a key for PINs (9F19) is told without one", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.command({ do: "identify" });
    bench.answer(OK, RESET_ANSWER, ONE_READER, OK, "9F19", SRED_KEY, CLOCK_ANSWER, CONFIGURATION_ANSWER);
    bench.command({ do: "collect", request: MAGSTRIPE });
    bench.answer(OK);
    bench.event(NO_CARD);
    bench.answer(OK);
    bench.look();
    bench.event(swipe("106"));
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ on: "card", card: { interface: "magstripe" } }] });
  });

  test("without a key for PINs, or for a refund, it is told without one", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.command({ do: "collect", request: { ...MAGSTRIPE, transactionType: "20" } });
    bench.answer(OK);
    bench.event(NO_CARD);
    bench.answer(OK);
    bench.event(swipe("106"));
    expect(bench.look().notices.at(-1)).toMatchObject({ on: "card" });
    bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    expect(bench.look().notices).toMatchObject([{ on: "fault", code: "refused" }]);
  });

  test.each([
    ["nothing sealed", answerIn("E0", tlv("48", "0005")), "keys-missing"],
    ["not encrypted", swipe("101", sealed({ status: "00000005" })), "keys-missing"],
  ])("with %s is a fault", (_what, body, code) => {
    const bench = createBench();
    const n = waiting(bench, MAGSTRIPE);
    bench.event(body);
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code }]);
  });

  test("whose service code is hidden has no chip for us", () => {
    const bench = createBench();
    waiting(bench, MAGSTRIPE);
    const track = `${text(";410039")}${"AA".repeat(6)}${text("9769=2504")}${"AA".repeat(19)}${text("?5")}`;
    bench.event(answerIn("E0", tlv("48", "0005") + tlv("DFDB06", track) + sealed()));
    expect(bench.look().notices).toMatchObject([{ on: "card", card: { masked: { last4: "9769" } } }]);
  });

  test("that was drawn through before the slot was known is read all the same", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: MAGSTRIPE });
    bench.event(swipe("101"));
    bench.answer(OK);
    expect(bench.look().notices).toMatchObject([{ on: "slot" }, { n, on: "card" }]);
  });

  test("in clear is told at any time, and where it is not asked for at all it is only that", () => {
    const bench = identified(createBench());
    bench.event(answerIn("E0", tlv("48", "0005") + tlv("DFDB06", text(";4761739001010119=1512?"))), swipe("101"));
    expect(bench.look().notices).toMatchObject([{ on: "slot" }, { n: 0, on: "fault", code: "clear-card-data" }]);
  });
});

describe("a number that is typed", () => {
  test("is asked for with its expiry, and shows as much as may be shown", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: KEYED });
    expect(bench.look()).toMatchObject({
      sent: ["manual-pan DF83050113"],
      notices: [{ n, on: "prompt", prompt: "ENTER_CARD_NUMBER" }],
    });
    bench.answer(OK, "019000", `${tlv("DFDE7E", "41")}9000`);
    expect(bench.look().notices).toEqual([]);
    bench.answer(NUMBER_TYPED);
    expect(bench.look().notices).toMatchObject([
      { n, on: "card", card: { interface: "keyed", icc: [], masked: { bin: "476173", last4: "0119" } } },
    ]);
    bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    bench.answer(OK);
    expect(bench.look().notices).toMatchObject([{ on: "finished", verdict: "read" }]);
  });

  test.each([
    [
      `${tlv("DFDB01", text("476173******0119"))}${sealed()}9000`,
      { on: "card", card: { masked: { bin: "476173", last4: "0119" } } },
    ],
    [answerIn("E0", tlv("DFDB01", text("476173")) + sealed()), { on: "card", card: { masked: { last4: "" } } }],
    [`${tlv("DFDB01", text("4761739001010119"))}${sealed()}9000`, { on: "fault", code: "clear-card-data" }],
    [`${tlv("DFDB01", text("476173******0119"))}9000`, { on: "fault", code: "keys-missing" }],
    [`${tlv("DFDF6F", "01")}${sealed()}9000`, { on: "fault", code: "misconfigured" }],
    ["9F41", { on: "cancelled", by: "customer" }],
    ["9F43", { on: "cancelled", by: "customer" }],
    ["9F11", { on: "fault", code: "device-error" }],
  ])("%s", (answer, ending) => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: KEYED });
    bench.look();
    bench.answer(answer, answerIn("EE", tlv("9F1E", "31")), OK);
    expect(bench.look().notices).toMatchObject([{ n, ...ending }]);
  });

  test("of a refund: nothing waits for an answer", () => {
    const bench = identified(createBench());
    bench.command({ do: "collect", request: { ...KEYED, transactionType: "20" } });
    bench.answer(NUMBER_TYPED);
    bench.command({ do: "collect", request: SALE });
    expect(bench.look().sent).toEqual(["manual-pan DF83050113", "card-status 0101"]);
  });

  test("it runs out by the driver's own limit", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: KEYED });
    bench.look();
    bench.fire("card");
    expect(bench.look().sent).toEqual(["abort"]);
    bench.answer(OK, "9F41");
    expect(bench.look().notices).toEqual([{ n, on: "no-card", why: "timeout" }]);
  });
});

test("stripe alone: a chip in the slot is asked out", () => {
  const bench = createBench();
  const n = looking(bench, { ...SALE, interfaces: ["stripe"] }, CARD_IN);
  expect(bench.look().notices).toContainEqual({ n, on: "prompt", prompt: "REMOVE_CARD" });
});
