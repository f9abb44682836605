import { describe, expect, test } from "vitest";
import { QUERY_MS } from "../../../../drivers/miura-m020/timing.ts";
import type { CollectRequest } from "../../../../src/card/command.ts";
import { toHex } from "../../../../src/kit/hex.ts";
import { ALL } from "../../../support/driver-bench.ts";
import {
  answerIn,
  CARD_IN,
  CARD_UPSIDE_DOWN,
  createBench,
  identified,
  NO_CARD,
  NUMBER_SEALED,
  NUMBER_TYPED,
  PIN_TYPED,
  RESET_ANSWER,
  SWIPE_FAILED,
  swipe,
  tapping,
} from "./bench.ts";
import { vectors } from "./vectors.ts";

const MAGSTRIPE: CollectRequest = { ...ALL, interfaces: ["stripe"] };
const APPROVED = { verdict: "approved", arc: "3030", scripts: [] } as const;
const show = (...rows: readonly string[]): string =>
  `display ${toHex(new TextEncoder().encode(["", "12.34 EUR", ...rows].join("\n")))}`;
const PLEASE_WAIT = `display ${toHex(new TextEncoder().encode("\nPLEASE WAIT"))}`;

/** A collect of magstripes alone that waits, its text shown and keys reported. */
function waiting(request: CollectRequest = MAGSTRIPE) {
  const bench = identified(createBench());
  const n = bench.command({ do: "collect", request });
  bench.event(NO_CARD);
  bench.answer("9000", "9000");
  bench.look();
  return { bench, n };
}

describe("a swipe", () => {
  test("is asked for by its words, and told once the keys are off", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: MAGSTRIPE });
    bench.event(NO_CARD);
    expect(bench.look()).toMatchObject({
      sent: ["card-status with tracks", show("SWIPE CARD")],
      notices: [{ on: "slot" }, { prompt: "SWIPE" }],
    });
    bench.answer("9000", "9000");
    bench.look();
    bench.event(swipe("101"));
    expect(bench.look()).toEqual({ sent: ["keys-off"], notices: [], reopen: false });
    bench.answer("9000");
    expect(bench.look().notices).toMatchObject([
      {
        n,
        on: "card",
        card: {
          interface: "magstripe",
          decision: "online",
          icc: [],
          hasChip: false,
          masked: { bin: "476173", last4: "0119" },
          sred: { ksn: "FFFF0102628D1100005F" },
        },
      },
    ]);
  });

  test("as the maker's SDK recorded one is understood", () => {
    const { bench } = waiting();
    bench.event(vectors.bodies.swipe);
    bench.answer("9000");
    expect(bench.look().notices).toMatchObject([{ on: "no-card", why: "use-chip" }]);
    const { bench: other } = waiting({ ...MAGSTRIPE, again: "fallback" });
    other.event(vectors.bodies.swipe);
    other.answer("9000");
    expect(other.look().notices).toMatchObject([
      { on: "card", card: { interface: "magstripe", hasChip: true, masked: { bin: "476173", last4: "0010" } } },
    ]);
  });

  test("before the slot was reported counts as well", () => {
    const bench = identified(createBench());
    bench.command({ do: "collect", request: MAGSTRIPE });
    bench.event(swipe("101"));
    expect(bench.look().notices).toMatchObject([{ on: "slot" }, { on: "card" }]);
  });

  test("that could not be read is to be tried again; one without sealed data is a missing key", () => {
    const { bench } = waiting();
    bench.event(SWIPE_FAILED);
    expect(bench.look().notices).toMatchObject([{ prompt: "TRY_AGAIN" }]);
    bench.event("E104480200059000");
    bench.answer("9000", "9000");
    expect(bench.look().notices).toMatchObject([{ on: "fault", code: "keys-missing" }]);
  });

  test("that nobody asked for says nothing, while the slot is watched and while the reader waits", () => {
    const { bench } = waiting({ ...ALL, interfaces: ["chip"] });
    const reader = createBench();
    tapping(reader, { ...ALL, interfaces: ["chip", "contactless"] });
    for (const one of [bench, reader]) {
      one.event(SWIPE_FAILED, swipe("101"));
      expect(one.look()).toEqual({ sent: [], notices: [], reopen: false });
    }
  });

  test("that could not be read is to be tried again while the reader waits, too", () => {
    const bench = createBench();
    const n = tapping(bench);
    bench.event(SWIPE_FAILED);
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "prompt", prompt: "TRY_AGAIN" }] });
  });

  test("drawn through twice is one card", () => {
    const { bench } = waiting();
    bench.event(swipe("101"), swipe("201"));
    bench.answer("9000");
    expect(bench.look().notices).toMatchObject([{ on: "card", card: { hasChip: false } }]);
  });

  test("in clear is a leak", () => {
    const { bench } = waiting();
    bench.event(answerIn("E1", `480200055F2212${toHex(new TextEncoder().encode(";4761739001010119"))}3F`));
    expect(bench.look().notices).toMatchObject([{ n: 0, on: "fault", code: "clear-card-data" }]);
  });

  test.each(["201", "601", "221"])("with service code %s is a chip's, which is to be inserted", (code) => {
    const { bench, n } = waiting();
    bench.event(swipe(code));
    bench.answer("9000");
    expect(bench.look().notices).toEqual([{ n, on: "no-card", why: "use-chip" }]);
  });

  test.each(["120", "123", "105", "106", "127"])("with service code %s has its PIN typed first", (code) => {
    const { bench, n } = waiting();
    bench.event(swipe(code));
    bench.answer("9000");
    const { sent, notices } = bench.look();
    expect(sent[1]).toContain("online-pin E0");
    expect(sent[1]).toContain(toHex(new TextEncoder().encode(`;476173******0119=1512${code}**********?`)));
    expect(notices).toMatchObject([{ n, prompt: "ENTER_PIN" }]);
    bench.answer(PIN_TYPED);
    expect(bench.look().notices).toMatchObject([
      { n, on: "card", card: { interface: "magstripe", pin: { ksn: "FFFF0102628D12000001" } } },
    ]);
  });

  test("whose PIN is not typed leaves the device as it is: nothing waits there", () => {
    const { bench, n } = waiting();
    bench.event(swipe("120"));
    bench.answer("9000");
    bench.look();
    bench.answer("089000");
    expect(bench.look()).toEqual({ sent: [], notices: [{ n, on: "cancelled", by: "customer" }], reopen: false });
    expect(bench.state().device.held).toBeUndefined();
  });

  test.each([
    ["event first", ["event", "answer"]],
    ["answer first", ["answer", "event"]],
  ])("while the reader waits ends it: %s", (_what, order) => {
    const bench = createBench();
    const n = tapping(bench);
    for (const one of order) one === "event" ? bench.event(swipe("101")) : bench.answer("9F44");
    expect(bench.look().notices).toMatchObject([{ n, on: "card", card: { interface: "magstripe" } }]);
  });

  test("for a refund wants no PIN and holds nothing", () => {
    const { bench } = waiting({ ...MAGSTRIPE, transactionType: "20" });
    bench.event(swipe("120"));
    bench.answer("9000");
    expect(bench.look()).toMatchObject({ sent: ["keys-off"], notices: [{ on: "card" }] });
    expect(bench.state().device.held).toBeUndefined();
  });
});

describe("the completion of a swipe", () => {
  const held = () => {
    const { bench } = waiting();
    bench.event(swipe("101"));
    bench.answer("9000");
    bench.look();
    return bench;
  };

  test("is acknowledged by the display, which says neither yes nor no", () => {
    const bench = held();
    const n = bench.command({ do: "complete", issuer: APPROVED });
    expect(bench.look().sent).toEqual([PLEASE_WAIT]);
    bench.answer("9000");
    expect(bench.look().notices).toEqual([{ n, on: "finished", verdict: "read", emv: [] }]);
    bench.command({ do: "complete", issuer: APPROVED });
    expect(bench.look().notices).toMatchObject([{ on: "fault", code: "refused" }]);
  });

  test("cannot be cancelled any more, and is no acknowledgement where the device is silent or refuses", () => {
    const bench = held();
    bench.command({ do: "complete", issuer: APPROVED });
    bench.command({ do: "cancel" });
    expect(bench.look().notices).toMatchObject([{ on: "fault", code: "refused" }]);
    bench.fire("answer");
    bench.fire("answer");
    expect(bench.look()).toMatchObject({ reopen: true, notices: [{ on: "fault", code: "no-answer" }] });
    const refusing = held();
    refusing.command({ do: "complete", issuer: APPROVED });
    refusing.answer("9F0D", "9F0D");
    expect(refusing.look().notices).toMatchObject([{ on: "fault", code: "device-error" }]);
  });

  test("is dropped by a cancel before it, without a word to the device", () => {
    const bench = held();
    bench.command({ do: "cancel" });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ on: "cancelled", by: "register" }] });
    bench.command({ do: "complete", issuer: APPROVED });
    expect(bench.look().notices).toMatchObject([{ on: "fault", code: "refused" }]);
  });
});

describe("once more in the same payment", () => {
  test("after an unreadable chip the card is asked out first", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: { ...ALL, interfaces: ["chip"], again: "chip-unreadable" } });
    bench.event(CARD_IN);
    expect(bench.look()).toMatchObject({
      sent: ["card-status", show("REMOVE CARD")],
      notices: [{ on: "slot" }, { n, prompt: "REMOVE_CARD" }],
    });
    bench.answer("9000", "9000");
    bench.event(NO_CARD);
    expect(bench.look()).toMatchObject({
      sent: ["keys-on", show("INSERT CARD")],
      notices: [{ on: "slot" }, { n, prompt: "INSERT_CHIP" }],
    });
    bench.answer("9000");
    bench.event(CARD_IN);
    bench.answer("9000");
    expect(bench.look().sent.at(-1)).toContain("start-transaction");
  });

  test("for the stripe in place of a chip nothing else is offered, and a chip's service code does not count", () => {
    const { bench, n } = waiting({ ...ALL, again: "fallback" });
    bench.event(CARD_UPSIDE_DOWN);
    expect(bench.look()).toMatchObject({
      sent: [show("REMOVE CARD")],
      notices: [{ on: "slot" }, { prompt: "REMOVE_CARD" }],
    });
    bench.answer("9000");
    bench.event(NO_CARD);
    bench.answer("9000");
    bench.event(swipe("201"));
    bench.answer("9000");
    expect(bench.look().notices.at(-1)).toMatchObject({ n, on: "card", card: { interface: "magstripe" } });
  });

  test("after a wrong PIN the card in the slot is used, and both the customer and the cashier see why", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: { ...ALL, again: "wrong-pin" } });
    bench.event(CARD_IN);
    expect(bench.look()).toMatchObject({ sent: ["card-status", show("WRONG PIN", "TRY AGAIN")] });
    bench.answer("9000");
    expect(bench.look()).toMatchObject({
      sent: [expect.stringContaining("start-transaction")],
      notices: [{ n, prompt: "WRONG_PIN" }],
    });
    bench.event("E606C30102C501039000");
    expect(bench.look().notices).toMatchObject([{ n, prompt: "ENTER_PIN" }]);
  });

  test("after a wrong PIN with the card gone it is asked for by its chip", () => {
    const bench = identified(createBench());
    bench.command({ do: "collect", request: { ...ALL, again: "wrong-pin" } });
    bench.event(NO_CARD);
    expect(bench.look()).toMatchObject({
      sent: ["card-status", show("INSERT CARD")],
      notices: [{ on: "slot" }, { prompt: "INSERT_CHIP" }],
    });
  });
});

describe("a number that is typed", () => {
  const KEYED: CollectRequest = { ...ALL, interfaces: ["keyed"] };

  test("is asked for element by element, and sealed", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: KEYED });
    expect(bench.look()).toMatchObject({
      sent: ["secure-data 00"],
      notices: [{ n, on: "prompt", prompt: "ENTER_CARD_NUMBER" }],
    });
    expect(bench.timers()).toMatchObject({ answer: QUERY_MS, card: ALL.cardMs });
    bench.answer("9000");
    expect(bench.look().sent).toEqual(["secure-data 01E00BDFA2100101DFFF0102003C"]);
    bench.answer(NUMBER_TYPED);
    expect(bench.look().sent).toEqual(["secure-data 01E00BDFA2100105DFFF0102003C"]);
    bench.answer("9000");
    expect(bench.look().sent).toEqual(["secure-data 02"]);
    // Its answer has the sealed number or is none.
    bench.answer("9000", NUMBER_SEALED);
    expect(bench.look().notices).toMatchObject([
      { n, on: "card", card: { interface: "keyed", icc: [], masked: { bin: "476173", last4: "0119" } } },
    ]);
    bench.command({ do: "complete", issuer: APPROVED });
    expect(bench.look().sent).toEqual([PLEASE_WAIT]);
  });

  test.each([
    ["9F41", { on: "cancelled", by: "customer" }],
    ["9F42", { on: "no-card", why: "timeout" }],
  ])("ends with %s as %j", (statusWord, ending) => {
    const bench = identified(createBench());
    bench.command({ do: "collect", request: KEYED });
    bench.look();
    bench.answer("9000", statusWord);
    expect(bench.look().notices).toMatchObject([ending]);
  });

  test("in clear is a leak; an error resets the device; silence loses the link", () => {
    const leak = identified(createBench());
    leak.command({ do: "collect", request: KEYED });
    leak.look();
    leak.answer("9000", `E114DFA20810${toHex(new TextEncoder().encode("4761739001010119"))}9000`, RESET_ANSWER);
    expect(leak.look().notices).toMatchObject([{ on: "fault", code: "clear-card-data" }]);
    const broken = identified(createBench());
    broken.command({ do: "collect", request: KEYED });
    broken.look();
    broken.answer("9F0D", RESET_ANSWER);
    expect(broken.look().notices).toMatchObject([{ on: "fault", code: "device-error" }]);
    const silent = identified(createBench());
    silent.command({ do: "collect", request: KEYED });
    silent.look();
    silent.fire("answer");
    expect(silent.look()).toMatchObject({ reopen: true, notices: [{ on: "fault", code: "no-answer" }] });
  });

  test("is left out beside other ways", () => {
    const bench = identified(createBench());
    bench.command({ do: "collect", request: { ...ALL, interfaces: ["chip", "keyed"] } });
    expect(bench.look().sent).toEqual(["card-status"]);
  });
});
