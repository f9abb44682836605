import { describe, expect, test } from "vitest";
import { ascii, fromAscii } from "../../../src/kit/bytes.ts";
import { acknowledgedDriver, type OnLine } from "../../../src/terminal/acknowledged-driver.ts";
import type { DriverSpec, LinkEvent, Turn } from "../../../src/terminal/driver.ts";

/** Frames of these tests end with ";": what does not is kept. "+" acknowledges. */
const line: OnLine = {
  rules: () => ({
    cut: (pending, chunk) => {
      const pieces = (ascii(pending) + ascii(chunk)).split(/(?<=[;+])/);
      const rest = /[;+]$/.test(pieces.at(-1) ?? "") ? "" : (pieces.pop() ?? "");
      return {
        items: pieces.map((piece) =>
          piece === "+" ? { is: "ack" as const } : { is: "frame" as const, body: fromAscii(piece.slice(0, -1)) },
        ),
        pending: fromAscii(rest),
      };
    },
    ack: fromAscii("+"),
    nak: fromAscii("-"),
    ackMs: 100,
    tries: 2,
    gapMs: 50,
    repeatMs: 500,
    quietMs: 700,
    answers: () => false,
  }),
  unpack: (_transport, chunk) => chunk,
  pack: (_transport, bytes) => [fromAscii(`[${ascii(bytes)}]`)],
};

/** Says what it is told to say by each body: "say x", "reopen"; ends its open command on "closed". */
const inner: Pick<DriverSpec<number | undefined>, "begin" | "turn"> = {
  begin: () => ({ state: undefined }),
  turn: (n, event): Turn<number | undefined> => {
    switch (event.on) {
      case "opened":
        return { state: n, timers: { mine: 7 } };
      case "closed":
        return n === undefined
          ? { state: n }
          : { state: undefined, notices: [{ n, on: "fault", code: "no-answer", detail: "the link was closed" }] };
      case "command":
        return { state: event.n, write: [fromAscii("asked;")] };
      case "timer":
        return { state: n, write: [fromAscii(`${event.name};`)] };
      case "bytes": {
        const text = ascii(event.bytes);
        if (text === "reopen") return { state: n, link: "reopen" };
        if (text === "end" && n !== undefined) return { state: undefined, notices: [{ n, on: "done" }] };
        return { state: n, write: text.startsWith("say ") ? [fromAscii(`${text.slice(4)};`)] : [] };
      }
    }
  },
};

function bench() {
  const driver = acknowledgedDriver(() => inner, line);
  let { state } = driver.begin({ transport: "serial", options: {}, now: { date: "260115", time: "101500" }, seed: 1 });
  return (event: LinkEvent) => {
    const { state: next, ...deed } = driver.turn(state, event);
    state = next;
    return {
      wrote: (deed.write ?? []).map(ascii).join(""),
      notices: deed.notices ?? [],
      timers: deed.timers ?? {},
      link: deed.link,
      wrong: deed.frameErrors,
    };
  };
}

const bytes = (text: string): LinkEvent => ({ on: "bytes", bytes: fromAscii(text) });
const command: LinkEvent = { on: "command", n: 3, command: { do: "idle" } };

describe("a driver on a line with acknowledgements", () => {
  test("gets a body at a time and writes frames, which wait for each other", () => {
    const turn = bench();
    expect(turn({ on: "opened" }).timers).toMatchObject({ mine: 7, "line-ack": "clear" });
    expect(turn(command).wrote).toBe("[asked;]");
    expect(turn(bytes("say one;say two;")).wrote).toBe("[+][+]");
    expect(turn(bytes("+")).wrote).toBe("[one;]");
    expect(turn(bytes("+en")).wrote).toBe("[two;]");
    expect(turn(bytes("d;"))).toMatchObject({ wrote: "[+]", notices: [{ n: 3, on: "done" }] });
    expect(turn({ on: "timer", name: "mine" }).wrote).toBe("");
    expect(turn(bytes("+")).wrote).toBe("[mine;]");
  });

  test("a line that is not open says and hears nothing", () => {
    const turn = bench();
    expect(turn(bytes("say one;"))).toMatchObject({ wrote: "", notices: [] });
    expect(turn(command).wrote).toBe("");
    turn({ on: "opened" });
    turn({ on: "closed" });
    expect(turn(bytes("say one;")).wrote).toBe("");
    expect(turn({ on: "timer", name: "line-ack" })).toMatchObject({ wrote: "", link: undefined });
  });

  test("a frame that nobody acknowledges ends what was asked with the reason, and a fresh link is asked for", () => {
    const turn = bench();
    turn({ on: "opened" });
    turn(command);
    expect(turn({ on: "timer", name: "line-ack" }).wrote).toBe("[asked;]");
    expect(turn({ on: "timer", name: "line-ack" })).toMatchObject({
      notices: [{ n: 3, on: "fault", code: "no-answer", detail: "a frame was not acknowledged 2 times" }],
      timers: { "line-ack": "clear" },
      link: "reopen",
    });
    expect(turn({ on: "closed" }).notices).toEqual([]);
    turn({ on: "opened" });
    expect(turn(command).wrote).toBe("[asked;]");
  });

  test("where nothing was asked the reason is told by itself", () => {
    const turn = bench();
    turn({ on: "opened" });
    turn({ on: "timer", name: "mine" });
    turn({ on: "timer", name: "line-ack" });
    expect(turn({ on: "timer", name: "line-ack" })).toMatchObject({
      notices: [{ n: 0, on: "fault", code: "no-answer" }],
      link: "reopen",
    });
  });

  test("a driver that wants a fresh link hears nothing more of the old one", () => {
    const turn = bench();
    turn({ on: "opened" });
    turn(command);
    expect(turn(bytes("reopen;say one;end;"))).toMatchObject({
      link: "reopen",
      notices: [],
      timers: { "line-ack": "clear", "line-repeat": "clear" },
    });
    expect(turn(bytes("say two;")).wrote).toBe("");
  });

  test("what the line saw go wrong is told, however it goes on, and nothing of a good frame", () => {
    const turn = bench();
    turn({ on: "opened" });
    expect(turn(bytes("one;two;")).wrong).toBeUndefined();
    expect(turn(bytes("two;two;")).wrong).toEqual(["repeated", "repeated"]);
    turn(command);
    expect(turn({ on: "timer", name: "line-ack" }).wrong).toEqual(["unacknowledged"]);
    expect(turn({ on: "timer", name: "line-ack" })).toMatchObject({ link: "reopen", wrong: ["unacknowledged"] });
  });
});
