import { describe, expect, it } from "vitest";
import type { Check } from "../../../../src/web/console/known-terminal.ts";
import {
  checkedWords,
  checksNow,
  checkTitle,
  goodWords,
  inOrder,
  isStuck,
  type Known,
  verdictOf,
} from "../../../../src/web/console/shop-state.ts";
import { paymentWords } from "../../../../src/web/console/terminal-words.ts";

const READY = { id: "till-1", state: "ready" } as const;
const GOOD: Known = { terminals: [READY], open: [], checks: [{ name: "clock", state: "ok", text: "fine" }] };

describe("the overview", () => {
  it("says that all is right only once the terminals were read", () => {
    expect(verdictOf({ terminals: undefined, open: undefined, checks: undefined })).toMatchObject({
      tone: undefined,
      points: [],
    });
    expect(verdictOf(GOOD)).toEqual({ tone: "good", headline: "This shop is all right", points: [] });
  });

  it("counts a payment under way as all right, and one of unknown outcome not", () => {
    expect(verdictOf({ ...GOOD, open: [{ id: "a", isStuck: false }] }).tone).toBe("good");
    const stuck = verdictOf({
      ...GOOD,
      open: [
        { id: "a", isStuck: true },
        { id: "b", isStuck: true },
      ],
    });
    expect(stuck.tone).toBe("unknown");
    expect(stuck.points.map(({ text, href }) => [text, href])).toEqual([
      ["The outcome of 2 payments is not known yet.", "#/open"],
    ]);
  });

  it("names the worst first, and a terminal once although a check names it too", () => {
    const { tone, points } = verdictOf({
      terminals: [READY, { id: "till 2", label: "Bar", state: "offline", reason: "no answer." }],
      open: [{ id: "a", isStuck: true }],
      checks: [
        { name: "disk", state: "warn", text: "300 MB are free." },
        { name: "terminal till 2", state: "fail", text: "offline" },
        { name: "gateway", state: "fail", text: "It does not answer." },
      ],
    });
    expect(tone).toBe("bad");
    expect(points.map(({ text, href }) => [text, href])).toEqual([
      ["Terminal Bar is offline: no answer.", "#/terminals/till%202"],
      ["It does not answer.", "#/checks"],
      ["300 MB are free.", "#/checks"],
      ["The outcome of one payment is not known yet.", "#/open"],
    ]);
  });

  it("calls a shop without a terminal bad", () => {
    expect(verdictOf({ ...GOOD, terminals: [] })).toMatchObject({ tone: "bad", points: [{ href: "#/pair" }] });
  });
});

describe("the checks of terminals", () => {
  const check = (name: string, state: Check["state"] = "ok"): Check => ({ name, state, text: "as it was" });
  const BEFORE = [check("clock"), check("terminal till-1"), check("terminal gone", "fail"), check("log", "warn")];
  const OFFLINE = {
    id: "till-1",
    model: "miura-m020",
    state: "offline",
    reason: "no device; is it switched on?",
  } as const;

  it("follow the list of terminals, and stand where they stood", () => {
    const pulled = checksNow(BEFORE, [OFFLINE, { id: "till-2", model: "m", state: "busy" }]) ?? [];
    expect(pulled.map(({ name, state }) => [name, state])).toEqual([
      ["clock", "ok"],
      ["terminal till-1", "fail"],
      ["terminal till-2", "ok"],
      ["log", "warn"],
    ]);
    expect(pulled[1]).toMatchObject({
      text: "miura-m020 is offline: no device; is it switched on?",
      fix: expect.stringContaining("switched on"),
    });
    const plugged = checksNow([check("terminal till-1", "fail")], [READY]);
    expect(plugged?.map(({ state }) => state)).toEqual(["ok"]);
    expect(checksNow([check("clock")], [])?.map(({ name, state }) => [name, state])).toEqual([
      ["clock", "ok"],
      ["terminals", "warn"],
    ]);
  });

  it("are those of the bridge until the list was read, and none before the checks ran", () => {
    expect(checksNow(BEFORE, undefined)).toEqual(BEFORE);
    expect(checksNow(undefined, [READY])).toBeUndefined();
  });

  it("say how old they are apart from the others", () => {
    expect(checkedWords(BEFORE)).toBe("Terminals as they are now; the rest checked");
    expect(checkedWords([check("clock")])).toBe("Checked");
  });
});

it("every check is ok only where every check is", () => {
  const checks: readonly Check[] = [
    { name: "clock", state: "ok", text: "" },
    { name: "terminal till-1", state: "fail", text: "" },
  ];
  expect(goodWords({ ...GOOD, checks })).toBe("The terminal works, and no payment is open.");
});

it("a reason that is a question keeps its own mark", () => {
  const { points } = verdictOf({
    ...GOOD,
    terminals: [{ id: "till-1", state: "offline", reason: "is it plugged in and switched on?" }],
  });
  expect(points.map(({ text }) => text)).toEqual(["Terminal till-1 is offline: is it plugged in and switched on?"]);
});

it.each([
  [undefined, 0, "none"],
  ["p1", 0, "p1"],
  ["p1", 2, "p1, 2 waiting"],
  [undefined, 1, "1 waiting"],
])("a terminal with the payment %s and a queue of %i works for: %s", (payment, queue, words) => {
  expect(paymentWords({ payment, queue })).toBe(words);
});

it("checks stand with the failed ones first", () => {
  const check = (state: "ok" | "warn" | "fail") => ({ name: state, state, text: "" });
  expect(inOrder([check("ok"), check("warn"), check("fail")]).map(({ state }) => state)).toEqual([
    "fail",
    "warn",
    "ok",
  ]);
});

it.each([
  ["gateway-credentials", "Gateway credentials"],
  ["terminal till-1", "Terminal till-1"],
])("the check %s is called %s", (name, title) => {
  expect(checkTitle(name)).toBe(title);
});

it.each([
  ["AWAITING_CARD", 600_000, false],
  ["AUTHORIZING", 15_000, false],
  ["AUTHORIZING", 15_001, true],
  ["RESOLVING", 0, true],
  ["REVERSING", 0, true],
  ["FINAL", 0, true],
] as const)("a payment that is %s since %i ms is stuck: %s", (state, ms, stuck) => {
  expect(isStuck({ state, updatedAt: "2026-03-01T10:00:00.000Z" }, Date.parse("2026-03-01T10:00:00.000Z") + ms)).toBe(
    stuck,
  );
});

it("what is good about a shop tells the truth of payments under way", () => {
  expect(goodWords(GOOD)).toBe("The terminal works, no payment is open, and every check is ok.");
  expect(goodWords({ ...GOOD, open: [{ id: "a", isStuck: false }], checks: undefined })).toBe(
    "The terminal works, and one payment is under way.",
  );
});
