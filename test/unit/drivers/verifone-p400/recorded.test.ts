import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { READER_END_MS } from "../../../../drivers/verifone-p400/timing.ts";
import type { Notice } from "../../../../src/card/notice.ts";
import { ALL } from "../../../support/driver-bench.ts";
import {
  answerIn,
  type Bench,
  CARD_IN,
  cardAnswer,
  createBench,
  deciding,
  decisionWanted,
  looking,
  NO_CARD,
  OK,
  REFUND,
  running,
  START_SALE,
  sealed,
  tapHeld,
  tapping,
  tlv,
} from "./bench.ts";

/*
 * What a UX301 was recorded to do (test/vectors/verifone-card-data.json): the end of a reader that was cancelled, and quick chip.
 */

const { recorded } = z
  .object({ recorded: z.object({ cancelContactless: z.object({ end: z.string(), answerMs: z.number(), endMs: z.number() }) }) })
  .parse(JSON.parse(readFileSync(new URL("../../../vectors/verifone-card-data.json", import.meta.url), "utf8")));

const LEFT = recorded.cancelContactless.end;
const lastOf = (bench: Bench): Notice | undefined => bench.look().notices.at(-1);

describe("CANCEL CONTACTLESS", () => {
  test.each([
    ["behind its answer", (bench: Bench) => [bench.answer(OK), bench.event(LEFT)]],
    ["before its answer", (bench: Bench) => [bench.event(LEFT), bench.answer(OK)]],
  ])("its recorded end, %s, starts the chip at once", (_when, end) => {
    const bench = createBench();
    tapping(bench);
    bench.event(CARD_IN);
    expect(bench.look().sent).toEqual(["cancel-contactless"]);
    end(bench);
    expect(bench.look().sent).toEqual([START_SALE]);
  });

  test("its recorded end is over a cancelled collect too, and is waited for longer than it was recorded to take", () => {
    const bench = createBench();
    const n = tapping(bench);
    bench.command({ do: "cancel" });
    bench.answer(OK);
    expect(bench.timers()["answer"]).toBe(READER_END_MS);
    expect(READER_END_MS).toBeGreaterThan(2 * recorded.cancelContactless.endMs);
    bench.event(LEFT);
    expect(bench.look().notices).toMatchObject([
      { n, on: "cancelled" },
      { n: n + 1, on: "cancelled" },
    ]);
  });

  test("an end that comes too late is nothing to the next tap, nor to one that is being completed", () => {
    const next = createBench();
    const n = looking(next, ALL, NO_CARD);
    next.answer(OK);
    next.look();
    next.event(LEFT);
    expect(next.look()).toEqual({ sent: [], notices: [], reopen: false });
    next.event(cardAnswer("E4", { results: "1F0302" }));
    expect(lastOf(next)).toMatchObject({ n, on: "card" });
    const done = tapHeld(createBench());
    done.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    done.answer(OK);
    done.event(LEFT);
    expect(done.look().notices).toEqual([]);
  });
});

describe("quick chip", () => {
  /** As recorded: the sealed block, and what the kernel knows before a cryptogram. */
  const E0 = answerIn("E0", `${sealed()}${tlv("5A", "374245AAAAAAAAAF")}${tlv("95", "0800000000")}${tlv("8A", "5A33")}`);

  test.each([
    ["a sale", undefined],
    ["a refund", REFUND],
  ])("is switched off in START and in the first CONTINUE of %s", (_what, request) => {
    const bench = createBench();
    looking(bench, request ?? { ...ALL, interfaces: ["chip"] }, CARD_IN);
    expect(bench.look().sent.at(-1)).toMatch(/^start-transaction .*DFCC790100/);
    bench.answer(decisionWanted());
    expect(bench.look().sent.at(-1)).toMatch(/^continue-transaction 0100 .*DFCC790100$/);
  });

  test("E0 in answer to the first CONTINUE is told at once, with the mend, and ends the transaction", () => {
    const bench = createBench();
    const n = deciding(bench);
    bench.answer(E0);
    expect(bench.look()).toMatchObject({
      sent: ["abort"],
      notices: [{ n, on: "fault", code: "misconfigured", detail: expect.stringMatching(/quick chip.*have quick chip switched off/) }],
    });
    bench.answer(OK, answerIn("EE", tlv("9F1E", "31")), OK);
    expect(bench.look()).toEqual({ sent: ["reset 0001", "card-status 0100"], notices: [], reopen: false });
  });

  test("E0 before the card was read is the late answer of an earlier command", () => {
    const bench = createBench();
    running(bench);
    bench.answer(E0);
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
  });
});
