import { describe, expect, test } from "vitest";
import { acquirerResponse } from "../../../../drivers/magtek-edynamo/issuer-answer.ts";
import type { IssuerResponse } from "../../../../src/emv/issuer-response.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { ALL } from "../../../support/driver-bench.ts";
import { held, identified, KSN, resultOf } from "./bench.ts";
import { vectors } from "./vectors.ts";

const APPROVED: IssuerResponse = { verdict: "approved", arc: "3030", scripts: [] };

describe("the issuer's answer", () => {
  test("is the published example, but for the length, which counts F9 alone", () => {
    const { serialNumber, responseCode, first } = vectors.acquirerResponse;
    const frame = { serialNumber: fromHex(serialNumber), macKsn: new Uint8Array(10) };
    const [packet = new Uint8Array(0), last = new Uint8Array(0)] = acquirerResponse(frame, [
      { tag: "8A", value: fromHex(responseCode) },
    ]);
    expect(toHex(packet)).toBe(first.replace("003C003AF9", "003C0030F9"));
    expect(toHex(last)).toBe(`490F00330303003C${"00".repeat(9)}`);
  });

  test("repeats what the ARQC had, and goes out packet by packet", () => {
    const bench = held();
    bench.command({
      do: "complete",
      issuer: {
        ...APPROVED,
        authentication: "11223344556677883030",
        scripts: [{ tag: "72", value: "9F180400000001" }],
      },
    });
    const [first] = bench.look().sent;
    expect(first).toMatch(new RegExp(`^acquirer 003DF93BDFDF540A${KSN}DFDF550182DFDF250742334632413143FA`));
    bench.pending();
    const [second] = bench.look().sent;
    expect(second).toMatch(/^acquirer\+51 /);
    bench.result();
    expect(bench.look()).toMatchObject({ sent: [], notices: [] });
  });

  test.each([
    ["approved", "0001", "3030"],
    ["declined", "3030", "3035"],
    ["declined", "3531", "3531"],
    ["unable-to-go-online", "3030", "5A33"],
  ] as const)("%s with %s is told as %s", (verdict, arc, told) => {
    const bench = held();
    bench.command({ do: "complete", issuer: { verdict, arc, scripts: [] } });
    expect(bench.look().sent[0]).toContain(`70048A02${told}`);
  });

  test.each([
    ["13", "00", { on: "finished", verdict: "approved" }],
    ["14", "01", { on: "finished", verdict: "declined" }],
    ["12", "02", { on: "finished", verdict: "declined" }],
    ["14", "00", { on: "fault", code: "protocol" }],
    ["", "00", { on: "fault", code: "protocol" }],
    ["13", "01", { on: "fault", code: "protocol" }],
    ["12", "10", { on: "fault", code: "device-error" }],
  ])("progress %s and status %s of an approved sale are %j", (stage, status, ending) => {
    const bench = held();
    const n = bench.command({ do: "complete", issuer: APPROVED });
    bench.pending();
    bench.result();
    if (stage !== "") bench.progress("06", stage);
    bench.tell("result", resultOf(status));
    expect(bench.look().notices).toMatchObject([{ n, ...ending }]);
  });

  test("an approval that the issuer did not give is a fault", () => {
    const bench = held();
    bench.command({ do: "complete", issuer: { verdict: "declined", arc: "3035", scripts: [] } });
    bench.pending();
    bench.result();
    bench.progress("06", "13");
    bench.tell("result", resultOf("00"));
    expect(bench.look().notices).toMatchObject([{ on: "fault", code: "protocol" }]);
  });

  test("what the result tells in clear comes with the verdict; a number among it is a leak, told after it", () => {
    const bench = held();
    bench.command({ do: "complete", issuer: APPROVED });
    bench.progress("06", "13");
    bench.tell("result", resultOf("00", [{ tag: "5A", value: fromHex("4761739001010119") }]));
    const { notices } = bench.look();
    expect(notices).toMatchObject([
      { on: "finished", verdict: "approved", emv: [{ tag: "9F06" }, { tag: "9F34" }] },
      { n: 0, on: "fault", code: "clear-card-data" },
    ]);
    expect(JSON.stringify(notices)).not.toContain("4761739001010119");
  });

  test.each([
    ["01", { on: "finished", verdict: "declined" }],
    ["02", { on: "finished", verdict: "declined" }],
    ["00", { on: "fault", code: "protocol" }],
  ])("a device that ended with %s before the answer: %j", (status, ending) => {
    const bench = held();
    bench.tell("result", resultOf(status));
    bench.command({ do: "complete", issuer: APPROVED });
    expect(bench.look()).toMatchObject({ sent: [], notices: [ending] });
  });

  test("a swipe whose device does not wait is acknowledged by its serial number", () => {
    for (const isEarly of [true, false]) {
      const bench = held(identified(), { type: "01" }, "0A");
      if (isEarly) bench.tell("result", resultOf("00"));
      bench.command({ do: "complete", issuer: APPROVED });
      if (!isEarly) {
        bench.pending();
        bench.result("038D");
      }
      expect(bench.look().sent.at(-1)).toBe("get-property 03");
      bench.answer(0, "42");
      expect(bench.look().notices).toMatchObject([{ on: "finished", verdict: "read" }]);
    }
  });

  test("an answer that is refused stops the card, and its word is unknown", () => {
    const bench = held();
    const n = bench.command({ do: "complete", issuer: APPROVED });
    bench.look();
    bench.result("0391");
    expect(bench.look().sent).toEqual(["cancel"]);
    bench.result();
    bench.tell("result", resultOf("10"));
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "device-error" }]);
  });

  test("a cancel comes too late, and silence is a fault", () => {
    const bench = held();
    bench.command({ do: "complete", issuer: APPROVED });
    bench.command({ do: "cancel" });
    expect(bench.look().notices).toMatchObject([{ on: "fault", code: "refused" }]);
    bench.pending();
    bench.result();
    bench.fire("answer");
    expect(bench.look()).toMatchObject({ notices: [{ on: "fault", code: "no-answer" }], reopen: true });
  });
});

describe("a stop", () => {
  test("cancels, and is over with the result, or two seconds after the answer", () => {
    for (const isTold of [true, false]) {
      const bench = held();
      const n = bench.command({ do: "cancel" });
      expect(bench.look().sent).toEqual(["cancel"]);
      bench.result();
      expect(bench.timers()["answer"]).toBe(2_000);
      if (isTold) bench.tell("result", resultOf("10"));
      else bench.fire("answer");
      expect(bench.look().notices).toEqual([{ n, on: "cancelled", by: "register" }]);
    }
  });

  test("the result may come before the answer", () => {
    const bench = held();
    const n = bench.command({ do: "cancel" });
    bench.tell("result", resultOf("10"));
    expect(bench.look().notices).toEqual([]);
    bench.result();
    expect(bench.look().notices).toEqual([{ n, on: "cancelled", by: "register" }]);
  });

  test("of a collect whose START is not answered waits for that, and what is told before is of an earlier one", () => {
    const bench = identified();
    bench.command({ do: "collect", request: ALL });
    bench.look();
    bench.command({ do: "cancel" });
    bench.tell("result", resultOf("00"));
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
    bench.result();
    expect(bench.look().sent).toEqual(["cancel"]);
    bench.result();
    expect(bench.look().notices).toEqual([]);
    bench.tell("result", resultOf("10"));
    expect(bench.look().notices).toMatchObject([{ on: "cancelled" }, { on: "cancelled" }]);
  });

  test("of a card that is refused is over with its result, or at once where nothing runs any more", () => {
    const bench = held();
    const n = bench.command({ do: "cancel" });
    bench.result("038F");
    bench.pending();
    bench.result();
    expect(bench.look().notices).toEqual([]);
    bench.tell("result", resultOf("01"));
    expect(bench.look().notices).toEqual([{ n, on: "cancelled", by: "register" }]);
    const gone = held();
    gone.command({ do: "cancel" });
    gone.result("038F");
    gone.pending();
    gone.result("038D");
    expect(gone.look()).toMatchObject({ notices: [{ on: "cancelled" }], reopen: false });
  });

  test("that takes too long opens the link anew", () => {
    const bench = held();
    bench.command({ do: "cancel" });
    bench.fire("watchdog");
    expect(bench.look()).toMatchObject({ notices: [{ on: "fault", code: "no-answer" }], reopen: true });
  });

  test("an approval that crosses the cancel is told as a fault", () => {
    const bench = held();
    bench.command({ do: "cancel" });
    bench.result();
    bench.tell("result", resultOf("00"));
    expect(bench.look().notices).toMatchObject([{ on: "fault", code: "protocol" }]);
  });

  test("idle leaves nothing running, and is done at once where nothing does", () => {
    const bench = held();
    const n = bench.command({ do: "idle" });
    bench.result("038D");
    expect(bench.look().notices).toEqual([{ n, on: "done" }]);
    const next = bench.command({ do: "idle" });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n: next, on: "done" }] });
  });
});
