import { describe, expect, test } from "vitest";
import type { IssuerResponse } from "../../../../src/emv/issuer-response.ts";
import { SALE } from "../../../support/driver-bench.ts";
import {
  answerIn,
  type Bench,
  CARD_IN,
  cardAnswer,
  createBench,
  deciding,
  held,
  NO_CARD,
  OK,
  POWERED_ON,
  RESET_ANSWER,
  tapHeld,
  text,
  tlv,
} from "./bench.ts";

const APPROVED: IssuerResponse = {
  verdict: "approved",
  arc: "3030",
  authentication: "37DD2975C2B6682D0012",
  scripts: [{ tag: "72", value: "9F180400000001" }],
};
const DECLINED: IssuerResponse = { verdict: "declined", arc: "3035", scripts: [] };
const UNABLE: IssuerResponse = { verdict: "unable-to-go-online", arc: "5A33", scripts: [] };
const AMOUNTS = "9F02060000000012349F03060000000000005F2A020978DFA2180100";
const TC = cardAnswer("E3", { information: "40", block: "" });
const AAC = cardAnswer("E5", { information: "00", block: "" });
const IDLE_AGAIN = [answerIn("EE", tlv("9F1E", "31")), OK];

function completing(
  issuer: IssuerResponse,
  bench = held(createBench()),
): { readonly bench: Bench; readonly n: number; readonly sent: readonly string[] } {
  const n = bench.command({ do: "complete", issuer });
  return { bench, n, sent: bench.look().sent };
}

describe("completion by chip", () => {
  test.each([
    ["approved", APPROVED, `${AMOUNTS}8A023030910A37DD2975C2B6682D001272079F180400000001C00101`],
    ["declined", DECLINED, `${AMOUNTS}8A023035C00100`],
    ["without a host", UNABLE, `${AMOUNTS}8A025A33`],
  ])("%s: the second CONTINUE", (_what, issuer, data) => {
    expect(completing(issuer).sent).toEqual([`continue-transaction 0000 ${tlv("E0", data)}`]);
  });

  test.each([
    [TC, "approved"],
    [AAC, "declined"],
  ])("the card's own word is the verdict", (body, verdict) => {
    const { bench, n } = completing(APPROVED);
    bench.event(answerIn("E6", tlv("C3", "02")), NO_CARD, CARD_IN, body);
    bench.answer(OK, cardAnswer("E4"), answerIn("E2", ""), body);
    const finished = bench.look().notices.filter((notice) => notice.n === n);
    expect(finished).toMatchObject([{ on: "finished", verdict }]);
    expect(finished[0]?.on === "finished" && finished[0].emv.map(({ tag }) => tag)).not.toContain("5A");
  });

  test.each([
    ["a cryptogram that is no TC", cardAnswer("E3", { information: "00" })],
    ["the counter of another transaction", cardAnswer("E3", { information: "40", atc: "001A" })],
  ])("E3 with %s leaves the card's word unknown", (_what, body) => {
    const { bench, n } = completing(APPROVED);
    bench.answer(body);
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "protocol" }]);
  });

  test.each([DECLINED, UNABLE])("E3 where the issuer did not approve is no approval", (issuer) => {
    const { bench, n } = completing(issuer);
    bench.answer(TC);
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "protocol" }]);
  });

  test("E5 with the counter of another transaction is dropped, and the card's own word is still waited for", () => {
    const { bench, n } = completing(APPROVED);
    bench.answer(cardAnswer("E5", { information: "00", atc: "0018" }));
    expect(bench.look().notices).toEqual([]);
    bench.answer(TC);
    expect(bench.look().notices).toMatchObject([{ n, on: "finished", verdict: "approved" }]);
  });

  test("a card that was pulled has approved nothing", () => {
    const { bench, n } = completing(APPROVED);
    bench.answer("9F23");
    expect(bench.look().notices).toEqual([{ n, on: "finished", verdict: "declined", emv: [] }]);
  });

  test.each(["9F22", "9F24", "9F41", "6985"])(
    "%s is no verdict: the word is unknown, which is told at once, and the device is reset",
    (statusWord) => {
      const { bench, n } = completing(APPROVED);
      bench.answer(statusWord);
      expect(bench.look()).toMatchObject({
        sent: ["reset 0001"],
        notices: [{ n, on: "fault", code: "device-error", detail: expect.stringContaining(statusWord) }],
      });
      bench.answer(...IDLE_AGAIN);
      expect(bench.look()).toMatchObject({ sent: ["card-status 0100"], notices: [] });
    },
  );

  test("no answer, or a device that starts anew, ends the link; CONTINUE is never sent twice", () => {
    const silent = completing(APPROVED);
    silent.bench.fire("answer");
    expect(silent.bench.look()).toMatchObject({
      sent: [],
      notices: [{ n: silent.n, on: "fault", code: "no-answer" }],
      reopen: true,
    });
    const restarted = completing(APPROVED);
    restarted.bench.event(POWERED_ON);
    expect(restarted.bench.look()).toMatchObject({
      sent: [],
      notices: [{ n: restarted.n, on: "fault", code: "device-error" }],
      reopen: true,
    });
  });

  test("a number in clear in the final answer: the verdict stands, and then the leak is told", () => {
    const { bench, n } = completing(APPROVED);
    bench.answer(cardAnswer("E3", { information: "40", more: tlv("57", "4761739001010119D15122011758989389") }));
    expect(bench.look().notices).toMatchObject([
      { n, on: "finished", verdict: "approved" },
      { n: 0, on: "fault", code: "clear-card-data" },
    ]);
  });

  test("scripts longer than a packet go as a chain, where the device says that it takes one", () => {
    const scripts = [{ tag: "71" as const, value: "AB".repeat(300) }];
    const { sent } = completing({ ...APPROVED, scripts });
    expect(sent[0]).toContain(tlv("71", "AB".repeat(300)));
    const plain = createBench();
    plain.feed({ on: "opened" });
    plain.command({ do: "identify" });
    plain.answer(OK, RESET_ANSWER.replace(tlv("DFA21D", "00200000"), ""), "9F11", "9F11", "9F11", "9F11", "9F11");
    plain.command({ do: "collect", request: SALE });
    plain.answer(OK);
    plain.event(CARD_IN);
    plain.answer(answerIn("E2", tlv("C1", "00")), cardAnswer("E4"));
    plain.look();
    plain.command({ do: "complete", issuer: { ...APPROVED, scripts } });
    expect(plain.look().sent).toEqual([
      `continue-transaction 0000 ${tlv("E0", `${AMOUNTS}8A023030910A37DD2975C2B6682D0012C00101`)}`,
    ]);
  });

  test("what no command holds at all is left out", () => {
    const { sent } = completing({ ...APPROVED, scripts: [{ tag: "71", value: "AB".repeat(5000) }] });
    expect(sent).toEqual([
      `continue-transaction 0000 ${tlv("E0", `${AMOUNTS}8A023030910A37DD2975C2B6682D0012C00101`)}`,
    ]);
  });

  test.each([
    [{ ...APPROVED, arc: "00" }, "issuer.arc"],
    [{ ...APPROVED, authentication: "zz" }, "issuer.authentication"],
    [{ ...APPROVED, scripts: [{ tag: "71" as const, value: "1" }] }, "issuer.scripts"],
  ])("what is malformed is refused, and the card waits on", (issuer, detail) => {
    const bench = held(createBench());
    bench.command({ do: "complete", issuer });
    expect(bench.look()).toMatchObject({
      sent: [],
      notices: [{ on: "fault", code: "refused", detail: expect.stringContaining(detail) }],
    });
    bench.command({ do: "complete", issuer: APPROVED });
    expect(bench.look().sent).toHaveLength(1);
  });
});

describe("completion by tap", () => {
  test.each([
    ["approved", APPROVED, "C001018A023030"],
    ["declined", DECLINED, "C001008A023035"],
    ["without a host", UNABLE, "C001028A025A33"],
  ])("%s: the reader gets its code alone", (_what, issuer, data) => {
    expect(completing(issuer, tapHeld(createBench())).sent).toEqual([`continue-contactless ${tlv("E0", data)}`]);
  });

  test("the acquirer where it is configured", () => {
    const bench = tapHeld(createBench({ options: { acquirer: "65" } }));
    expect(completing(APPROVED, bench).sent).toEqual([`continue-contactless ${tlv("E0", "C2023635C001018A023030")}`]);
  });

  test.each([
    [APPROVED, answerIn("E3", "8A023030"), "read"],
    [APPROVED, answerIn("E5", "8A023035"), "declined"],
    [DECLINED, answerIn("E5", "8A023035"), "read"],
    [UNABLE, answerIn("E5", ""), "read"],
    [APPROVED, OK, "read"],
  ])("the answer says nothing, the end does", (issuer, end, verdict) => {
    const { bench, n } = completing(issuer, tapHeld(createBench()));
    bench.answer(OK);
    expect(bench.look().notices).toEqual([]);
    bench.event(end);
    expect(bench.look().notices).toMatchObject([{ n, on: "finished", verdict }]);
  });

  test("E3 after a refusal is an error", () => {
    const { bench, n } = completing(DECLINED, tapHeld(createBench()));
    bench.answer(OK);
    bench.event(answerIn("E3", ""));
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "protocol" }]);
  });

  test.each([
    ["refused", (bench: Bench) => bench.answer("9F24")],
    [
      "ended by an error",
      (bench: Bench) => {
        bench.answer(OK);
        bench.event("9F41");
      },
    ],
  ])("%s: not acknowledged", (_what, act) => {
    const { bench, n } = completing(APPROVED, tapHeld(createBench()));
    act(bench);
    expect(bench.look()).toMatchObject({ sent: ["reset 0001"], notices: [{ n, on: "fault", code: "device-error" }] });
  });

  test.each([OK, "9F41"])(
    "a bare end (%s) before CONTINUE was answered is the late one of the tap, and acknowledges nothing",
    (late) => {
      const { bench, n } = completing(APPROVED, tapHeld(createBench()));
      bench.event(late);
      expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
      bench.answer(OK);
      bench.event(answerIn("E5", "8A023035"));
      expect(bench.look().notices).toMatchObject([{ n, on: "finished", verdict: "declined" }]);
    },
  );

  test("a template that is solicited, a late E4, and a card in the slot are no end of it", () => {
    const { bench } = completing(APPROVED, tapHeld(createBench()));
    bench.answer(OK, answerIn("E3", ""));
    bench.event(cardAnswer("E4"), CARD_IN);
    expect(bench.look().notices).toEqual([{ n: 0, on: "slot", card: true }]);
  });
});

test("a collect is refused while a card waits for its issuer", () => {
  const bench = held(createBench());
  const n = bench.command({ do: "collect", request: SALE });
  expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "refused" }] });
});

test("nothing waits: a completion is refused", () => {
  const bench = createBench();
  deciding(bench);
  bench.answer("9F41");
  bench.look();
  bench.command({ do: "complete", issuer: APPROVED });
  expect(bench.look()).toMatchObject({ sent: [], notices: [{ on: "fault", code: "refused" }] });
});

test("an idle text of the host's own while a card waits does not disturb it", () => {
  const bench = held(createBench());
  bench.command({ do: "display", lines: ["Please", "wait"] });
  expect(bench.look().sent).toEqual([`display 0001 ${text("\tPlease\r\twait")}`]);
  bench.answer(OK);
  expect(completing(APPROVED, bench).sent).toHaveLength(1);
});
