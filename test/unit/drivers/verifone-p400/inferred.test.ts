import { describe, expect, test } from "vitest";
import { encodePacket, LONGEST_MESSAGE } from "../../../../drivers/verifone-p400/frame.ts";
import type { Notice } from "../../../../src/card/notice.ts";
import { ALL, SALE } from "../../../support/driver-bench.ts";
import {
  answerIn,
  type Bench,
  CARD_IN,
  CIPHER,
  cardAnswer,
  createBench,
  deciding,
  decisionWanted,
  enterPin,
  held,
  identified,
  looking,
  NO_CARD,
  OK,
  PIN_TYPED,
  REFUND,
  RESET_ANSWER,
  running,
  sealed,
  tapHeld,
  tapping,
  text,
  tlv,
} from "./bench.ts";

/*
 * Every line of PROTOCOL.md, section 9: what we hold is inferred, and here the device does it the other way round. The
 * driver survives that or faults, and tells no
 * verdict that is not the card's.
 */

const RESET_DONE = answerIn("EE", tlv("9F1E", "31"));
const ISSUER = { verdict: "approved", arc: "3030", scripts: [] } as const;
const lastOf = (bench: Bench): Notice | undefined => bench.look().notices.at(-1);

describe("links and frames", () => {
  test("I1: a device that waits for flow control says nothing", () => {
    const bench = createBench({ transport: "serial" });
    bench.feed({ on: "opened" });
    bench.fire("settle");
    bench.command({ do: "identify" });
    bench.fire("answer");
    bench.fire("answer");
    expect(bench.look()).toMatchObject({ notices: [{ on: "fault", code: "no-answer" }], reopen: true });
  });

  test("I2: a device that goes on with its transaction over a lost link is told to end it", () => {
    const bench = held(createBench());
    bench.feed({ on: "closed" });
    bench.feed({ on: "opened" });
    bench.look();
    bench.command({ do: "identify" });
    bench.answer("9F24", OK);
    expect(bench.look().sent).toEqual(["abort", "abort", "reset 00C1"]);
  });

  test("I3: a longer message is not put together", () => {
    const bench = createBench();
    const n = running(bench);
    const bytes = encodePacket({
      nad: 1,
      chained: true,
      encrypted: false,
      unsolicited: false,
      piece: new Uint8Array(254),
    });
    for (let sent = 0; sent <= LONGEST_MESSAGE; sent += 254) bench.feed({ on: "bytes", bytes });
    expect(bench.look()).toMatchObject({ notices: [{ n, on: "fault", code: "protocol" }], reopen: true });
  });

  test("I7: zeros that are objects, not filler, hide nothing that is needed", () => {
    const bench = createBench();
    deciding(bench);
    bench.answer(cardAnswer("E4", { more: "000000" }));
    expect(lastOf(bench)).toMatchObject({ on: "card" });
  });
});

describe("numbers and keys", () => {
  test("I8: a typed number that is masked otherwise shows no digits", () => {
    const bench = identified(createBench());
    bench.command({ do: "collect", request: { ...SALE, interfaces: ["keyed"] } });
    bench.answer(`${tlv("DFDB01", text("476173xxxxxx0119"))}${sealed()}9000`);
    expect(lastOf(bench)).toMatchObject({ on: "card", card: { masked: { last4: "" } } });
  });

  test("I12: a key that is told without a serial number is unknown", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.command({ do: "identify" });
    bench.answer(OK, RESET_ANSWER, "9F11", `${tlv("DFEC46", "01")}9000`);
    bench.fire("answer");
    bench.fire("answer");
    bench.answer("9F11", "9F11", "9F11");
    const ready = lastOf(bench);
    expect(ready?.on === "ready" && ready.keys).toEqual({ tampered: false });
  });

  test("I28: a restart that never comes costs three minutes a day", () => {
    const bench = identified(createBench());
    bench.fire("daily");
    expect(bench.look().notices).toEqual([{ n: 0, on: "restart-soon", inMs: 180_000 }]);
    bench.command({ do: "collect", request: SALE });
    expect(bench.look().sent).toEqual(["card-status 0101"]);
  });
});

describe("a chip", () => {
  test("I10: a PIN entry of another code is not prompted for; the PIN is asked for once more", () => {
    const bench = createBench();
    deciding(bench);
    bench.event(answerIn("E6", tlv("C3", "22") + tlv("C4", text("PIN"))));
    bench.answer(cardAnswer("E4", { results: "420300" }));
    expect(bench.look()).toMatchObject({
      sent: [expect.stringContaining("DFDF17")],
      notices: [{ prompt: "ENTER_PIN" }],
    });
    bench.answer(PIN_TYPED);
    expect(lastOf(bench)).toMatchObject({ on: "card" });
  });

  test("I11: tries that fall for another reason are another prompt, and nothing else", () => {
    const bench = createBench();
    deciding(bench);
    bench.event(enterPin("03"), enterPin("00"));
    bench.answer(cardAnswer("E4"));
    expect(bench.look().notices).toMatchObject([{ prompt: "ENTER_PIN" }, { prompt: "WRONG_PIN" }, { on: "card" }]);
  });

  test("I13: every other first byte is a card to be tried again", () => {
    const bench = createBench();
    looking(bench, SALE, answerIn("E0", "48021700"));
    expect(bench.look().notices).toContainEqual(expect.objectContaining({ prompt: "TRY_AGAIN" }));
  });

  test.each([
    ["I14", deciding, "9F27"],
    ["I15", running, "9F21"],
  ])(
    "%s: a device that misses something in START or CONTINUE, or does not take it, is in error",
    (_clause, begin, statusWord) => {
      const bench = createBench();
      const n = begin(bench);
      bench.answer(statusWord, RESET_DONE, OK);
      expect(lastOf(bench)).toMatchObject({
        n,
        on: "fault",
        code: "device-error",
        detail: expect.stringContaining(statusWord),
      });
    },
  );

  test("I16: a list that the host may not answer ends in an error", () => {
    const bench = createBench();
    const n = running(bench);
    bench.answer(answerIn("E2", tlv("9F06", "A0000000031010")), "9F12", RESET_DONE, OK);
    expect(lastOf(bench)).toMatchObject({ n, on: "fault", code: "device-error" });
  });

  test("I17: a pulled card that is told later counts as unreadable", () => {
    const bench = createBench();
    const n = running(bench);
    bench.answer("9F25");
    bench.fire("answer");
    bench.event(NO_CARD);
    expect(bench.look().notices).toMatchObject([
      { n, on: "no-card", why: "chip-unreadable" },
      { on: "slot", card: false },
    ]);
  });

  test("I18: a pulled card may end in a decline of the device's own", () => {
    const bench = held(createBench());
    const n = bench.command({ do: "complete", issuer: ISSUER });
    bench.answer(answerIn("E5", ""));
    expect(lastOf(bench)).toMatchObject({ n, on: "finished", verdict: "declined" });
  });

  test("I19: ABORT that is never answered although the transaction ended: lost", () => {
    const bench = createBench();
    running(bench);
    bench.command({ do: "cancel" });
    bench.answer("9F41");
    bench.fire("answer");
    expect(bench.look()).toMatchObject({ reopen: true });
  });

  test("I20: a transaction that RESET does not end makes the next START fail", () => {
    const bench = held(createBench());
    bench.command({ do: "cancel" });
    bench.answer(OK, RESET_DONE, OK);
    const n = bench.command({ do: "collect", request: SALE });
    bench.answer(OK);
    bench.event(CARD_IN);
    bench.answer("9F24", RESET_DONE, OK);
    expect(lastOf(bench)).toMatchObject({ n, on: "fault", code: "device-error" });
  });

  test("I27: a refund that is answered by a TC is told as what it is", () => {
    const bench = createBench();
    const n = deciding(bench, REFUND);
    bench.answer(cardAnswer("E3", { information: "40", type: "20" }));
    expect(lastOf(bench)).toMatchObject({ n, on: "card", card: { decision: "approved-offline" } });
  });
});

describe("a tap", () => {
  test("I5: a reader that ends before the driver's own limit says cancelled", () => {
    const bench = createBench();
    const n = tapping(bench);
    bench.event("9F41");
    expect(lastOf(bench)).toMatchObject({ n, on: "cancelled" });
  });

  test("I9: a device that has a word for a timeout is in error", () => {
    const bench = createBench();
    const n = tapping(bench);
    bench.event("9F99");
    bench.answer(RESET_DONE, OK);
    expect(lastOf(bench)).toMatchObject({ n, on: "fault", code: "device-error" });
  });

  test("I21: a reader that is open all the same refuses to be opened, and is used", () => {
    const bench = held(createBench());
    bench.command({ do: "cancel" });
    bench.answer(OK, RESET_DONE, OK);
    bench.command({ do: "collect", request: ALL });
    bench.answer(OK);
    bench.event(NO_CARD);
    bench.answer("9F22");
    expect(bench.look().sent.at(-1)).toMatch(/^start-contactless/);
  });

  test("I22: a reader that does not wait on after its word runs into the driver's limit", () => {
    const bench = createBench();
    const n = tapping(bench);
    bench.event("9F35");
    bench.fire("card");
    bench.answer("9F22");
    expect(lastOf(bench)).toMatchObject({ n, on: "no-card", why: "timeout" });
  });

  test("I23: an end that comes twice, or too late, is not the next transaction's", () => {
    const bench = createBench();
    tapping(bench);
    bench.command({ do: "cancel" });
    bench.answer(OK);
    bench.fire("answer");
    const n = bench.command({ do: "collect", request: ALL });
    bench.event("9F41");
    bench.answer(OK);
    bench.event(NO_CARD, "9F41");
    bench.answer(OK);
    bench.event(cardAnswer("E4"));
    expect(lastOf(bench)).toMatchObject({ n, on: "card" });
  });

  test("I24: ENTER without digits that the device lets through is a cancel", () => {
    const bench = tapHeld(createBench());
    const n = bench.command({ do: "ask-pin", request: SALE });
    bench.answer(OK);
    expect(lastOf(bench)).toMatchObject({ n, on: "cancelled", by: "customer" });
  });

  test("I25: a device that takes no PIN while a tap waits is in error, and the tap is gone", () => {
    const bench = tapHeld(createBench());
    const n = bench.command({ do: "ask-pin", request: SALE });
    bench.answer("9F24", RESET_DONE, OK);
    expect(lastOf(bench)).toMatchObject({ n, on: "fault", code: "device-error" });
  });

  test("I26: a bare 9000 that means nothing is taken for the acknowledgement, never for a card's approval", () => {
    const bench = tapHeld(createBench());
    bench.command({ do: "complete", issuer: ISSUER });
    bench.answer(OK);
    bench.event(OK);
    expect(lastOf(bench)).toMatchObject({ on: "finished", verdict: "read" });
    const chip = held(createBench());
    chip.command({ do: "complete", issuer: ISSUER });
    chip.answer(OK);
    chip.event(OK);
    expect(chip.look().notices).toEqual([]);
  });
});

test("I4: chains that are not interleaved are read as well", () => {
  const bench = createBench();
  running(bench);
  bench.event(enterPin("03"));
  bench.answer(decisionWanted());
  expect(bench.look().sent).toHaveLength(1);
});

test("I6: a display that holds more shows the same", () => {
  const bench = identified(createBench());
  bench.command({ do: "display", lines: ["a line that is longer than any display is wide"] });
  expect(bench.look().sent[0]).toContain(text("\r"));
});

test("I29: whatever takes longer than its limit ends in a fault, and never in a verdict", () => {
  const bench = held(createBench());
  const n = bench.command({ do: "complete", issuer: ISSUER });
  bench.fire("answer");
  bench.answer(cardAnswer("E3", { information: "40" }));
  expect(bench.look().notices).toEqual([expect.objectContaining({ n, on: "fault", code: "no-answer" })]);
});

test.each([
  ["01", "00", CIPHER],
  ["00", "01", /^FF7F.*DFDF12080101010101010101/],
])(
  "I30: a key's vector (%s) that is not that of the blocks (%s) decides nothing: the card's own block does",
  (key, block, sent) => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.command({ do: "identify" });
    bench.answer(
      OK,
      RESET_ANSWER,
      "9F11",
      "9F11",
      `${tlv("DFDF11", "FFFF9876543210E00001")}${tlv("DFDF12", key.repeat(8))}9000`,
      "9F11",
      "9F11",
    );
    const n = bench.command({ do: "collect", request: SALE });
    bench.answer(OK);
    bench.event(CARD_IN);
    bench.look();
    bench.answer(decisionWanted(""), cardAnswer("E4", { block: sealed({ iv: block.repeat(8) }) }));
    const [told] = bench.look().notices;
    expect(told).toMatchObject({ n, on: "card" });
    expect(told?.on === "card" && told.card.sred?.data.reveal()).toMatch(sent);
  },
);
