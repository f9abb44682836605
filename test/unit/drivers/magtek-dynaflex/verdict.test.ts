import { describe, expect, test } from "vitest";
import type { IssuerResponse } from "../../../../src/emv/issuer-response.ts";
import { ALL } from "../../../support/driver-bench.ts";
import { answerAll, arqc, type Bench, batch, createBench, held, identified, running } from "./bench.ts";

const APPROVED: IssuerResponse = { verdict: "approved", arc: "3030", scripts: [] };
const DECLINED: IssuerResponse = { verdict: "declined", arc: "3035", scripts: [] };
const ECHO = "echo 8103010203";

/** A card whose issuer's answer the device has taken. */
function answered(technology = "10", type = "05", issuer = APPROVED): { readonly bench: Bench; readonly n: number } {
  const bench = held(createBench(), technology, type);
  const n = bench.command({ do: "complete", issuer });
  bench.answer();
  bench.look();
  return { bench, n };
}

describe("a verdict that is not the card's is never told (PROTOCOL.md 7.6)", () => {
  test.each([
    ["10020600", "10028000"],
    ["10028000", "10020600"],
    ["10020600", "00030100"],
  ])("two outcomes that contradict each other (%s, %s) are a fault, whatever the batch data say", (first, second) => {
    for (const word of ["00", "01"] as const) {
      const { bench, n } = answered();
      bench.tell("outcome", first);
      bench.tell("outcome", second);
      bench.tell("progress", "10080302", batch(word));
      expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "protocol" }]);
    }
  });

  test("the same outcome, or the same batch data, twice are one", () => {
    const { bench, n } = answered();
    bench.tell("outcome", "10020600");
    bench.tell("outcome", "10020605");
    bench.tell("progress", "10080302", batch("00"));
    expect(bench.look().notices).toMatchObject([{ n, on: "finished", verdict: "approved" }]);
    bench.tell("outcome", "10028000");
    bench.tell("progress", "10080302", batch("01"));
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
    const other = answered();
    other.bench.tell("progress", "10080302", batch("00"));
    other.bench.tell("progress", "10080302", batch("00"));
    other.bench.tell("outcome", "10020600");
    expect(other.bench.look().notices).toMatchObject([{ n: other.n, on: "finished", verdict: "approved" }]);
  });

  test("batch data that contradict each other are a fault", () => {
    for (const [first, second] of [["00", "01"] as const, ["01", "00"] as const]) {
      const { bench, n } = answered();
      bench.tell("progress", "10080302", batch(first));
      bench.tell("progress", "10080302", batch(second));
      bench.tell("outcome", "10020600");
      expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "protocol" }]);
    }
  });

  test.each(["10", "03", "FF"])(
    "an approval whose batch data say something else than accepted (DFDF1A %s) is a fault",
    (word) => {
      const { bench, n } = answered();
      bench.tell("outcome", "10020600");
      bench.tell("progress", "10080302", batch(word));
      expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "protocol" }]);
    },
  );

  test("a refusal whose batch data say accepted is a fault, although the issuer refused too", () => {
    const { bench, n } = answered("10", "05", DECLINED);
    bench.tell("progress", "10080302", batch("00"));
    bench.tell("outcome", "10028000");
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "protocol" }]);
  });

  test.each([
    ["10", "05", "20020600"],
    ["10", "05", "08020600"],
    ["20", "06", "10020600"],
    ["20", "06", "10028000"],
    ["08", "01", "10020600"],
  ])("a card by technology %s (type %s) has nothing to do with the outcome %s", (technology, type, code) => {
    const { bench, n } = answered(technology, type);
    bench.tell("outcome", code);
    bench.tell("progress", `${code.slice(0, 2)}080302`, batch("00"));
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "protocol" }]);
  });

  test("an outcome that names no technology counts", () => {
    const { bench, n } = answered();
    bench.tell("outcome", "00020600");
    bench.tell("progress", "10080302", batch("00"));
    expect(bench.look().notices).toMatchObject([{ n, on: "finished", verdict: "approved" }]);
  });

  test("of what ended a transaction before its issuer answered, the first word counts", () => {
    const bench = held(createBench());
    bench.tell("outcome", "00030100");
    bench.tell("outcome", "10028000");
    const n = bench.command({ do: "complete", issuer: APPROVED });
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "device-error" }]);
  });

  test.each([
    ["08028000", { on: "finished", verdict: "declined" }],
    ["00030200", { on: "fault", code: "device-error" }],
    ["00030100", { on: "fault", code: "device-error" }],
    ["00010000", { on: "fault", code: "device-error" }],
  ])("a swipe whose device ended it (%s) before the issuer answered is not acknowledged by an echo", (code, ending) => {
    const bench = held(createBench(), "08", "01");
    bench.tell("outcome", code);
    const n = bench.command({ do: "complete", issuer: APPROVED });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, ...ending }] });
  });

  test.each(["08020600", "08020700"])(
    "a swipe for which the device did not wait (%s) is acknowledged by an echo",
    (code) => {
      const bench = held(createBench(), "08", "01");
      bench.tell("outcome", code);
      bench.command({ do: "complete", issuer: APPROVED });
      expect(bench.look().sent).toEqual([ECHO]);
    },
  );

  test("an ARQC that is repeated is told once, whether the card waits or has its answer", () => {
    const bench = createBench();
    const n = running(bench);
    bench.tell("progress", "10010200");
    bench.look();
    bench.tell("progress", "10080202", arqc());
    bench.tell("progress", "10080202", arqc());
    expect(bench.look().notices).toMatchObject([{ n, on: "card" }]);
    bench.command({ do: "complete", issuer: APPROVED });
    bench.tell("progress", "10080202", arqc());
    expect(bench.look().notices).toEqual([]);
  });

  test("a stripe that is told as decided without its issuer is a fault, and not a chip", () => {
    for (const code of ["08020600", "08028000", "00020600"]) {
      const bench = createBench();
      const n = running(bench);
      bench.tell("progress", "08010100");
      bench.look();
      bench.tell("outcome", code);
      bench.tell("progress", "08080302", batch("00"));
      expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "protocol" }]);
    }
  });

  test("a card that approved while an idle device was asked for is told", () => {
    const bench = held(createBench());
    bench.command({ do: "idle" });
    bench.tell("outcome", "10020600");
    bench.answer("020304");
    expect(bench.look().notices).toMatchObject([{ n: 0, on: "fault", code: "protocol" }]);
  });
});

describe("nothing that a device repeats keeps a command from its end", () => {
  test.each([
    ["batch data", (bench: Bench) => bench.tell("progress", "10080302", batch("00"))],
    ["its response", (bench: Bench) => bench.answer()],
    ["an outcome that is none", (bench: Bench) => bench.tell("outcome", "10020E00")],
  ])("a completion ends within 25 s where the device goes on telling %s", (_what, repeat) => {
    const { bench, n } = answered();
    for (let round = 0; round < 50; round += 1) repeat(bench);
    expect(bench.timers()).toMatchObject({ watchdog: 25_000 });
    bench.fire("watchdog");
    expect(bench.look()).toMatchObject({ reopen: true, notices: [{ n, on: "fault", code: "no-answer" }] });
  });

  test("the outcome stands where the device goes on repeating it", () => {
    const { bench, n } = answered();
    for (let round = 0; round < 50; round += 1) bench.tell("outcome", "10020600");
    bench.fire("watchdog");
    expect(bench.look()).toMatchObject({ reopen: false, notices: [{ n, on: "finished", verdict: "approved" }] });
  });

  test("a device that answers nothing is given up after two tries of the first question", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    const n = bench.command({ do: "identify" });
    bench.fire("answer");
    bench.fire("answer");
    expect(bench.look()).toMatchObject({
      sent: ["cancel", "cancel"],
      reopen: true,
      notices: [{ n, on: "fault", code: "no-answer" }],
    });
  });

  test("a device that answers every second time is given up when identifying takes too long", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    const n = bench.command({ do: "identify" });
    expect(bench.timers()).toEqual({ answer: 3_000, watchdog: 45_000 });
    bench.fire("answer");
    bench.answer();
    expect(bench.timers()).toEqual({ answer: 3_000, watchdog: 45_000 });
    bench.look();
    bench.fire("watchdog");
    expect(bench.look()).toMatchObject({ reopen: true, notices: [{ n, on: "fault", code: "no-answer" }] });
  });

  test("a card that is to be presented once more is waited for as long as the first", () => {
    const bench = createBench();
    running(bench);
    bench.tell("progress", "08010100");
    expect(bench.timers()).toEqual({ watchdog: 125_000 });
    bench.tell("outcome", "08030500");
    bench.answer();
    expect(bench.timers()).toEqual({ card: 60_000, watchdog: 125_000 });
  });
});

describe("a device that restarts", () => {
  const RESTARTED = { n: 0, on: "fault", code: "device-error" };

  test("is identified again, because it has forgotten what it was to tell of", () => {
    const bench = identified(createBench("serial"));
    bench.tell("device", "00000000");
    expect(bench.look()).toMatchObject({ sent: [], reopen: true, notices: [RESTARTED] });
  });

  test("while a text is shown, or a swipe acknowledged, ends that with the link", () => {
    const showing = identified(createBench("serial"));
    const shown = showing.command({ do: "display", lines: ["x"] });
    showing.tell("device", "00000000");
    expect(showing.look()).toMatchObject({ reopen: true, notices: [{ n: shown, on: "fault", code: "device-error" }] });
    const typed = held(createBench("serial"), "07", "03");
    const n = typed.command({ do: "complete", issuer: APPROVED });
    typed.tell("device", "00000000");
    expect(typed.look()).toMatchObject({ reopen: true, notices: [{ n, on: "fault", code: "device-error" }] });
  });

  test("while a card is asked out, or its transaction is stopped, ends that with the link", () => {
    const asked = identified(createBench("serial"));
    asked.tell("device", "01020000");
    const out = asked.command({ do: "collect", request: { ...ALL, again: "chip-unreadable" } });
    asked.look();
    asked.tell("device", "00000000");
    expect(asked.look()).toMatchObject({ reopen: true, notices: [{ n: out, on: "fault", code: "device-error" }] });
    const stopped = held(createBench("serial"));
    const n = stopped.command({ do: "cancel" });
    stopped.tell("device", "00000000");
    expect(stopped.look()).toMatchObject({ reopen: true, notices: [{ n, on: "fault", code: "device-error" }] });
  });

  test("repeats that it has until it is told that this was seen, and is asked for its notifications after that", () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.command({ do: "identify" });
    bench.tell("device", "00000000");
    expect(bench.look().reopen).toBe(false);
    answerAll(bench);
    const { sent } = bench.look();
    expect(sent.slice(-2)).toEqual(["set-property 1.2.7.1.1.2=01", "subscribe"]);
  });

  test.each([
    ["00010000", 180_000],
    ["00020100", 60_000],
  ])("soon, or is switched off because its battery is empty (%s), is no terminal for a new payment", (code, inMs) => {
    const bench = identified(createBench());
    bench.tell("device", code);
    expect(bench.look().notices).toEqual([{ n: 0, on: "restart-soon", inMs }]);
  });

  test("a low battery alone is no restart", () => {
    const bench = identified(createBench());
    bench.tell("device", "0002000F");
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
  });
});

test("a collect whose request is refused by the device as unknown ends, and leaves nothing behind", () => {
  const bench = identified(createBench());
  const n = bench.command({ do: "collect", request: ALL });
  bench.answer("020102");
  expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "device-error" }]);
  expect(bench.timers()).toEqual({});
});
