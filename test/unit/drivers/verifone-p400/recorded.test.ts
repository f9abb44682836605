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
import { GO_ON, type Bench as SimulatedBench, START, bench as simulated, TAP, told } from "./simulator-bench.ts";

/*
 * What a UX301 was recorded to do (test/vectors/verifone-card-data.json): the end of a reader that was cancelled, quick
 * chip, and its times, which a simulated device has
 * at its real pace.
 */

const { recorded } = z
  .object({
    recorded: z.object({
      cancelContactless: z.object({ end: z.string(), answerMs: z.number(), endMs: z.number() }),
      chip: z.object({ startMs: z.number(), firstContinueMs: z.number(), secondContinueMs: z.number() }),
    }),
  })
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
  const E0 = answerIn(
    "E0",
    `${sealed()}${tlv("5A", "374245AAAAAAAAAF")}${tlv("95", "0800000000")}${tlv("8A", "5A33")}`,
  );

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
      notices: [
        {
          n,
          on: "fault",
          code: "misconfigured",
          detail: expect.stringMatching(/quick chip.*have quick chip switched off/),
        },
      ],
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

describe("the simulated device at its real pace", () => {
  /** Milliseconds until what was asked for came, or undefined where it did not within a minute. */
  const msUntil = async (at: SimulatedBench, begins: string): Promise<number | undefined> => {
    for (let ms = 1; ms < 60_000; ms += 1) if ((await at.news(1)).some((body) => body.startsWith(begins))) return ms;
    return undefined;
  };

  test("takes the recorded time from START to E2, and over both CONTINUEs", async () => {
    const at = simulated({ pace: "real" });
    at.terminal.present("signature");
    at.send("start-transaction", { data: START });
    expect(await msUntil(at, "E2")).toBeCloseTo(recorded.chip.startMs, -1);
    at.send("continue-transaction", { p1: 0x01, data: GO_ON });
    expect(await msUntil(at, "E4")).toBeCloseTo(recorded.chip.firstContinueMs, -1);
    at.send("continue-transaction", { data: told("3030") });
    // Without the issuer's word for the card (91) it declines, in the same time.
    expect(await msUntil(at, "E5")).toBeCloseTo(recorded.chip.secondContinueMs, -1);
  });

  test("leaves its reader in the recorded time", async () => {
    const at = simulated({ pace: "real" });
    await at.ask("open-reader");
    await at.ask("start-contactless", { p2: 60, data: TAP });
    at.send("cancel-contactless");
    expect(await msUntil(at, OK)).toBe(recorded.cancelContactless.answerMs);
    expect(await msUntil(at, `u:${LEFT}`)).toBe(recorded.cancelContactless.endMs);
  });
});
