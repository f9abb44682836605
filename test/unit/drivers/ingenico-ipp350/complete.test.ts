import { describe, expect, test } from "vitest";
import { COMPLETE_MS, QUERY_MS } from "../../../../drivers/ingenico-ipp350/timing.ts";
import type { IssuerResponse } from "../../../../src/emv/issuer-response.ts";
import { SALE } from "../../../support/driver-bench.ts";
import { type Bench, createBench, emv, held, identified } from "./bench.ts";

const APPROVED: IssuerResponse = { verdict: "approved", arc: "3030", scripts: [] };
const DECLINED: IssuerResponse = { verdict: "declined", arc: "3035", scripts: [] };

const completing = (issuer: IssuerResponse = APPROVED): { readonly bench: Bench; readonly n: number } => {
  const bench = held(createBench());
  return { bench, n: bench.command({ do: "complete", issuer }) };
};

describe("33.04", () => {
  test("carries the issuer's code as text, and what he says to the card in hexadecimal", () => {
    const { bench } = completing({
      ...APPROVED,
      authentication: "11223344556677888A8A",
      scripts: [
        { tag: "71", value: "9F18" },
        { tag: "72", value: "86" },
      ],
    });
    expect(bench.look().sent).toEqual([
      "33.04.0000|T8A:0002:a00|T91:000A:h11223344556677888A8A|T71:0002:h9F18|T72:0001:h86|",
    ]);
    expect(bench.timers()).toMatchObject({ answer: COMPLETE_MS });
  });

  test("says so where the issuer was not reached, and leaves out scripts that are too long", () => {
    expect(completing({ verdict: "unable-to-go-online", arc: "5A33", scripts: [] }).bench.look().sent).toEqual([
      "33.04.0000|T8A:0002:aZ3|",
    ]);
    const long = completing({ ...APPROVED, scripts: [{ tag: "72", value: "86".repeat(2100) }] });
    expect(long.bench.look().sent).toEqual(["33.04.0000|T8A:0002:a00|"]);
  });

  test("is never sent twice", () => {
    const { bench, n } = completing();
    bench.look();
    bench.tell(emv("03", "80"), "33.04.0000", "13.0");
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
    bench.fire("answer");
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "no-answer" }], reopen: true });
  });
});

describe("the card's final word", () => {
  test.each([
    ["40", "A", APPROVED, "approved"],
    ["00", "D", APPROVED, "declined"],
    ["40", "D", APPROVED, "declined"],
    ["00", "D", DECLINED, "declined"],
  ])("9F27 %s and 1003 %s", (information, word, issuer, verdict) => {
    const { bench, n } = completing(issuer);
    bench.look();
    bench.tell(emv("05", information, word));
    const { notices } = bench.look();
    expect(notices).toMatchObject([{ n, on: "finished", verdict }]);
    expect(notices[0]?.on === "finished" && notices[0].emv.map(({ tag }) => tag)).toContain("9F26");
  });

  test.each([
    ["approved although the issuer did not", emv("05", "40", "A"), DECLINED, "issuer did not"],
    ["of another transaction", emv("05", "40", "A").replace("h0289", "h0290"), APPROVED, "9F36"],
    ["that is an ARQC (quick chip)", emv("05", "80", "D", "T8A:0002:aZ3|"), APPROVED, "decides nothing"],
    ["without 1003", emv("05", "40"), APPROVED, "decides nothing"],
    ["without a cryptogram", "33.05.0000|D1003:0001:aA|", APPROVED, "decides nothing"],
    ["against its cryptogram", emv("05", "00", "A"), APPROVED, "decides nothing"],
    ["an error", "33.05.0000|D1003:0001:aE|", APPROVED, "decides nothing"],
    ["that cannot be read", "33.05.0000|T9F27:0009:h40|", APPROVED, "cannot be read"],
    ["refused", "33.04.E000", APPROVED, "status E0"],
  ])("%s is a fault, never a verdict", (_what, body, issuer, detail) => {
    const { bench, n } = completing(issuer);
    bench.look();
    bench.tell(body, "00.0000");
    expect(bench.look()).toMatchObject({
      sent: ["00.0000"],
      notices: [{ n, on: "fault", detail: expect.stringContaining(detail) }],
    });
  });

  test("of a card that was pulled is a decline", () => {
    const { bench, n } = completing();
    bench.look();
    bench.tell("09.020201R", "33.05.0000|D1003:0001:aE|D1010:0005:aCRPRE|");
    expect(bench.look().notices).toMatchObject([
      { n: 0, on: "slot", card: false },
      { n, on: "finished", verdict: "declined" },
    ]);
  });

  test("stands although the device leaks behind it", () => {
    const { bench, n } = completing();
    bench.look();
    bench.tell(emv("05", "40", "A").replace("4761730000001119D", "4761739001011119D"));
    expect(bench.look().notices).toMatchObject([
      { n, on: "finished", verdict: "approved" },
      { n: 0, on: "fault", code: "clear-card-data" },
    ]);
  });

  test("ends the matter: a second one belongs to nothing", () => {
    const { bench } = completing();
    bench.tell(emv("05", "40", "A"), emv("05", "00", "D"));
    expect(bench.look().notices).toHaveLength(1);
    const next = bench.command({ do: "complete", issuer: APPROVED });
    expect(bench.look().notices).toMatchObject([{ n: next, on: "fault", code: "refused" }]);
  });
});

describe("a completion", () => {
  test.each([
    ["arc", { arc: "30" }],
    ["authentication", { authentication: "11" }],
    ["scripts", { scripts: [{ tag: "71", value: "xyz" }] as const }],
  ])("with a wrong %s is refused, and the card still waits", (_field, changes) => {
    const bench = held(createBench());
    const n = bench.command({ do: "complete", issuer: { ...APPROVED, ...changes } });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "refused" }] });
    bench.command({ do: "complete", issuer: APPROVED });
    expect(bench.look().sent).toEqual(["33.04.0000|T8A:0002:a00|"]);
  });

  test("cannot be cancelled, and everything else waits for it", () => {
    const { bench } = completing();
    bench.look();
    const cancel = bench.command({ do: "cancel" });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n: cancel, on: "fault", code: "refused" }] });
    bench.command({ do: "display", lines: ["Thank you"] });
    expect(bench.look().sent).toEqual([]);
    bench.tell(emv("05", "40", "A"));
    expect(bench.look().sent).toEqual(["24.msg.K3Z|Tprompt1,Thank you"]);
  });

  test("while a card waits no other collect begins", () => {
    const bench = held(createBench());
    const n = bench.command({ do: "collect", request: SALE });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "refused" }] });
  });

  test("that only the link can acknowledge is asked for again, once", () => {
    const bench = createBench();
    identified(bench);
    bench.command({ do: "collect", request: { ...SALE, interfaces: ["stripe"] } });
    bench.tell("13.0", `23.0M|;4761730000001119=3112101?|1:2:${"00".repeat(16)}:FFFF9876543210E00001`);
    bench.look();
    const n = bench.command({ do: "complete", issuer: APPROVED });
    expect([bench.look().sent, bench.timers()]).toMatchObject([["11."], { answer: QUERY_MS }]);
    const cancel = bench.command({ do: "cancel" });
    expect(bench.look().notices).toMatchObject([{ n: cancel, code: "refused" }]);
    bench.fire("answer");
    bench.fire("answer");
    expect(bench.look()).toMatchObject({
      sent: ["11."],
      notices: [{ n, on: "fault", code: "no-answer" }],
      reopen: true,
    });
  });
});
