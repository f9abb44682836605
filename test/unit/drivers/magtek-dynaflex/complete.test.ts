import { describe, expect, test } from "vitest";
import type { IssuerResponse } from "../../../../src/emv/issuer-response.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { ALL } from "../../../support/driver-bench.ts";
import { arqc, type Bench, batch, createBench, held, identified, PROPERTIES, running } from "./bench.ts";

const APPROVED: IssuerResponse = {
  verdict: "approved",
  arc: "3030",
  authentication: "11223344556677883030",
  scripts: [],
};
const DECLINED: IssuerResponse = { verdict: "declined", arc: "3531", scripts: [] };
const UNREACHED: IssuerResponse = { verdict: "unable-to-go-online", arc: "5A33", scripts: [] };
/** `RESUME` around the answer. */
function resume(answer: string): string {
  const size = (hex: string): string => (hex.length / 2).toString(16).padStart(2, "0").toUpperCase();
  const seventy = `70${size(answer)}${answer}`;
  const inner = `DFDF250742363033323236FA${size(seventy)}${seventy}`;
  const arpc = `FF74${size(inner)}${inner}`;
  return `resume 81010084${size(arpc)}${arpc}`;
}

describe("RESUME", () => {
  test.each<[string, IssuerResponse, string]>([
    ["an approval", APPROVED, "8A023030910A11223344556677883030"],
    ["an approval with another code", { ...APPROVED, arc: "3130" }, "8A023030910A11223344556677883030"],
    ["a refusal", DECLINED, "8A023531"],
    ["a refusal whose code means another interface to the device", { ...DECLINED, arc: "3132" }, "8A023035"],
    ["a refusal whose code means a PIN to the device", { ...DECLINED, arc: "3133" }, "8A023035"],
    ["a referral", { ...DECLINED, arc: "3031" }, "8A023035"],
    ["an issuer that could not be reached", UNREACHED, "8A025A33"],
    [
      "scripts",
      {
        ...DECLINED,
        scripts: [
          { tag: "71", value: "9F1804" },
          { tag: "72", value: "AA" },
        ],
      },
      "8A02353171039F18047201AA",
    ],
    [
      "a script that is too long",
      {
        ...DECLINED,
        scripts: [
          { tag: "72", value: "00".repeat(127) },
          { tag: "71", value: "AA" },
        ],
      },
      "8A0235317101AA",
    ],
  ])("hands over %s, with the serial number of the ARQC and nothing undocumented", (_what, issuer, answer) => {
    const bench = held(createBench());
    bench.command({ do: "complete", issuer });
    expect(bench.look().sent).toEqual([resume(answer)]);
  });

  test("a script of 128 bytes with its head still goes", () => {
    const bench = held(createBench());
    bench.command({ do: "complete", issuer: { ...DECLINED, scripts: [{ tag: "72", value: "00".repeat(125) }] } });
    expect(bench.look().sent[0]).toContain("727D00");
  });

  test.each([
    ["no card is there", false, APPROVED],
    ["the answer is none", true, { ...APPROVED, arc: "" }],
  ] as const)("is refused where %s, before anything is said", (_what, isHeld, issuer) => {
    const bench = isHeld ? held(createBench()) : identified(createBench());
    const n = bench.command({ do: "complete", issuer });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "refused" }] });
  });

  test("a serial device that holds no message as long gets one without scripts", () => {
    const tooLong = (bench: Bench): void => bench.feed({ on: "bytes", bytes: fromHex("C00300000040C0") });
    const bench = held(createBench("serial"));
    const n = bench.command({ do: "complete", issuer: { ...APPROVED, scripts: [{ tag: "72", value: "AA" }] } });
    tooLong(bench);
    expect(bench.look().sent).toEqual([
      resume("8A023030910A112233445566778830307201AA"),
      resume("8A023030910A11223344556677883030"),
    ]);
    tooLong(bench);
    expect(bench.look()).toMatchObject({ reopen: true, notices: [{ n, on: "fault", code: "device-error" }] });
  });
});

describe("the card's final word", () => {
  const READ = { on: "finished", verdict: "read" };

  test.each([
    ["chip", "10", "05", APPROVED, "10020600", "00", { on: "finished", verdict: "approved" }],
    ["chip", "10", "05", APPROVED, "10028000", "01", { on: "finished", verdict: "declined" }],
    ["chip", "10", "05", APPROVED, "10020800", "02", { on: "finished", verdict: "declined" }],
    ["chip", "10", "05", DECLINED, "10028000", "01", { on: "finished", verdict: "declined" }],
    ["chip", "10", "05", UNREACHED, "10040700", "01", { on: "finished", verdict: "declined" }],
    ["tap", "20", "06", APPROVED, "20020600", "00", READ],
    ["tap", "20", "06", APPROVED, "20028000", "01", { on: "finished", verdict: "declined" }],
    ["tap", "20", "06", DECLINED, "20028000", "01", READ],
    ["magstripe", "08", "01", APPROVED, "08020600", "00", READ],
    ["magstripe", "08", "01", APPROVED, "08020700", "00", READ],
    ["magstripe", "08", "01", DECLINED, "08028000", "01", READ],
    ["chip", "10", "05", DECLINED, "10020600", "00", { on: "fault", code: "protocol" }],
    ["chip", "10", "05", APPROVED, "10020600", "01", { on: "fault", code: "protocol" }],
    ["chip", "10", "05", APPROVED, "10028000", "00", { on: "fault", code: "protocol" }],
    ["chip", "10", "05", APPROVED, "10020700", "01", { on: "fault", code: "misconfigured" }],
    ["chip", "10", "05", APPROVED, "00010000", "02", { on: "fault", code: "device-error" }],
  ] as const)(
    "%s: after its issuer's answer and the outcome, with batch data in either order",
    (_via, technology, type, issuer, code, word, ending) => {
      for (const isBatchFirst of [true, false]) {
        const bench = held(createBench(), technology, type);
        const n = bench.command({ do: "complete", issuer });
        bench.answer();
        bench.look();
        const sayBatch = (): void => bench.tell("progress", `${technology}080302`, batch(word));
        if (isBatchFirst) sayBatch();
        bench.tell("outcome", code);
        if (!isBatchFirst) sayBatch();
        expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, ...ending }] });
        expect(bench.timers()).toEqual({});
      }
    },
  );

  test("the batch data give the receipt what is clear, and nothing else", () => {
    const bench = held(createBench());
    bench.command({ do: "complete", issuer: APPROVED });
    bench.answer();
    bench.tell("outcome", "10020600");
    bench.tell(
      "progress",
      "10080302",
      batch("00", [
        ["9F06", "A0000000031010"],
        ["5F24", "311231"],
        ["9F34", "420300"],
        ["5F34", "01"],
      ]),
    );
    const [finished] = bench.look().notices;
    expect(finished?.on === "finished" && finished.emv.map(({ tag }) => tag)).toEqual(["9F06", "9F34", "5F34"]);
  });

  test("outcome and batch data may come before the answer to RESUME, and without batch data the outcome stands", () => {
    const bench = held(createBench());
    const n = bench.command({ do: "complete", issuer: APPROVED });
    bench.tell("outcome", "10020600");
    bench.tell("progress", "10080302", batch("00"));
    expect(bench.look().notices).toMatchObject([{ n, verdict: "approved" }]);
    const other = held(createBench());
    other.command({ do: "complete", issuer: APPROVED });
    other.answer();
    expect(other.timers()).toMatchObject({ answer: 20_000 });
    other.tell("outcome", "10020600");
    expect(other.timers()).toMatchObject({ answer: 2_000 });
    other.fire("answer");
    expect(other.look().notices).toMatchObject([{ on: "finished", verdict: "approved", emv: [] }]);
  });

  test("a leak in the batch data is told after the verdict", () => {
    const bench = held(createBench());
    const n = bench.command({ do: "complete", issuer: APPROVED });
    bench.answer();
    bench.tell("outcome", "10020600");
    bench.tell("progress", "10080302", batch("00", [["57", "4761739001010119D22122010000000000"]]));
    expect(bench.look().notices).toMatchObject([
      { n, verdict: "approved" },
      { n: 0, on: "fault", code: "clear-card-data" },
    ]);
  });

  test.each([
    ["RESUME is not answered", (bench: Bench) => bench.fire("answer")],
    [
      "no outcome comes",
      (bench: Bench) => {
        bench.answer();
        bench.fire("answer");
      },
    ],
    ["the device restarts", (bench: Bench) => bench.tell("device", "00000000")],
  ])("is unknown where %s, and the link is opened anew", (_what, happens) => {
    const bench = held(createBench());
    const n = bench.command({ do: "complete", issuer: APPROVED });
    happens(bench);
    expect(bench.look()).toMatchObject({ reopen: true, notices: [{ n, on: "fault" }] });
  });

  test("a RESUME that is not taken ends the transaction, and the card's word is unknown", () => {
    const bench = held(createBench());
    const n = bench.command({ do: "complete", issuer: APPROVED });
    bench.answer("020102");
    bench.look();
    bench.answer();
    bench.tell("outcome", "00030100");
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "device-error" }]);
    const gone = held(createBench());
    gone.command({ do: "complete", issuer: APPROVED });
    gone.answer("020304");
    expect(gone.look().notices).toMatchObject([{ on: "fault", code: "device-error" }]);
  });

  test("a cancel comes too late", () => {
    const bench = held(createBench());
    bench.command({ do: "complete", issuer: APPROVED });
    const n = bench.command({ do: "cancel" });
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "refused" }]);
  });
});

describe("a card that nobody on the device waits with", () => {
  const ECHO = "echo 8103010203";

  test("after a number was typed, or a device that did not wait after a swipe, an echo acknowledges", () => {
    const typed = held(createBench(), "07", "03");
    const n = typed.command({ do: "complete", issuer: APPROVED });
    expect(typed.look().sent).toEqual([ECHO]);
    typed.answer();
    expect(typed.look().notices).toEqual([{ n, on: "finished", verdict: "read", emv: [] }]);
    const swiped = held(createBench(), "08", "01");
    swiped.tell("outcome", "08020700");
    swiped.command({ do: "complete", issuer: APPROVED });
    expect(swiped.look().sent).toEqual([ECHO]);
    const late = held(createBench(), "08", "01");
    late.command({ do: "complete", issuer: APPROVED });
    late.look();
    late.answer("020304");
    expect(late.look().sent).toEqual([ECHO]);
  });

  test.each([
    ["10028000", { on: "finished", verdict: "declined" }],
    ["10020300", { on: "finished", verdict: "declined" }],
    ["10020600", { on: "fault", code: "protocol" }],
    ["10020700", { on: "fault", code: "misconfigured" }],
    ["00010000", { on: "fault", code: "device-error" }],
    ["20020300", { on: "fault", code: "protocol" }],
  ])("a chip whose device ended the transaction (%s) before its issuer answered", (code, ending) => {
    const bench = held(createBench());
    bench.tell("outcome", code);
    const n = bench.command({ do: "complete", issuer: APPROVED });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, ...ending }] });
    expect(bench.state().device.held).toBeUndefined();
  });

  test("a device that restarted meanwhile has forgotten its card", () => {
    const bench = held(createBench());
    bench.tell("device", "00000000");
    expect(bench.look()).toMatchObject({ reopen: true, notices: [{ n: 0, on: "fault", code: "device-error" }] });
    const n = bench.command({ do: "complete", issuer: APPROVED });
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "no-answer" }]);
  });

  test("a refund waits for nobody: the transaction is over before the card is told", () => {
    const bench = createBench();
    const n = running(bench, { ...ALL, transactionType: "20" }, PROPERTIES);
    bench.tell("progress", "10010200");
    bench.look();
    bench.tell("progress", "10080202", arqc());
    expect(bench.look()).toMatchObject({ sent: ["cancel"], notices: [] });
    bench.answer();
    bench.tell("outcome", "00030100");
    expect(bench.look().notices).toMatchObject([{ n, on: "card", card: { decision: "online" } }]);
    bench.command({ do: "complete", issuer: APPROVED });
    expect(bench.look().notices).toMatchObject([{ on: "fault", code: "refused" }]);
  });
});
