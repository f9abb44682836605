import { describe, expect, it } from "vitest";
import { MOST_JOINED_BYTES } from "../../../src/observe/line-queue.ts";
import { createLogLines, MOST_WAITING_BYTES } from "../../../src/observe/log-lines.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

interface Offer {
  readonly bytes: Buffer;
  readonly done: (error: NodeJS.ErrnoException | null, taken: number) => void;
}

const failure = (code: string): NodeJS.ErrnoException => Object.assign(new Error(`${code}: it fails`), { code });

/** Lines to a place whose every answer the test gives. */
function openLines() {
  const clock = createVirtualClock(0);
  const offers: Offer[] = [];
  const said: string[] = [];
  const written: string[] = [];
  const lines = createLogLines({
    place: { write: (bytes, done) => void offers.push({ bytes, done }) },
    clock,
    tell: (line) => void said.push(line),
  });
  lines.whenRegained(({ lost, lostInAll, problem }) =>
    lines.add(Buffer.from(`lost ${lost} of ${lostInAll}: ${problem}\n`)),
  );
  const answer = (error: NodeJS.ErrnoException | null, most = Number.POSITIVE_INFINITY): void => {
    const offer = offers.shift();
    if (offer === undefined) throw new Error("nothing is offered");
    const taken = error === null ? Math.min(most, offer.bytes.length) : 0;
    written.push(offer.bytes.subarray(0, taken).toString());
    offer.done(error, taken);
  };
  const add = (...texts: readonly string[]): void => {
    for (const text of texts) lines.add(Buffer.from(`${text}\n`));
  };
  const takeAll = (): void => {
    while (offers.length > 0) answer(null);
  };
  return { lines, clock, offers, said, add, answer, takeAll, text: () => written.join("") };
}

describe("the lines of a log", () => {
  it("are written one after the other, each whole before the next", () => {
    const { add, answer, takeAll, offers, text } = openLines();
    add("one", "two");
    expect(offers).toHaveLength(1);
    answer(null, 2);
    takeAll();
    expect(text()).toBe("one\ntwo\n");
  });

  it("are counted where they cannot be written, told at once, and told in the log as soon as it takes one", () => {
    const { add, answer, takeAll, lines, said, text } = openLines();
    add("one", "two", "three");
    answer(failure("ENOSPC"));
    answer(failure("ENOSPC"));
    expect(lines.lost()).toBe(2);
    expect(said).toEqual([
      "posbridge: the log cannot be written (ENOSPC: it fails); lines are lost until it is mended (1 so far), and the bridge goes on",
    ]);
    takeAll();
    add("four");
    takeAll();
    expect(text()).toBe("three\nlost 2 of 2: cannot be written (ENOSPC: it fails)\nfour\n");
  });

  it("are told of again after five minutes, and not before, also where the log was well meanwhile", async () => {
    const { add, answer, takeAll, clock, said } = openLines();
    const loseOne = (): void => {
      add("lost");
      answer(failure("EPIPE"));
    };
    loseOne();
    await clock.advance(299_000);
    loseOne();
    add("written");
    takeAll();
    loseOne();
    expect(said).toHaveLength(1);
    await clock.advance(1_000);
    loseOne();
    expect(said).toEqual([expect.stringContaining("1 so far"), expect.stringContaining("4 so far")]);
  });

  it("begin anew after one of which only a part found room", () => {
    const { add, answer, takeAll, lines, text } = openLines();
    add("first", "second");
    answer(null, 3);
    answer(failure("ENOSPC"));
    takeAll();
    expect(text()).toBe("fir\nsecond\nlost 1 of 1: cannot be written (ENOSPC: it fails)\n");
    expect(lines.lost()).toBe(1);
  });

  it("wait for a reader that takes nothing for a while, and none is lost", async () => {
    const { add, answer, takeAll, clock, offers, lines, said, text } = openLines();
    add("one", "two");
    answer(failure("EAGAIN"));
    expect(offers).toEqual([]);
    await clock.advance(100);
    answer(null, 0);
    await clock.advance(100);
    takeAll();
    expect({ text: text(), lost: lines.lost(), said }).toEqual({ text: "one\ntwo\n", lost: 0, said: [] });
  });

  it("wait up to a limit, past which the newest are lost and the oldest kept", () => {
    const { add, answer, takeAll, offers, lines, said, text } = openLines();
    const line = "x".repeat(16_383);
    const most = MOST_WAITING_BYTES / 16_384;
    add(...Array.from({ length: most + 5 }, () => line));
    expect(lines.lost()).toBe(5);
    expect(said).toEqual([expect.stringMatching(/the log is not read, or its disk is too slow; .*\(1 so far\)/)]);
    answer(null);
    expect(offers[0]?.bytes.toString()).toBe(`${line}\n`.repeat(MOST_JOINED_BYTES / 16_384));
    takeAll();
    const whole = text().split("\n");
    expect(whole.filter((one) => one === line)).toHaveLength(most);
    expect(whole.filter((one) => one.startsWith("lost"))).toEqual([
      "lost 5 of 5: is not read, or its disk is too slow",
    ]);
  });

  it("of 10,000 sales in a row are all written, although the log takes one write while 32 sales are made", () => {
    const { add, answer, takeAll, lines, text } = openLines();
    const steps = ["accepted", "presented", "sent", "answered", "told", "final", "captured"];
    for (let sale = 0; sale < 10_000; sale += 1) {
      add(...steps.map((step) => `${sale} ${step} ${"x".repeat(300)}`));
      if (sale % 32 === 31) answer(null);
    }
    takeAll();
    expect(lines.lost()).toBe(0);
    expect(text().match(/^\d+ \w+/gm)?.length).toBe(70_000);
  });

  it("are lost one by one by a log that fails, whatever waits behind them, and a torn one is ended before the next", () => {
    const { add, answer, takeAll, offers, text, lines } = openLines();
    add("one", "two", "three", "four");
    answer(null);
    expect(offers[0]?.bytes.toString()).toBe("two\nthree\nfour\n");
    answer(null, 7);
    answer(failure("ENOSPC"));
    expect(offers[0]?.bytes.toString()).toBe("\nfour\n");
    answer(failure("ENOSPC"));
    add("five");
    takeAll();
    expect(text()).toBe("one\ntwo\nthr\nfive\nlost 2 of 2: cannot be written (ENOSPC: it fails)\n");
    expect(lines.lost()).toBe(2);
  });

  it("are waited for at the end, but not for ever", async () => {
    const { add, answer, clock, lines } = openLines();
    await lines.written(1_000);
    const ended: string[] = [];
    add("one");
    void lines.written(1_000).then(() => ended.push("written"));
    answer(null);
    await clock.settle();
    add("two");
    void lines.written(1_000).then(() => ended.push("given up"));
    await clock.advance(999);
    expect(ended).toEqual(["written"]);
    await clock.advance(1);
    expect(ended).toEqual(["written", "given up"]);
  });
});
