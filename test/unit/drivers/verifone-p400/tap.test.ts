import { describe, expect, test } from "vitest";
import type { Notice } from "../../../../src/card/notice.ts";
import { ALL } from "../../../support/driver-bench.ts";
import {
  answerIn,
  type Bench,
  CARD_IN,
  CARD_SILENT,
  cardAnswer,
  createBench,
  identified,
  looking,
  NO_CARD,
  OK,
  PIN_TYPED,
  POWERED_ON,
  RED_KEY,
  START_SALE,
  SWIPE_FAILED,
  sealed,
  swipe,
  tapping,
  text,
  tlv,
  waiting,
} from "./bench.ts";

const TAP = `start-contactless 0141 ${tlv("E0", "9F02060000000012349F03060000000000009A032601159F21031430005F2A0209789C01009F06020001")}`;
const TAPPED = cardAnswer("E4", { results: "1F0302", more: tlv("9F39", "07") });
const IDLE_AGAIN = [answerIn("EE", tlv("9F1E", "31")), OK];

const cards = (notices: readonly Notice[]): readonly unknown[] =>
  notices.flatMap((notice) => (notice.on === "card" ? [notice.card] : []));

describe("a tap", () => {
  test("START CONTACTLESS is accepted, and the card follows unasked", () => {
    const bench = createBench();
    const n = looking(bench, ALL, NO_CARD);
    expect(bench.look()).toMatchObject({
      sent: ["card-status 3D01", TAP],
      notices: [{ on: "slot" }, { n, on: "prompt", prompt: "INSERT_OR_TAP" }],
    });
    bench.answer(OK);
    bench.event(TAPPED);
    expect(bench.look()).toMatchObject({
      sent: [],
      notices: [
        { n, on: "card", card: { interface: "contactless-chip", decision: "online", masked: { last4: "1006" } } },
      ],
    });
  });

  test("what comes before it was accepted is the late end of another transaction", () => {
    const bench = createBench();
    looking(bench, ALL, NO_CARD);
    bench.look();
    bench.event(TAPPED, "9F41", OK);
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
    bench.answer(OK);
    bench.event(TAPPED);
    expect(bench.look().notices).toMatchObject([{ on: "card" }]);
  });

  test.each([
    [answerIn("E7", tlv("9F39", "91") + tlv("9F06", "A0000000031010") + sealed()), "contactless-magstripe"],
    [cardAnswer("E4", { more: tlv("9F39", "91") }), "contactless-magstripe"],
    [answerIn("E7", sealed()), "contactless-magstripe"],
    [cardAnswer("E4"), "contactless-chip"],
  ])("stripe mode shows by its template or its entry mode", (body, kind) => {
    const bench = createBench();
    tapping(bench);
    bench.event(body);
    expect(bench.look().notices).toMatchObject([{ on: "card", card: { interface: kind, decision: "online" } }]);
  });

  test.each([
    ["E3", "40", "approved-offline"],
    ["E5", "00", "declined-offline"],
  ])("%s: it decided by itself", (template, information, decision) => {
    const bench = createBench();
    tapping(bench);
    bench.event(cardAnswer(template, { information }));
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ on: "card", card: { decision } }] });
  });

  test("one whose data cannot be used is told at once, and ended on the device", () => {
    const bench = createBench();
    const n = tapping(bench);
    bench.event(cardAnswer("E4", { more: tlv("DFDF6F", "01") }));
    expect(bench.look()).toMatchObject({ sent: ["abort"], notices: [{ n, on: "fault", code: "misconfigured" }] });
    bench.answer(OK, ...IDLE_AGAIN);
    expect(bench.look()).toEqual({ sent: ["reset 0001", "card-status 0100"], notices: [], reopen: false });
  });

  test.each([
    ["9F34", { results: "420300" }],
    ["9F6C", { results: "", more: tlv("9F6C", "8000") }],
  ])("a PIN that %s wants is typed on the device before the card is told", (_tag, on) => {
    const bench = createBench();
    const n = tapping(bench);
    bench.event(cardAnswer("E4", on));
    const { sent, notices } = bench.look();
    expect(sent).toMatchObject([expect.stringMatching(/^online-pin 0501 /)]);
    expect(notices).toEqual([{ n, on: "prompt", prompt: "ENTER_PIN" }]);
    bench.answer(PIN_TYPED);
    expect(bench.look().notices).toMatchObject([
      { on: "prompt", prompt: "PROCESSING" },
      { on: "card", card: { interface: "contactless-chip" } },
    ]);
  });

  test("the late answer to a text that nobody waited for any more is no empty PIN", () => {
    const bench = createBench();
    const n = waiting(bench, { ...ALL, interfaces: ["stripe"] });
    bench.event(CARD_IN);
    expect(bench.look().sent).toEqual([expect.stringMatching(/^display /)]);
    bench.fire("answer");
    bench.fire("answer");
    bench.event(swipe("120"));
    bench.look();
    bench.answer(OK);
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
    bench.answer(PIN_TYPED);
    expect(bench.look().notices).toMatchObject([
      { n, on: "prompt", prompt: "PROCESSING" },
      { n, on: "card", card: { interface: "magstripe", pin: {} } },
    ]);
  });

  test("of a refund takes no PIN, and leaves the device idle", () => {
    const bench = createBench();
    const n = tapping(bench, { ...ALL, transactionType: "20" });
    bench.event(cardAnswer("E4", { type: "20", results: "420300" }));
    expect(bench.look()).toMatchObject({ sent: ["abort"], notices: [] });
    bench.answer(OK, ...IDLE_AGAIN);
    expect(bench.look().notices).toMatchObject([{ n, on: "card" }]);
  });
});

describe("words of the reader", () => {
  test.each([
    ["9F31", "ONE_CARD_ONLY"],
    ["9F35", "SEE_PHONE"],
    ["9F37", "TRY_AGAIN"],
  ])("%s: the cashier sees %s, and the reader waits on", (statusWord, prompt) => {
    const bench = createBench();
    const n = tapping(bench);
    bench.event(statusWord, statusWord);
    expect(bench.look()).toEqual({ sent: [], notices: [{ n, on: "prompt", prompt }], reopen: false });
    bench.event(TAPPED);
    expect(cards(bench.look().notices)).toHaveLength(1);
  });

  test.each([OK, "9F22", "9F0D"])(
    "%s as an answer belongs to an earlier command: the reader waits on",
    (statusWord) => {
      const bench = createBench();
      tapping(bench);
      bench.answer(statusWord);
      expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
      bench.event(TAPPED);
      expect(bench.look().notices).toMatchObject([{ on: "card" }]);
    },
  );

  test.each([OK, "9F36"])("%s says nothing", (statusWord) => {
    const bench = createBench();
    tapping(bench);
    bench.event(statusWord);
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
  });

  test.each([
    ["9F33", { on: "no-card", why: "use-chip" }],
    ["9F34", { on: "no-card", why: "use-chip" }],
    ["9F28", { on: "no-card", why: "use-chip" }],
    ["9F50", { on: "no-card", why: "blocked" }],
    ["9F41", { on: "cancelled", by: "customer" }],
  ])("%s ends it", (statusWord, ending) => {
    const bench = createBench();
    const n = tapping(bench);
    bench.event(statusWord);
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, ...ending }] });
  });

  test.each(["9F23", "9F25", "9F2D", answerIn("6F", tlv("A5", "")), answerIn("E8", tlv("C6", tlv("DFC601", "01")))])(
    "after %s it is started again, three times",
    (word) => {
      const bench = createBench();
      const n = tapping(bench);
      for (let times = 0; times < 3; times += 1) {
        bench.event(word);
        expect(bench.look().sent).toEqual([TAP]);
        bench.answer(OK);
      }
      bench.event(word);
      expect(bench.look().notices).toMatchObject([{ n, on: "no-card", why: "use-chip" }]);
    },
  );

  test("an error that tells nothing resets the device; the next tap opens the reader first", () => {
    const bench = createBench();
    const n = tapping(bench);
    bench.event("9F0D");
    expect(bench.look().sent).toEqual(["reset 0001"]);
    bench.answer(...IDLE_AGAIN);
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "device-error" }]);
    bench.command({ do: "collect", request: ALL });
    bench.answer(OK);
    bench.event(NO_CARD);
    expect(bench.look().sent).toEqual(["card-status 0100", "card-status 3D01", "open-reader"].slice(1));
    bench.answer(OK);
    expect(bench.look().sent).toEqual([TAP]);
  });

  test.each(["9F32", "9F22", "9F17"])("%s: the reader is not to be had for this, chip and stripe are", (statusWord) => {
    const refused = createBench();
    looking(refused, ALL, NO_CARD);
    refused.look();
    refused.answer(statusWord);
    const later = createBench();
    tapping(later);
    later.event(statusWord);
    for (const bench of [refused, later]) {
      expect(bench.look()).toMatchObject({
        sent: [`display 0001 ${text("\t\r\t12.34 EUR\r\tINSERT OR SWIPE CARD")}`],
        notices: [{ on: "prompt", prompt: "INSERT_CHIP" }],
      });
      bench.answer(OK);
      bench.event(CARD_IN);
      expect(bench.look().sent).toEqual([START_SALE]);
    }
  });

  test("not available now: START CONTACTLESS is sent again a little later", () => {
    const bench = createBench();
    looking(bench, ALL, NO_CARD);
    bench.look();
    bench.answer("9FFF");
    bench.fire("answer");
    expect(bench.look().sent).toEqual([TAP]);
    bench.answer(OK);
    bench.event(TAPPED);
    expect(bench.look().notices).toMatchObject([{ on: "card" }]);
  });

  test("a card that comes while it is not available is used without it", () => {
    const bench = createBench();
    looking(bench, ALL, NO_CARD);
    bench.answer("9FFF");
    bench.look();
    bench.event(CARD_IN);
    expect(bench.look().sent).toEqual([]);
    bench.fire("answer");
    expect(bench.look().sent).toEqual([START_SALE]);
  });

  test("a zero amount that the reader does not take, and nothing else on offer", () => {
    const bench = createBench();
    const n = tapping(bench, { ...ALL, amount: 0, interfaces: ["contactless"] });
    bench.event("9F32");
    expect(bench.look().notices).toMatchObject([
      { n, on: "fault", code: "device-error", detail: expect.stringContaining("9F32") },
    ]);
  });

  test("no answer to START CONTACTLESS: lost", () => {
    const bench = createBench();
    const n = looking(bench, ALL, NO_CARD);
    bench.fire("answer");
    expect(bench.look().notices).toContainEqual(expect.objectContaining({ n, on: "fault", code: "no-answer" }));
  });
});

describe("leaving the reader for a card in the slot, or a swipe", () => {
  const answer: readonly [string, (bench: Bench) => void] = ["the answer", (bench) => bench.answer(OK)];
  const end: readonly [string, (bench: Bench) => void] = ["the end", (bench) => bench.event("9F41")];

  test.each([
    [answer, end],
    [end, answer],
  ])("both halves have to come before the transaction: %s, then %s", ([, first], [, second]) => {
    const bench = createBench();
    tapping(bench);
    bench.event(CARD_IN);
    expect(bench.look().sent).toEqual(["cancel-contactless"]);
    first(bench);
    expect(bench.look().sent).toEqual([]);
    second(bench);
    expect(bench.look().sent).toEqual([START_SALE]);
  });

  test("an end of another kind, or none, will do", () => {
    for (const finish of [(bench: Bench) => bench.event(OK), (bench: Bench) => bench.fire("answer")]) {
      const bench = createBench();
      tapping(bench);
      bench.event(CARD_IN);
      bench.answer(OK);
      bench.look();
      finish(bench);
      expect(bench.look().sent).toEqual([START_SALE]);
    }
  });

  test("without an answer the device is lost", () => {
    const bench = createBench();
    const n = tapping(bench);
    bench.event(CARD_IN);
    bench.fire("answer");
    expect(bench.look()).toMatchObject({
      notices: [{ on: "slot" }, { n, on: "fault", code: "no-answer" }],
      reopen: true,
    });
  });

  test("a tap that was read meanwhile is the card", () => {
    const bench = createBench();
    const n = tapping(bench);
    bench.event(CARD_IN, TAPPED);
    bench.answer(OK);
    expect(bench.look().notices.at(-1)).toMatchObject({ n, on: "card", card: { interface: "contactless-chip" } });
  });

  test("a card that comes before START CONTACTLESS was answered waits for that answer", () => {
    const bench = createBench();
    looking(bench, ALL, NO_CARD);
    bench.look();
    bench.event(CARD_IN);
    expect(bench.look().sent).toEqual([]);
    bench.answer(OK);
    expect(bench.look().sent).toEqual(["cancel-contactless"]);
  });

  test("a silent chip: out again, and back to the reader", () => {
    const bench = createBench();
    tapping(bench);
    bench.event(CARD_SILENT);
    bench.answer(OK);
    bench.event("9F41");
    expect(bench.look().notices.at(-1)).toMatchObject({ on: "prompt", prompt: "TRY_AGAIN" });
    bench.answer(OK);
    bench.event(NO_CARD);
    expect(bench.look()).toMatchObject({
      sent: [TAP],
      notices: [{ on: "slot" }, { on: "prompt", prompt: "INSERT_OR_TAP" }],
    });
  });

  test("a swipe is read once the reader is left", () => {
    const bench = createBench();
    const n = tapping(bench);
    bench.event(swipe("101"));
    expect(bench.look().sent).toEqual(["cancel-contactless"]);
    bench.answer(OK);
    bench.event("9F41");
    expect(bench.look().notices).toMatchObject([
      { n, on: "card", card: { interface: "magstripe", masked: { bin: "410039", last4: "9769" } } },
    ]);
  });

  test("a swipe that could not be read is to be tried again, and one that is not asked for says nothing", () => {
    const bench = createBench();
    const n = tapping(bench);
    bench.event(SWIPE_FAILED);
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "prompt", prompt: "TRY_AGAIN" }] });
    const other = createBench();
    tapping(other, { ...ALL, interfaces: ["chip", "contactless"] });
    other.event(SWIPE_FAILED, swipe("101"));
    expect(other.look()).toEqual({ sent: [], notices: [], reopen: false });
  });

  test("a swipe in clear ends it", () => {
    const bench = createBench();
    const n = tapping(bench);
    bench.event(answerIn("E0", tlv("48", "0005") + tlv("5F22", text(";4761739001010119=15122011758989389?"))));
    expect(bench.look().notices).toEqual([
      { n, on: "fault", code: "clear-card-data", detail: "the device sent card data in clear: 5F22" },
    ]);
    bench.answer(OK);
    bench.event("9F41");
    expect(bench.look().notices).toEqual([]);
  });

  test("the red key leaves it too, whoever tells", () => {
    const bench = createBench();
    const n = tapping(bench);
    bench.event(RED_KEY);
    expect(bench.look()).toMatchObject({ sent: ["cancel-contactless"], notices: [] });
    bench.answer(OK);
    bench.event("9F41");
    expect(bench.look().notices).toEqual([{ n, on: "cancelled", by: "customer" }]);
  });

  test("a device that starts anew has forgotten it", () => {
    const bench = createBench();
    const n = tapping(bench);
    bench.event(POWERED_ON);
    expect(bench.look()).toMatchObject({ notices: [{ n, on: "fault", code: "device-error" }], reopen: true });
  });
});

test("a tap alone, with a card in the slot: asked out, then the reader", () => {
  const bench = identified(createBench());
  const n = bench.command({ do: "collect", request: { ...ALL, interfaces: ["contactless"] } });
  bench.answer(OK);
  bench.event(CARD_IN);
  expect(bench.look()).toMatchObject({
    sent: ["card-status 0101", expect.stringMatching(/^display/)],
    notices: [{ on: "slot" }, { n, on: "prompt", prompt: "REMOVE_CARD" }],
  });
  bench.answer(OK);
  bench.event(NO_CARD);
  expect(bench.look().sent).toEqual([TAP]);
});
