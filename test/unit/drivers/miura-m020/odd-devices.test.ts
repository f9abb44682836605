import { describe, expect, test } from "vitest";
import type { IssuerResponse } from "../../../../src/emv/issuer-response.ts";
import { toHex } from "../../../../src/kit/hex.ts";
import { SALE } from "../../../support/driver-bench.ts";
import {
  answerIn,
  type Bench,
  CARD_IN,
  CLOCK_ANSWER,
  CONFIGURATION_ANSWER,
  cardAnswer,
  createBench,
  E3_TC,
  E4_ARQC,
  E5_AAC,
  held,
  INFO_ANSWER,
  identified,
  KEYS_READY,
  RESET_ANSWER,
  running,
} from "./bench.ts";

/* Devices of the field that behave a little otherwise: late, in another order, with more than was asked for. */

const APPROVED: IssuerResponse = { verdict: "approved", arc: "3030", scripts: [] };
const OTHER_ATC = "0288";
const hexOf = (text: string): string => toHex(new TextEncoder().encode(text));

/** The card that was told is called off; its extra E5 does not come in time; the terminal is set to idle. */
function calledOff(): Bench {
  const bench = held(createBench());
  bench.command({ do: "cancel" });
  bench.answer("9000");
  bench.fire("answer");
  bench.command({ do: "idle" });
  bench.answer("9000", "9000");
  bench.look();
  return bench;
}

describe("the extra E5 of a transaction that was aborted", () => {
  test.each([
    ["with the counter of that one", E5_AAC],
    ["without a counter", answerIn("E5", "8A025A33")],
  ])("comes %s after an idle command, and is not the next card's decline", (_what, late) => {
    const bench = calledOff();
    const n = bench.command({ do: "collect", request: SALE });
    bench.event(CARD_IN);
    bench.answer(late);
    expect(
      bench
        .look()
        .notices.filter((notice) => notice.n === n)
        .map(({ on }) => on),
    ).toEqual(["prompt"]);
    bench.answer(cardAnswer("E5", "00", "028A", ""));
    expect(bench.look().notices).toMatchObject([{ n, on: "card", card: { decision: "declined-offline" } }]);
  });

  test("is not looked for any more once the next card has answered", () => {
    const bench = calledOff();
    for (const answers of [[E5_AAC, E5_AAC, cardAnswer("E5", "00", "028A", "")], [answerIn("E5", "8A025A33")]]) {
      const n = bench.command({ do: "collect", request: SALE });
      bench.event(CARD_IN);
      bench.answer(...answers);
      expect(bench.look().notices.filter((notice) => notice.n === n && notice.on === "card")).toMatchObject([
        { card: { decision: "declined-offline" } },
      ]);
    }
  });

  test("that comes after the next card's E4 is not that card's final word", () => {
    const bench = held(createBench());
    const n = bench.command({ do: "complete", issuer: APPROVED });
    bench.answer(cardAnswer("E5", "00", OTHER_ATC, ""));
    expect(bench.look().notices).toEqual([]);
    bench.answer(E3_TC);
    expect(bench.look().notices).toMatchObject([{ n, on: "finished", verdict: "approved" }]);
  });
});

test("a completion that is refused is told at once, not after the reset behind it", () => {
  const bench = held(createBench());
  const n = bench.command({ do: "complete", issuer: APPROVED });
  bench.look();
  bench.answer("9F22");
  expect(bench.look()).toMatchObject({ sent: ["reset"], notices: [{ n, on: "fault", code: "device-error" }] });
  const idle = bench.command({ do: "idle" });
  bench.answer(RESET_ANSWER, "9000", "9000");
  expect(bench.look().notices).toEqual([{ n: idle, on: "done" }]);
});

describe("clear card data", () => {
  test.each([
    ["beside the template", E4_ARQC.replace(/9000$/, "5A084761739001010010"), true],
    ["in a template inside the template", cardAnswer("E4", "80", "0289", "700A5A084761739001010010"), false],
    [
      "in the place of ciphertext",
      cardAnswer(
        "E4",
        "80",
        "0289",
        `DFAE0228${hexOf(";4761739001010010=15122011758989389?0000")}DFAE030AFFFF0102628D1100005E`,
      ),
      false,
    ],
  ])("%s ends the collect, and is not repeated", (_what, answer, isBeside) => {
    const bench = createBench();
    const n = running(bench);
    bench.answer(isBeside ? `${answer}9000` : answer);
    bench.answer("9000", E5_AAC);
    const { notices } = bench.look();
    expect(notices).toMatchObject([{ n, on: "fault", code: "clear-card-data" }]);
    expect(JSON.stringify(notices)).not.toContain("4761739001010010");
  });

  test("in the words with which the device starts anew is not repeated", () => {
    const bench = held(createBench());
    bench.command({ do: "complete", issuer: APPROVED });
    const text = hexOf("pan 4761739001010010");
    bench.event(answerIn("E6", `C3010BC4${(text.length / 2).toString(16).padStart(2, "0")}${text}`));
    const { notices } = bench.look();
    expect(notices).toMatchObject([{ on: "fault", code: "device-error" }]);
    expect(JSON.stringify(notices)).not.toContain("4761739001010010");
  });
});

describe("a member without a contactless reader", () => {
  const m006 = (): Bench => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.command({ do: "identify" });
    bench.answer(
      RESET_ANSWER,
      KEYS_READY,
      CLOCK_ANSWER,
      CONFIGURATION_ANSWER,
      INFO_ANSWER.replace(hexOf("M020"), hexOf("M006")),
    );
    return bench;
  };

  test("says so, and is never asked to read a tap", () => {
    const bench = m006();
    expect(bench.look().notices).toMatchObject([
      { on: "ready", capabilities: { interfaces: ["chip", "stripe", "keyed"], pinAfterTap: false } },
    ]);
    bench.command({ do: "collect", request: { ...SALE, interfaces: ["chip", "contactless"] } });
    bench.fire("answer");
    const { sent, notices } = bench.look();
    expect(sent.filter((command) => command.startsWith("start-contactless"))).toEqual([]);
    expect(notices).toMatchObject([{ on: "prompt", prompt: "INSERT_CHIP" }]);
    bench.command({ do: "cancel" });
    bench.answer("9000", "9000", "9000");
    bench.look();
    const n = bench.command({ do: "collect", request: { ...SALE, interfaces: ["contactless"] } });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "refused" }] });
  });

  test("does not make another one do without", () => {
    const bench = m006();
    bench.look();
    bench.command({ do: "identify" });
    bench.answer(RESET_ANSWER, KEYS_READY, CLOCK_ANSWER, CONFIGURATION_ANSWER, INFO_ANSWER);
    expect(bench.look().notices).toMatchObject([
      { on: "ready", capabilities: { interfaces: ["chip", "contactless", "stripe", "keyed"] } },
    ]);
    identified(bench);
  });
});

describe("a device that says that it starts anew", () => {
  const says = (code: string): string => answerIn("E6", `C301${code}`);

  test.each(["0A", "0B", "0C"])("by %s while it is idle is identified again on a fresh link", (code) => {
    const bench = identified(createBench());
    bench.event(says(code));
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: true });
  });

  test("by the word that also greets a new link does not have its link opened for ever", () => {
    const bench = identified(createBench());
    bench.event(says("01"));
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
  });

  test.each(["01", "0B"])(
    "by %s while a card is waited for ends the collect, because it reports no card any more",
    (code) => {
      const bench = identified(createBench());
      const n = bench.command({ do: "collect", request: SALE });
      bench.fire("answer");
      bench.look();
      bench.event(says(code));
      expect(bench.look()).toMatchObject({ notices: [{ n, on: "fault", code: "device-error" }], reopen: true });
    },
  );
});
