import { describe, expect, test } from "vitest";
import type { Notice } from "../../../../src/card/notice.ts";
import type { IssuerResponse } from "../../../../src/emv/issuer-response.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { ALL } from "../../../support/driver-bench.ts";
import {
  answerAll,
  arqc,
  type Bench,
  batch,
  createBench,
  held,
  identified,
  MASKED,
  PLAIN,
  PROPERTIES,
  running,
} from "./bench.ts";

/*
 * Clauses of section 10 of the PROTOCOL.md the other way round, as far as they are about the issuer's answer, the end
 * of a transaction, and time: the driver
 * survives it, or ends with a clear fault, and never tells a verdict that is not the card's.
 */

const APPROVED: IssuerResponse = { verdict: "approved", arc: "3030", scripts: [] };
const UNREACHED: IssuerResponse = { verdict: "unable-to-go-online", arc: "5A33", scripts: [] };
const OTHER_MASKED = ";5413330000000219=22122010000000000000?";

const endingOf = (bench: Bench, n: number): Notice | undefined =>
  bench.look().notices.findLast((notice) => notice.n === n);

function collecting(bench: Bench, request = ALL): number {
  const n = bench.command({ do: "collect", request });
  bench.answer();
  bench.look();
  return n;
}

describe("a device that does not take Z3 for an issuer who could not be reached", () => {
  const unreached = (bench: Bench): number => {
    const n = bench.command({ do: "complete", issuer: UNREACHED });
    expect(bench.look().sent).toEqual([expect.stringMatching(/8A025A33$/)]);
    return n;
  };

  test("I12 but refuses it is cancelled, and the card's word is unknown", () => {
    const bench = held(createBench());
    const n = unreached(bench);
    bench.answer("020102");
    expect(bench.look()).toMatchObject({ sent: ["cancel"], notices: [] });
    bench.answer();
    bench.tell("outcome", "00030100");
    expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "device-error" });
  });

  test("I12 but refuses it, and cannot be cancelled either, loses its link", () => {
    const bench = held(createBench());
    const n = unreached(bench);
    bench.answer("020102");
    bench.answer("020305");
    bench.answer("020102");
    expect(bench.look()).toMatchObject({ reopen: true, notices: [{ n, on: "fault", code: "device-error" }] });
  });

  test.each([
    ["10", "05", "10020600"],
    ["20", "06", "20020600"],
    ["20", "06", "20020200"],
    ["08", "01", "08020600"],
  ])(
    "I12 but for an approval (technology %s, card type %s, outcome %s) is a fault, and no verdict",
    (technology, type, code) => {
      const bench = held(createBench(), technology, type);
      const n = unreached(bench);
      bench.answer();
      bench.tell("outcome", code);
      bench.tell("progress", `${technology}080302`, batch("00"));
      expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "protocol" });
    },
  );

  test("I12 but for a reason to ask once more has no final word: no answer", () => {
    const bench = held(createBench());
    const n = unreached(bench);
    bench.answer();
    bench.tell("progress", "10080202", arqc());
    expect(bench.look().notices).toEqual([]);
    bench.fire("answer");
    expect(bench.look()).toMatchObject({ reopen: true, notices: [{ n, on: "fault", code: "no-answer" }] });
  });

  test("I12 but for an approval while a payment is cancelled is a fault, and no cancellation", () => {
    const bench = held(createBench());
    const n = bench.command({ do: "cancel" });
    bench.answer("020305");
    bench.answer();
    bench.tell("outcome", "10020600");
    expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "protocol" });
  });
});

describe("batch data that come later than the outcome stands", () => {
  /** A chip whose issuer approved, with an outcome and without batch data. */
  const withoutBatch = (): Bench => {
    const bench = held(createBench());
    const n = bench.command({ do: "complete", issuer: APPROVED });
    bench.answer();
    bench.tell("outcome", "10020600");
    expect(bench.timers()).toMatchObject({ answer: 2_000 });
    bench.fire("answer");
    expect(endingOf(bench, n)).toEqual({ n, on: "finished", verdict: "approved", emv: [] });
    return bench;
  };
  const late = (bench: Bench, word = "01"): void => bench.tell("progress", "10080302", batch(word));

  test("I13 are told to nobody, and the next payment has the device to itself", () => {
    const bench = withoutBatch();
    late(bench);
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
    const n = collecting(bench);
    bench.tell("progress", "10010200");
    bench.tell("progress", "10080202", arqc());
    expect(endingOf(bench, n)).toMatchObject({ on: "card", card: { decision: "online" } });
  });

  test.each([
    ["00", "10020200", "approved-offline"],
    ["01", "10020300", "declined-offline"],
  ])(
    "I13 and in the middle of the next payment (DFDF1A %s) are not its card's, which decides by itself (%s)",
    (word, code, decision) => {
      for (const isBefore of [true, false]) {
        const bench = withoutBatch();
        const n = collecting(bench);
        bench.tell("progress", "10010200");
        if (isBefore) late(bench, word);
        bench.tell("outcome", code);
        if (!isBefore) late(bench, word);
        expect(endingOf(bench, n)).toEqual({
          n,
          on: "card",
          card: { interface: "chip", decision, icc: [], masked: { last4: "" } },
        });
      }
    },
  );

  test("I13 and in the middle of a refund give no money to the card before", () => {
    const bench = withoutBatch();
    const n = collecting(bench, { ...ALL, transactionType: "20" });
    bench.tell("progress", "10010200");
    late(bench);
    bench.tell("outcome", "10020300");
    expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "protocol" });
  });

  test("I13 and contradict what the next card decides by itself: a fault", () => {
    const bench = withoutBatch();
    const n = collecting(bench);
    bench.tell("progress", "10010200");
    late(bench);
    bench.tell("outcome", "10020200");
    expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "protocol" });
  });

  test("I13 are owed no longer once an idle device told them: the next card that decides by itself has its data", () => {
    const bench = withoutBatch();
    late(bench);
    const n = collecting(bench);
    bench.tell("progress", "10010200");
    bench.tell("outcome", "10020200");
    late(bench, "00");
    expect(endingOf(bench, n)).toMatchObject({
      on: "card",
      card: { decision: "approved-offline", masked: { last4: "0119" } },
    });
  });

  test("I13 and while the next card waits for its issuer are nothing to its verdict", () => {
    const bench = withoutBatch();
    collecting(bench);
    bench.tell("progress", "10010200");
    bench.tell("progress", "10080202", arqc({ masked: OTHER_MASKED }));
    late(bench);
    bench.look();
    const n = bench.command({ do: "complete", issuer: APPROVED });
    bench.answer();
    bench.tell("outcome", "10028000");
    bench.tell("progress", "10080302", batch("01"));
    expect(endingOf(bench, n)).toMatchObject({ on: "finished", verdict: "declined" });
  });

  test("I13 and after the next card has its answer contradict its approval: a fault, and no verdict", () => {
    const bench = withoutBatch();
    collecting(bench);
    bench.tell("progress", "10080202", arqc());
    const n = bench.command({ do: "complete", issuer: APPROVED });
    late(bench);
    bench.answer();
    bench.tell("outcome", "10020600");
    bench.tell("progress", "10080302", batch("00"));
    expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "protocol" });
  });

  test("I13 and of a card that decided by itself, leave that card without its data, and a refund without its card", () => {
    for (const [transactionType, ending] of [
      ["00", { on: "card", card: { decision: "approved-offline", masked: { last4: "" } } }],
      ["20", { on: "fault", code: "protocol" }],
    ] as const) {
      const bench = createBench();
      const n = running(bench, { ...ALL, transactionType });
      bench.tell("progress", "10010200");
      bench.tell("outcome", "10020200");
      bench.fire("answer");
      expect(endingOf(bench, n)).toMatchObject(ending);
      late(bench, "00");
      expect(bench.look().notices).toEqual([]);
    }
  });
});

describe("a chip that was pulled", () => {
  const failedAt = (bench: Bench): number => {
    const n = running(bench);
    bench.tell("progress", "10010200");
    bench.look();
    bench.tell("outcome", "10020002");
    return n;
  };

  test("I17 and is told as removed later, counts as unreadable, and is to be tried by its chip again", () => {
    const bench = createBench();
    const n = failedAt(bench);
    bench.fire("answer");
    bench.tell("device", "01030000");
    expect(bench.look().notices).toEqual([
      { n, on: "no-card", why: "chip-unreadable" },
      { n: 0, on: "slot", card: false },
    ]);
    const again = bench.command({ do: "collect", request: { ...ALL, again: "chip-unreadable" } });
    bench.answer();
    bench.tell("progress", "10010200");
    bench.tell("progress", "10080202", arqc());
    expect(bench.look().notices.at(-1)).toMatchObject({ n: again, on: "card", card: { interface: "chip" } });
  });

  test("I17 and is told as removed only when it is asked out, starts the next try and is no card of it", () => {
    const bench = createBench();
    failedAt(bench);
    bench.fire("answer");
    const again = collecting(bench, { ...ALL, again: "fallback" });
    bench.tell("progress", "10010300");
    expect(bench.look().sent).toEqual([expect.stringMatching(/^start .*810101820100830100/)]);
    bench.answer();
    bench.tell("outcome", "10020002");
    bench.tell("progress", "10010300");
    expect(endingOf(bench, again)).toEqual({ n: again, on: "no-card", why: "removed" });
  });

  test("I17 within 100 ms although the chip cannot be read, is removed: it is tried once more before the stripe is", () => {
    const bench = createBench();
    const n = failedAt(bench);
    bench.tell("progress", "10010300");
    expect(bench.look().notices.at(-1)).toEqual({ n, on: "no-card", why: "removed" });
  });
});

describe("applications in another order than the card's own choice", () => {
  const choosing = (): { readonly bench: Bench; readonly n: number } => {
    const bench = createBench();
    const n = running(bench, ALL, PLAIN);
    bench.tell("progress", "10010200");
    bench.look();
    bench.tell("screen", "02020000", fromHex("81011E82010183094D41455354524F005649534100"));
    expect(bench.look().sent).toEqual(["selection 810100820100"]);
    return { bench, n };
  };

  test("I18 it is another application of the same card, whose own data are told", () => {
    const { bench, n } = choosing();
    bench.answer();
    bench.tell("progress", "10080202", arqc({ masked: OTHER_MASKED }));
    expect(endingOf(bench, n)).toMatchObject({
      on: "card",
      card: { interface: "chip", masked: { bin: "541333", last4: "0219" } },
    });
  });

  test("I18 a device that counts from 1 takes no choice: the transaction ends with its time, and no card", () => {
    const { bench, n } = choosing();
    bench.answer("020102");
    expect(bench.look().notices).toEqual([]);
    bench.fire("watchdog");
    expect(bench.look().sent).toEqual(["cancel"]);
    bench.answer();
    bench.tell("outcome", "00030100");
    expect(bench.look().notices).toEqual([{ n, on: "no-card", why: "timeout" }]);
  });

  test("I18 a device that asks again and again is answered each time, and none of it makes the transaction longer", () => {
    const { bench } = choosing();
    const before = bench.timers();
    for (let asked = 0; asked < 300; asked += 1) {
      bench.answer("020102");
      bench.tell("screen", "02020000");
    }
    expect(bench.look().sent).toHaveLength(300);
    expect(bench.timers()).toEqual(before);
  });
});

describe("every time of section 9, when the device takes longer", () => {
  test("I19 9.1: whole answers and card data of a session before that come after settling do not make a card or another device", () => {
    const bench = createBench("serial");
    bench.feed({ on: "opened" });
    bench.fire("settle");
    const n = bench.command({ do: "identify" });
    bench.says({
      is: "response",
      ref: 0x55,
      command: "1001",
      summary: 0,
      detail: "000000",
      payload: new Uint8Array(0),
    });
    bench.tell("progress", "10080202", arqc());
    bench.tell("outcome", "10020600");
    answerAll(bench);
    expect(bench.look().notices).toMatchObject([{ n, on: "ready", identity: { serialNumber: "B603226" } }]);
  });

  test("I19 9.2: START or RESUME answered late is a fault, and the answer then is nobody's", () => {
    for (const bench of [identified(createBench()), held(createBench())]) {
      const isHeld = bench.state().device.held !== undefined;
      const n = bench.command(isHeld ? { do: "complete", issuer: APPROVED } : { do: "collect", request: ALL });
      expect(bench.timers()).toMatchObject({ answer: 3_000 });
      bench.fire("answer");
      expect(bench.look()).toMatchObject({ reopen: true, notices: [{ n, on: "fault", code: "no-answer" }] });
      bench.answer();
      bench.tell("outcome", "10020600");
      expect(bench.look().notices).toEqual([]);
    }
  });

  test("I19 9.4: a card that takes longer than its transaction may is cancelled, and its ARQC then is told to nobody", () => {
    const bench = createBench();
    const n = running(bench, ALL, PLAIN);
    bench.tell("progress", "10010200");
    expect(bench.timers()).toEqual({ watchdog: 125_000 });
    bench.fire("watchdog");
    bench.tell("progress", "10080202", arqc());
    bench.answer();
    bench.tell("outcome", "00030100");
    expect(bench.look().notices.filter((notice) => notice.n === n && notice.on !== "prompt")).toEqual([
      { n, on: "no-card", why: "timeout" },
    ]);
  });

  test("I19 9.5: a cancel's outcome that comes late does not end the next payment before its card is there", () => {
    const bench = createBench();
    running(bench);
    bench.command({ do: "cancel" });
    bench.answer();
    expect(bench.timers()).toMatchObject({ answer: 2_000 });
    bench.fire("answer");
    bench.look();
    const n = collecting(bench);
    bench.tell("outcome", "00030100");
    bench.tell("progress", "10010200");
    bench.tell("progress", "10080202", arqc());
    expect(endingOf(bench, n)).toMatchObject({ on: "card", card: { masked: { bin: MASKED.slice(1, 7) } } });
  });

  test("I19 9.5: a cancel's outcome that comes when the next card is there leaves nothing running on the device", () => {
    const bench = createBench();
    running(bench);
    bench.command({ do: "cancel" });
    bench.answer();
    bench.fire("answer");
    const n = collecting(bench);
    bench.tell("progress", "10010200");
    bench.look();
    bench.tell("outcome", "00030100");
    expect(bench.look()).toMatchObject({ sent: ["cancel"], notices: [] });
    bench.answer();
    bench.tell("outcome", "00030100");
    expect(bench.look().notices).toEqual([{ n, on: "cancelled", by: "register" }]);
  });

  test("I19 9.6: a final word that comes late is a fault, and no verdict afterwards", () => {
    const bench = held(createBench());
    const n = bench.command({ do: "complete", issuer: APPROVED });
    bench.answer();
    expect(bench.timers()).toMatchObject({ answer: 20_000, watchdog: 25_000 });
    bench.fire("answer");
    expect(bench.look()).toMatchObject({ reopen: true, notices: [{ n, on: "fault", code: "no-answer" }] });
    bench.tell("outcome", "10020600");
    expect(bench.look().notices).toEqual([]);
  });

  test.each(["00010000", "00030100"])(
    "I19 9.7: a device that waits less for the issuer has ended (%s) when he approves: a fault",
    (code) => {
      const bench = held(createBench());
      bench.tell("outcome", code);
      const n = bench.command({ do: "complete", issuer: APPROVED });
      expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "device-error" }] });
    },
  );

  test("I19 9.9 and 9.10: a transaction that cannot be cancelled for longer loses its link", () => {
    const bench = createBench();
    const n = running(bench);
    bench.command({ do: "cancel" });
    bench.answer("020305");
    expect(bench.timers()).toMatchObject({ answer: 500, watchdog: 12_000 });
    bench.fire("answer");
    bench.answer("020305");
    bench.look();
    bench.fire("watchdog");
    const { notices, reopen } = bench.look();
    expect([reopen, notices.find((notice) => notice.n === n)]).toMatchObject([
      true,
      { on: "fault", code: "no-answer" },
    ]);
  });

  test("I19 9.12 and 9.14: one that cannot be cancelled while identifying ends in a device that is known, or in a fault", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    const n = bench.command({ do: "identify" });
    for (let tries = 0; tries < 21; tries += 1) {
      bench.answer("020305");
      if (tries < 20) bench.fire("answer");
    }
    answerAll(bench, PROPERTIES);
    expect(endingOf(bench, n)).toMatchObject({ on: "ready" });
  });
});
