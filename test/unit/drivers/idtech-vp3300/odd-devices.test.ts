import { describe, expect, test } from "vitest";
import type { IssuerResponse } from "../../../../src/emv/issuer-response.ts";
import { ALL, SALE } from "../../../support/driver-bench.ts";
import {
  chipAnswer,
  createBench,
  DATA_KEY,
  DONE,
  FIRMWARE,
  firmwareOf,
  held,
  identified,
  idles,
  MODULES,
  MORE,
  recordWith,
  SELECTED,
  SERIAL,
  swipeAnswer,
  waiting,
} from "./bench.ts";

/* Devices of the field that behave a little otherwise. */

const APPROVED: IssuerResponse = { verdict: "approved", arc: "3030", scripts: [] };

test("a completion that fails is told at once, not after the cancel behind it", () => {
  const bench = held(createBench());
  const n = bench.command({ do: "complete", issuer: APPROVED });
  bench.look();
  bench.answer("6007");
  expect(bench.look()).toMatchObject({ sent: ["cancel"], notices: [{ n, on: "fault", code: "device-error" }] });
  const idle = bench.command({ do: "idle" });
  idles(bench);
  idles(bench);
  expect(bench.look().notices).toEqual([{ n: idle, on: "done" }]);
});

test("a cancelled device that goes silent after a failed completion has its link opened anew", () => {
  const bench = held(createBench());
  bench.command({ do: "complete", issuer: APPROVED });
  bench.answer("6007");
  bench.look();
  for (let left = 3; left > 0; left -= 1) bench.fire("answer");
  expect(bench.look()).toMatchObject({ notices: [], reopen: true });
});

describe("a device that refused to tell of its slot", () => {
  const silent = (): ReturnType<typeof createBench> => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.fire("settle");
    bench.command({ do: "identify" });
    idles(bench);
    bench.answer(FIRMWARE, SERIAL, DONE.poll, DATA_KEY, MODULES, "0105");
    bench.look();
    return bench;
  };

  test("is not believed a card that it never takes back", () => {
    const bench = silent();
    bench.tell("F200 01");
    expect(bench.look().notices).toEqual([]);
    bench.command({ do: "collect", request: { ...ALL, again: "fallback" } });
    expect(bench.look().sent).toEqual([expect.stringContaining("activate")]);
  });
});

test.each([
  ["a card", "01", true],
  ["an empty slot", "00", false],
])("%s of which the device tells while it is identified is told once it is known to tell", (_what, seated, card) => {
  const bench = createBench();
  bench.feed({ on: "opened" });
  bench.fire("settle");
  const n = bench.command({ do: "identify" });
  idles(bench);
  bench.tell(`F200 ${seated}`);
  bench.answer(FIRMWARE, SERIAL, DONE.poll, DATA_KEY, MODULES, DONE.switches);
  expect(bench.look().notices).toMatchObject([
    { n, on: "ready" },
    { n: 0, on: "slot", card },
  ]);
});

test("a chip that is read although nothing was told of the slot is not told as a card that came: it may have been there before", () => {
  const bench = createBench();
  waiting(bench);
  bench.answer(SELECTED);
  expect(bench.look().notices.filter(({ on }) => on === "slot")).toEqual([]);
  const told = identified(createBench());
  told.tell("F200 00");
  told.command({ do: "collect", request: SALE });
  told.answer(MORE, SELECTED);
  expect(told.look().notices.filter(({ on }) => on === "slot")).toEqual([
    { n: 0, on: "slot", card: false },
    { n: 0, on: "slot", card: true },
  ]);
});

test("a swiped chip card is asked to its slot although only a stripe was asked for", () => {
  const bench = createBench();
  const n = waiting(bench, { ...SALE, interfaces: ["stripe"] });
  bench.answer(swipeAnswer(recordWith(";4761********0010=2212201************")));
  const notice = bench.look().notices.find((one) => one.n === n && one.on !== "prompt");
  expect(notice).toMatchObject({ on: "no-card", why: "use-chip" });
});

test("a display that is not answered does not keep a cancel from its time", () => {
  const bench = createBench();
  bench.feed({ on: "opened" });
  bench.fire("settle");
  bench.command({ do: "identify" });
  idles(bench);
  bench.answer(firmwareOf("VP8800 v1"), DATA_KEY, SERIAL, DONE.poll, DATA_KEY, MODULES, DONE.switches);
  bench.look();
  const display = bench.command({ do: "display", lines: ["APPROVED"], meaning: "approved" });
  const n = bench.command({ do: "cancel" });
  expect(bench.look().sent).toEqual([expect.stringContaining("screen"), "cancel"]);
  idles(bench);
  expect(bench.look().notices).toEqual([
    { n: display, on: "done" },
    { n, on: "cancelled", by: "register" },
  ]);
});

test("a decline of another transaction is not this card's final word", () => {
  const bench = held(createBench());
  const n = bench.command({ do: "complete", issuer: APPROVED });
  bench.answer(chipAnswer("0003", "00", "0288"));
  expect(bench.look().notices).toEqual([]);
  bench.answer(chipAnswer("0002", "40"));
  expect(bench.look().notices).toMatchObject([{ n, on: "finished", verdict: "approved" }]);
});
