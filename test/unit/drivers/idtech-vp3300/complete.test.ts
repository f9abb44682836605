import { describe, expect, test } from "vitest";
import { COMPLETE_MS, QUERY_MS } from "../../../../drivers/idtech-vp3300/timing.ts";
import type { IssuerResponse } from "../../../../src/emv/issuer-response.ts";
import { toHex } from "../../../../src/kit/hex.ts";
import { ALL } from "../../../support/driver-bench.ts";
import {
  type Bench,
  chipAnswer,
  createBench,
  held,
  idles,
  MORE,
  ONLINE,
  swipeAnswer,
  tapAnswer,
  waiting,
} from "./bench.ts";
import { frameHex } from "./vectors.ts";

const APPROVED: IssuerResponse = { verdict: "approved", arc: "3030", scripts: [] };
const completing = (
  issuer: IssuerResponse = APPROVED,
): { readonly bench: Bench; readonly n: number; readonly sent: readonly string[] } => {
  const bench = held(createBench());
  const n = bench.command({ do: "complete", issuer });
  return { bench, n, sent: bench.look().sent };
};
const tapped = (answer: string): Bench => {
  const bench = createBench();
  waiting(bench, ALL);
  bench.answer(answer);
  bench.look();
  return bench;
};

describe("the issuer's answer for a chip", () => {
  test("is the recorded command: code, authentication data, scripts", () => {
    const { bench, sent } = completing({ ...APPROVED, authentication: "11223344556677883030" });
    expect(sent).toEqual([`complete ${frameHex("c6012_approve").slice(28, -4)}`]);
    expect(bench.timers()).toEqual({ answer: COMPLETE_MS });
    const scripts = [
      { tag: "71", value: "860500112233AA" },
      { tag: "72", value: "9F180400000001" },
    ] as const;
    expect(completing({ ...APPROVED, scripts }).sent).toEqual([
      "complete 018A0230307107860500112233AA72079F180400000001",
    ]);
  });

  test("without a host is the recorded command too", () => {
    const { sent } = completing({ verdict: "unable-to-go-online", arc: "5A33", scripts: [] });
    expect(sent).toEqual([`complete ${frameHex("c6012_unable_online").slice(28, -4)}`]);
  });

  test("leaves out scripts that no frame holds, and nothing else", () => {
    const { sent } = completing({ ...APPROVED, scripts: [{ tag: "72", value: "00".repeat(3000) }] });
    expect(sent).toEqual(["complete 018A023030"]);
  });

  test.each<[string, Partial<IssuerResponse>]>([
    ["arc", { arc: "00" }],
    ["authentication", { authentication: "11" }],
    ["scripts", { scripts: [{ tag: "71", value: "x" }] }],
  ])("with a wrong %s is refused by that name, and the card still waits", (field, wrong) => {
    const { bench, n, sent } = completing({ ...APPROVED, ...wrong });
    expect(sent).toEqual([]);
    expect(n).toBeGreaterThan(0);
    bench.command({ do: "complete", issuer: APPROVED });
    expect(bench.look().sent).toEqual(["complete 018A023030"]);
    expect(field).not.toBe("");
  });

  test("that nobody waits for is refused", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.fire("settle");
    const n = bench.command({ do: "complete", issuer: APPROVED });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, code: "refused" }] });
  });
});

describe("the card's last word", () => {
  test("is an approval with a certificate of the same transaction", () => {
    const { bench, n } = completing();
    bench.answer(MORE, chipAnswer("0002", "40"));
    const { notices, reopen } = bench.look();
    expect(notices).toMatchObject([{ n, on: "finished", verdict: "approved" }]);
    expect(notices[0]?.on === "finished" && notices[0].emv.map(({ tag }) => tag)).toEqual([
      "95",
      "9C",
      "9F02",
      "9F26",
      "9F27",
      "9F36",
    ]);
    expect(reopen).toBe(false);
    expect(bench.timers()).toEqual({});
  });

  test("the recorded approval is one", () => {
    const { bench, n } = completing();
    bench.answer(`6000 ${frameHex("c6012_approved_0002").slice(28, -4)}`);
    expect(bench.look().notices).toMatchObject([{ n, on: "finished", verdict: "approved" }]);
  });

  test.each(["0003", "0001", "3005"])("%s is a decline", (result) => {
    const { bench, n } = completing();
    bench.answer(`6000 C0DFEE2502${result}9F270100`);
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "finished", verdict: "declined" }] });
  });

  test.each<[string, IssuerResponse["verdict"], string]>([
    ["an approval the issuer did not give", "declined", chipAnswer("0002", "40")],
    ["an approval without a host", "unable-to-go-online", chipAnswer("0002", "40")],
    ["an approval whose cryptogram says no", "approved", chipAnswer("0002", "00")],
    ["an approval of another transaction", "approved", chipAnswer("0002", "40", "028A")],
    ["no result", "approved", "6000 C0"],
    ["an error", "approved", "6000 C0DFEE25025028"],
    ["a refusal", "approved", "600B"],
  ])("%s is none: a fault", (_what, verdict, answer) => {
    const { bench, n } = completing({ verdict, arc: "3030", scripts: [] });
    bench.answer(answer);
    expect(bench.look()).toMatchObject({ sent: ["cancel"], notices: [{ n, on: "fault" }] });
    idles(bench);
    expect(bench.look().notices).toEqual([]);
  });

  test("that does not come is not known, and the command is never sent twice", () => {
    const { bench, n } = completing();
    bench.fire("answer");
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "no-answer" }], reopen: true });
  });

  test("an earlier answer that comes twice changes nothing, and neither do slot and dialogues", () => {
    const { bench, n } = completing();
    bench.answer(ONLINE, "1800");
    bench.tell("F200 00", "6101 01 0000 0200 454E 0000 0000");
    expect(bench.look()).toEqual({
      sent: ["dialogue 0101"],
      notices: [{ n: 0, on: "slot", card: false }],
      reopen: false,
    });
    bench.answer("6000 C0DFEE25020003");
    expect(bench.look().notices).toMatchObject([{ n, verdict: "declined" }]);
  });

  test("stands although the device leaks in it, and the leak is told behind it", () => {
    const { bench, n } = completing();
    bench.answer(chipAnswer("0002", "40", "0289", "5A084761739001010119"));
    expect(bench.look().notices).toMatchObject([
      { n, on: "finished", verdict: "approved" },
      { n: 0, on: "fault", code: "clear-card-data" },
    ]);
  });

  test("comes before a cancel", () => {
    const { bench } = completing();
    const n = bench.command({ do: "cancel" });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "refused" }] });
  });

  test("a start-up notice means that it will not come", () => {
    const { bench, n } = completing();
    bench.tell("1401 4E454F");
    expect(bench.look()).toMatchObject({ notices: [{ n, on: "fault", code: "device-error" }], reopen: true });
  });
});

describe("a card that nobody on the device waits for", () => {
  test.each([
    ["tap", tapAnswer("23", "80")],
    ["swipe", swipeAnswer()],
  ])("a %s is acknowledged by a device that still answers", (_what, answer) => {
    const bench = tapped(answer);
    const n = bench.command({ do: "complete", issuer: APPROVED });
    expect([bench.look().sent, bench.timers()]).toEqual([["ping"], { answer: QUERY_MS }]);
    const cancel = bench.command({ do: "cancel" });
    expect(bench.look().notices).toMatchObject([{ n: cancel, code: "refused" }]);
    bench.answer("1800");
    expect(bench.look().notices).toEqual([{ n, on: "finished", verdict: "read", emv: [] }]);
  });

  test("one that does not answer twice is lost", () => {
    const bench = tapped(tapAnswer("23", "80"));
    const n = bench.command({ do: "complete", issuer: APPROVED });
    bench.fire("answer");
    bench.fire("answer");
    expect(bench.look()).toMatchObject({ sent: ["ping", "ping"], notices: [{ n, code: "no-answer" }], reopen: true });
  });
});

describe("a screen", () => {
  test("of a reader without one has nothing to show", () => {
    const bench = held(createBench());
    const n = bench.command({ do: "display", lines: ["APPROVED"], meaning: "approved" });
    expect(bench.look()).toEqual({ sent: [], notices: [{ n, on: "done" }], reopen: false });
  });

  test.each([
    ["approved", "04010000"],
    ["not-approved", "05020000"],
    ["undecided", "0B000000"],
  ] as const)("shows a text of its own for %s", (meaning, data) => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.fire("settle");
    bench.command({ do: "identify" });
    idles(bench);
    const firmware = toHex(new TextEncoder().encode("VP8800 FW v1"));
    bench.answer(`2900 ${firmware}`, "8100 01", `1200 ${"31".repeat(15)}`, "0100", "8100 01", "0900", "0100");
    bench.look();
    const n = bench.command({ do: "display", lines: ["x"], meaning });
    expect(bench.look().sent).toEqual([`screen ${data}`]);
    bench.answer("0100");
    expect(bench.look().notices).toEqual([{ n, on: "done" }]);
    const m = bench.command({ do: "display", lines: ["x"], meaning });
    bench.answer("0105");
    expect(bench.look().notices).toMatchObject([{ n: m, on: "fault", code: "device-error" }]);
    const first = bench.command({ do: "display", lines: ["x"], meaning });
    bench.look();
    const second = bench.command({ do: "display", lines: ["x"], meaning });
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
    bench.answer("0100");
    expect(bench.look()).toMatchObject({ sent: [`screen ${data}`], notices: [{ n: first, on: "done" }] });
    bench.tell("1401 4E454F");
    expect(bench.look()).toMatchObject({ notices: [{ n: second, on: "fault", code: "device-error" }], reopen: true });
  });
});
