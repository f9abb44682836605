import { describe, expect, test } from "vitest";
import { parseMsrRecord } from "../../../../drivers/idtech-vp3300/msr-record.ts";
import type { CollectRequest } from "../../../../src/card/command.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { ALL, SALE } from "../../../support/driver-bench.ts";
import {
  type Bench,
  createBench,
  idles,
  recordWith,
  running,
  SEALED,
  SELECTED,
  swipeAnswer,
  tapAnswer,
  waiting,
} from "./bench.ts";
import { frameHex, vectors } from "./vectors.ts";

const tapping = (changes: Partial<CollectRequest> = {}): { readonly bench: Bench; readonly n: number } => {
  const bench = createBench();
  return { bench, n: waiting(bench, { ...ALL, ...changes }) };
};
const failure = (code: string): string => `020A 01FFEE1F04${code}000000`;

describe("waiting at every reader", () => {
  test.each([
    [["chip", "contactless", "stripe"], "07", "INSERT_OR_TAP"],
    [["contactless"], "02", "TAP"],
    [["chip", "stripe"], "05", "INSERT_CHIP"],
    [["stripe"], "01", "SWIPE"],
  ] as const)("%j turns on %s", (interfaces, mask, prompt) => {
    const bench = createBench();
    waiting(bench, { ...ALL, interfaces });
    const n = bench.command({ do: "cancel" });
    idles(bench);
    bench.look();
    const m = bench.command({ do: "collect", request: { ...ALL, interfaces } });
    const { sent, notices } = bench.look();
    expect(sent).toEqual([expect.stringContaining(`DFEF3701${mask}DFEF3C03000078`)]);
    expect(notices).toMatchObject([{ n: m, on: "prompt", prompt }]);
    expect(n).toBe(m - 1);
  });

  test("the command is the recorded one, but for its times and the tags that are wanted", () => {
    const bench = createBench();
    waiting(bench, { ...ALL, interfaces: ["stripe"] });
    bench.command({ do: "cancel" });
    idles(bench);
    bench.look();
    bench.command({
      do: "collect",
      request: { ...ALL, amount: 100, currencyNumeric: "840", currencyCode: "USD", cardMs: 25_000 },
    });
    const recorded = frameHex("activate_cmd").slice(28, -4).replace("DFEF3C03010060", "DFEF3C03000078");
    const [sent = ""] = bench.look().sent;
    expect(sent.startsWith(`activate ${recorded}DFEE1A`)).toBe(true);
  });

  test("a chip goes on as a contact transaction", () => {
    const { bench, n } = tapping();
    bench.tell("F200 01");
    expect(bench.look().notices).toEqual([
      { n: 0, on: "slot", card: true },
      { n, on: "prompt", prompt: "PROCESSING" },
    ]);
    bench.answer(SELECTED.replace("6000", "0200"));
    expect(bench.look()).toMatchObject({ sent: [expect.stringContaining("authenticate")], notices: [] });
  });

  test.each(["0281", "02A3"])("a reader that stops for an inserted card (%s) is started for it", (answer) => {
    const { bench } = tapping();
    bench.answer(answer);
    expect(bench.look().sent).toEqual([expect.stringMatching(/^start /)]);
    const other = tapping({ interfaces: ["contactless"] });
    other.bench.answer(answer);
    expect(other.bench.look()).toMatchObject({ sent: [], notices: [{ n: other.n, prompt: "REMOVE_CARD" }] });
    other.bench.tell("F200 00");
    expect(other.bench.look().sent).toEqual([expect.stringContaining("activate")]);
  });
});

test("a card that is inserted while one is at work, or again and again, ends it as a device that is out of order", () => {
  const bench = createBench();
  const n = running(bench);
  bench.answer("6081");
  expect(bench.look().sent).toEqual(["cancel"]);
  idles(bench);
  expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "device-error" }]);
  const { bench: endless } = tapping();
  for (let times = 0; times < 20; times += 1) endless.answer(times === 0 ? "0281" : "6081");
  expect(endless.look().sent.at(-1)).toBe("cancel");
});

describe("a tap", () => {
  test.each([
    ["23", "80", "online"],
    ["00", "80", "online"],
    ["00", "40", "approved-offline"],
    ["00", "00", "declined-offline"],
    ["23", "00", "declined-offline"],
  ])("with status %s and cryptogram %s is %s", (status, information, decision) => {
    const { bench, n } = tapping();
    bench.answer(tapAnswer(status, information));
    expect(bench.look()).toMatchObject({
      sent: [],
      notices: [{ n, on: "card", card: { interface: "contactless-chip", decision, masked: { last4: "0010" } } }],
    });
    expect(bench.timers()).toEqual({});
  });

  test("in stripe mode has encrypted tracks and no cryptogram", () => {
    const { bench, n } = tapping();
    const track = `;4761********0010=*******************?`;
    const tracks = `DFEE120AFFFF987654320040000ADFEF4C06004F00250000DFEF4D8178${"11".repeat(80)}${"22".repeat(40)}DFEF18${track.length.toString(16)}${toHex(new TextEncoder().encode(track))}`;
    bench.answer(`0200 F100${tracks}9F390191`);
    const [notice] = bench.look().notices;
    expect(notice).toMatchObject({
      n,
      on: "card",
      card: { interface: "contactless-magstripe", masked: { last4: "0010" } },
    });
    expect(notice?.on === "card" && notice.card.sred?.data.reveal()).toBe("22".repeat(40));
  });

  test.each(["9F6B", "57"])(
    "in stripe mode may have its track as an object (%s), masked and then encrypted as a whole",
    (tag) => {
      const { bench, n } = tapping();
      const masked = `${tag}A1114761CCCCCCCC0010D2212201CCCCCCCCCC`;
      // Empty tracks beside it, as a published answer has them.
      bench.answer(
        `0200 F100DFEE120AFFFF987654320040000ADFEF4C06000000000000DFEF4D00${masked}${tag}C118${vectors.demo.enc57}9F390191`,
      );
      const [notice] = bench.look().notices;
      expect(notice).toMatchObject({
        n,
        on: "card",
        card: { interface: "contactless-magstripe", icc: [{ tag: "9F39" }], masked: { last4: "0010" } },
      });
      expect(notice?.on === "card" && notice.card.sred?.data.reveal()).toBe(vectors.demo.enc57);
    },
  );

  test.each([
    ["no cryptogram information", tapAnswer("23", "80").replace("9F270180", "")],
    ["no cryptogram", tapAnswer("23", "80").replace("9F2608", "9F7108")],
  ])("with %s is none", (_what, answer) => {
    const { bench, n } = tapping();
    bench.answer(answer);
    idles(bench);
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "protocol" }]);
  });

  test.each([["9F3403420300"], ["9F6C028000"]])(
    "that asks for a PIN which its issuer verifies (%s) wants the chip, where that is offered and money is to be paid",
    (asks) => {
      const { bench, n } = tapping();
      bench.answer(tapAnswer("23", "80", asks));
      expect(bench.look()).toEqual({ sent: [], notices: [{ n, on: "no-card", why: "use-chip" }], reopen: false });
      for (const changes of [{ interfaces: ["contactless"] }, { transactionType: "20" }] as const) {
        const other = tapping(changes);
        other.bench.answer(tapAnswer("23", "80", asks));
        expect(other.bench.look().notices).toMatchObject([
          { n: other.n, on: "card", card: { interface: "contactless-chip" } },
        ]);
      }
    },
  );

  test("of a refund ends it, whatever the card answered", () => {
    const { bench, n } = tapping({ transactionType: "20" });
    bench.answer(tapAnswer("23", "80", "9C0120"));
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "card", card: { decision: "online" } }] });
    const m = bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    expect(bench.look().notices).toMatchObject([{ n: m, code: "refused" }]);
  });

  test.each([
    ["02", { on: "no-card", why: "use-chip" }],
    ["20", { on: "no-card", why: "use-chip" }],
    ["22", { on: "no-card", why: "use-chip" }],
    ["25", { on: "no-card", why: "blocked" }],
    ["26", { on: "no-card", why: "not-supported" }],
  ])("that fails with error %s ends the collect", (code, ending) => {
    const { bench, n } = tapping();
    bench.answer(failure(code));
    expect(bench.look()).toEqual({ sent: [], notices: [{ n, ...ending }], reopen: false });
  });

  test.each([
    ["21", "ONE_CARD_ONLY"],
    ["24", "TRY_AGAIN"],
    ["30", "TRY_AGAIN"],
  ])("that fails with error %s is asked for again, six times at most", (code, prompt) => {
    const { bench, n } = tapping();
    bench.answer(failure(code));
    expect(bench.look()).toMatchObject({ sent: [expect.stringContaining("activate")], notices: [{ n, prompt }] });
    for (let times = 0; times < 5; times += 1) bench.answer(failure(code));
    expect(bench.look().notices).toEqual([{ n, on: "no-card", why: "use-chip" }]);
  });

  test.each(["50", "7F"])("that fails with error %s is a fault", (code) => {
    const { bench, n } = tapping();
    bench.answer(failure(code));
    idles(bench);
    expect(bench.look()).toMatchObject({
      sent: ["cancel", "ping"],
      notices: [{ n, on: "fault", code: "device-error" }],
    });
  });

  test("two cards are one too many", () => {
    const { bench, n } = tapping();
    bench.answer("0200 C0DFEE2502007A");
    expect(bench.look()).toMatchObject({
      sent: [expect.stringContaining("activate")],
      notices: [{ n, prompt: "ONE_CARD_ONLY" }],
    });
  });
});

describe("a swipe", () => {
  const track2 = toHex(parseMsrRecord(fromHex(vectors.stripe.hex))?.encrypted[1] ?? new Uint8Array(0));

  test.each([
    ["by its attribution", swipeAnswer()],
    ["by its result", swipeAnswer().replace("C8DFEE23", "C0DFEE25020011DFEE23")],
  ])("is told %s", (_what, answer) => {
    const { bench, n } = tapping();
    bench.answer(answer);
    const [notice] = bench.look().notices;
    expect(notice).toMatchObject({
      n,
      on: "card",
      card: { interface: "magstripe", decision: "online", icc: [], masked: { last4: "0010" } },
    });
    expect(notice?.on === "card" && [notice.card.sred?.data.reveal(), notice.card.sred?.ksn]).toEqual([
      track2,
      vectors.demo.KSN,
    ]);
  });

  test("of a chip card is to be inserted: the reader says so, or its track does", () => {
    const { bench, n } = tapping();
    bench.tell("6101 03 0000 0200 454E 0300 810E1C 0000");
    expect(bench.look().sent).toEqual(["cancel"]);
    idles(bench);
    expect(bench.look().notices).toEqual([{ n, on: "no-card", why: "use-chip" }]);
    const shown = recordWith(";4761********0010=2212201************");
    const second = tapping();
    second.bench.answer(swipeAnswer(shown));
    expect(second.bench.look().notices).toEqual([{ n: second.n, on: "no-card", why: "use-chip" }]);
    const third = tapping({ again: "fallback" });
    third.bench.answer(swipeAnswer(shown));
    expect(third.bench.look().notices).toMatchObject([{ on: "card", card: { interface: "magstripe", hasChip: true } }]);
    const other = tapping({ again: "fallback" });
    other.bench.answer(swipeAnswer(recordWith(";4761********0010=2212101************")));
    expect(other.bench.look().notices).toMatchObject([
      { on: "card", card: { interface: "magstripe", hasChip: false } },
    ]);
  });

  test("that is not wanted is passed over", () => {
    const bench = createBench();
    waiting(bench, SALE);
    bench.answer("6000 C8DFEE25020011");
    expect(bench.look()).toMatchObject({ sent: [expect.stringMatching(/^start /)], notices: [] });
  });

  test("without any track is to be tried again, one whose record is broken is a fault", () => {
    const { bench, n } = tapping();
    bench.answer(swipeAnswer("020700803F000000008000"));
    expect(bench.look().sent).toEqual(["cancel"]);
    idles(bench);
    expect(bench.look().notices).toMatchObject([{ n, on: "fault", code: "protocol" }]);
    for (const answer of ["0200 C0DFEE25023007", swipeAnswer(EMPTY_RECORD)]) {
      const second = tapping();
      second.bench.answer(answer);
      expect(second.bench.look()).toMatchObject({
        sent: [expect.stringContaining("activate")],
        notices: [{ prompt: "TRY_AGAIN" }],
      });
    }
  });

  test("with a clear track is a terminal that leaks", () => {
    const { bench, n } = tapping();
    bench.answer(swipeAnswer(recordWith(";4761739001010010=2212201")));
    idles(bench);
    expect(bench.look().notices).toMatchObject([
      { n, on: "fault", code: "clear-card-data", detail: expect.stringContaining("DFEE23") },
    ]);
  });

  test("of a card that is sealed as a chip's data would be is told by what the reader says of it", () => {
    const { bench } = tapping();
    bench.answer(`0200 C8${SEALED}`);
    expect(bench.look().sent).toEqual(["cancel"]);
  });
});

/** A record of a magstripe on which nothing could be read: no track, a key serial number, and its two checks. */
const EMPTY_RECORD = "021100803F0000000080FFFF987654320040000AFD1B03";
