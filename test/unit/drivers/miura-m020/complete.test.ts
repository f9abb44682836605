import { describe, expect, test } from "vitest";
import { COMPLETE_MS } from "../../../../drivers/miura-m020/timing.ts";
import type { IssuerResponse } from "../../../../src/emv/issuer-response.ts";
import { SALE } from "../../../support/driver-bench.ts";
import {
  type Bench,
  CARD_IN,
  cardAnswer,
  createBench,
  E3_TC,
  E4_ARQC,
  E5_AAC,
  EXTENDED_RESET_ANSWER,
  held,
  identified,
  RESET_ANSWER,
} from "./bench.ts";

const APPROVED: IssuerResponse = {
  verdict: "approved",
  arc: "3030",
  authentication: "11223344556677883030",
  scripts: [],
};
const DECLINED: IssuerResponse = { verdict: "declined", arc: "3035", scripts: [] };
const UNABLE: IssuerResponse = { verdict: "unable-to-go-online", arc: "5A33", scripts: [] };

function completing(issuer: IssuerResponse): { bench: Bench; n: number } {
  const bench = held(createBench());
  return { bench, n: bench.command({ do: "complete", issuer }) };
}

describe("what the card is told", () => {
  test.each([
    ["an approval", APPROVED, "E0108A023030910A11223344556677883030"],
    ["a decline", DECLINED, "E0048A023035"],
    ["unable to go online", UNABLE, "E0048A025A33"],
    [
      "scripts in the order they came",
      {
        ...DECLINED,
        scripts: [
          { tag: "72" as const, value: "9F180400000001" },
          { tag: "71" as const, value: "8601AA" },
        ],
      },
      "E0128A02303572079F18040000000171038601AA",
    ],
  ])("%s", (_what, issuer, data) => {
    const { bench } = completing(issuer);
    expect(bench.look().sent).toEqual([`continue-transaction ${data}`]);
    expect(bench.timers()).toEqual({ answer: COMPLETE_MS });
  });

  test("scripts that do not fit are left out, the code and the issuer's authentication stay", () => {
    const issuer = { ...APPROVED, scripts: [{ tag: "72" as const, value: "AA".repeat(240) }] };
    const { bench } = completing(issuer);
    expect(bench.look().sent).toEqual(["continue-transaction E0108A023030910A11223344556677883030"]);
  });

  test("a device with extended commands gets them, up to what one command holds", () => {
    for (const [size, sent] of [
      [240, true],
      [980, true],
      [1001, false],
      [60_000, false],
    ] as const) {
      const bench = identified(createBench(), EXTENDED_RESET_ANSWER);
      bench.command({ do: "collect", request: SALE });
      bench.event(CARD_IN);
      bench.answer(E4_ARQC);
      bench.look();
      bench.command({ do: "complete", issuer: { ...APPROVED, scripts: [{ tag: "72", value: "AA".repeat(size) }] } });
      const [command = ""] = bench.look().sent;
      expect(command.includes("AA".repeat(size))).toBe(sent);
      expect(command).toContain("8A023030910A11223344556677883030");
    }
  });

  test.each<[string, IssuerResponse]>([
    ["issuer.arc", { ...APPROVED, arc: "00" }],
    ["issuer.authentication", { ...APPROVED, authentication: "11" }],
    ["issuer.scripts", { ...APPROVED, scripts: [{ tag: "71", value: "xyz" }] }],
  ])("a wrong %s is refused by that name, and the card still waits", (field, issuer) => {
    const { bench, n } = completing(issuer);
    expect(bench.look()).toMatchObject({
      sent: [],
      notices: [{ n, on: "fault", code: "refused", detail: expect.stringContaining(field) }],
    });
    expect(bench.state().device.held).toBeDefined();
  });

  test("without a card that waits there is nothing to complete", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "complete", issuer: APPROVED });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "refused" }] });
  });
});

describe("the card's final answer", () => {
  test("E3 with a TC after an approval is approved", () => {
    const { bench, n } = completing(APPROVED);
    bench.answer(E3_TC);
    expect(bench.look().notices).toMatchObject([{ n, on: "finished", verdict: "approved" }]);
    expect(bench.timers()).toEqual({});
  });

  test.each([
    ["an approval", APPROVED],
    ["a decline", DECLINED],
    ["no issuer", UNABLE],
  ])("E5 after %s is declined, with data that may be kept", (_what, issuer) => {
    const { bench, n } = completing(issuer);
    bench.answer(E5_AAC);
    const [notice] = bench.look().notices;
    expect(notice).toMatchObject({ n, on: "finished", verdict: "declined" });
    expect(notice?.on === "finished" && notice.emv.map(({ tag }) => tag)).toEqual([
      "50",
      "84",
      "95",
      "9F02",
      "9F26",
      "9F27",
      "9F36",
    ]);
  });

  test.each([
    ["E3 after a decline", DECLINED, E3_TC],
    ["E3 without an issuer", UNABLE, E3_TC],
    ["E3 with an AAC", APPROVED, cardAnswer("E3", "00", "0289", "")],
    ["E3 of another transaction", APPROVED, cardAnswer("E3", "40", "0288", "")],
  ])("%s is a fault, never an approval", (_what, issuer, body) => {
    const { bench, n } = completing(issuer);
    bench.answer(body);
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "protocol" }]);
  });

  test("a repeated E4 and late answers of earlier commands are not taken for it", () => {
    const { bench } = completing(APPROVED);
    bench.look();
    bench.answer("9000", E4_ARQC, RESET_ANSWER, "089000");
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
  });

  test.each(["9F22", "9F30", "9FFF"])(
    "%s is a fault at once, before a soft reset is through: the card's word stays unknown",
    (statusWord) => {
      const { bench, n } = completing(APPROVED);
      bench.look();
      bench.answer(statusWord);
      expect(bench.look()).toMatchObject({
        sent: ["reset"],
        notices: [{ n, on: "fault", code: "device-error" }],
        reopen: false,
      });
      bench.answer(RESET_ANSWER);
      expect(bench.look().notices).toEqual([]);
    },
  );

  test("none in time is a fault; CONTINUE is never sent twice", () => {
    const { bench, n } = completing(APPROVED);
    bench.look();
    bench.fire("answer");
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "no-answer" }], reopen: true });
  });

  test("card data in clear leaves the verdict as it is and puts the terminal out of service", () => {
    const { bench, n } = completing(APPROVED);
    bench.answer(cardAnswer("E3", "40", "0289", "5A084761739001010119"));
    expect(bench.look().notices).toMatchObject([
      { n, on: "finished", verdict: "approved" },
      { n: 0, on: "fault", code: "clear-card-data" },
    ]);
  });

  test("a device that restarts forgets the card: before CONTINUE it is refused, after it a fault", () => {
    const rebooted = "E60BC3010BC4065265626F6F749000";
    const waiting = held(createBench());
    waiting.event("E603C301019000");
    const n = waiting.command({ do: "complete", issuer: APPROVED });
    expect(waiting.look().notices).toMatchObject([{ n, on: "fault", code: "refused" }]);
    const { bench, n: completed } = completing(APPROVED);
    bench.event(rebooted);
    expect(bench.look()).toMatchObject({
      notices: [{ n: completed, on: "fault", code: "device-error" }],
      reopen: true,
    });
  });

  test("a lost link forgets the card too", () => {
    const bench = held(createBench());
    bench.feed({ on: "closed" });
    identified(bench);
    const n = bench.command({ do: "complete", issuer: APPROVED });
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "refused" }]);
  });

  test("display and idle wait until the card answered", () => {
    const { bench, n } = completing(APPROVED);
    const display = bench.command({ do: "display", lines: ["x"] });
    bench.look();
    bench.answer(E3_TC);
    expect(bench.look()).toMatchObject({ sent: ["display 78"], notices: [{ n, on: "finished" }] });
    bench.answer("9000");
    expect(bench.look().notices).toEqual([{ n: display, on: "done" }]);
  });
});
