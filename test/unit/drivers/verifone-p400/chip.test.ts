import { describe, expect, test } from "vitest";
import type { CardData } from "../../../../src/card/card-data.ts";
import type { Notice } from "../../../../src/card/notice.ts";
import { findTag } from "../../../../src/emv/tlv.ts";
import { toHex } from "../../../../src/kit/hex.ts";
import { SALE } from "../../../support/driver-bench.ts";
import {
  answerIn,
  CARD_IN,
  CHOOSE_APPLICATION,
  CIPHER,
  CONTINUE_SALE,
  cardAnswer,
  createBench,
  deciding,
  decisionWanted,
  enterPin,
  identified,
  KSN,
  looking,
  NO_CARD,
  OK,
  PIN_BLOCK,
  PIN_KSN,
  PIN_TYPED,
  REFUND,
  running,
  START_SALE,
  sealed,
  text,
  tlv,
} from "./bench.ts";

const FETCH = `online-pin 0501 ${tlv("E0", "DFED0D0140")}`;
const ASK_PIN = `online-pin 0501 ${tlv("E0", `DFDF1706000000001234DFDF2403${text("EUR")}DFDF1C0102DFDF1D0100DFA20E0132DFED040104DFED05010CDFED080100`)}`;
const SHOW_INSERT = `display 0001 ${text("\t\r\t12.34 EUR\r\tINSERT CARD")}`;

function cardOf(notices: readonly Notice[]): CardData {
  const card = notices.flatMap((notice) => (notice.on === "card" ? [notice.card] : []))[0];
  if (card === undefined) throw new Error(`no card in ${JSON.stringify(notices)}`);
  return card;
}

const revealed = (sealedData: CardData["sred"]): readonly (string | undefined)[] => [
  sealedData?.data.reveal(),
  sealedData?.ksn,
];

describe("a chip sale", () => {
  test("from the empty slot to the card that waits for its issuer", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: SALE });
    expect(bench.look().sent).toEqual(["card-status 0101"]);
    bench.answer(OK);
    bench.event(NO_CARD);
    expect(bench.look()).toMatchObject({
      sent: [SHOW_INSERT],
      notices: [
        { n: 0, on: "slot", card: false },
        { n, on: "prompt", prompt: "INSERT_CHIP" },
      ],
    });
    bench.answer(OK);
    bench.event(CARD_IN);
    expect(bench.look()).toMatchObject({
      sent: [START_SALE],
      notices: [
        { n: 0, on: "slot", card: true },
        { n, on: "prompt", prompt: "PROCESSING" },
      ],
    });
    bench.answer(decisionWanted());
    expect(bench.look()).toEqual({ sent: [CONTINUE_SALE], notices: [], reopen: false });
    bench.answer(cardAnswer("E4"));
    const { notices, sent } = bench.look();
    expect(sent).toEqual([]);
    expect(notices).toMatchObject([
      { n, on: "card", card: { interface: "chip", decision: "online", masked: { bin: "374245", last4: "1006" } } },
    ]);
    expect(revealed(cardOf(notices).sred)).toEqual([CIPHER, KSN]);
    expect(bench.timers()).not.toHaveProperty("card");
  });

  test("nothing that identifies the card or its holder leaves in clear, and what is sealed does not show", () => {
    const bench = createBench();
    deciding(bench);
    bench.answer(
      cardAnswer("E4", {
        more:
          tlv("5F20", text("HOLDER/A")) + tlv("5F25", "171101") + tlv("63", "3B6500") + tlv("C6", tlv("DFC601", "01")),
      }),
    );
    const card = cardOf(bench.look().notices);
    const tags = card.icc.map(({ tag }) => tag);
    for (const tag of ["57", "5A", "5F20", "5F24", "5F25", "FF7F", "FF7C", "63", "C6", "DFDF10", "DF837F"])
      expect(tags).not.toContain(tag);
    expect(toHex(findTag(card.icc, "9F26") ?? new Uint8Array())).toBe("1122334455667788");
    expect(JSON.stringify(card)).not.toContain(CIPHER);
  });

  test("E2 and E4 carry the same key serial number: the card is told once, with what came last", () => {
    const bench = createBench();
    running(bench);
    bench.answer(decisionWanted(sealed({ data: "11".repeat(16) })));
    expect(bench.look().notices).toEqual([]);
    bench.answer(cardAnswer("E4", { block: sealed({ data: "22".repeat(16) }) }));
    const { notices } = bench.look();
    expect(notices.filter(({ on }) => on === "card")).toHaveLength(1);
    expect(revealed(cardOf(notices).sred)).toEqual(["22".repeat(16), KSN]);
  });

  test("where E4 has no sealed data that of E2 counts", () => {
    const bench = createBench();
    running(bench);
    bench.answer(decisionWanted(sealed({ data: "11".repeat(16) })));
    bench.answer(cardAnswer("E4", { block: "" }));
    expect(revealed(cardOf(bench.look().notices).sred)).toEqual(["11".repeat(16), KSN]);
  });

  test.each([
    ["no sealed data at all", { block: "" }, "keys-missing"],
    ["data that is not whole blocks", { block: sealed({ data: "1122334455" }) }, "keys-missing"],
    ["a serial number of nine bytes", { block: sealed({ ksn: "FFFF98765432110010" }) }, "keys-missing"],
    ["a status that says not encrypted", { block: sealed({ status: "00000001" }) }, "keys-missing"],
    ["digits encrypted in place", { more: tlv("DFDF6F", "01") }, "misconfigured"],
    ["a number in clear", { more: tlv("5A", "4761739001010119") }, "clear-card-data"],
    ["a track in clear", { more: tlv("5F22", text(";4761739001010119=15122011758989389?")) }, "clear-card-data"],
    [
      "a number in clear inside what looks primitive",
      { more: tlv("C6", tlv("5A", "4761739001010119")) },
      "clear-card-data",
    ],
    ["another amount", { amount: "000000009999" }, "protocol"],
    ["another kind of transaction", { type: "20" }, "protocol"],
    ["a cryptogram that is no ARQC", { information: "40" }, "protocol"],
  ])(
    "%s is no card: the transaction is ended, and the fault told, at once where it puts the terminal out of service",
    (_what, on, code) => {
      const bench = createBench();
      const n = running(bench);
      bench.answer(decisionWanted(""));
      bench.look();
      const fault = { n, on: "fault", code };
      bench.answer(cardAnswer("E4", on));
      expect(bench.look()).toMatchObject({ sent: ["abort"], notices: code === "protocol" ? [] : [fault] });
      bench.answer(OK);
      expect(bench.look().sent).toEqual(["reset 0001"]);
      bench.answer(answerIn("EE", tlv("9F1E", "31")));
      expect(bench.look().sent).toEqual(["card-status 0100"]);
      bench.answer(OK);
      expect(bench.look().notices).toMatchObject(code === "protocol" ? [fault] : []);
    },
  );

  test.each([
    ["a number in clear", tlv("5A", "4761739001010119"), "clear-card-data"],
    ["digits encrypted in place", tlv("C1", "00") + tlv("DFDF6F", "01"), "misconfigured"],
    ["a status that says not encrypted", tlv("C1", "00") + sealed({ status: "00000001" }), "keys-missing"],
  ])("%s before the card's cryptogram: it is not asked for one", (_what, body, code) => {
    const bench = createBench();
    const n = running(bench);
    bench.answer(answerIn("E2", body));
    const { sent, notices } = bench.look();
    expect(sent).toEqual(["abort"]);
    expect(notices).toContainEqual(expect.objectContaining({ n, on: "fault", code }));
  });

  test("the old way of encrypting with its flag at zero is none", () => {
    const bench = createBench();
    deciding(bench);
    bench.answer(cardAnswer("E4", { more: tlv("DFDF6F", "00") }));
    expect(bench.look().notices).toMatchObject([{ on: "card" }]);
  });

  test.each([
    ["E3", "40", "approved-offline"],
    ["E5", "00", "declined-offline"],
  ])("%s: the card decided by itself, and nothing waits for the issuer", (template, information, decision) => {
    const bench = createBench();
    deciding(bench);
    bench.answer(cardAnswer(template, { information }));
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ on: "card", card: { decision, interface: "chip" } }] });
    bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    expect(bench.look().notices).toMatchObject([{ on: "fault", code: "refused" }]);
  });

  test("options put acquirer and country into it", () => {
    const bench = createBench({ options: { acquirer: "65", country: "276" } });
    running(bench);
    bench.answer(decisionWanted());
    expect(bench.look().sent).toEqual([
      `continue-transaction 0100 ${tlv("E0", "9F02060000000012349F03060000000000005F2A0209789F1A020276C2023635DFA2180100C00101DFCC790100")}`,
    ]);
  });
});

describe("a refund by chip", () => {
  test("asks for an AAC, forces nothing online, and takes what comes", () => {
    const bench = createBench();
    const n = looking(bench, REFUND, CARD_IN);
    expect(bench.look().sent.at(-1)).toBe(
      `start-transaction ${tlv("E0", "9C01209F02060000000012349F03060000000000009A032601159F21031430005F2A020978DFA2180100DFCC790100DFA2040101")}`,
    );
    bench.answer(decisionWanted());
    expect(bench.look().sent).toEqual([
      `continue-transaction 0100 ${tlv("E0", "9F02060000000012349F03060000000000005F2A020978DFA2180100C00100DFCC790100")}`,
    ]);
    bench.answer(cardAnswer("E5", { information: "00", type: "20" }));
    expect(bench.look()).toMatchObject({
      sent: [],
      notices: [{ n, on: "card", card: { decision: "declined-offline" } }],
    });
  });

  test("an ARQC is ended on the device before the card is told, and its PIN stays where it is", () => {
    const bench = createBench();
    const n = deciding(bench, REFUND);
    bench.event(enterPin("03"));
    bench.look();
    bench.answer(cardAnswer("E4", { type: "20", results: "420300" }));
    expect(bench.look()).toMatchObject({ sent: ["abort"], notices: [] });
    bench.answer(OK, answerIn("EE", tlv("9F1E", "31")), OK);
    const { notices } = bench.look();
    expect(notices).toMatchObject([{ n, on: "card", card: { decision: "online" } }]);
    expect(cardOf(notices).pin).toBeUndefined();
    bench.command({ do: "collect", request: SALE });
    expect(bench.look().sent).toEqual(["card-status 0101"]);
  });

  test.each([
    ["no sealed number", { block: "", information: "00" }, "keys-missing"],
    ["no cryptogram", { information: "00" }, "protocol"],
  ])("%s: no card", (_what, on, code) => {
    const bench = createBench();
    running(bench, REFUND);
    bench.answer(decisionWanted(""));
    const body = cardAnswer("E5", { ...on, type: "20" });
    bench.answer(
      code === "protocol" ? body.replace(tlv("9F26", "1122334455667788"), tlv("9F7C", "1122334455667788")) : body,
    );
    expect(bench.look().notices.at(-1)).toMatchObject({ on: "fault", code });
  });
});

describe("PIN in the chip's transaction", () => {
  test("E6 has it typed, and it is fetched after E4", () => {
    const bench = createBench();
    const n = deciding(bench);
    bench.event(enterPin("03"));
    expect(bench.look().notices).toEqual([{ n, on: "prompt", prompt: "ENTER_PIN" }]);
    expect(bench.timers()).toMatchObject({ pin: SALE.pinMs });
    bench.answer(cardAnswer("E4", { results: "420300" }));
    expect(bench.look()).toMatchObject({ sent: [FETCH], notices: [{ n, on: "prompt", prompt: "PROCESSING" }] });
    bench.answer(PIN_TYPED);
    const { notices } = bench.look();
    expect(notices).toMatchObject([{ n, on: "card" }]);
    expect(revealed(cardOf(notices).pin)).toEqual([PIN_BLOCK, PIN_KSN]);
  });

  test("without E6 the device is asked to have it typed then, for the number that it holds", () => {
    const bench = createBench();
    const n = deciding(bench);
    bench.answer(cardAnswer("E4", { results: "420300" }));
    expect(bench.look()).toMatchObject({ sent: [ASK_PIN], notices: [{ n, on: "prompt", prompt: "ENTER_PIN" }] });
    bench.answer(PIN_TYPED);
    expect(bench.look().notices).toMatchObject([{ on: "prompt", prompt: "PROCESSING" }, { on: "card" }]);
  });

  test.each(["410302", "440302", "5E0300", "1F0302"])(
    "results %s: no PIN is fetched, whether one was typed or not",
    (results) => {
      const bench = createBench();
      deciding(bench);
      bench.event(enterPin("03"));
      bench.look();
      bench.answer(cardAnswer("E4", { results }));
      const { notices, sent } = bench.look();
      expect(sent).toEqual([]);
      expect(cardOf(notices).pin).toBeUndefined();
    },
  );

  test("fewer tries mean a wrong PIN", () => {
    const bench = createBench();
    deciding(bench);
    bench.event(enterPin("03"), enterPin("03"), enterPin("02"), enterPin("02"), enterPin("01"));
    expect(bench.look().notices).toMatchObject([
      { prompt: "ENTER_PIN" },
      { prompt: "WRONG_PIN" },
      { prompt: "WRONG_PIN" },
    ]);
  });

  test.each([
    ["01", { on: "no-card", why: "pin-timeout" }],
    ["02", { on: "cancelled", by: "customer" }],
  ])("DFA20A %s in the answer: no card", (result, ending) => {
    const bench = createBench();
    const n = deciding(bench);
    bench.answer(cardAnswer("E5", { information: "00", more: tlv("DFA20A", result) }));
    expect(bench.look().sent).toEqual(["reset 0001"]);
    bench.answer(answerIn("EE", tlv("9F1E", "31")), OK);
    expect(bench.look().notices).toMatchObject([{ n, ...ending }]);
  });

  test.each([
    ["no keys", "9F19", "keys-missing"],
    ["not ready", "9F22", "device-error"],
  ])("fetching it ends with %s", (_what, statusWord, code) => {
    const bench = createBench();
    const n = deciding(bench);
    bench.event(enterPin("03"));
    bench.answer(cardAnswer("E4", { results: "420300" }));
    bench.look();
    bench.answer(statusWord, answerIn("EE", tlv("9F1E", "31")), OK);
    expect(bench.look()).toMatchObject({
      sent: ["reset 0001", "card-status 0100"],
      notices: [{ n, on: "fault", code }],
    });
  });

  test.each(["empty", "late"])(
    "an %s answer to fetching it ends the transaction: a card whose PIN is lost is none",
    (how) => {
      const bench = createBench();
      const n = deciding(bench);
      bench.event(enterPin("03"));
      bench.answer(cardAnswer("E4", { results: "420300" }));
      bench.look();
      if (how === "empty") bench.answer(OK);
      else bench.fire("answer");
      expect(bench.look().sent).toEqual(["abort"]);
      bench.answer(OK, answerIn("EE", tlv("9F1E", "31")), OK);
      expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "device-error" }]);
    },
  );

  test("it runs out by the driver's own limit: ABORT, RESET, and then it is told", () => {
    const bench = createBench();
    const n = deciding(bench);
    bench.event(enterPin("03"));
    bench.look();
    bench.fire("pin");
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
    expect(bench.timers()).toMatchObject({ pin: 5_000 });
    bench.fire("pin");
    expect(bench.look()).toMatchObject({ sent: ["abort"], notices: [] });
    bench.answer("9F41", OK);
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "no-card", why: "pin-timeout" }] });
  });

  test.each([
    ["a cryptogram is the card", cardAnswer("E4"), { on: "card" }],
    ["41 is a PIN that ran out", "9F41", { on: "no-card", why: "pin-timeout" }],
  ])("just behind its limit %s", (_what, answer, ending) => {
    const bench = createBench();
    const n = deciding(bench);
    bench.event(enterPin("03"));
    bench.fire("pin");
    bench.look();
    bench.answer(answer);
    expect(bench.look().notices.at(-1)).toMatchObject({ n, ...ending });
  });
});

describe("what the device says in between", () => {
  test("a status before the card's data is a choice of application; one of something else, or after it, says nothing", () => {
    const bench = createBench();
    const n = running(bench);
    bench.event(CHOOSE_APPLICATION, CHOOSE_APPLICATION);
    expect(bench.look().notices).toEqual([{ n, on: "prompt", prompt: "SELECT_APPLICATION" }]);
    bench.answer(decisionWanted());
    bench.event(
      CHOOSE_APPLICATION,
      answerIn("E6", tlv("C3", "0E")),
      answerIn("E6", ""),
      answerIn("E8", ""),
      answerIn("E3", ""),
    );
    expect(bench.look().notices).toEqual([]);
  });

  test("an unsolicited E4 is no answer of the chip's", () => {
    const bench = createBench();
    deciding(bench);
    bench.event(cardAnswer("E4"));
    expect(bench.look().notices).toEqual([]);
  });

  test("empty answers, lists and text belong to somebody else", () => {
    const bench = createBench();
    deciding(bench);
    bench.answer(OK, "019000", `${tlv("DFDE7E", "41")}9000`, answerIn("E7", ""));
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
  });

  test("a list without priorities: the first application, whatever stands before it", () => {
    const bench = createBench();
    running(bench);
    bench.answer(answerIn("E2", tlv("50", text("DEBIT")) + tlv("9F06", "A0000000980840")));
    expect(bench.look().sent).toEqual([`continue-transaction 0000 ${tlv("E0", "9F0607A0000000980840")}`]);
  });

  test("a list of applications although none was asked for: the one of the highest priority, once", () => {
    const bench = createBench();
    running(bench);
    const list = [
      tlv("50", text("DEBIT")) + tlv("9F06", "A0000000980840") + tlv("87", "02"),
      tlv("50", text("VISA")) + tlv("9F06", "A0000000031010") + tlv("87", "81"),
    ];
    bench.answer(answerIn("E2", list.join("")));
    expect(bench.look().sent).toEqual([`continue-transaction 0000 ${tlv("E0", "9F0607A0000000031010")}`]);
    bench.answer(decisionWanted());
    expect(bench.look().sent).toEqual([CONTINUE_SALE]);
    bench.answer(answerIn("E2", list.join("")));
    expect(bench.look().sent).toEqual(["abort"]);
  });
});
