import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ascii, concat, fromAscii } from "../../../src/kit/bytes.ts";
import {
  type LineItem,
  type LineRules,
  type LineState,
  type LineStep,
  type LineTimer,
  MOST_WAITING,
  newLine,
  receiveOnLine,
  sendOnLine,
  tickOnLine,
} from "../../../src/terminal/acknowledged-line.ts";

/**
 * A protocol for these tests: "<body>" is a frame, "<body!>" a spoiled one, "+" and "-" are the answers to it, all else
 * is noise. An answer to "ask" begins with it.
 */
const rules: LineRules = {
  cut: (pending, chunk) => {
    const items: LineItem[] = [];
    let rest = ascii(concat(pending, chunk));
    while (rest !== "") {
      const [piece, body, mark] = /^(?:<([^<>!]*)(!?)>|[^<])/.exec(rest) ?? [];
      if (piece === undefined) break;
      if (body !== undefined) items.push(mark === "!" ? { is: "bad" } : { is: "frame", body: fromAscii(body) });
      else if (piece === "+") items.push({ is: "ack" });
      else if (piece === "-") items.push({ is: "nak" });
      rest = rest.slice(piece.length);
    }
    return { items, pending: fromAscii(rest) };
  },
  ack: fromAscii("+"),
  nak: fromAscii("-"),
  ackMs: 3000,
  tries: 3,
  gapMs: 500,
  repeatMs: 5000,
  quietMs: 700,
  answers: (sent, body) => body.length > 1 && ascii(sent).includes(ascii(body.subarray(0, 2))),
};

/** One side, and everything it did since the last look. */
function side(begin: LineState = newLine) {
  let state = begin;
  let seen: { write: string; bodies: string[]; failed: string | undefined } = {
    write: "",
    bodies: [],
    failed: undefined,
  };
  const wrong: string[] = [];
  const timers = new Map<LineTimer, number>();
  const take = (step: LineStep): void => {
    state = step.state;
    seen.write += step.write.map(ascii).join("");
    seen.bodies.push(...step.bodies.map(ascii));
    seen.failed ??= step.failed;
    wrong.push(...step.frameErrors);
    for (const name of ["line-ack", "line-gap", "line-repeat"] as const) {
      const delay = step.timers[name];
      if (delay === "clear") timers.delete(name);
      else if (delay !== undefined) timers.set(name, delay);
    }
  };
  return {
    hears: (text: string) => take(receiveOnLine(rules, state, fromAscii(text))),
    says: (...bodies: readonly string[]) => {
      for (const body of bodies) take(sendOnLine(rules, state, fromAscii(`<${body}>`)));
    },
    fires: (name: LineTimer) => {
      timers.delete(name);
      take(tickOnLine(rules, state, name));
    },
    /** As if that timer had never been set. */
    forgets: (name: LineTimer) => void timers.delete(name),
    wrong: () => wrong.splice(0),
    timers: () => Object.fromEntries(timers),
    state: () => state,
    look: () => {
      const was = seen;
      seen = { write: "", bodies: [], failed: undefined };
      return was;
    },
  };
}

const nothing = { write: "", bodies: [], failed: undefined };

describe("sending", () => {
  test("one frame is out at a time; the next follows its acknowledgement", () => {
    const one = side();
    one.says("a", "b", "c");
    expect([one.look(), one.timers()]).toEqual([{ ...nothing, write: "<a>" }, { "line-ack": 3000 }]);
    one.hears("+");
    expect(one.look()).toEqual({ ...nothing, write: "<b>" });
    one.hears("++");
    expect([one.look(), one.timers()]).toEqual([{ ...nothing, write: "<c>" }, {}]);
    one.says("d");
    expect(one.look().write).toBe("<d>");
  });

  test.each([
    ["not acknowledged", (one: ReturnType<typeof side>) => one.fires("line-ack")],
    ["refused", (one: ReturnType<typeof side>) => one.hears("-")],
  ])("a frame that is %s goes out again, three times in all", (why, meet) => {
    const one = side();
    one.says("a", "b");
    meet(one);
    meet(one);
    expect(one.look()).toEqual({ ...nothing, write: "<a><a><a>" });
    meet(one);
    expect(one.look()).toEqual({ ...nothing, failed: `a frame was ${why} 3 times` });
    expect(one.state()).toEqual(newLine);
  });

  test("each frame has its own tries", () => {
    const one = side();
    one.says("a", "b");
    one.hears("--+--+");
    expect(one.look()).toEqual({ ...nothing, write: "<a><a><a><b><b><b>" });
  });

  test("an answer stands in for a lost acknowledgement, another frame does not", () => {
    const one = side();
    one.says("ask1", "b");
    one.hears("<other>");
    expect(one.look()).toEqual({ ...nothing, write: "<ask1>+", bodies: ["other"] });
    one.hears("<ask=2>");
    expect(one.look()).toEqual({ ...nothing, write: "+<b>", bodies: ["ask=2"] });
  });

  test("behind a frame that was sent several times the next one waits for all its acknowledgements, and its answer is no new one", () => {
    const one = side();
    one.says("ask1");
    one.fires("line-ack");
    one.fires("line-ack");
    one.says("ask2");
    one.hears("+<ask=1>+<ask=1>");
    expect([one.look(), one.timers()]).toEqual([
      { ...nothing, write: "<ask1><ask1><ask1>++", bodies: ["ask=1"] },
      { "line-ack": 700, "line-repeat": 5000 },
    ]);
    one.hears("+<ask=1>");
    expect([one.look(), one.timers()]).toEqual([
      { ...nothing, write: "<ask2>+" },
      { "line-ack": 3000, "line-repeat": 5000 },
    ]);
    one.hears("+<ask=2>");
    expect(one.look()).toEqual({ ...nothing, write: "+", bodies: ["ask=2"] });
  });

  test("as long as they come, a repeated answer is known for one again from when it came last", () => {
    const one = side();
    one.says("ask1");
    one.fires("line-ack");
    one.hears("<ask=1>");
    one.forgets("line-repeat");
    one.hears("<ask=1>");
    expect([one.look().bodies, one.timers()]).toEqual([["ask=1"], { "line-ack": 700, "line-repeat": 5000 }]);
  });

  test("a sending that got lost is not waited for longer than the line is quiet", () => {
    const one = side();
    one.says("ask1");
    one.fires("line-ack");
    one.hears("<ask=1>");
    one.says("ask2", "b");
    expect([one.look(), one.timers()]).toEqual([
      { ...nothing, write: "<ask1><ask1>+", bodies: ["ask=1"] },
      { "line-ack": 700, "line-repeat": 5000 },
    ]);
    one.fires("line-ack");
    expect(one.look()).toEqual({ ...nothing, write: "<ask2>" });
    one.hears("+");
    expect(one.look()).toEqual({ ...nothing, write: "<b>" });
  });

  test("a sending that was refused is no acknowledgement that is still to come", () => {
    const one = side();
    one.says("a", "b");
    one.fires("line-ack");
    one.hears("-+");
    expect(one.look()).toEqual({ ...nothing, write: "<a><a><a>" });
    one.hears("-");
    expect(one.look()).toEqual({ ...nothing, write: "<b>" });
  });

  test("what nobody asked for means nothing", () => {
    const one = side();
    one.hears("+-+zz");
    one.fires("line-ack");
    one.fires("line-gap");
    expect(one.look()).toEqual(nothing);
  });

  test("whoever writes on without being heard has lost the line", () => {
    const one = side();
    one.says(...Array.from({ length: MOST_WAITING + 1 }, (_, at) => `f${at}`));
    expect(one.look().failed).toBeUndefined();
    one.says("more");
    expect(one.look().failed).toContain("wait for an acknowledgement");
  });
});

describe("hearing", () => {
  test("a good frame is acknowledged and taken, a spoiled one asked for again", () => {
    const one = side();
    one.hears("<a><b!><c>");
    expect([one.look(), one.timers()]).toEqual([
      { ...nothing, write: "+-+", bodies: ["a", "c"] },
      { "line-repeat": 5000 },
    ]);
  });

  test("the same frame once more is acknowledged and dropped, until its time is over", () => {
    const one = side();
    one.hears("<a><a><b><a>");
    expect(one.look()).toEqual({ ...nothing, write: "++++", bodies: ["a", "b", "a"] });
    one.fires("line-repeat");
    one.hears("<a>");
    expect(one.look()).toEqual({ ...nothing, write: "+", bodies: ["a"] });
  });

  test("the same answer to the same question is no repetition", () => {
    const one = side();
    one.says("00");
    one.hears("+<00=0>");
    one.says("00");
    one.hears("+<00=0>");
    expect(one.look()).toEqual({ ...nothing, write: "<00>+<00>+", bodies: ["00=0", "00=0"] });
  });

  test("a frame that does not go on is asked for again, and what came of it forgotten", () => {
    const one = side();
    one.hears("<ab");
    expect([one.look(), one.timers()]).toEqual([nothing, { "line-gap": 500 }]);
    one.fires("line-gap");
    one.hears("c><d>");
    expect(one.look()).toEqual({ ...nothing, write: "-+", bodies: ["d"] });
    one.hears("<e");
    one.hears(">");
    expect([one.look().bodies, one.timers()]).toEqual([["e"], { "line-repeat": 5000 }]);
  });
});

describe("what went wrong with frames is told", () => {
  const stories: readonly [string, readonly string[], ...((one: ReturnType<typeof side>) => void)[]][] = [
    ["nothing, on a good line", [], (one) => one.says("a"), (one) => one.hears("+<b>")],
    ["a frame that arrived spoiled", ["corrupted"], (one) => one.hears("<b!>")],
    ["a frame without an end", ["corrupted"], (one) => one.hears("<b"), (one) => one.fires("line-gap")],
    ["a frame that came twice", ["repeated"], (one) => one.hears("<b><b>")],
    ["one of ours that was asked for again", ["refused"], (one) => one.says("a"), (one) => one.hears("-+")],
    ["one of ours that nobody answered", ["unacknowledged"], (one) => one.says("a"), (one) => one.fires("line-ack")],
    [
      "each try of a line that is given up",
      ["refused", "refused", "refused"],
      (one) => one.says("a"),
      (one) => one.hears("---"),
    ],
    ["noise is no frame", [], (one) => one.hears("xyz+-")],
  ];
  test.each(stories)("%s", (_, told, ...happenings) => {
    const one = side();
    for (const happen of happenings) happen(one);
    expect(one.wrong()).toEqual(told);
  });
});

test("frames arrive once each and in order however much the line loses, or the line is given up", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 60 }), fc.integer({ min: 1, max: 8 }), (losses, count) => {
      const bodies = Array.from({ length: count }, (_, at) => `frame ${at}`);
      const [from, to] = [side(), side()];
      let at = 0;
      const passes = (): boolean => losses[at++] !== true;
      from.says(...bodies);
      const got: string[] = [];
      for (let step = 0; step < 200; step += 1) {
        const { write, failed } = from.look();
        if (failed !== undefined) break;
        if (write === "" && from.state().sent === undefined) break;
        if (write !== "" && passes()) to.hears(write);
        const back = to.look();
        got.push(...back.bodies);
        if (back.write !== "" && passes()) from.hears(back.write);
        else from.fires("line-ack");
      }
      expect(got).toEqual(bodies.slice(0, got.length));
      if (losses.every((lost) => !lost)) expect(got).toEqual(bodies);
    }),
  );
});

test("bears any text, and stays bounded", () => {
  const text = fc.string({ unit: fc.constantFrom(..."<>+-!ab"), maxLength: 20 });
  fc.assert(
    fc.property(
      fc.array(fc.oneof(text, fc.constantFrom("line-ack", "line-gap", "line-repeat", "says")), { maxLength: 60 }),
      (events) => {
        const one = side();
        for (const event of events) {
          if (event === "says") one.says("ask");
          else if (event === "line-ack" || event === "line-gap" || event === "line-repeat") one.fires(event);
          else one.hears(event);
          expect(one.state().waiting.length).toBeLessThanOrEqual(MOST_WAITING);
        }
      },
    ),
  );
});
